package generator

import (
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"example.org/sivu/generator/folder"
)

var seedFlag = flag.Uint64("seed", 0, "the seed of random sites; 0 takes another one every time")

// randomSites calls f with random numbers for n sites in make test-all, and for a
// third of them elsewhere, each in a subtest that is named after its seed.
func randomSites(t *testing.T, n int, f func(t *testing.T, r *rand.Rand)) {
	if os.Getenv("SIVU_ALL") == "" {
		n = (n + 2) / 3
	}
	for range n {
		seed := *seedFlag
		if seed == 0 {
			seed = rand.Uint64()
		}
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			t.Cleanup(func() {
				if t.Failed() {
					t.Logf("to see this again: go test ./generator -run '%s' -seed %d", strings.Split(t.Name(), "/")[0], seed)
				}
			})
			f(t, rand.New(rand.NewPCG(seed, 0)))
		})
	}
}

// givenRecord is a record that was put into a random site.
type givenRecord struct {
	ID       string
	Language string
	Meta     []string // as clientMeta prints it
	Created  string
	Modified string
	Text     string // of the body
}

// randomSite is a random site and the records that have to come out, in order.
type randomSite struct {
	files   fstest.MapFS
	records []givenRecord
	from    map[string]*givenRecord // by source; nil for a draft
	drafts  int
	base    string
}

const randomNamespace = "0e6f3c1a-6f0f-4a86-9a5e-0f7f3b7a4c11"

var (
	randomLanguages = []string{"fi", "en", "sv", "ar", "zh", "no"}
	randomTexts     = []string{
		"plain", "0012", "no", "null", "~", "1.0", "true", "2019-05-06", `"quoted"`, `back\slash`, "a: b # c", "- x", "<b> & > 'q'",
		"line\u2028separator\u2029", "مرحبا بكم", "fa \u200c نیم‌فاصله", "שלום", "你好，世界", "😀 astral \U0001F9D1\u200d\U0001F4BB", "tab\tand\nline",
		"combining e\u0301", "\u00a0nbsp\u00a0", "{{ mustache }}", "@at `tick`", "%percent", "|", ">", "[", "{", "!", "&anchor", "*alias", " spaces ", "",
	}
	randomInstants = []string{
		"0001-01-01T00:00:00.000000Z", "1969-12-31T23:59:59.999999Z", "1970-01-01T00:00:00.000000Z", "2015-03-02T08:11:25.123456Z",
		"2015-03-02T08:11:25.123457Z", "2019-05-06T08:06:31.004512Z", "2024-02-29T23:59:59.000001Z", "9999-12-31T23:59:59.999999Z",
	}
	randomBase = []string{"https://api.example.org", "http://localhost:8000", "https://example.org/api/v1", "https://xn--bcher-kva.example/format=api"}
)

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

// newRandomSite makes a site of up to 60 records that has no errors.
func newRandomSite(r *rand.Rand) *randomSite {
	s := &randomSite{base: pick(r, randomBase), files: fstest.MapFS{}, from: map[string]*givenRecord{}}
	s.files["site.yaml"] = &fstest.MapFile{Data: fmt.Appendf(nil,
		"base_url: %s\nnamespace: %s\nlanguages: [%s]\ndates: [fields]\nrules: {missing-translation: off, future-date: off}\n",
		s.base, randomNamespace, strings.Join(randomLanguages, ", "))}
	n := r.IntN(61)
	if r.IntN(4) == 0 {
		n = pick(r, []int{0, 1, 9, 10, 11, 20, 21, 60})
	}
	for i := range n {
		s.add(r, i)
	}
	s.sort()
	return s
}

// sort brings the records into the order of contract.md 4.1.
func (s *randomSite) sort() {
	slices.SortFunc(s.records, func(a, b givenRecord) int {
		if a.Created != b.Created {
			return strings.Compare(b.Created, a.Created)
		}
		return strings.Compare(a.ID, b.ID)
	})
}

// keep takes in a page of another site.
func (s *randomSite) keep(other *randomSite, name string) {
	s.files[name] = other.files[name]
	if record := other.from[name]; record != nil {
		s.records = append(s.records, *record)
	} else {
		s.drafts++
	}
}

// add puts one record into the site, or a draft.
func (s *randomSite) add(r *rand.Rand, i int) {
	language := pick(r, randomLanguages)
	stem := pick(r, []string{"", "a/", "a/b c/", "ä/", "子/"}) + pick(r, []string{"page", "sivu-ä", "ы", "页"}) + fmt.Sprintf("%d-%d", i, r.IntN(1e9))
	g := givenRecord{Language: language}
	g.Created = pick(r, randomInstants)
	g.Modified = g.Created
	if later := pick(r, randomInstants); later > g.Created {
		g.Modified = later
	}
	derived := uuid.NewSHA1(uuid.MustParse(randomNamespace), []byte(language+"/"+stem)).String()
	g.ID = derived
	if r.IntN(2) == 0 {
		var id uuid.UUID
		for k := range id {
			id[k] = byte(r.IntN(256))
		}
		g.ID = id.String()
	}
	draft := r.IntN(10) == 0
	fields := s.meta(r, &g, language+"/"+stem)
	g.Text = pick(r, randomTexts)
	source := &randomSource{record: &g, draft: draft, gives: g.ID != derived, fields: fields, upper: r.IntN(4) == 0}
	name, text := language+"/"+stem+".md", source.yaml()
	switch r.IntN(4) {
	case 0:
		name = language + "/" + stem + ".html"
		text = source.html()
	case 1:
		name = stem + "." + language + ".markdown"
	case 2:
		text = "\ufeff" + strings.ReplaceAll(text, "\n", "\r\n")
	}
	s.files[name] = &fstest.MapFile{Data: []byte(text), ModTime: time.Unix(int64(i), 0)}
	if draft {
		s.drafts++
		return
	}
	s.from[name] = &g
	s.records = append(s.records, g)
}

// metaField is a meta key as the page gives it. Value is nil for null.
type metaField struct {
	key   string
	value *string
}

// meta gives a record the keys of a random kind and some of its own, and
// returns those that the page writes.
func (s *randomSite) meta(r *rand.Rand, g *givenRecord, place string) (fields []metaField) {
	add := func(key string, value *string) {
		fields = append(fields, metaField{key, value})
		g.Meta = append(g.Meta, clientMeta{key, value}.String())
	}
	text := func() *string { text := pick(r, randomTexts); return &text }
	orNull := func() *string {
		if r.IntN(2) == 0 {
			return nil
		}
		return text()
	}
	title := pick(r, []string{"Otsikko", "عنوان", "标题", "0", "no", "\u2028", "a \"b\" <c>"}) + "!"
	add("title", &title)
	kind := pick(r, []string{"", "page", "front", "article", "feedback", "feedback-thanks", "not-found"})
	s.kindKeys(r, kind, add, text, orNull)
	for k := range r.IntN(5) {
		add(fmt.Sprintf("%s %d", pick(r, []string{"extra", "X-Y", "avain ä", "مفتاح", "a.b"}), k), orNull())
	}
	if kind != "not-found" {
		g.Meta = append(g.Meta, clientMeta{"url", &place}.String())
	}
	if kind == "feedback-thanks" {
		for _, key := range sampleKeys["thank-you pages"] {
			if key != "url" && key != "title" {
				g.Meta = append(g.Meta, clientMeta{key, nil}.String())
			}
		}
	}
	if kind != "" {
		fields = append(fields, metaField{"\x00kind", &kind})
	}
	return fields
}

func (s *randomSite) kindKeys(r *rand.Rand, kind string, add func(string, *string), text, orNull func() *string) {
	digits := fmt.Sprintf("%04d", r.IntN(2000))
	address := "https://example.org/?a=1&b=2"
	switch kind {
	case "front":
		add("windowtitle", text())
		add("textbannercolor", orNull())
		add("localinfodoc", &digits)
		add("description", orNull())
	case "article":
		if r.IntN(2) == 0 {
			add("imagebannerlink", &address)
			add("imagebanner", text())
			add("imagebanneralt", orNull())
		}
	case "feedback":
		keys := slices.Clone(contractFeedback)
		r.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
		for _, key := range keys {
			if key != "title" && key != "url" {
				add(key, text())
			}
		}
	case "not-found":
		if r.IntN(2) == 0 {
			add("availablelanguagestext", text())
		}
	}
}

// randomSource writes a record as a source page.
type randomSource struct {
	record *givenRecord
	draft  bool
	gives  bool // its id
	upper  bool // the id in upper case
	fields []metaField
}

// own returns sivu's own fields, by the names of front matter.
func (s *randomSource) own() [][2]string {
	own := [][2]string{{"created", s.record.Created}, {"modified", s.record.Modified}}
	if s.gives && s.upper {
		own = append(own, [2]string{"id", strings.ToUpper(s.record.ID)})
	} else if s.gives {
		own = append(own, [2]string{"id", s.record.ID})
	}
	if s.draft {
		own = append(own, [2]string{"draft", "true"})
	}
	return own
}

func (s *randomSource) yaml() string {
	var b strings.Builder
	b.WriteString("---\n")
	for _, f := range s.own() {
		fmt.Fprintf(&b, "%s: %s\n", f[0], f[1])
	}
	for _, f := range s.fields {
		switch {
		case f.key == "\x00kind":
			fmt.Fprintf(&b, "kind: %s\n", *f.value)
		case f.value == nil:
			fmt.Fprintf(&b, "%s: ~\n", yamlString(f.key))
		default:
			fmt.Fprintf(&b, "%s: %s\n", yamlString(f.key), yamlString(*f.value))
		}
	}
	// A code block keeps a text as it is.
	fmt.Fprintf(&b, "---\n\n~~~\n%s\n~~~\n", s.record.Text)
	return b.String()
}

// yamlString returns a text in double quotes: every JSON string is one of YAML.
func yamlString(text string) string {
	encoded, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(encoded)
}

func (s *randomSource) html() string {
	names := map[string]string{"id": "dcterms.identifier", "created": "dcterms.created", "modified": "dcterms.modified", "draft": "sivu.draft"}
	escape := strings.NewReplacer("&", "&amp;", `"`, "&quot;", "<", "&lt;").Replace
	var b strings.Builder
	b.WriteString("<!doctype html>\n<html>\n<head>\n<meta charset=utf-8>\n")
	for _, f := range s.own() {
		fmt.Fprintf(&b, "<meta name=%q content=%q>\n", names[f[0]], f[1])
	}
	for _, f := range s.fields {
		switch {
		case f.key == "title":
			fmt.Fprintf(&b, "<title>%s</title>\n", escape(*f.value))
		case f.key == "\x00kind":
			fmt.Fprintf(&b, "<meta name=\"sivu.kind\" content=%q>\n", *f.value)
		case f.value == nil:
			fmt.Fprintf(&b, "<meta name=\"%s\">\n", escape(f.key))
		default:
			fmt.Fprintf(&b, "<meta name=\"%s\" content=\"%s\">\n", escape(f.key), escape(*f.value))
		}
	}
	fmt.Fprintf(&b, "</head>\n<body>\n<p>%s</p>\n</body>\n</html>\n", escape(s.record.Text))
	return b.String()
}

// check walks a snapshot of the site in a folder and compares.
func (s *randomSite) check(t *testing.T, dir, style string) {
	t.Helper()
	got := []givenRecord{}
	for _, r := range walkSnapshot(t, dir, s.base, style) {
		g := givenRecord{ID: r.id, Language: r.Language, Created: r.Created, Modified: r.Modified}
		for _, m := range r.meta {
			g.Meta = append(g.Meta, m.String())
		}
		g.Text = strings.TrimSpace(textOf(parseHTML(t, *r.Content)))
		got = append(got, g)
	}
	want := slices.Clone(s.records)
	for i := range want {
		want[i].Text = strings.TrimSpace(want[i].Text)
	}
	if diff := cmp.Diff(want, got, cmp.Comparer(slices.Equal[[]string])); diff != "" && len(want)+len(got) > 0 {
		t.Errorf("records (-put in +walked):\n%s", diff)
	}
}

func (s *randomSite) build(t *testing.T, o Options) *Result {
	t.Helper()
	o.Content = t.TempDir() // only its name is used
	o.AllowEmpty = true
	if o.FS == nil {
		o.FS = s.files
	}
	result, err := Build(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Report.Diagnostics) > 0 {
		t.Fatalf("a good site has problems: %q", described(result.Report))
	}
	return result
}

// Any set of records walks completely, in both variants and in order.
func TestAnyRecordsWalk(t *testing.T) {
	randomSites(t, 60, func(t *testing.T, r *rand.Rand) {
		s, dir, style := newRandomSite(r), t.TempDir(), pick(r, []string{"query", "file", "file+query"})
		result := s.build(t, Options{Out: dir, Links: style, Jobs: 1 + r.IntN(4)})
		if result.Records != len(s.records) || result.Skipped != s.drafts || result.ListPages != max(1, (len(s.records)+9)/10) {
			t.Errorf("%d records, %d left out, %d list pages; want %d and %d", result.Records, result.Skipped, result.ListPages,
				len(s.records), s.drafts)
		}
		s.check(t, dir, style)
	})
}

// reversedFS lists folders in an order of its own.
type reversedFS struct{ fstest.MapFS }

func (f *reversedFS) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(f.MapFS, name)
	slices.Reverse(entries)
	return entries, err
}

// The same pages give the same bytes, with any number of jobs and in whatever
// order a file system lists them.
func TestSameBytes(t *testing.T) {
	randomSites(t, 15, func(t *testing.T, r *rand.Rand) {
		s := newRandomSite(r)
		var first map[string]string
		for _, o := range []Options{{Jobs: 1}, {Jobs: 16}, {Jobs: 3, FS: &reversedFS{s.files}}} {
			o.Out = t.TempDir()
			s.build(t, o)
			files := readTree(t, o.Out)
			if first == nil {
				first = files
			} else if !maps.Equal(first, files) {
				t.Errorf("other bytes with %d jobs: %s", o.Jobs, cmp.Diff(first, files))
			}
		}
	})
}

// A build over the snapshot of another site leaves exactly the new one, says
// what it changed, and a second build of the same pages changes nothing.
func TestRebuildOverAnotherSite(t *testing.T) {
	randomSites(t, 15, func(t *testing.T, r *rand.Rand) {
		dir := t.TempDir()
		old := newRandomSite(r)
		old.build(t, Options{Out: dir, Links: "query"})
		before := readTree(t, dir)
		site := newRandomSite(r)
		site.base = old.base
		site.files["site.yaml"] = old.files["site.yaml"]
		for _, name := range slices.Sorted(maps.Keys(old.files)) { // some pages stay
			if r.IntN(2) == 0 && name != "site.yaml" {
				site.keep(old, name)
			}
		}
		site.sort()
		result := site.build(t, Options{Out: dir, Links: "query"})
		site.check(t, dir, "query")
		checkChanges(t, result, before, readTree(t, dir))
		if again := site.build(t, Options{Out: dir, Links: "query"}); again.Changes.Any() {
			t.Errorf("a second build changes %d files", again.Changes.Changed.Len())
		}
	})
}

// checkChanges compares what a build says it changed with the files before and
// after it.
func checkChanges(t *testing.T, result *Result, before, after map[string]string) {
	t.Helper()
	want := map[string][]string{"added": {}, "changed": {}, "removed": {}}
	for _, name := range slices.Sorted(maps.Keys(after)) {
		if old, ok := before[name]; !ok {
			want["added"] = append(want["added"], name)
		} else if old != after[name] {
			want["changed"] = append(want["changed"], name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if _, ok := after[name]; !ok {
			want["removed"] = append(want["removed"], name)
		}
	}
	c := result.Changes
	got := map[string][]string{"added": {}, "changed": {}, "removed": {}}
	for what, paths := range map[string]folder.Paths{"added": c.Added, "changed": c.Changed, "removed": c.Removed} {
		got[what] = slices.AppendSeq(got[what], paths.All())
		slices.Sort(got[what])
		if len(got[what]) != paths.Len() {
			t.Errorf("%d files %s are listed and %d counted", len(got[what]), what, paths.Len())
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
	if c.Files != len(after) || c.Unchanged != len(after)-len(want["added"])-len(want["changed"]) {
		t.Errorf("%d files, %d unchanged, of %d", c.Files, c.Unchanged, len(after))
	}
}
