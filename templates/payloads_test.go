package templates_test

import (
	"archive/tar"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/chromedp/cdproto/debugger"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/google/uuid"

	"example.org/sivu/generator"
	"example.org/sivu/generator/archive"
)

// payloads returns hostile HTML and Markdown, which lies beside the corpora.
func payloads(t *testing.T) []string {
	t.Helper()
	name := filepath.Join(cmp.Or(os.Getenv("SIVU_CORPORA"), filepath.Join("..", "..", "shared", "corpora")), "..", "payloads", "payloads.ndjson")
	text, err := os.ReadFile(name)
	if err != nil {
		if os.Getenv("SIVU_REQUIRE_CORPORA") == "1" {
			t.Fatalf("the payloads are required: %v", err)
		}
		t.Skipf("no payloads (%v); SIVU_CORPORA names the folder beside theirs", err)
	}
	var list []string
	for line := range bytes.Lines(text) {
		var payload struct{ P string }
		if err := json.Unmarshal(line, &payload); err != nil {
			t.Fatal(err)
		}
		list = append(list, payload.P)
	}
	return list
}

// buildContents builds a site in which each body is a page, as HTML and as
// Markdown, and returns the contents in that order. Of a page that sivu refuses
// there is none.
func buildContents(t *testing.T, bodies []string) (contents []string, refused int) {
	t.Helper()
	pages := fstest.MapFS{"site.yaml": {Data: []byte("base_url: https://api.example.org\nlanguages: [en]\nhtml: strict\n")}}
	name := func(i int) string { return fmt.Sprintf("en/%d%s", i, []string{".html", ".md"}[i%2]) }
	id := func(i int) string { return uuid.NewSHA1(uuid.NameSpaceURL, []byte(name(i))).String() }
	for i := range 2 * len(bodies) {
		head := fmt.Sprintf("---\nid: %s\ntitle: x\nurl: en/%d\ncreated: 2019-05-06\n---\n", id(i), i)
		pages[name(i)] = &fstest.MapFile{Data: []byte(head + bodies[i/2])}
	}
	var snapshot bytes.Buffer
	options := generator.Options{Content: "content", FS: pages, Archive: archive.Pipe, ArchiveTo: &snapshot}
	result, err := generator.Check(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range result.Report.Diagnostics {
		if file := strings.TrimPrefix(d.Pos.File, "content/"); d.Severity.String() == "error" && pages[file] != nil {
			delete(pages, file)
			refused++
		}
	}
	if result, err = generator.Build(t.Context(), options); err != nil || result.Failed {
		t.Fatalf("the payloads are not built: %v, %v", err, result.Report.Diagnostics)
	}
	byID := map[string]string{}
	for files := tar.NewReader(&snapshot); ; {
		header, err := files.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		dir, file := path.Split(header.Name)
		if file != "index.json" || path.Dir(path.Dir(dir)) != "pages" {
			continue
		}
		var record struct{ Content string }
		if err := json.NewDecoder(files).Decode(&record); err != nil {
			t.Fatal(err)
		}
		byID[path.Base(dir)] = record.Content
	}
	for i := range 2 * len(bodies) {
		if pages[name(i)] != nil {
			contents = append(contents, byID[id(i)])
		}
	}
	if len(byID) != len(pages)-1 {
		t.Fatalf("%d records of %d pages", len(byID), len(pages)-1)
	}
	return contents, refused
}

// inspection is a page of the browser that looks at contents.
type inspection struct {
	*tab

	contents []string
}

// inspect opens a page with nothing but a script that looks at contents. It has no
// policy, so that a script of a content would run.
func inspect(t *testing.T, contents []string) *inspection {
	t.Helper()
	const harness = "<!doctype html><title>payloads</title><script src=/payloads.js></script><div id=host></div>"
	script, err := os.ReadFile(filepath.Join("testdata", "payloads.js"))
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	send := func(pattern, kind string, body func(r *http.Request) []byte) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", kind)
			_, _ = w.Write(body(r))
		})
	}
	part := func(r *http.Request) []string {
		first, _ := strconv.ParseUint(r.PathValue("first"), 10, 31) // a payload may ask for anything
		last, _ := strconv.ParseUint(r.PathValue("last"), 10, 31)
		end := min(int(last), len(contents))
		return contents[min(int(first), end):end]
	}
	send("/{$}", "text/html; charset=utf-8", func(*http.Request) []byte {
		return []byte(harness + strings.Repeat("<iframe></iframe>", 8))
	})
	send("/payloads.js", "text/javascript", func(*http.Request) []byte { return script })
	send("/content/{first}/{last}", "text/html; charset=utf-8", func(r *http.Request) []byte {
		return []byte(strings.Join(part(r), ""))
	})
	send("/contents/{first}/{last}", "application/json", func(r *http.Request) []byte {
		list, _ := json.Marshal(part(r)) // of strings
		return list
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)

	b := newTab(t, server.URL)
	b.must(chromedp.Listen(b.ctx, b.listenForPayloads))
	call(b, network.Enable, network.EnableParams{})
	call(b, debugger.Enable, debugger.EnableParams{})
	call(b, debugger.SetSkipAllPauses, debugger.SetSkipAllPausesParams{Skip: true})
	call(b, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{
		Source: "for (const name of ['alert', 'confirm', 'prompt', 'print']) globalThis[name] = () => {}; // or all would wait\n" + harnessMark,
	})
	i := &inspection{b, contents}
	i.load()
	return i
}

// load begins with an empty page.
func (i *inspection) load() {
	i.t.Helper()
	i.do(chromedp.Navigate(i.base + "/"))
	i.takeComplaints() // of chromedp's own beginning, and of the page before
}

// harnessMark names the scripts of this test, for the debugger.
const harnessMark = "//# sourceURL=of-this-test"

// listenForPayloads complains of every script that is not of the test, and of
// every request but those for images and media.
func (b *tab) listenForPayloads(event any) {
	complaint := ""
	switch e := event.(type) {
	case *debugger.EventScriptParsed:
		if e.URL != "of-this-test" && e.URL != b.base+"/payloads.js" {
			complaint = fmt.Sprintf("a script of %q ran", e.URL)
		}
	case *network.EventRequestWillBeSent:
		url := e.Request.URL
		address, here := strings.CutPrefix(url, b.base)
		own := false
		switch e.Type {
		case network.ResourceTypeDocument:
			own = here && (address == "/" || strings.HasPrefix(address, "/content/"))
		case network.ResourceTypeFetch:
			own = here && strings.HasPrefix(address, "/contents/")
		case network.ResourceTypeImage, network.ResourceTypeMedia, network.ResourceTypeTextTrack:
			// The browser draws the controls of media with images in data: addresses;
			// those of a content are seen in its attributes.
			own = strings.HasPrefix(url, "http:") || strings.HasPrefix(url, "https:") || strings.HasPrefix(url, "data:image/svg+xml;base64,")
		default:
			own = here && (address == "/payloads.js" || address == "/favicon.ico")
		}
		if !own {
			complaint = fmt.Sprintf("a request for a %s: %s", e.Type, url)
		}
	}
	if complaint != "" {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.complaints = append(b.complaints, complaint)
	}
}

// look looks at contents, and returns what is wrong.
func (i *inspection) look(first, last int) []string {
	var problems []string
	for _, p := range eval[[][2]any](i.tab, fmt.Sprintf("look(%d, %d)\n%s", first, last, harnessMark)) {
		n, _ := p[0].(float64)
		problems = append(problems, fmt.Sprintf("%v\n%q", p[1], i.contents[int(n)]))
	}
	return append(problems, i.takeComplaints()...)
}

func (i *inspection) takeComplaints() (complaints []string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	complaints, i.complaints = i.complaints, nil
	return complaints
}

// TestPayloads holds that no body, however hostile, makes a content that does
// something or is something else than one div.
func TestPayloads(t *testing.T) {
	testAll(t)
	bodies := payloads(t)
	contents, refused := buildContents(t, bodies)
	due := 0 // sivu takes no NUL
	for _, body := range bodies {
		if strings.Contains(body, "\x00") {
			due += 2
		}
	}
	if len(bodies) < 10_000 || refused != due {
		t.Fatalf("%d payloads; %d pages of them are refused, want %d", len(bodies), refused, due)
	}
	all := len(contents)
	contents = unique(contents)
	t.Logf("%d payloads, %d contents, %d of them different, %d refused", len(bodies), all, len(contents), refused)
	i := inspect(t, contents)
	const batch = 500
	for first := 0; first < len(contents); first += batch {
		for _, problem := range i.look(first, min(first+batch, len(contents))) {
			t.Error(problem)
		}
	}
}

// unique returns a list without repeats, in its order.
func unique(list []string) (once []string) {
	seen := map[string]bool{}
	for _, s := range list {
		if !seen[s] {
			seen[s], once = true, append(once, s)
		}
	}
	return once
}

// TestPayloadsAreSeen holds that the look at payloads sees what it is for.
func TestPayloadsAreSeen(t *testing.T) {
	testAll(t)
	const comment = "<!-- modified: 2019-05-06T00:00:00 -->"
	tests := []struct{ content, want string }{
		{`<div class="xmldoc"><img src=/x onerror="alert(1)"></div>`, "IMG has onerror"},
		{`<div class="xmldoc"><img src=/x onerror="alert(1)"></div>`, "a script of"},
		{`<div class="xmldoc"><script>1</script></div>`, "a script of"},
		{`<div class="xmldoc"><a href="java&Tab;script:1">x</a></div>`, "a link leads to javascript:1"},
		{`<div class="xmldoc"><link rel=stylesheet href=/x></div>`, "a request for a Stylesheet"},
		{`<div class="xmldoc"></div><p>x`, "the content is not one div.xmldoc"},
		{`<div class="xmldoc"><p><table><tr><td>x</table></div>`, "as a document: it is read again as"},
		{`<div class="xmldoc"><body class=x></div>`, "something stands outside the body"},
		{`<div class="xmldoc"><b><p>x</b>y</p></div>`, ""},
		{`<div class="xmldoc"><a>x<div><a>y</div></div>`, ""},
		{`<div class="xmldoc"><math></math></div>`, "it holds math"},
	}
	var contents []string
	for _, test := range tests {
		contents = append(contents, comment+test.content)
	}
	i := inspect(t, contents)
	for n, test := range tests {
		i.load()
		problems := strings.Join(i.look(n, n+1), "\n")
		if test.want == "" && problems != "" || !strings.Contains(problems, test.want) {
			t.Errorf("%s: seen is %q, want %q", test.content, problems, test.want)
		}
	}
}
