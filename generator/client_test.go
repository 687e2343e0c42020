package generator

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// client reads a snapshot as a client of the API does: it knows the contract
// and how a host maps a request to a file, and shares no code with what wrote
// the files.
type client struct {
	t     *testing.T
	dir   string
	base  string
	style string
	api   bool // asks for format=api
}

type clientRecord struct {
	Language string          `json:"language"`
	Meta     json.RawMessage `json:"meta"`
	Created  string          `json:"created"`
	Modified string          `json:"modified"`
	URL      string          `json:"url"`
	Content  *string         `json:"content"`
	Embeds   []clientEmbed   `json:"embeds"`

	id   string
	meta []clientMeta
}

type clientEmbed struct {
	URI string `json:"uri"`
}

// clientMeta is one key of a meta object. Value is nil where it is null.
type clientMeta struct {
	Key   string
	Value *string
}

func (m clientMeta) String() string {
	if m.Value == nil {
		return m.Key + ": null"
	}
	return fmt.Sprintf("%s: %q", m.Key, *m.Value)
}

// key returns a meta value and whether the key is there at all.
func (r *clientRecord) key(name string) (value *string, ok bool) {
	i := slices.IndexFunc(r.meta, func(m clientMeta) bool { return m.Key == name })
	if i < 0 {
		return nil, false
	}
	return r.meta[i].Value, true
}

// text returns a meta value that has to be a string.
func (r *clientRecord) text(t *testing.T, name string) string {
	t.Helper()
	value, _ := r.key(name)
	if value == nil {
		t.Fatalf("%s has no text as %s: %s", r.id, name, r.Meta)
	}
	return *value
}

type clientList struct {
	Count    int               `json:"count"`
	Next     *string           `json:"next"`
	Previous *string           `json:"previous"`
	Results  []json.RawMessage `json:"results"`
}

var (
	timestamp = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$`)
	uuidForm  = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)
	content   = regexp.MustCompile(`^<!-- modified: (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d) --><div class="xmldoc">$`)
)

// list returns the address that contract.md 10 gives list page n where it is linked.
func (c *client) list(n int) string {
	ending, query := ".json", ""
	if c.api {
		ending, query = ".api.json", "format=api"
	}
	name := "index"
	if n > 1 {
		name = fmt.Sprintf("page-%d", n)
		query = strings.TrimPrefix(fmt.Sprintf("%s&page=%d", query, n), "&")
	}
	return c.address("/pages/", name+ending, query)
}

// record returns the address of a record.
func (c *client) record(id string) string {
	if c.api {
		return c.address("/pages/"+id+"/", "index.api.json", "format=api")
	}
	return c.address("/pages/"+id+"/", "index.json", "")
}

func (c *client) address(folder, file, query string) string {
	switch c.style {
	case "query":
		file = ""
	case "file":
		query = ""
	}
	if query != "" {
		query = "?" + query
	}
	return c.base + folder + file + query
}

// get returns the body that a host answers with: the one rule of contract.md 11 where the
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

// decode reads a body whose keys are known, and checks that its bytes are the
// ones that contract.md 10 asks for.
func decode[T any](c *client, body []byte) (v T) {
	c.t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&v); err != nil {
		c.t.Fatalf("%.400s: %v", body, err)
	}
	if want := canonical(c.t, body); !bytes.Equal(body, want) {
		at := 0
		for at < min(len(body), len(want)) && body[at] == want[at] {
			at++
		}
		c.t.Fatalf("the bytes are not those of compact JSON from byte %d on: %.80q, want %.80q", at, body[at:], want[at:])
	}
	return v
}

// canonical encodes JSON anew, token by token, without a change of order. The
// standard library escapes what contract.md 2 says once HTML is left as it is.
func canonical(t *testing.T, body []byte) []byte {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	var value func()
	value = func() {
		token, err := decoder.Token()
		if err != nil {
			t.Fatalf("%.400s: %v", body, err)
		}
		open, ok := token.(json.Delim)
		if !ok {
			if err := encoder.Encode(token); err != nil {
				t.Fatal(err)
			}
			out.Truncate(out.Len() - 1) // the encoder's line feed
			return
		}
		out.WriteByte(byte(open))
		keys := map[string]bool{}
		for first := true; decoder.More(); first = false {
			if !first {
				out.WriteByte(',')
			}
			if open == '{' {
				start := out.Len()
				value()
				key := out.String()[start:]
				if keys[key] {
					t.Fatalf("%.400s: the key %s is there twice", body, key)
				}
				keys[key] = true
				out.WriteByte(':')
			}
			value()
		}
		token, _ = decoder.Token()
		out.WriteByte(byte(token.(json.Delim)))
	}
	value()
	if _, err := decoder.Token(); err != io.EOF {
		t.Fatalf("%.400s: there is more behind the value", body)
	}
	return out.Bytes()
}

// walk follows next from the first list page to the last, opens every record,
// and returns the records in detail, in order.
func (c *client) walk() []clientRecord {
	c.t.Helper()
	var records []clientRecord
	count := -1
	address := c.list(1)
	for n := 1; ; n++ {
		body := c.get(address)
		list := decode[clientList](c, body)
		if !bytes.HasPrefix(body, []byte(`{"count":`)) || list.Results == nil {
			c.t.Fatalf("list page %d begins %.100s", n, body)
		}
		if count >= 0 && list.Count != count {
			c.t.Fatalf("count is %d on list page %d and was %d before", list.Count, n, count)
		}
		count = list.Count
		c.checkNeighbours(n, list)
		for _, raw := range list.Results {
			records = append(records, c.open(raw))
		}
		if list.Next == nil {
			if count != len(records) {
				c.t.Fatalf("count is %d, and %d records were met", count, len(records))
			}
			return records
		}
		address = *list.Next
	}
}

// checkNeighbours checks next and previous, and how many records there are.
func (c *client) checkNeighbours(n int, list clientList) {
	c.t.Helper()
	optional := func(there bool, address string) string {
		if !there {
			return "null"
		}
		return address
	}
	said := func(address *string) string {
		if address == nil {
			return "null"
		}
		return *address
	}
	last := max(1, (list.Count+9)/10)
	if got, want := said(list.Previous), optional(n > 1, c.list(n-1)); got != want {
		c.t.Fatalf("list page %d: previous is %s, want %s", n, got, want)
	}
	if got, want := said(list.Next), optional(n < last, c.list(n+1)); got != want {
		c.t.Fatalf("list page %d: next is %s, want %s", n, got, want)
	}
	if want := min(10, list.Count-10*(n-1)); len(list.Results) != want {
		c.t.Fatalf("list page %d has %d records, want %d", n, len(list.Results), want)
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
		c.t.Fatalf("list record and detail differ:\n%s\n%.1000s", raw, body)
	}
	detail := decode[clientRecord](c, body)
	c.checkKeyOrder(body)
	if detail.Content == nil || detail.Embeds == nil {
		c.t.Fatalf("a detail lacks its body: %.1000s", body)
	}
	path, _ := strings.CutPrefix(r.URL, c.base+"/pages/")
	detail.id, _, _ = strings.Cut(path, "/")
	if !uuidForm.MatchString(detail.id) || r.URL != c.record(detail.id) {
		c.t.Fatalf("url is %s", r.URL)
	}
	c.readMeta(&detail)
	for _, at := range []string{detail.Created, detail.Modified} {
		if !timestamp.MatchString(at) {
			c.t.Fatalf("timestamp is %s", at)
		}
	}
	if detail.Modified < detail.Created {
		c.t.Fatalf("%s is modified %s and created %s", r.URL, detail.Modified, detail.Created)
	}
	c.checkContent(&detail)
	return detail
}

// checkKeyOrder checks the order of the keys of a detail.
func (c *client) checkKeyOrder(body []byte) {
	c.t.Helper()
	var keys []string
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.Token()
	for decoder.More() {
		key, _ := decoder.Token()
		keys = append(keys, fmt.Sprint(key))
		var value json.RawMessage
		decoder.Decode(&value)
	}
	if got := strings.Join(keys, " "); got != "language meta created modified url content embeds" {
		c.t.Fatalf("the keys of a detail are %s", got)
	}
}

// readMeta reads the meta object: strings and nulls, and a title among them.
func (c *client) readMeta(r *clientRecord) {
	c.t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(r.Meta))
	decoder.Token()
	for decoder.More() {
		key, _ := decoder.Token()
		value, _ := decoder.Token()
		m := clientMeta{Key: key.(string)}
		switch v := value.(type) {
		case string:
			m.Value = &v
		case nil:
		default:
			c.t.Fatalf("%s: the meta key %q is neither a string nor null: %s", r.id, key, r.Meta)
		}
		r.meta = append(r.meta, m)
	}
	if title, ok := r.key("title"); !ok || title == nil {
		c.t.Fatalf("%s has no title: %s", r.id, r.Meta)
	}
}

// checkContent checks that a content is one comment and one div.xmldoc for a
// reader of HTML, too.
func (c *client) checkContent(r *clientRecord) {
	c.t.Helper()
	const start = len(`<!-- modified: 2019-05-06T08:06:31 --><div class="xmldoc">`)
	parts := content.FindStringSubmatch((*r.Content)[:min(start, len(*r.Content))])
	if parts == nil || parts[1] != r.Modified[:19] || !strings.HasSuffix((*r.Content)[start:], "</div>") {
		c.t.Fatalf("modified is %s and content begins %.80s", r.Modified, *r.Content)
	}
	if c.api {
		return // the content is compared with that of the plain variant
	}
	nodes := parseHTML(c.t, *r.Content)
	if len(nodes) != 2 || nodes[0].Type != html.CommentNode || nodes[1].Type != html.ElementNode || nodes[1].Data != "div" {
		c.t.Fatalf("the content of %s is more than one comment and one div: %.200s", r.id, *r.Content)
	}
}

// parseHTML parses what may stand in a body.
func parseHTML(t *testing.T, text string) []*html.Node {
	t.Helper()
	nodes, err := html.ParseFragment(strings.NewReader(text), &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body})
	if err != nil {
		t.Fatal(err)
	}
	return nodes
}

// walkSnapshot walks both variants of a snapshot and returns the records of the
// plain one.
func walkSnapshot(t *testing.T, dir, base, style string) []clientRecord {
	t.Helper()
	plain := (&client{t: t, dir: dir, base: base, style: style}).walk()
	variant := (&client{t: t, dir: dir, base: base, style: style, api: true}).walk()
	if len(plain) != len(variant) {
		t.Fatalf("the variants have %d and %d records", len(plain), len(variant))
	}
	seen := map[string]bool{}
	for i, r := range plain {
		v := variant[i]
		if r.id != v.id || r.Language != v.Language || string(r.Meta) != string(v.Meta) || r.Created != v.Created ||
			r.Modified != v.Modified || *r.Content != *v.Content || !slices.Equal(r.Embeds, v.Embeds) {
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
	for name, body := range map[string]string{"404.json": `{"detail":"Not found."}`, "405.json": `{"detail":"Method not allowed."}`} {
		if got[name] != body {
			t.Errorf("%s is %s", name, got[name])
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
