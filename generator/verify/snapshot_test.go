package verify_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"example.org/sivu/generator"
	"example.org/sivu/generator/verify"
)

const (
	testBase = "https://api.example.org"
	testSite = `namespace: 0e6f3c1a-7a4b-4a5e-9a53-0c1f8a1d2b3c
languages: [fi, en, ar]
dates: [fields]
unprefixed: [palaute]
rules: {missing-translation: off}
`
)

// files are the files of a snapshot by their paths.
type files map[string]string

// sources is a content folder of 25 records: three list pages, the last half
// full, and two records created at the same time on both sides of each border.
func sources() fstest.MapFS {
	fsys := fstest.MapFS{"site.yaml": {Data: []byte(testSite)}}
	for i := range 24 {
		tag := []string{"fi", "en", "ar"}[i%3]
		text := fmt.Sprintf("---\ntitle: Sivu %d äö \"مرحبا\"\ncreated: 2019-05-%02dT08:06:31.004512Z\nmodified: 2020-01-02T03:04:05.678901Z\n"+
			"description: ~\nwindowtitle: a\\b\n---\n# Title\n\nText & <b>bold</b>.\n\n- a\n- b\n\n<p>one<p>two<br>\n", i, 1+i/2)
		fsys[fmt.Sprintf("%s/topic-%02d.md", tag, i)] = &fstest.MapFile{Data: []byte(text)}
	}
	fsys["fi/palaute.md"] = &fstest.MapFile{Data: []byte("---\ntitle: Palaute\nurl: palaute\ncreated: 2015-01-01\nembeds: [https://video.example.org/1]\n---\n")}
	return fsys
}

// build returns the snapshot of a content folder.
func build(t testing.TB, content fs.FS, base, links string) files {
	t.Helper()
	out := t.TempDir()
	result, err := generator.Build(t.Context(), generator.Options{Content: "content", FS: content, Out: out, BaseURL: base, Links: links})
	if err != nil {
		t.Fatal(err)
	}
	if result.Failed {
		t.Fatalf("the content does not build: %v", result.Report.Diagnostics)
	}
	return read(t, os.DirFS(out))
}

func read(t testing.TB, fsys fs.FS) files {
	t.Helper()
	all := files{}
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == ".sivu":
			return fs.SkipDir
		case d.IsDir():
			return nil
		}
		body, err := fs.ReadFile(fsys, name)
		all[name] = string(body)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

var good = sync.OnceValue(func() map[string]files { return map[string]files{} })
var goodLock sync.Mutex

// snapshot returns a copy of the good snapshot, to be broken.
func snapshot(t testing.TB, base, links string) files {
	t.Helper()
	goodLock.Lock()
	defer goodLock.Unlock()
	if good()[base+links] == nil {
		good()[base+links] = build(t, sources(), base, links)
	}
	return maps.Clone(good()[base+links])
}

func (f files) fs() fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, text := range f {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

// replace puts new in place of old in files, in each of which it must stand.
func (f files) replace(old, new string, names ...string) {
	for _, name := range names {
		if !strings.Contains(f[name], old) {
			panic(fmt.Sprintf("%s does not hold %q: %.300s", name, old, f[name]))
		}
		f[name] = strings.Replace(f[name], old, new, 1)
	}
}

// everywhere puts new in place of old wherever it stands.
func (f files) everywhere(old, new string) {
	n := 0
	for name := range f {
		n += strings.Count(f[name], old)
		f[name] = strings.ReplaceAll(f[name], old, new)
	}
	if n == 0 {
		panic(fmt.Sprintf("nothing holds %q", old))
	}
}

// record returns the id of record i of the plain list, from 0.
func (f files) record(i int) string {
	var list struct{ Results []struct{ URL string } }
	if err := json.Unmarshal([]byte(f[fmt.Sprintf("pages/page-%d.json", 1+i/10)]), &list); err != nil {
		panic(err)
	}
	id := strings.SplitAfter(list.Results[i%10].URL, "/pages/")[1]
	return id[:36]
}

// detail returns the path of record i in detail.
func (f files) detail(i int) string { return "pages/" + f.record(i) + "/index.json" }

// details returns the paths of record i in detail, in both variants.
func (f files) details(i int) []string {
	return []string{f.detail(i), strings.TrimSuffix(f.detail(i), ".json") + ".api.json"}
}

// pages returns the paths of list page n in both variants; list page 1 has two
// in each.
func pages(n int) []string {
	names := []string{fmt.Sprintf("pages/page-%d.json", n), fmt.Sprintf("pages/page-%d.api.json", n)}
	if n == 1 {
		names = append(names, "pages/index.json", "pages/index.api.json")
	}
	return names
}

// everyList returns the paths of all list pages.
func everyList() []string { return slices.Concat(pages(1), pages(2), pages(3)) }

func check(t testing.TB, fsys fs.FS, o verify.Options) *verify.Report {
	t.Helper()
	report, err := verify.Folder(t.Context(), fsys, o)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// found returns the names of the rules that findings are of.
func found(r *verify.Report) []string {
	names := map[string]bool{}
	for _, f := range r.Findings {
		if !f.Note {
			names[f.Rule.Name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// described returns findings as lines for a failing test.
func described(r *verify.Report) string {
	var b strings.Builder
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "  %s %s: due %s, came %s [%s]\n", f.Address, f.Request, f.Due, f.Came, f.Rule.Name)
	}
	return b.String() + "  stopped: " + r.Stopped
}

func TestGood(t *testing.T) {
	for _, links := range []string{verify.LinksQuery, verify.LinksFile, verify.LinksFileQuery} {
		for _, base := range []string{testBase, testBase + "/v1/content"} {
			t.Run(links+path.Base(base), func(t *testing.T) {
				for _, o := range []verify.Options{{Links: links}, {Links: links, BaseURL: base + "/"}, {Links: links, Lenient: true}, {Links: links, Sample: 4}} {
					r := check(t, snapshot(t, base, links).fs(), o)
					if len(r.Findings) > 0 || r.Stopped != "" || r.Base != base {
						t.Errorf("base %s:\n%s", r.Base, described(r))
					}
					if o.Sample == 0 && (r.Records != 25 || r.Lists != 3) {
						t.Errorf("%d records on %d list pages", r.Records, r.Lists)
					}
				}
			})
		}
	}
}

// The sample site holds every kind of page in twelve languages.
func TestSampleSite(t *testing.T) {
	r := check(t, build(t, os.DirFS("../../content"), testBase, "").fs(), verify.Options{})
	if len(r.Findings) > 0 || r.Records < 100 {
		t.Errorf("%d records\n%s", r.Records, described(r))
	}
}

func (f files) set(text string, names ...string) {
	for _, name := range names {
		f[name] = text
	}
}

func (f files) append(text string, names ...string) {
	for _, name := range names {
		f[name] += text
	}
}

func (f files) prepend(text string, names ...string) {
	for _, name := range names {
		f[name] = text + f[name]
	}
}

// cut leaves out the last bytes of files.
func (f files) cut(names []string) {
	for _, name := range names {
		f[name] = f[name][:len(f[name])-5]
	}
}

// metaOf gives record i other meta, wherever it stands.
func (f files) metaOf(i int, meta string) {
	_, rest, _ := strings.Cut(f[f.detail(i)], `"meta":`)
	old, _, _ := strings.Cut(rest, `,"created"`)
	f.replace(`"meta":`+old, `"meta":`+meta, slices.Concat(pages(1+i/10), f.details(i))...)
}

// contentOf gives record i other content.
func (f files) contentOf(i int, content string) {
	_, rest, _ := strings.Cut(f[f.detail(i)], `"content":`)
	old, _, _ := strings.Cut(rest, `,"embeds"`)
	f.replace(`"content":`+old, `"content":`+content, f.details(i)...)
}

// urlOf changes the url of record i, wherever it stands.
func (f files) urlOf(i int, old, new string) {
	for api, suffix := range []string{`"`, `?format=api"`} {
		link := testBase + "/pages/" + f.record(i) + "/" + suffix
		changed := strings.Replace(link, old, new, 1)
		f.replace(link, changed, f.details(i)[api])
		for _, name := range pages(1 + i/10) {
			if strings.HasSuffix(name, ".api.json") == (api == 1) {
				f.replace(link, changed, name)
			}
		}
	}
}

// exchange swaps two records of two list pages.
func (f files) exchange(one string, i int, other string, j int) {
	a, b := results(f[one])[i], results(f[other])[j]
	f.replace(a, b, one)
	f.replace(b, a, other)
}

// listening is a folder that remembers which files were opened.
type listening struct {
	fs.FS

	mu     sync.Mutex
	opened map[string]bool
}

func (l *listening) Open(name string) (fs.File, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.opened[name] = true
	return l.FS.Open(name)
}

// What sivu makes of HTML that is anything but well-formed is one div.
func TestTagSoup(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pieces := strings.Fields(`<p> </p> <div> </div> <div/> <b> </b> <i> </i> <a> </a> <ul> <li> </li> </ul> <table> <tr> <td> </td> </table>
		<caption> <col> <tbody> <h1> </h2> <br> <hr/> <ruby> <rt> </ruby> <dl> <dt> <dd> <!-- --> --!> <script> </script> <svg> <title> </svg>
		<textarea> <details> <summary> </details> <blockquote> </body> </html> <body> &lt; &#0; text <b </b </ < > <option> <select>`)
	content := fstest.MapFS{"site.yaml": {Data: []byte(testSite)}}
	for i := range 400 {
		var b strings.Builder
		b.WriteString("<!doctype html><html lang=fi><head><title>a</title><meta name=dcterms.created content=2019-05-06></head><body>")
		for range random.IntN(40) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		content[fmt.Sprintf("fi/p%d.html", i)] = &fstest.MapFile{Data: []byte(b.String())}
	}
	r := check(t, build(t, content, testBase, "").fs(), verify.Options{})
	if len(r.Findings) > 0 || r.Records != 400 {
		t.Errorf("%d records\n%s", r.Records, described(r))
	}
}
