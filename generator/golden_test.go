package generator

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"golang.org/x/net/html"

	"example.org/sivu/generator/diag"
)

var update = flag.Bool("update", false, "write the goldens anew")

const (
	sampleContent   = "../content"
	sampleBase      = "https://api.example.org"
	sampleNamespace = "bcf9f73f-8cb8-432a-8d4e-60ae318b4b8d"
	goldenDir       = "testdata/golden"
)

// goldens are the files of the sample site that are kept whole, by the name of
// the golden: the file of the snapshot, or the source of the record and which
// variant of it. Of all other files the manifest has the hash.
var goldens = map[string]struct{ file, source, variant string }{
	"list-first.json":          {file: "pages/index.json"},
	"list-middle.api.json":     {file: "pages/page-7.api.json"},
	"list-last.json":           {file: "pages/page-14.json"},
	"list-last.api.json":       {file: "pages/page-14.api.json"},
	"404.json":                 {file: "404.json"},
	"405.json":                 {file: "405.json"},
	"front-fi.json":            {source: "fi/index.md", variant: "index.json"},
	"front-en.api.json":        {source: "en/index.md", variant: "index.api.json"},
	"feedback-fi.json":         {source: "fi/palaute.md", variant: "index.json"},
	"feedback-thanks-zh.json":  {source: "zh/palaute-kiitos.md", variant: "index.json"},
	"not-found-fi.json":        {source: "fi/ei-loydy.md", variant: "index.json"},
	"not-found-en.api.json":    {source: "en/ei-loydy.md", variant: "index.api.json"},
	"page-html-fi.json":        {source: "fi/oleskelulupa.html", variant: "index.json"},
	"page-embeds-fi.json":      {source: "fi/kieli.md", variant: "index.json"},
	"page-toml-iframe-sv.json": {source: "sv/tyo.md", variant: "index.json"},
	"page-derived-fa.api.json": {source: "fa/کار.md", variant: "index.api.json"},
	"article-ar.json":          {source: "ar/السكن.md", variant: "index.json"},
	"article-en.api.json":      {source: "en/vuokra-asunto.md", variant: "index.api.json"},
}

// sample builds the sample site.
func sample(t *testing.T, links string) (dir string, result *Result) {
	t.Helper()
	dir = t.TempDir()
	result, err := Build(t.Context(), Options{Content: sampleContent, Out: dir, Links: links})
	if err != nil {
		t.Fatal(err)
	}
	if result.Failed {
		t.Fatalf("the sample site has errors: %v", result.Report.Diagnostics)
	}
	return dir, result
}

var anyUUID = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// sampleID returns the id of the record that a source becomes: the one it
// gives, which is the first UUID in it, or the derived one.
func sampleID(t *testing.T, source string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(sampleContent, filepath.FromSlash(source)))
	if err != nil {
		t.Fatal(err)
	}
	if id := anyUUID.Find(text); id != nil {
		return string(id)
	}
	stem := strings.TrimSuffix(source, filepath.Ext(source))
	return uuid.NewSHA1(uuid.MustParse(sampleNamespace), []byte(stem)).String()
}

// The bytes of the sample site are those that were accepted with -update.
func TestGolden(t *testing.T) {
	dir, _ := sample(t, "")
	files := readTree(t, dir)
	want := map[string]string{"manifest.txt": manifestOf(files)}
	for name, g := range goldens {
		file := g.file
		if g.source != "" {
			file = "pages/" + sampleID(t, g.source) + "/" + g.variant
		}
		body, ok := files[file]
		if !ok {
			t.Errorf("%s: the snapshot has no %s", name, file)
		}
		want[name] = body
	}
	if *update {
		writeGoldens(t, want)
	}
	kept := readTree(t, goldenDir)
	for _, name := range slices.Sorted(maps.Keys(want)) {
		golden, ok := kept[name]
		switch {
		case !ok:
			t.Errorf("%s is missing in %s; make golden writes it", name, goldenDir)
		case golden != want[name]:
			t.Errorf("%s is not as accepted (- accepted, + now); make golden accepts it:\n%s", name, goldenDiff(golden, want[name]))
		}
	}
	for name := range kept {
		if _, ok := want[name]; !ok {
			t.Errorf("%s/%s belongs to no file of the sample site; remove it", goldenDir, name)
		}
	}
}

// manifestOf returns a line for each file: hash, size and path.
func manifestOf(files map[string]string) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(&b, "%x %6d %s\n", sha256.Sum256([]byte(files[name])), len(files[name]), name)
	}
	return b.String()
}

func writeGoldens(t *testing.T, want map[string]string) {
	t.Helper()
	if err := os.RemoveAll(goldenDir); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(goldenDir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, body := range want {
		if err := os.WriteFile(filepath.Join(goldenDir, name), []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// goldenDiff shows the lines that only one of the two has, with JSON spread over
// lines and a content over its own.
func goldenDiff(accepted, now string) string {
	before, after := spread(accepted), spread(now)
	var lines []string
	for _, line := range before {
		if !slices.Contains(after, line) {
			lines = append(lines, "- "+line)
		}
	}
	for _, line := range after {
		if !slices.Contains(before, line) {
			lines = append(lines, "+ "+line)
		}
	}
	if len(lines) > 0 {
		const most = 40
		if more := len(lines) - most; more > 0 {
			lines = append(lines[:most], fmt.Sprintf("and %d lines more", more))
		}
		return strings.Join(lines, "\n")
	}
	at := 0
	for at < min(len(accepted), len(now)) && accepted[at] == now[at] {
		at++
	}
	return fmt.Sprintf("the same lines in other bytes, from byte %d on: %.60q, now %.60q", at, accepted[at:], now[at:])
}

func spread(body string) []string {
	var indented bytes.Buffer
	if err := json.Indent(&indented, []byte(body), "", "  "); err == nil {
		body = strings.ReplaceAll(indented.String(), `\n`, "\n")
	}
	return strings.Split(body, "\n")
}

// sampleKeys are the meta keys that contract.md 2.3 gives every kind of page.
var sampleKeys = map[string][]string{
	"any page":        {"title", "url", "description", "windowtitle"},
	"front page":      {"localinfodoc", "socialmedia-image", "windowtitle", "url", "title", "description", "textbannercolor"},
	"article":         {"imagebanner", "imagebanneralt", "imagebannerlink", "windowtitle", "title", "description", "url"},
	"not-found":       {"title", "availablelanguagestext"},
	"feedback form":   contractFeedback,
	"thank-you pages": slices.DeleteFunc(slices.Clone(contractFeedback), func(key string) bool { return key == "feedback-thankyoupage" }),
}

var contractFeedback = []string{
	"feedback-sent", "email", "feedback-sending-error", "page-address", "invalid-feedback", "feedback",
	"feedback-captcha-infotext", "feedback-missing-field", "feedback-captcha-reloadtext", "name",
	"feedback-thankyoupage", "url", "invalid-email", "title", "send-feedback", "feedback-captcha-errortext",
}

// The sample site shows everything that the contract knows, in every style.
func TestSampleSite(t *testing.T) {
	var first []clientRecord
	for _, style := range []string{"query", "file", "file+query"} {
		dir, result := sample(t, style)
		records := walkSnapshot(t, dir, sampleBase, style)
		if len(records) < 60 || len(records) != result.Records {
			t.Fatalf("%s: %d records, and the result says %d", style, len(records), result.Records)
		}
		if first == nil {
			first = records
			checkSampleWarnings(t, result)
		}
		for i, r := range records {
			if r.id != first[i].id || *r.Content != *first[i].Content || string(r.Meta) != string(first[i].Meta) {
				t.Errorf("%s: record %d is another than with query links", style, i)
			}
		}
	}
	t.Logf("the sample site has %d records", len(first))
	checkSampleLanguages(t, first)
	checkSampleKeys(t, first)
	checkSampleBodies(t, first)
}

func checkSampleWarnings(t *testing.T, result *Result) {
	t.Helper()
	want := []string{sampleContent + "/ohjeet/ajokortti.fi.md:1:1: not translated into \"et\", \"so\", \"es\", \"tr\", \"zh\", \"fa\", \"ar\" and \"fr\" [missing-translation]"}
	if diff := cmp.Diff(want, described(result.Report)); diff != "" {
		t.Errorf("diagnostics of the sample site (-want +got):\n%s", diff)
	}
}

// described returns diagnostics as lines, without severity and hint.
func described(r diag.Report) []string {
	lines := []string{}
	for _, d := range r.Diagnostics {
		lines = append(lines, fmt.Sprintf("%s: %s [%s]", d.Pos, d.Message, d.Rule.Name))
	}
	return lines
}

func checkSampleLanguages(t *testing.T, records []clientRecord) {
	t.Helper()
	counts := map[string]int{}
	for _, r := range records {
		counts[r.Language]++
	}
	for _, language := range strings.Fields("fi en sv ru et so es tr zh fa ar fr") {
		if counts[language] == 0 {
			t.Errorf("no page is in %s", language)
		}
		delete(counts, language)
	}
	if len(counts) > 0 {
		t.Errorf("languages that the contract does not know: %v", counts)
	}
}

// checkSampleKeys checks that there is a record with all keys of each kind, and
// the single cases that contract.md 2.3 tells of.
func checkSampleKeys(t *testing.T, records []clientRecord) {
	t.Helper()
	having := func(keys []string, fits func(r *clientRecord) bool) (found int) {
		for i := range records {
			r := &records[i]
			missing := slices.ContainsFunc(keys, func(key string) bool { _, ok := r.key(key); return !ok })
			if !missing && fits(r) {
				found++
			}
		}
		return found
	}
	isNull := func(r *clientRecord, key string) bool { value, ok := r.key(key); return ok && value == nil }
	lacks := func(r *clientRecord, key string) bool { _, ok := r.key(key); return !ok }
	always := func(*clientRecord) bool { return true }
	for kind, keys := range sampleKeys {
		if having(keys, always) == 0 {
			t.Errorf("no record has all keys of the contract's %s: %v", kind, keys)
		}
	}
	thanks := func(r *clientRecord) bool {
		return lacks(r, "feedback-thankyoupage") && !slices.ContainsFunc(sampleKeys["thank-you pages"], func(key string) bool {
			return key != "url" && key != "title" && !isNull(r, key)
		})
	}
	for what, n := range map[string]int{
		"thank-you page with nulls":                 having(sampleKeys["thank-you pages"], thanks),
		"front page with textbannercolor null":      having([]string{"localinfodoc"}, func(r *clientRecord) bool { return isNull(r, "textbannercolor") }),
		"Finnish front page without an image":       having([]string{"localinfodoc"}, func(r *clientRecord) bool { return r.Language == "fi" && lacks(r, "socialmedia-image") }),
		"description that is null":                  having(nil, func(r *clientRecord) bool { return isNull(r, "description") }),
		"Finnish feedback page at palaute":          having(contractFeedback, func(r *clientRecord) bool { return r.Language == "fi" && r.text(t, "url") == "palaute" }),
		"record without meta.url":                   having(nil, func(r *clientRecord) bool { return lacks(r, "url") }),
		"not-found record without a text about it":  having(nil, func(r *clientRecord) bool { return lacks(r, "url") && lacks(r, "availablelanguagestext") }),
		"page of no kind, with description and all": having(sampleKeys["any page"], func(r *clientRecord) bool { return lacks(r, "imagebanner") && lacks(r, "localinfodoc") }),
	} {
		if n == 0 {
			t.Errorf("there is no %s", what)
		}
	}
	if n := having([]string{"url"}, func(r *clientRecord) bool {
		url := r.text(t, "url")
		return url != r.Language && !strings.HasPrefix(url, r.Language+"/") && url != "palaute"
	}); n > 0 {
		t.Errorf("%d records have a meta.url below another language", n)
	}
}

// checkSampleBodies checks what bodies show: an embed, a table, text from right
// to left, and links between pages that lead somewhere.
func checkSampleBodies(t *testing.T, records []clientRecord) {
	t.Helper()
	urls := map[string]bool{}
	for i := range records {
		if value, _ := records[i].key("url"); value != nil {
			urls["/"+*value] = true
		}
	}
	var embeds, tables, rtl, links int
	for i := range records {
		r := &records[i]
		embeds += len(r.Embeds)
		for _, e := range r.Embeds {
			if !strings.HasPrefix(e.URI, "https://") {
				t.Errorf("%s: embed %s", r.id, e.URI)
			}
		}
		for _, top := range parseHTML(t, *r.Content) {
			for n := range top.Descendants() {
				if n.Type == html.ElementNode && n.Data == "table" {
					tables++
				}
				if target, ok := siteLink(n); ok {
					links++
					if !urls[target] {
						t.Errorf("%s links to %s, where no record is", r.id, target)
					}
				}
			}
		}
		if strings.Contains("ar fa", r.Language) && regexp.MustCompile(`\p{Arabic}{4}`).MatchString(*r.Content) {
			rtl++
		}
	}
	for what, n := range map[string]int{"embeds": embeds, "tables": tables, "pages from right to left": rtl, "links": links} {
		if n == 0 {
			t.Errorf("there are no %s", what)
		}
	}
	t.Logf("%d embeds, %d tables, %d pages from right to left, %d links between pages", embeds, tables, rtl, links)
}

// siteLink returns where a link leads that stays on the site.
func siteLink(n *html.Node) (string, bool) {
	for _, a := range n.Attr {
		if n.Data == "a" && a.Key == "href" && strings.HasPrefix(a.Val, "/") {
			target, _, _ := strings.Cut(a.Val, "#")
			if decoded, err := url.PathUnescape(target); err == nil {
				target = decoded
			}
			return target, true
		}
	}
	return "", false
}

// The sample site holds source pages only, and the settings.
func TestSampleFiles(t *testing.T) {
	err := fs.WalkDir(os.DirFS(sampleContent), ".", func(name string, d fs.DirEntry, err error) error {
		ending := filepath.Ext(name)
		if err == nil && !d.IsDir() && name != "site.yaml" && !slices.Contains([]string{".md", ".markdown", ".html", ".htm"}, ending) {
			t.Errorf("%s is no source page", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
