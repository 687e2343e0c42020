package generator

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// client reads a snapshot as a client of the API does: it knows the contract
// and how a host maps a request to a file, and shares no code with what wrote
// the files.
type client struct {
	t    *testing.T
	dir  string
	base string
	api  bool // asks for format=api
}

type clientRecord struct {
	Language string          `json:"language"`
	Meta     json.RawMessage `json:"meta"`
	Created  string          `json:"created"`
	Modified string          `json:"modified"`
	URL      string          `json:"url"`
	Content  *string         `json:"content"`
	Embeds   json.RawMessage `json:"embeds"`

	meta map[string]*string
	id   string
}

type clientList struct {
	Count    int               `json:"count"`
	Next     *string           `json:"next"`
	Previous *string           `json:"previous"`
	Results  []json.RawMessage `json:"results"`
}

var (
	timestamp = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$`)
	recordURL = regexp.MustCompile(`^/pages/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/(index(\.api)?\.json)?$`)
	content   = regexp.MustCompile(`^<!-- modified: (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d) --><div class="xmldoc">(?s:.*)</div>$`)
)

// get returns the body that a host answers with: DESIGN's one rule where the
// link has the contract's form, the file itself where the link names one.
func (c *client) get(address string) []byte {
	c.t.Helper()
	rest, ok := strings.CutPrefix(address, c.base)
	if !ok {
		c.t.Fatalf("%s is not below %s", address, c.base)
	}
	u, err := url.Parse(rest)
	if err != nil {
		c.t.Fatal(err)
	}
	file := u.Path
	if strings.HasSuffix(file, "/") {
		name := "index"
		if page := u.Query().Get("page"); page != "" {
			name = "page-" + page
		}
		if u.Query().Get("format") == "api" {
			name += ".api"
		}
		file += name + ".json"
	}
	body, err := os.ReadFile(filepath.Join(c.dir, filepath.FromSlash(file)))
	if err != nil {
		c.t.Fatalf("%s: %v", address, err)
	}
	return body
}

func decode[T any](c *client, body []byte) (v T) {
	c.t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&v); err != nil {
		c.t.Fatalf("%s: %v", body, err)
	}
	return v
}

// walk follows next from the first list page to the last, opens every record,
// and returns the records in detail, in order.
func (c *client) walk(first string) []clientRecord {
	c.t.Helper()
	var records []clientRecord
	var previous *string
	address := first
	for n := 1; ; n++ {
		list := decode[clientList](c, c.get(address))
		if n > 1 && (list.Previous == nil || *list.Previous != *previous) || n == 1 && list.Previous != nil {
			c.t.Fatalf("list page %d: previous is wrong", n)
		}
		for _, raw := range list.Results {
			records = append(records, c.open(raw))
		}
		if list.Next == nil {
			if list.Count != len(records) {
				c.t.Fatalf("count is %d, and %d records were met", list.Count, len(records))
			}
			return records
		}
		if len(list.Results) != 10 || (n*10 >= list.Count) {
			c.t.Fatalf("list page %d has %d records and a next", n, len(list.Results))
		}
		if c.api != strings.Contains(*list.Next, "api") {
			c.t.Fatalf("variant and next differ: %s", *list.Next)
		}
		here := address
		previous, address = &here, *list.Next
	}
}

// open checks a list record and the detail behind it, and returns the detail.
func (c *client) open(raw json.RawMessage) clientRecord {
	c.t.Helper()
	r := decode[clientRecord](c, raw)
	if r.Content != nil || r.Embeds != nil {
		c.t.Fatalf("a list record carries a body: %s", raw)
	}
	body := c.get(r.URL)
	if !bytes.HasPrefix(body, raw[:len(raw)-1]) {
		c.t.Fatalf("list record and detail differ:\n%s\n%s", raw, body)
	}
	detail := decode[clientRecord](c, body)
	if detail.Content == nil || detail.Embeds == nil {
		c.t.Fatalf("a detail lacks its body: %s", body)
	}
	u, err := url.Parse(strings.TrimPrefix(r.URL, c.base))
	if err != nil {
		c.t.Fatal(err)
	}
	match := recordURL.FindStringSubmatch(u.Path)
	if match == nil || c.api != strings.Contains(r.URL, "api") {
		c.t.Fatalf("url is %s", r.URL)
	}
	detail.id = match[1]
	if err := json.Unmarshal(detail.Meta, &detail.meta); err != nil {
		c.t.Fatalf("%s: %v", detail.Meta, err)
	}
	for _, at := range []string{detail.Created, detail.Modified} {
		if !timestamp.MatchString(at) {
			c.t.Fatalf("timestamp is %s", at)
		}
	}
	parts := content.FindStringSubmatch(*detail.Content)
	if parts == nil || parts[1] != detail.Modified[:19] {
		c.t.Fatalf("modified is %s and content begins %.80s", detail.Modified, *detail.Content)
	}
	return detail
}

// walkSnapshot walks both variants of a snapshot and returns the records of the
// plain one.
func walkSnapshot(t *testing.T, dir, base, style string) []clientRecord {
	t.Helper()
	firsts := map[string][2]string{
		"query":      {base + "/pages/", base + "/pages/?format=api"},
		"file":       {base + "/pages/index.json", base + "/pages/index.api.json"},
		"file+query": {base + "/pages/index.json", base + "/pages/index.api.json?format=api"},
	}[style]
	plain := (&client{t: t, dir: dir, base: base}).walk(firsts[0])
	variant := (&client{t: t, dir: dir, base: base, api: true}).walk(firsts[1])
	if len(plain) != len(variant) {
		t.Fatalf("the variants have %d and %d records", len(plain), len(variant))
	}
	seen := map[string]bool{}
	for i, r := range plain {
		v := variant[i]
		if r.id != v.id || r.Language != v.Language || string(r.Meta) != string(v.Meta) || r.Created != v.Created ||
			r.Modified != v.Modified || *r.Content != *v.Content || string(r.Embeds) != string(v.Embeds) {
			t.Fatalf("the variants of %s differ", r.id)
		}
		if seen[r.id] {
			t.Fatalf("%s is met twice", r.id)
		}
		seen[r.id] = true
	}
	if !slices.IsSortedFunc(plain, func(a, b clientRecord) int {
		if a.Created != b.Created {
			return strings.Compare(b.Created, a.Created)
		}
		return strings.Compare(a.id, b.id)
	}) {
		t.Fatal("records are not in order")
	}
	checkFiles(t, dir, plain)
	return plain
}

// checkFiles checks that the snapshot has all files that the contract needs,
// and no other.
func checkFiles(t *testing.T, dir string, records []clientRecord) {
	t.Helper()
	want := map[string]bool{"404.json": true, "405.json": true}
	for _, ending := range []string{".json", ".api.json"} {
		want["pages/index"+ending] = true
		for n := range max(1, (len(records)+9)/10) {
			want[fmt.Sprintf("pages/page-%d%s", n+1, ending)] = true
		}
		for _, r := range records {
			want["pages/"+r.id+"/index"+ending] = true
		}
	}
	got := readTree(t, dir)
	for name := range got {
		if !want[name] {
			t.Errorf("%s should not be there", name)
		}
	}
	for name := range want {
		if _, ok := got[name]; !ok {
			t.Errorf("%s is missing", name)
		}
	}
	for _, ending := range []string{".json", ".api.json"} {
		if got["pages/index"+ending] != got["pages/page-1"+ending] {
			t.Errorf("index%s and page-1%s differ", ending, ending)
		}
	}
}

// readTree returns the files below dir, without those of .sivu.
func readTree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.Name() == ".sivu" {
			return filepath.SkipDir
		}
		if d.IsDir() {
			return nil
		}
		body, err := os.ReadFile(name)
		below, _ := filepath.Rel(dir, name)
		files[filepath.ToSlash(below)] = string(body)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
