package generator

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.org/sivu/generator/settings"
	"example.org/sivu/generator/work"
)

const (
	testBase = "https://api.example.org"
	testSite = "base_url: " + testBase + "\nnamespace: " + randomNamespace +
		"\nlanguages: [fi, en]\ndates: [fields]\nrules: {missing-translation: off}\n"
	goodPage = "---\ntitle: Sivu\ncreated: 2019-05-06\n---\nTeksti.\n"
)

// siteOf returns a content folder with a site.yaml and the given files.
func siteOf(files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{"site.yaml": {Data: []byte(testSite)}}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

// pageWith returns a page with further front matter and a body.
func pageWith(fields, body string) string {
	return "---\ntitle: Sivu\ncreated: 2019-05-06\n" + fields + "---\n" + body
}

// goodSite is a site of enough pages to have list pages and several batches.
func goodSite(n int) fstest.MapFS {
	files := map[string]string{}
	for i := range n {
		files[fmt.Sprintf("fi/sivu-%03d.md", i)] = goodPage
	}
	return siteOf(files)
}

// written lists all that lies below dir, folders and .sivu too, with what the
// files of the snapshot hold.
func written(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		text := "a folder"
		if !d.IsDir() {
			body, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			text = string(body)
		}
		all[name] = text
		return nil
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return all
}

func mustBuild(t *testing.T, o Options) *Result {
	t.Helper()
	result, err := Build(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if result.Failed || result.Changes == nil {
		t.Fatalf("the build failed: %q", described(result.Report))
	}
	return result
}

func mustCheck(t *testing.T, fsys fs.FS) *Result {
	t.Helper()
	result, err := Check(t.Context(), Options{Content: "content", FS: fsys})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// A problem forbids to write: the old snapshot stays, and nothing beside it.
func TestProblemKeepsOldSnapshot(t *testing.T) {
	for what, text := range map[string]string{
		"first pass":  "---\ntitle: [a]\ncreated: 2019-05-06\n---\n",
		"second pass": pageWith("", strings.Repeat("<div>", 300)),
		"collection":  pageWith("topic: sivu-001\n", ""),
	} {
		t.Run(what, func(t *testing.T) {
			out := t.TempDir()
			mustBuild(t, Options{Content: "content", FS: goodSite(30), Out: out})
			before := written(t, out)
			site := goodSite(40)
			site["fi/z.md"] = &fstest.MapFile{Data: []byte(text)}
			result, err := Build(t.Context(), Options{Content: "content", FS: site, Out: out})
			if err != nil {
				t.Fatal(err)
			}
			if !result.Failed || result.Changes != nil || result.Report.Errors != 1 {
				t.Errorf("failed is %v, changes %v, problems %q", result.Failed, result.Changes, described(result.Report))
			}
			if diff := cmp.Diff(before, written(t, out)); diff != "" {
				t.Errorf("the output folder changed:\n%s", diff)
			}
		})
	}
}

// A first build that fails leaves no output folder.
func TestProblemOfFirstBuildLeavesNothing(t *testing.T) {
	out := filepath.Join(t.TempDir(), "deep", "public")
	result, err := Build(t.Context(), Options{Content: "content", FS: siteOf(map[string]string{"fi/a.md": "x"}), Out: out})
	if err != nil || !result.Failed {
		t.Fatalf("%v, failed %v", err, result.Failed)
	}
	if _, err := os.Stat(filepath.Dir(out)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the output folder is there: %v", err)
	}
}

var badPages = map[string]string{
	"fi/01-list.md":       pageWith("tags: [a, b]\n", ""),
	"fi/02-open.md":       "---\ntitle: Sivu\n",
	"fi/03-date.md":       "---\ntitle: Sivu\ncreated: yesterday\n---\n",
	"fi/04-order.md":      pageWith("modified: 2018-01-01\n", ""),
	"fi/05-no-title.md":   "---\ncreated: 2019-05-06\n---\nteksti\n",
	"fi/06-no-date.md":    "---\ntitle: Sivu\n---\n",
	"fi/07-two.md":        "---\ntitle: [a]\ncreated: x\nkind: artikel\nid: 12\n---\n\n<iframe src=\"http://a.example/\"></iframe>\n",
	"fi/08-utf8.md":       pageWith("", "teksti\nä\xff\n"),
	"fi/09-language.md":   pageWith("language: sv\n", ""),
	"fi/10-url.md":        pageWith("url: fi/../a\n", ""),
	"fi/11-deep.md":       pageWith("", "teksti\n\n"+strings.Repeat("<div>", 300)+"\n"),
	"fi/12-script.md":     pageWith("", "a <script>x</script> b\n"),
	"fi/13-broken.md":     pageWith("", "[a](ei-ole.md) [b](#ei) [c](12-script.md#ei)\n"),
	"fi/14-kind.md":       pageWith("kind: front\nlocalinfodoc: x1\n", ""),
	"fi/15-same.md":       pageWith("id: 6ba7b810-9dad-51d1-80b4-00c04fd430c8\n", "x\n"),
	"fi/16-same.md":       pageWith("id: 6BA7B810-9dad-51d1-80b4-00c04fd430c8\n", "x\n"),
	"fi/17-control.md":    pageWith("description: \"a\\u001bb\"\n", ""),
	"fi/18-twice.md":      pageWith("title: Toinen\n", ""),
	"fi/19-asset.md":      pageWith("", "![](kuva.png)\n"),
	"fi/20-good.md":       goodPage,
	"fi/21-toml.md":       "+++\ntitle = \"Sivu\"\ncreated = 2019-05-06\nx = \n+++\n",
	"fi/22-document.html": "<!doctype html>\n<title>Sivu</title>\n<meta name=dcterms.created content=2019-13-01>\n<body>a</body>\nloppu\n",
	"en/20-good.rst":      "a page in another format",
}

var badPagesFound = []string{
	`content: 1 relative address of an image or another asset stays relative; sivu publishes no assets [asset-address]`,
	`content/en/20-good.rst: 1 file ends in ".rst", a format that sivu does not read [foreign-format]`,
	`content/fi/01-list.md:4:1: "tags" is a list; a meta value is a string or null [meta-type]`,
	`content/fi/02-open.md:1:1: the front matter that begins with "---" does not end [syntax]`,
	`content/fi/03-date.md:3:1: "yesterday" is not a date [date]`,
	`content/fi/04-order.md:4:1: the page was modified before it was created [date]`,
	`content/fi/05-no-title.md:1:1: the page has no title [title]`,
	`content/fi/06-no-date.md:1:1: no date of the page is known [date]`,
	`content/fi/07-two.md:2:1: "title" is a list; a meta value is a string or null [meta-type]`,
	`content/fi/07-two.md:3:1: "x" is not a date [date]`,
	`content/fi/07-two.md:4:1: "artikel" is not a kind of page [kind]`,
	`content/fi/07-two.md:5:1: "12" is not a UUID [id]`,
	`content/fi/07-two.md:8:1: an iframe with the address "http://a.example/" is removed [embed-address]`,
	`content/fi/08-utf8.md:6:2: the byte 0xFF is not UTF-8 [encoding]`,
	`content/fi/09-language.md:4:1: "sv" is not one of the site's languages [language]`,
	`content/fi/10-url.md:4:1: meta.url "fi/../a" has a segment ".." [meta-url]`,
	`content/fi/11-deep.md:7:1281: elements are nested more than 256 levels deep [html-depth]`,
	`content/fi/12-script.md:5:3: element "script" is removed with its content [html-removed]`,
	`content/fi/13-broken.md:5:1: page not found: "ei-ole.md" [broken-link]`,
	`content/fi/13-broken.md:5:16: the link "#ei" leads to an anchor that is not on this page [broken-link]`,
	`content/fi/13-broken.md:5:25: the link "12-script.md#ei" leads to an anchor that "fi/12-script.md" does not have [broken-link]`,
	`content/fi/14-kind.md:4:1: a page of kind "front" must have "description", "windowtitle" and "textbannercolor" [kind-keys]`,
	`content/fi/14-kind.md:5:1: "localinfodoc" is "x1"; on a page of kind "front" it is a string of digits [kind-keys]`,
	`content/fi/16-same.md:4:1: id 6ba7b810-9dad-51d1-80b4-00c04fd430c8 is also that of "fi/15-same.md" [duplicate-id]`,
	`content/fi/17-control.md:4:1: the value of "description" holds the control character U+001B [control-character]`,
	`content/fi/18-twice.md:4:1: "title" is given twice, first in line 2 [syntax]`,
	`content/fi/21-toml.md:4:5: TOML: unexpected character U+000A at start of value [syntax]`,
	`content/fi/22-document.html:3:1: "2019-13-01" is not a date [date]`,
	`content/fi/22-document.html:5:1: text outside the body is left out [outside-body]`,
}

// All problems of all pages are found in one run, by Check as by Build: sorted
// by file, line and column, and each once, in whatever order folders are listed.
func TestAllProblemsInOneRun(t *testing.T) {
	for jobs, site := range map[int]fs.FS{1: siteOf(badPages), 8: siteOf(badPages), 3: &reversedFS{siteOf(badPages)}} {
		checked, err := Check(t.Context(), Options{Content: "content", FS: site, Jobs: jobs})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(badPagesFound, described(checked.Report)); diff != "" {
			t.Errorf("problems (-want +got):\n%s", diff)
		}
		built, err := Build(t.Context(), Options{Content: "content", FS: site, Jobs: jobs, Out: filepath.Join(t.TempDir(), "out")})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(described(checked.Report), described(built.Report)); diff != "" {
			t.Errorf("Check and Build find other problems (-check +build):\n%s", diff)
		}
		if !checked.Failed || !built.Failed {
			t.Errorf("failed: %v, %v", checked.Failed, built.Failed)
		}
	}
}

// With Strict warnings stop a build, and leave the old snapshot.
func TestStrict(t *testing.T) {
	out := t.TempDir()
	site := siteOf(map[string]string{"fi/a.md": pageWith("", "a <script>x</script>\n")})
	mustBuild(t, Options{Content: "content", FS: site, Out: out})
	before := written(t, out)
	site["fi/b.md"] = &fstest.MapFile{Data: []byte(goodPage)}
	result, err := Build(t.Context(), Options{Content: "content", FS: site, Out: out, Strict: true})
	if err != nil || !result.Failed || result.Report.Errors != 0 || result.Report.Warnings != 1 || result.Changes != nil {
		t.Errorf("%v, %+v", err, result)
	}
	if diff := cmp.Diff(before, written(t, out)); diff != "" {
		t.Errorf("the output folder changed:\n%s", diff)
	}
	checked, err := Check(t.Context(), Options{Content: "content", FS: site, Strict: true})
	if err != nil || !checked.Failed {
		t.Errorf("check: %v, failed %v", err, checked.Failed)
	}
}

// hookFS calls a hook before each file is opened.
type hookFS struct {
	fs.FS
	opened atomic.Int64
	hook   func(n int, name string) (fs.FS, error)
}

func (f *hookFS) Open(name string) (fs.File, error) {
	fsys := f.FS
	if strings.HasSuffix(name, ".md") {
		instead, err := f.hook(int(f.opened.Add(1)), name)
		if err != nil {
			return nil, &fs.PathError{Op: "open", Path: name, Err: err}
		}
		if instead != nil {
			fsys = instead
		}
	}
	return fsys.Open(name)
}

// A build that is interrupted, at whatever moment, leaves the old snapshot and
// nothing else.
func TestInterrupted(t *testing.T) {
	out := t.TempDir()
	mustBuild(t, Options{Content: "content", FS: goodSite(30), Out: out})
	before, files := written(t, out), readTree(t, out)
	check := func(t *testing.T, err error) {
		t.Helper()
		if !errors.Is(err, context.Canceled) {
			t.Errorf("the error is %v", err)
		}
		if diff := cmp.Diff(before, written(t, out)); diff != "" {
			t.Errorf("the output folder changed:\n%s", diff)
		}
	}
	const pages = 200
	for _, n := range []int{1, 2, pages / 2, pages, pages + 1, pages + pages/2, 2*pages - 1} {
		for _, jobs := range []int{1, 4} {
			t.Run(fmt.Sprintf("open %d, %d jobs", n, jobs), func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				fsys := &hookFS{FS: goodSite(pages), hook: func(opened int, _ string) (fs.FS, error) {
					if opened == n {
						cancel()
					}
					return nil, nil
				}}
				_, err := Build(ctx, Options{Content: "content", FS: fsys, Out: out, Jobs: jobs, Full: true})
				check(t, err)
			})
		}
	}
	for _, stage := range []string{"looking for pages", "reading", "rendering", "listing", "publishing"} {
		t.Run(stage, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			progress := &work.Progress{OnStage: func(now string, _ int) {
				if now == stage {
					cancel()
				}
			}}
			_, err := Build(ctx, Options{Content: "content", FS: goodSite(pages), Out: out, Progress: progress, Full: true})
			check(t, err)
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Build(ctx, Options{Content: "content", FS: goodSite(1), Out: out, Full: true})
	check(t, err)
	if _, err := Check(ctx, Options{Content: "content", FS: goodSite(1)}); !errors.Is(err, context.Canceled) {
		t.Errorf("check: %v", err)
	}
	mustBuild(t, Options{Content: "content", FS: goodSite(30), Out: out})
	if diff := cmp.Diff(files, readTree(t, out)); diff != "" {
		t.Errorf("the folder is not the same after all that:\n%s", diff)
	}
}

// A source that changes, goes or cannot be read any more between the two
// passes is an error of that page.
func TestSourceChangesMeanwhile(t *testing.T) {
	for what, test := range map[string]struct {
		instead fs.FS
		err     error
		want    string
	}{
		"changed":    {fstest.MapFS{"fi/a.md": {Data: []byte(goodPage + "!")}}, nil, "content/fi/a.md: the file changed while sivu was at work [changed-meanwhile]"},
		"gone":       {fstest.MapFS{}, nil, "content/fi/a.md: the file cannot be read: file does not exist [unreadable]"},
		"unreadable": {nil, fs.ErrPermission, "content/fi/a.md: the file cannot be read: permission denied [unreadable]"},
	} {
		t.Run(what, func(t *testing.T) {
			out := t.TempDir()
			mustBuild(t, Options{Content: "content", FS: goodSite(12), Out: out})
			before := written(t, out)
			var mu sync.Mutex
			seen := map[string]bool{}
			passed := false
			site := goodSite(11)
			site["fi/a.md"] = &fstest.MapFile{Data: []byte(goodPage)}
			fsys := &hookFS{FS: site, hook: func(_ int, name string) (fs.FS, error) {
				mu.Lock()
				defer mu.Unlock()
				passed = passed || seen[name]
				seen[name] = true
				if name == "fi/a.md" && passed {
					return test.instead, test.err
				}
				return nil, nil
			}}
			progress := &work.Progress{OnStage: func(stage string, _ int) {
				mu.Lock()
				defer mu.Unlock()
				passed = stage == "rendering"
			}}
			result, err := Build(t.Context(), Options{Content: "content", FS: fsys, Out: out, Progress: progress})
			if err != nil || !result.Failed {
				t.Fatalf("%v, %+v", err, result)
			}
			if diff := cmp.Diff([]string{test.want}, described(result.Report)); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(before, written(t, out)); diff != "" {
				t.Errorf("the output folder changed:\n%s", diff)
			}
		})
	}
}

// What keeps sivu from running is an error, and the output folder is not made.
func TestCannotRun(t *testing.T) {
	content := t.TempDir()
	site := func(yaml string) fs.FS {
		return fstest.MapFS{"site.yaml": {Data: []byte(yaml)}, "fi/a.md": {Data: []byte(goodPage)}}
	}
	for what, test := range map[string]struct {
		options Options
		want    string // a part of the error
	}{
		"no base address":       {Options{FS: site("dates: [fields]")}, "no base address: give base_url in site.yaml, SIVU_BASE_URL or --base-url"},
		"base without a scheme": {Options{FS: site(testSite), BaseURL: "api.example.org"}, "api.example.org"},
		"base with a query":     {Options{FS: site(testSite), BaseURL: "https://api.example.org/?a=b"}, "query"},
		"base with a fragment":  {Options{FS: site(testSite), BaseURL: "https://api.example.org/#a"}, "fragment"},
		"base with a user":      {Options{FS: site(testSite), BaseURL: "https://a:b@api.example.org"}, "user"},
		"unknown link style":    {Options{FS: site(testSite), Links: "files"}, `unknown link style "files": the styles are query, file and file+query`},
		"no content folder":     {Options{Content: filepath.Join(content, "none")}, "does not exist"},
		"content is a file":     {Options{Content: writeFile(t, filepath.Join(content, "file"), "")}, "is not a folder"},
		"no such site file":     {Options{FS: site(testSite), SiteFile: filepath.Join(content, "none.yaml")}, "cannot read the site's settings"},
		"output in content":     {Options{Content: content, FS: site(testSite), Out: filepath.Join(content, "out")}, "content"},
	} {
		t.Run(what, func(t *testing.T) {
			o := test.options
			if o.Content == "" {
				o.Content = "content"
			}
			if o.Out == "" {
				o.Out = filepath.Join(t.TempDir(), "out")
			}
			result, err := Build(t.Context(), o)
			if err == nil || !strings.Contains(err.Error(), test.want) || result != nil {
				t.Errorf("the error is %v, the result %v", err, result)
			}
			if _, err := os.Stat(o.Out); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("the output folder is there: %v", err)
			}
		})
	}
}

func writeFile(t *testing.T, name, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

// Options go over site.yaml, and a site.yaml of another place over that in the
// content folder.
func TestOptionsOverSite(t *testing.T) {
	out := t.TempDir()
	other := writeFile(t, filepath.Join(t.TempDir(), "other.yaml"), testSite+"links: file\n")
	mustBuild(t, Options{Content: "content", FS: goodSite(11), Out: out, SiteFile: other})
	walkSnapshot(t, out, testBase, "file")
	result := mustBuild(t, Options{Content: "content", FS: goodSite(11), Out: out, SiteFile: other,
		Links: "file+query", BaseURL: "http://localhost:8000/api/"})
	walkSnapshot(t, out, "http://localhost:8000/api", "file+query")
	if result.Links.Base != "http://localhost:8000/api" || result.Links.Style.Name != "file+query" {
		t.Errorf("the result has links %+v", result.Links)
	}
}

// Without site.yaml a site has the languages of the contract and dates from
// fields; all it needs is a base address, and ids in its pages.
func TestWithoutSiteFile(t *testing.T) {
	out := t.TempDir()
	fsys := fstest.MapFS{"so/a.md": {Data: []byte(pageWith("modified: 2019-05-06\nid: 6ba7b810-9dad-51d1-80b4-00c04fd430c8\n", ""))}}
	result := mustBuild(t, Options{Content: "content", FS: fsys, Out: out, BaseURL: testBase})
	records := walkSnapshot(t, out, testBase, "query")
	if len(records) != 1 || records[0].Language != "so" || len(result.Coverage().Languages) != 12 {
		t.Errorf("%d records, coverage %+v", len(records), result.Coverage())
	}
	fsys["so/b.md"] = &fstest.MapFile{Data: []byte(pageWith("modified: 2019-05-06\n", ""))}
	found := described(mustCheck(t, fsys).Report)
	if want := "content/so/b.md:1:1: the page has no id, and the site no namespace to derive it from [id]"; !slices.Contains(found, want) {
		t.Errorf("a page without id needs a namespace: %q", found)
	}
}

// A folder without pages is a collection of no records, if that is allowed.
func TestEmptyCollection(t *testing.T) {
	for what, fsys := range map[string]fs.FS{
		"no file at all":   siteOf(nil),
		"drafts and other": siteOf(map[string]string{"fi/a.md": pageWith("draft: yes\n", ""), "notes.txt": "", ".hidden.md": "", "fi/.b/c.md": ""}),
	} {
		t.Run(what, func(t *testing.T) {
			out := t.TempDir()
			result := mustBuild(t, Options{Content: "content", FS: fsys, Out: out, AllowEmpty: true})
			if records := walkSnapshot(t, out, testBase, "query"); len(records) != 0 || result.ListPages != 1 || result.Records != 0 {
				t.Errorf("%d records, %d list pages", len(records), result.ListPages)
			}
			want := map[string]string{"404.json": `{"detail":"Not found."}`, "405.json": `{"detail":"Method not allowed."}`}
			for _, name := range []string{"index.json", "index.api.json", "page-1.json", "page-1.api.json"} {
				want["pages/"+name] = `{"count":0,"next":null,"previous":null,"results":[]}`
			}
			if diff := cmp.Diff(want, readTree(t, out)); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
		})
	}
}

// A dry run says what a build would change, and writes nothing.
func TestDryRun(t *testing.T) {
	parent := t.TempDir()
	out := filepath.Join(parent, "out")
	options := Options{Content: "content", FS: goodSite(11), Out: out, DryRun: true}
	first, err := Build(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	if n := first.Changes.Added.Len(); n != 30 || len(written(t, parent)) != 1 {
		t.Errorf("%d files would be added, and %d are there", n, len(written(t, parent)))
	}
	mustBuild(t, Options{Content: "content", FS: goodSite(11), Out: out})
	before := written(t, out)
	site := goodSite(11)
	site["fi/sivu-004.md"] = &fstest.MapFile{Data: []byte(goodPage + "Lisää.\n")}
	delete(site, "fi/sivu-005.md")
	options.FS = site
	second, err := Build(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, written(t, out)); diff != "" {
		t.Errorf("a dry run changed the folder:\n%s", diff)
	}
	mustBuild(t, Options{Content: "content", FS: site, Out: out})
	checkChanges(t, second, treeOf(before, out), readTree(t, out))
}

// treeOf returns the snapshot among what [written] found below dir.
func treeOf(all map[string]string, dir string) map[string]string {
	tree := map[string]string{}
	for name, text := range all {
		below, _ := filepath.Rel(dir, name)
		if text != "a folder" && !strings.HasPrefix(below, ".sivu") {
			tree[filepath.ToSlash(below)] = text
		}
	}
	return tree
}

// Progress tells of every stage in order, with its pieces of work, and the
// result of the time that each took.
func TestProgress(t *testing.T) {
	progress := new(work.Progress)
	if stage, done, total := progress.Now(); stage != "" || done != 0 || total != 0 {
		t.Errorf("before the run it is at %s, %d of %d", stage, done, total)
	}
	var announced []string
	progress.OnStage = func(stage string, total int) {
		announced = append(announced, fmt.Sprintf("%s: %d", stage, total))
		if now, done, of := progress.Now(); now != stage || done != 0 || of != total {
			t.Errorf("at the beginning of %s it is at %s, %d of %d", stage, now, done, of)
		}
	}
	result := mustBuild(t, Options{Content: "content", FS: goodSite(25), Out: t.TempDir(), Progress: progress})
	want := []string{"looking for pages: 0", "reading: 25", "rendering: 25", "listing: 3", "publishing: 0"}
	if diff := cmp.Diff(want, announced); diff != "" {
		t.Errorf("stages (-want +got):\n%s", diff)
	}
	var timed []string
	for _, stage := range result.Stages {
		timed = append(timed, stage.Name)
		if stage.Duration <= 0 || stage.Duration > result.Duration {
			t.Errorf("%s took %s of %s", stage.Name, stage.Duration, result.Duration)
		}
	}
	if got := strings.Join(timed, ", "); got != "looking for pages, reading, rendering, listing, publishing" {
		t.Errorf("the result has the stages %s", got)
	}
}

// While a stage goes on, its work is counted.
func TestProgressCounts(t *testing.T) {
	progress := new(work.Progress)
	var reading, rendering atomic.Int64
	fsys := &hookFS{FS: goodSite(50), hook: func(int, string) (fs.FS, error) {
		stage, done, total := progress.Now()
		if total != 50 || done < 0 || done > 50 {
			t.Errorf("%s: %d of %d", stage, done, total)
		}
		switch stage {
		case "reading":
			reading.Store(max(reading.Load(), int64(done)))
		case "rendering":
			rendering.Store(max(rendering.Load(), int64(done)))
		}
		return nil, nil
	}}
	if _, err := Check(t.Context(), Options{Content: "content", FS: fsys, Jobs: 1, Progress: progress}); err != nil {
		t.Fatal(err)
	}
	if reading.Load() < 49 || rendering.Load() < 49 {
		t.Errorf("the last page is read at %d and rendered at %d of 50", reading.Load(), rendering.Load())
	}
	if stage, done, total := progress.Now(); stage != "rendering" || done != 50 || total != 50 {
		t.Errorf("in the end it is at %s, %d of %d", stage, done, total)
	}
}

// The result counts records by language and kind, and what is left out.
func TestResultCounts(t *testing.T) {
	site := siteOf(map[string]string{
		"en/a.md": goodPage, "fi/a.md": goodPage, "fi/b.md": pageWith("kind: article\n", ""), "fi/c.md": pageWith("kind: not-found\n", ""),
		"fi/d.md": pageWith("draft: true\n", ""), "kuva.png": "", "fi/notes.txt": "", "pois/x.md": "bad", "pois/y.md": "bad",
	})
	site["site.yaml"].Data = append(site["site.yaml"].Data, "exclude: [pois]\n"...)
	r := mustBuild(t, Options{Content: "content", FS: site, Out: t.TempDir()})
	got := fmt.Sprint(r.Records, r.Skipped, r.Excluded, r.OtherFiles, r.ListPages, r.Languages, r.Kinds, r.Coverage(), r.MTimeDates)
	want := "4 1 1 2 1 [{fi 3} {en 1}] [{page 2} {article 1} {not-found 1}] {3 [{fi 3 0 0 0} {en 0 0 1 0}]} false"
	if got != want {
		t.Errorf("the result is\n%s, want\n%s", got, want)
	}
}

// Rules that site.yaml names have the severity that it gives them.
func TestRulesOverridden(t *testing.T) {
	for yaml, want := range map[string]string{
		"":                             "failed false, 0 errors, 1 warnings",
		"rules: {broken-link: error}":  "failed true, 1 errors, 0 warnings",
		"rules: {broken-link: off}":    "failed false, 0 errors, 0 warnings",
		"rules: {html-removed: error}": "failed false, 0 errors, 1 warnings",
	} {
		site := siteOf(map[string]string{"fi/a.md": pageWith("", "[a](ei-ole.md)\n")})
		site["site.yaml"].Data = []byte("base_url: " + testBase + "\nnamespace: " + randomNamespace + "\nlanguages: [fi]\ndates: [fields]\n" + yaml)
		r := mustCheck(t, site)
		if got := fmt.Sprintf("failed %v, %d errors, %d warnings", r.Failed, r.Report.Errors, r.Report.Warnings); got != want {
			t.Errorf("%s: %s, want %s", yaml, got, want)
		}
	}
}

// No rule that the contract rests on can be lowered, and every other can be.
func TestContractRules(t *testing.T) {
	site := siteOf(map[string]string{"fi/a.md": strings.Replace(goodPage, "---\n", "---\nid: 6ba7b810-9dad-51d1-80b4-00c04fd430c8\n", 1)})
	names := map[string]bool{}
	for _, rule := range settings.Rules() {
		if names[rule.Name] && rule.Name != "embed-address" { // of a field and of a body
			t.Errorf("two rules are called %s", rule.Name)
		}
		names[rule.Name] = true
		isGuess := rule.Name == "language-folder" || rule.Name == "moved-page" // it may be meant
		if rule.Contract != (rule.Severity.String() == "error" && !isGuess) {
			t.Errorf("%s is of the contract: %v, and its severity %s", rule.Name, rule.Contract, rule.Severity)
		}
		for _, severity := range []string{"off", "warning", "error"} {
			site["site.yaml"].Data = []byte("languages: [fi]\ndates: [fields]\nrules:\n  " + rule.Name + ": " + severity + "\n")
			var want []string
			if rule.Contract && severity != "error" {
				want = []string{fmt.Sprintf("content/site.yaml:4:%d: the rule %q cannot be lowered to %s [site]", len(rule.Name)+5, rule.Name, severity)}
			}
			r := mustCheck(t, site)
			if diff := cmp.Diff(want, described(r.Report), cmp.Comparer(slices.Equal[[]string])); diff != "" {
				t.Errorf("%s: %s (-want +got):\n%s", rule.Name, severity, diff)
			}
			if r.Failed != (want != nil) {
				t.Errorf("%s: %s: failed is %v", rule.Name, severity, r.Failed)
			}
		}
	}
}

// Dates from mtime are those of the files on disk, cut to microseconds.
func TestMtimeOfRealFiles(t *testing.T) {
	content, out := t.TempDir(), t.TempDir()
	writeFile(t, filepath.Join(content, "site.yaml"), strings.Replace(testSite, "[fields]", "[mtime]", 1))
	name := writeFile(t, filepath.Join(content, "fi", "a.md"), "# Sivu\n")
	at := time.Date(2019, 5, 6, 11, 6, 31, 4512999, time.FixedZone("", 3*3600))
	if err := os.Chtimes(name, at, at); err != nil {
		t.Fatal(err)
	}
	if r := mustBuild(t, Options{Content: content, Out: out}); !r.MTimeDates {
		t.Error("the result does not say that dates come from mtime")
	}
	record := walkSnapshot(t, out, testBase, "query")[0]
	if want := "2019-05-06T08:06:31.004512Z"; record.Created != want || record.Modified != want {
		t.Errorf("created %s, modified %s, want %s", record.Created, record.Modified, want)
	}
}
