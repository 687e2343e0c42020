package diff

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/page"
	"example.org/sivu/generator/tree"
)

// files is a snapshot in memory.
type files map[string]string

func (f files) All() iter.Seq[tree.Entry] {
	var list []tree.Entry
	for name, text := range f {
		p, ok := api.ParsePath(name)
		if !ok {
			panic(name)
		}
		list = append(list, tree.Entry{Path: p, Sum: tree.SumOf([]byte(text))})
	}
	tree.SortRun(list)
	return slices.Values(list)
}

func (f files) Read(path api.Path) ([]byte, error) {
	text, ok := f[path.String()]
	if !ok {
		return nil, fmt.Errorf("no %s", path)
	}
	return []byte(text), nil
}

// record is a record of a made snapshot.
type record struct {
	id, language, title, path, content string
	modified                           int64 // microseconds
	embeds                             []page.Embed
}

func (r record) uuid() uuid.UUID { return uuid.NewSHA1(uuid.Nil, []byte(r.id)) }

// made returns the snapshot of records, with the encoder that builds use.
func made(t *testing.T, base, style string, records ...record) files {
	t.Helper()
	s, ok := api.StyleNamed(style)
	if !ok {
		t.Fatal(style)
	}
	links, f := api.Links{Base: base, Style: s}, files{}
	heads := make([][]byte, len(records))
	for i, r := range records {
		p := &page.Page{
			Record: page.Record{ID: r.uuid(), Language: r.language, Modified: page.Time(r.modified)},
			Meta:   page.Meta{{Key: "title", Value: r.title}},
		}
		if r.path != "" {
			p.Meta = append(p.Meta, page.Entry{Key: "url", Value: r.path})
		}
		heads[i] = api.AppendItem(nil, p)
		content := p.Modified.AppendSeconds([]byte("<!-- modified: "))
		content = append(content, ` --><div class="xmldoc">`+r.content+"</div>"...)
		tail := api.AppendSuffix(nil, r.embeds, content)
		for _, v := range api.Variants {
			f[api.RecordFolder(p.ID)+"/"+api.IndexName(v)] = string(links.AppendDetail(nil, heads[i], tail, p.ID, v))
		}
	}
	for n := 1; n <= api.ListPages(len(records)); n++ {
		for _, v := range api.Variants {
			list := api.List{Count: len(records), Number: n}
			for k := (n - 1) * api.PageSize; k < min(n*api.PageSize, len(records)); k++ {
				list.Records = append(list.Records, api.Record{ID: records[k].uuid(), Item: heads[k]})
			}
			body := string(links.AppendEnvelope(nil, list, v))
			f[api.Folder+"/"+api.ListName(n, v)] = body
			if n == 1 {
				f[api.Folder+"/"+api.IndexName(v)] = body
			}
		}
	}
	f[api.NotFoundFile] = api.NotFoundBody
	return f
}

const base = "https://api.example.fi/v1"

var (
	housing = record{id: "1", language: "fi", title: "Asuminen", path: "fi/asuminen", content: "<p>a</p>"}
	work    = record{id: "2", language: "fi", title: "Työ", path: "fi/tyo", content: "<p>b</p>"}
	school  = record{id: "3", language: "sv", title: "Skola", path: "sv/skola", content: "<p>c</p>"}
)

func with(r record, change func(*record)) record {
	change(&r)
	return r
}

func compare(old, now files) (*Report, error) { return Compare(old, now, "old", "new") }

func TestRecords(t *testing.T) {
	tests := map[string]struct {
		old, now []record
		want     []Record
		dead     int
	}{
		"equal": {old: []record{housing, work}, now: []record{housing, work}},
		"added": {old: []record{housing}, now: []record{housing, work}, want: []Record{
			{Operation: Added, ID: work.uuid().String(), Language: "fi", Title: "Työ", Path: "fi/tyo"}}},
		"removed": {old: []record{housing, school}, now: []record{housing}, dead: 2, want: []Record{
			{Operation: Removed, ID: school.uuid().String(), Language: "sv", Title: "Skola", Path: "sv/skola"}}},
		"another title of equal length": {
			old: []record{work}, now: []record{with(work, func(r *record) { r.title = "Tyos" })},
			want: []Record{{Operation: Changed, ID: work.uuid().String(), Language: "fi", Title: "Tyos", Path: "fi/tyo", Parts: []string{"meta.title"}}}},
		"content, time and embeds": {
			old: []record{work},
			now: []record{with(work, func(r *record) {
				r.content, r.modified, r.embeds = "<p>d</p>", 7e6, []page.Embed{{URI: "https://a.example/1"}}
			})},
			want: []Record{{Operation: Changed, ID: work.uuid().String(), Language: "fi", Title: "Työ", Path: "fi/tyo", Parts: []string{"modified", "content", "embeds"}}}},
		"only the time": { // it is also in the comment before the content
			old: []record{work}, now: []record{with(work, func(r *record) { r.modified = 7e6 })},
			want: []Record{{Operation: Changed, ID: work.uuid().String(), Language: "fi", Title: "Työ", Path: "fi/tyo", Parts: []string{"modified"}}}},
		"moved with its id": {
			old: []record{work}, now: []record{with(work, func(r *record) { r.path = "fi/ura" })},
			want: []Record{{Operation: Moved, ID: work.uuid().String(), Language: "fi", Title: "Työ", Path: "fi/ura", OldPath: "fi/tyo", Parts: []string{"meta.url"}}}},
		"another id, the same path": {
			old: []record{work}, now: []record{with(work, func(r *record) { r.id = "9" })}, dead: 2,
			want: []Record{{Operation: Moved, ID: with(work, func(r *record) { r.id = "9" }).uuid().String(), OldID: work.uuid().String(),
				Language: "fi", Title: "Työ", Path: "fi/tyo", OldPath: "fi/tyo"}}},
		"another id and path, the same content": {
			old: []record{work, school}, now: []record{with(work, func(r *record) { r.id, r.path = "9", "fi/ura" }), school}, dead: 2,
			want: []Record{{Operation: Moved, ID: with(work, func(r *record) { r.id = "9" }).uuid().String(), OldID: work.uuid().String(),
				Language: "fi", Title: "Työ", Path: "fi/ura", OldPath: "fi/tyo", Parts: []string{"meta.url"}}}},
		"the same content in another language is no move": {
			old: []record{work}, now: []record{with(work, func(r *record) { r.id, r.path, r.language = "9", "sv/jobb", "sv" })}, dead: 2,
			want: []Record{
				{Operation: Removed, ID: work.uuid().String(), Language: "fi", Title: "Työ", Path: "fi/tyo"},
				{Operation: Added, ID: with(work, func(r *record) { r.id = "9" }).uuid().String(), Language: "sv", Title: "Työ", Path: "sv/jobb"}}},
		"the last record goes": {old: []record{work}, dead: 2, want: []Record{
			{Operation: Removed, ID: work.uuid().String(), Language: "fi", Title: "Työ", Path: "fi/tyo"}}},
	}
	for what, test := range tests {
		t.Run(what, func(t *testing.T) {
			old, now := made(t, base, "query", test.old...), made(t, base, "query", test.now...)
			r, err := compare(old, now)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, r.Records); diff != "" {
				t.Error(diff)
			}
			if len(r.Dead) != test.dead || r.Old.Records != len(test.old) || r.New.Records != len(test.now) {
				t.Errorf("%d records became %d, dead addresses: %q", r.Old.Records, r.New.Records, r.Dead)
			}
			checkApplied(t, old, now, r)
		})
	}
}

// checkApplied turns the old files into the new ones by the JSON report.
func checkApplied(t *testing.T, old, now files, r *Report) {
	t.Helper()
	var text bytes.Buffer
	if err := r.Print(&text, "json"); err != nil {
		t.Fatal(err)
	}
	var report struct {
		Files []struct {
			Path, Operation, SHA256 string
			Size                    int
		}
	}
	if err := json.Unmarshal(text.Bytes(), &report); err != nil {
		t.Fatal(err)
	}
	got := maps.Clone(old)
	for _, f := range report.Files {
		if f.Operation == "removed" {
			delete(got, f.Path)
			continue
		}
		got[f.Path] = now[f.Path]
		if sum := sha256.Sum256([]byte(now[f.Path])); fmt.Sprintf("%x", sum) != f.SHA256 || f.Size != len(now[f.Path]) {
			t.Errorf("%s: size and hash are not those of the file", f.Path)
		}
	}
	if diff := cmp.Diff(now, got); diff != "" {
		t.Error(diff)
	}
}

func TestDeadLists(t *testing.T) {
	records := make([]record, 11)
	for i := range records {
		records[i] = record{id: fmt.Sprint(i), language: "fi", title: "x", path: fmt.Sprint("fi/", i), content: fmt.Sprint(i)}
	}
	for style, want := range map[string]string{
		"query":      base + "/pages/?page=2",
		"file":       base + "/pages/page-2.json",
		"file+query": base + "/pages/page-2.json?page=2",
	} {
		r, err := compare(made(t, base, style, records...), made(t, base, style, records[1:]...))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(r.Dead, want) || len(r.Dead) != 4 {
			t.Errorf("%s: dead addresses are %q, want %s among four", style, r.Dead, want)
		}
	}
}

// Where the base address or the link style differs, every file does, but no record.
func TestOtherLinks(t *testing.T) {
	for _, c := range []struct {
		now  files
		says string
	}{
		{made(t, "https://other.example", "query", housing, work),
			"the base address is https://other.example (links: query); it was " + base + " (links: query), so every address differs\n"},
		{made(t, base, "file", housing, work), "the link style is file; it was query, so every address differs\n"},
	} {
		r, err := compare(made(t, base, "query", housing, work), c.now)
		if err != nil {
			t.Fatal(err)
		}
		if !r.HasOtherLinks() || len(r.Records) > 0 || len(r.Files) != 8 {
			t.Errorf("got %+v", r)
		}
		var text bytes.Buffer
		if err := r.Print(&text, "text"); err != nil || !strings.Contains(text.String(), c.says) {
			t.Errorf("%v: %s", err, &text)
		}
	}
}

func TestUnreadable(t *testing.T) {
	good := made(t, base, "query", housing)
	for what, change := range map[string]func(files){
		"no JSON":       func(f files) { f[api.RecordFolder(housing.uuid())+"/index.json"] = "{" },
		"a list of one": func(f files) { f["pages/index.json"] = `[]` },
		"a foreign address": func(f files) {
			f["pages/index.json"] = `{"results":[{"url":"https://elsewhere.example/"}]}`
		},
	} {
		bad := maps.Clone(good)
		change(bad)
		if _, err := compare(good, bad); err == nil || !strings.HasPrefix(err.Error(), `"new": cannot read pages/`) {
			t.Errorf("%s: got %v", what, err)
		}
		if _, err := compare(bad, good); err == nil || !strings.HasPrefix(err.Error(), `"old": cannot read pages/`) {
			t.Errorf("%s, in the old one: got %v", what, err)
		}
	}
}

func TestText(t *testing.T) {
	hostile := with(work, func(r *record) { r.title = "\x1b[2J | @team <b>[x](https://e.example)" })
	r, err := compare(made(t, base, "query", housing, work), made(t, base, "query", hostile, school))
	if err != nil {
		t.Fatal(err)
	}
	var text, markdown bytes.Buffer
	if err := errors.Join(r.Print(&text, "text"), r.Print(&markdown, "markdown")); err != nil {
		t.Fatal(err)
	}
	want := `records: 1 added, 1 removed, 1 changed (2 before, 2 now); files: 2 added, 6 changed, 2 removed, 1 unchanged
removed  fi  ` + housing.uuid().String() + `  "Asuminen"
         path: fi/asuminen
added    sv  ` + school.uuid().String() + `  "Skola"
         path: sv/skola
changed  fi  ` + work.uuid().String() + `  "\x1b[2J | @team <b>[x](https://e.example)"
         path: fi/tyo
         differs: meta.title
addresses without an answer: 2
  ` + base + "/pages/" + housing.uuid().String() + `/?format=api
  ` + base + "/pages/" + housing.uuid().String() + `/
`
	if diff := cmp.Diff(want, text.String()); diff != "" {
		t.Error(diff)
	}
	if row := `| changed | fi | \\x1b\[2J \| &#64;team \<b\>\[x\]\(https&#58;//e.example\) | path&#58;`; strings.Contains(markdown.String(), row) {
		t.Errorf("labels are escaped, too: %s", &markdown)
	}
	if row := `| changed | fi | \\x1b\[2J \| &#64;team \<b\>\[x\]\(https&#58;//e.example\) | path: fi/tyo<br>differs: meta.title |`; !strings.Contains(markdown.String(), row) {
		t.Errorf("no row %s in\n%s", row, &markdown)
	}
}

// A comment on a pull request stays below what forges take.
func TestManyRows(t *testing.T) {
	var records []record
	for i := range 500 {
		records = append(records, record{id: fmt.Sprint(i), language: "fi", title: strings.Repeat("ä*", 300), path: strings.Repeat("p/", 300) + fmt.Sprint(i), content: fmt.Sprint(i)})
	}
	r, err := compare(made(t, base, "query", records...), made(t, base, "query", housing))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := r.Print(&b, "markdown"); err != nil || b.Len() > 65536 || !strings.Contains(b.String(), "… and 400 more records") {
		t.Errorf("%v: %d bytes", err, b.Len())
	}
}
