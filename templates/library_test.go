package templates_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/preview"
	"example.org/sivu/templates"
)

// record is one page of a library.
type record struct {
	language, topic, kind, file string
	meta                        []field
	created, modified           string
	body                        string
	embeds                      []string
	broken                      preview.Version
}

// field is one key of meta; a nil value is null.
type field struct {
	key   string
	value any
}

func (r *record) id() uuid.UUID {
	return uuid.NewSHA1(uuid.NameSpaceURL, []byte(r.language+"/"+r.topic))
}

// newRecord returns a record of the usual form.
func newRecord(language, topic, title, modified string) *record {
	return &record{
		language: language, topic: topic, kind: "page", file: "content/" + language + "/" + topic + ".md",
		meta:    []field{{"title", title}, {"url", language + "/" + topic}, {"description", nil}},
		created: "2019-03-02T08:11:25.123456Z", modified: modified + "T08:06:31.004512Z",
		body: "<h1>" + title + "</h1><p>" + topic + "</p>",
	}
}

// library is a site in memory, with a preview that shows it. What a test
// changes is seen once it is shown again, as after a change of a source.
type library struct {
	records   []*record
	languages []string
	pages     bool // the sources are known
	hidden    []preview.Page
	report    diag.Report
	failed    bool

	base   string
	server *preview.Server
	lists  atomic.Int64 // how often a list page was asked for
}

// answers are the files of a library at one moment.
type answers struct {
	files map[string][]byte
	lists *atomic.Int64
}

// Answer implements preview.Answers.
func (a answers) Answer(file string) ([]byte, error) {
	if strings.Count(file, "/") == 1 {
		a.lists.Add(1)
	}
	return a.files[file], nil
}

// newLibrary starts a preview of records. It ends with the test.
func newLibrary(t *testing.T, languages []string, records ...*record) *library {
	t.Helper()
	l := &library{records: records, languages: languages, pages: true}
	l.base, _ = l.listen(t, "127.0.0.1:0")
	return l
}

// listen starts a server of the library, and returns where it is and how it is
// ended before the test is over.
func (l *library) listen(t *testing.T, address string) (base string, stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	listener, err := preview.Listen(ctx, address)
	if err != nil {
		t.Fatal(err)
	}
	server := preview.New(preview.Options{Base: listener.Base, Hosts: listener.Hosts, Browser: templates.Preview()})
	l.server = server
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := server.Serve(ctx, listener); err != nil && err != http.ErrServerClosed {
			t.Error(err)
		}
	}()
	stop = func() {
		cancel()
		<-ended
	}
	t.Cleanup(stop)
	return listener.Base, stop
}

// show publishes the library as it is now; changed are the records that differ
// from the time before, nil: any.
func (l *library) show(t *testing.T, changed ...*record) {
	t.Helper()
	var ids []uuid.UUID
	for _, r := range changed {
		ids = append(ids, r.id())
	}
	site := preview.Site{Languages: l.languages, Report: l.report, Failed: l.failed, Changed: ids}
	if l.records != nil {
		site.Answers = answers{l.files(t), &l.lists}
	}
	if l.pages {
		site.Pages = []preview.Page{}
		for _, r := range l.records {
			site.Pages = append(site.Pages, preview.Page{ID: r.id(), Topic: r.topic, Kind: r.kind, File: r.file, Broken: r.broken})
		}
		site.Pages = append(site.Pages, l.hidden...)
	}
	l.server.Show(site)
}

// fail shows a problem that stops a build; what was shown stays.
func (l *library) fail(t *testing.T, problems ...diag.Diagnostic) {
	t.Helper()
	l.report, l.failed = reportOf(problems...), true
	l.show(t)
}

func reportOf(problems ...diag.Diagnostic) diag.Report {
	var c diag.Collector
	c.Add(problems...)
	return c.Report()
}

func (l *library) files(t *testing.T) map[string][]byte {
	t.Helper()
	ordered := slices.SortedFunc(slices.Values(l.records), func(a, b *record) int {
		return cmp.Or(cmp.Compare(b.created, a.created), cmp.Compare(a.id().String(), b.id().String()))
	})
	files := map[string][]byte{}
	for suffix, query := range map[string]string{"": "", ".api": "?format=api"} {
		for _, r := range ordered {
			files[fmt.Sprintf("pages/%s/index%s.json", r.id(), suffix)] = r.json(t, l.base, query, true)
		}
		maps.Copy(files, l.listPages(t, ordered, suffix, query))
	}
	return files
}

func (l *library) listPages(t *testing.T, ordered []*record, suffix, query string) map[string][]byte {
	t.Helper()
	const size = 10
	files := map[string][]byte{}
	pages := max(1, (len(ordered)+size-1)/size)
	for n := range pages {
		results := []json.RawMessage{}
		for _, r := range ordered[n*size : min(len(ordered), (n+1)*size)] {
			results = append(results, r.json(t, l.base, query, false))
		}
		// The page browser counts; it does not follow links.
		body := encode(t, map[string]any{"count": len(ordered), "next": nil, "previous": nil, "results": results})
		files[fmt.Sprintf("pages/page-%d%s.json", n+1, suffix)] = body
		if n == 0 {
			files["pages/index"+suffix+".json"] = body
		}
	}
	return files
}

// json writes a record as the contract has it, keys in order.
func (r *record) json(t *testing.T, base, query string, detail bool) []byte {
	t.Helper()
	object := func(fields []field) json.RawMessage {
		var parts []string
		for _, f := range fields {
			parts = append(parts, string(encode(t, f.key))+":"+string(encode(t, f.value)))
		}
		return json.RawMessage("{" + strings.Join(parts, ",") + "}")
	}
	fields := []field{
		{"language", r.language}, {"meta", object(r.meta)}, {"created", r.created}, {"modified", r.modified},
		{"url", base + "/pages/" + r.id().String() + "/" + query},
	}
	if detail {
		embeds := []map[string]string{}
		for _, uri := range r.embeds {
			embeds = append(embeds, map[string]string{"uri": uri})
		}
		content := "<!-- modified: " + r.modified[:19] + ` --><div class="xmldoc">` + r.body + "</div>"
		fields = append(fields, field{"content", content}, field{"embeds", embeds})
	}
	return object(fields)
}

func encode(t *testing.T, value any) []byte {
	t.Helper()
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		t.Fatal(err)
	}
	return []byte(strings.TrimSuffix(b.String(), "\n"))
}

// The site that most tests look at: three languages; work is older in English
// and missing in Arabic, and the front page is everywhere.
func smallLibrary(t *testing.T) *library {
	t.Helper()
	front := newRecord("fi", "index", "Tervetuloa", "2024-05-06")
	front.kind = "front"
	front.meta = append(front.meta, field{"textbannercolor", nil}, field{"localinfodoc", "0012"})
	arabic := newRecord("ar", "index", "مرحبًا بكم", "2024-06-01")
	arabic.body = "<h1>مرحبًا بكم</h1><p>تجدون هنا المعلومات الأساسية.</p>"
	arabic.embeds = []string{"https://video.example/embed/1"}
	l := newLibrary(t, []string{"fi", "en", "ar"},
		front, newRecord("en", "index", "Welcome", "2024-05-06"), arabic,
		newRecord("fi", "tyo", "Työ", "2024-05-06"), newRecord("en", "tyo", "Work", "2020-01-01"))
	l.show(t)
	return l
}
