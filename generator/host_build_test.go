package generator

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/andybalholm/brotli"
	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"example.org/sivu/generator/baseurl"
	"example.org/sivu/generator/host"
)

// walker serves files, ignores queries, runs no code, and takes ten files.
var walker = &host.Host{
	Name:    "walker",
	Level:   host.Walkable,
	Codings: []string{"gz"},
	Limits:  host.Limits{Files: 10, Source: "its maker's manual"},
	InRoot:  []host.Part{{Name: "_headers", Text: "of [[.BaseURL]][[.Links]]"}},
}

// worker routes on the query and can make api variants.
var worker = &host.Host{Name: "worker", Edge: true, Limits: host.Limits{Files: 10}}

// namesIn returns the files of a snapshot, without .sivu.
func namesIn(t *testing.T, out string) []string {
	t.Helper()
	var names []string
	err := fs.WalkDir(os.DirFS(out), ".", func(name string, d fs.DirEntry, err error) error {
		if name == ".sivu" {
			return fs.SkipDir
		}
		if err == nil && !d.IsDir() {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// Every host gets its files, with the style that is its default, and they go
// when a later build is for no host.
func TestEveryHost(t *testing.T) {
	for _, h := range host.Hosts {
		t.Run(h.Name, func(t *testing.T) {
			out := t.TempDir()
			o := Options{Content: "content", FS: goodSite(25), Out: out, Host: h, Edge: h.Edge, Precompress: h.Codings}
			r := mustBuild(t, o)
			if r.Links.Style.Name != h.Styles()[0] {
				t.Errorf("the links are %s, and the host's first style is %s", r.Links.Style.Name, h.Styles()[0])
			}
			want := map[string]string{"404.json": `{"detail":"Not found."}`, "405.json": `{"detail":"Method not allowed."}`}
			if len(h.InRoot) > 0 {
				base, err := baseurl.Parse(testBase)
				if err != nil {
					t.Fatal(err)
				}
				files, err := h.RootFiles(&host.Config{Base: base, Links: h.Styles()[0], Edge: h.Edge, ListPages: 3})
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range files {
					want[f.Name] = string(f.Data)
				}
			}
			got := map[string]string{}
			for _, name := range namesIn(t, out) {
				if !strings.HasPrefix(name, "pages/") {
					got[name] = readFile(t, filepath.Join(out, name))
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("beside the answers (-want +got):\n%s", diff)
			}
			if again := mustBuild(t, o); again.Changes.Any() {
				t.Errorf("a second build changed %q", slices.Collect(again.Changes.Changed.All()))
			}

			plain := t.TempDir()
			mustBuild(t, Options{Content: "content", FS: goodSite(25), Out: plain})
			mustBuild(t, Options{Content: "content", FS: goodSite(25), Out: out})
			if diff := cmp.Diff(namesIn(t, plain), namesIn(t, out)); diff != "" {
				t.Errorf("after a build for no host (-want +got):\n%s", diff)
			}
		})
	}
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func withLinks(site fstest.MapFS, style string) fstest.MapFS {
	if style != "" {
		site["site.yaml"].Data = append(site["site.yaml"].Data, "links: "+style+"\n"...)
	}
	return site
}

// The link style is that of the options, else of site.yaml, else the host's; one
// that the host cannot serve is refused, whoever asks for it.
func TestHostLinkStyle(t *testing.T) {
	const ignores = "walker cannot serve query links: it ignores the query, so /pages/?page=2 answers page 1, and a client that follows next never ends"
	for _, test := range []struct {
		host            *host.Host
		options, site   string
		want, wantError string
	}{
		{host: nil, want: "query"},
		{host: worker, want: "query"},
		{host: walker, want: "file+query"},
		{host: walker, site: "file", want: "file"},
		{host: walker, site: "query", options: "file", want: "file"},
		{host: worker, options: "file", want: "file"},
		{host: walker, options: "query", wantError: ignores},
		{host: walker, site: "query", wantError: ignores},
		{host: walker, site: "file", options: "query", wantError: ignores},
		{host: walker, options: "quer", wantError: `unknown link style "quer": the styles are query, file and file+query`},
	} {
		out := filepath.Join(t.TempDir(), "public")
		r, err := Build(t.Context(), Options{
			Content: "content", FS: withLinks(goodSite(3), test.site), Out: out, Host: test.host, Links: test.options,
		})
		switch {
		case test.wantError != "":
			if err == nil || err.Error() != test.wantError {
				t.Errorf("%+v: error %v", test, err)
			}
			var refusal *host.Refusal
			if strings.HasPrefix(test.wantError, "walker") && (!errors.As(err, &refusal) || refusal.Hint != "give --links file+query or file") {
				t.Errorf("%+v: the hint of %+v", test, refusal)
			}
			if _, err := os.Stat(out); err == nil {
				t.Errorf("%+v: the output folder was made", test)
			}
		case err != nil:
			t.Errorf("%+v: %v", test, err)
		case r.Links.Style.Name != test.want:
			t.Errorf("%+v: the links are %s", test, r.Links.Style.Name)
		}
	}
}

// A file of a host's name that sivu did not write ends the build before anything
// is changed.
func TestForeignHostFile(t *testing.T) {
	out := t.TempDir()
	mustBuild(t, Options{Content: "content", FS: goodSite(3), Out: out})
	writeFile(t, filepath.Join(out, "_headers"), "mine")
	before := written(t, out)
	_, err := Build(t.Context(), Options{Content: "content", FS: goodSite(12), Out: out, Host: walker})
	if err == nil || !strings.Contains(err.Error(), "sivu did not write what lies there; move it away") {
		t.Errorf("error %v", err)
	}
	if diff := cmp.Diff(before, written(t, out)); diff != "" {
		t.Errorf("the output folder changed:\n%s", diff)
	}
}

// A host may want only files of the names that are known.
func TestHostFileOfAnotherName(t *testing.T) {
	for _, name := range []string{"index.htm", "pages/index.json", "404.json", "../up", "_headers/a"} {
		h := &host.Host{Name: "odd", InRoot: []host.Part{{Name: name, Text: "x"}}}
		out := filepath.Join(t.TempDir(), "public")
		_, err := Build(t.Context(), Options{Content: "content", FS: goodSite(3), Out: out, Host: h})
		if err == nil || !strings.Contains(err.Error(), "only these may be there") {
			t.Errorf("%s: error %v", name, err)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s: the output folder is there", name)
		}
	}
}

// What is more than the host takes is a warning: it stops a build only where
// warnings do.
func TestHostLimit(t *testing.T) {
	const message = "public: the snapshot has 13 files, and walker takes 10 (its maker's manual) [host-limit]"
	for _, test := range []struct {
		host     *host.Host
		strict   bool
		rules    string
		problems []string
		written  bool
	}{
		{host: walker, problems: []string{message}, written: true},
		{host: walker, strict: true, problems: []string{message}},
		{host: walker, rules: "error", problems: []string{message}},
		{host: walker, rules: "off", strict: true, written: true},
		{host: nil, strict: true, written: true},
	} {
		t.Chdir(t.TempDir())
		site := goodSite(3)
		if test.rules != "" {
			site["site.yaml"].Data = []byte(strings.Replace(testSite, "rules: {", "rules: {host-limit: "+test.rules+", ", 1))
		}
		// Four list files, six of records, two error bodies and _headers.
		r, err := Build(t.Context(), Options{Content: "content", FS: site, Out: "public", Host: test.host, Strict: test.strict})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.problems, described(r.Report), cmp.Comparer(slices.Equal[[]string])); diff != "" {
			t.Errorf("strict %v, rules %q (-want +got):\n%s", test.strict, test.rules, diff)
		}
		_, err = os.Stat("public")
		if got := err == nil; got != test.written || r.Failed == test.written || (r.Changes != nil) != test.written {
			t.Errorf("strict %v, rules %q: written is %v, failed %v", test.strict, test.rules, got, r.Failed)
		}
	}
}

// Where the host could make half of the files itself, the warning says so.
func TestHostLimitHint(t *testing.T) {
	o := Options{Content: "content", FS: goodSite(3), Out: t.TempDir(), Host: worker}
	r := mustBuild(t, o)
	if d := r.Report.Diagnostics; len(d) != 1 || !strings.HasPrefix(d[0].Hint, "--variants edge halves the number of files") {
		t.Errorf("problems %+v", d)
	}
	o.Edge = true
	if r := mustBuild(t, o); len(r.Report.Diagnostics) != 0 {
		t.Errorf("problems %+v", r.Report.Diagnostics)
	}
}

// With variants made at the edge there are the plain answers alone, with the
// same bytes; from and to that, everything keeps step.
func TestEdgeVariants(t *testing.T) {
	all, out := t.TempDir(), t.TempDir()
	site := func() Options {
		return Options{Content: "content", FS: goodSite(25), Out: out, Host: worker, Precompress: nil}
	}
	o := site()
	o.Out = all
	mustBuild(t, o)
	bodies := map[string]string{}
	for _, name := range namesIn(t, all) {
		if !strings.Contains(name, ".api.") {
			bodies[name] = readFile(t, filepath.Join(all, name))
		}
	}
	steps := []struct {
		edge                    bool
		added, removed, changed int
	}{{edge: true, added: len(bodies)}, {added: 29}, {edge: true, removed: 29}, {edge: true}}
	for i, step := range steps {
		o := site()
		o.Edge = step.edge
		r := mustBuild(t, o)
		got := []int{r.Changes.Added.Len(), r.Changes.Removed.Len(), r.Changes.Changed.Len()}
		if diff := cmp.Diff([]int{step.added, step.removed, step.changed}, got); diff != "" {
			t.Errorf("step %d: added, removed, changed (-want +got):\n%s", i, diff)
		}
		want := bodies
		if !step.edge {
			want = maps.Clone(bodies)
			for _, name := range namesIn(t, all) {
				want[name] = readFile(t, filepath.Join(all, name))
			}
		}
		files := map[string]string{}
		for _, name := range namesIn(t, out) {
			files[name] = readFile(t, filepath.Join(out, name))
		}
		if diff := cmp.Diff(want, files); diff != "" {
			t.Errorf("step %d: (-want +got):\n%s", i, diff)
		}
	}
}

func TestEdgeRefused(t *testing.T) {
	for _, test := range []struct {
		host       *host.Host
		want, hint string
	}{
		{nil, "api variants that are left out have to be made by a host, and none is named", "name it with --host, or leave out --variants edge"},
		{walker, "walker cannot make the api variants: it runs no code that could", ""},
	} {
		_, err := Build(t.Context(), Options{Content: "content", FS: goodSite(3), Out: filepath.Join(t.TempDir(), "out"), Host: test.host, Edge: true})
		var refusal *host.Refusal
		if !errors.As(err, &refusal) || refusal.Problem != test.want || test.hint != "" && refusal.Hint != test.hint {
			t.Errorf("error %+v", err)
		}
	}
}

// A cache has to forget the address of an api variant that the host makes when
// the answer that it is made of changes. Siblings have no addresses.
func TestAddresses(t *testing.T) {
	build := func(edge bool) *Result {
		return mustBuild(t, Options{Content: "content", FS: goodSite(1), Out: t.TempDir(), Host: worker, Edge: edge})
	}
	all, edge := build(false), build(true)
	for _, test := range []struct {
		result *Result
		file   string
		want   []string
	}{
		{all, "pages/index.json", []string{testBase + "/pages/"}},
		{all, "pages/page-2.api.json", []string{testBase + "/pages/?format=api&page=2"}},
		{all, "pages/index.json.gz", nil},
		{all, "_headers", nil},
		{edge, "pages/index.json", []string{testBase + "/pages/", testBase + "/pages/?format=api"}},
		{edge, "pages/page-2.json", []string{testBase + "/pages/?page=2", testBase + "/pages/?format=api&page=2"}},
		{edge, "pages/page-2.api.json", nil}, // goes, and its address stays
		{edge, "pages/page-2.json.br", nil},
		{edge, "404.json", nil},
	} {
		if got := test.result.Addresses(test.file); !slices.Equal(got, test.want) {
			t.Errorf("%s: addresses %q, want %q", test.file, got, test.want)
		}
	}
}

// Siblings unpack to the answers beside them, of one build as of the next, and
// the report of the build counts them.
func TestPrecompress(t *testing.T) {
	unpack := map[string]func(io.Reader) (io.Reader, error){
		".br":  func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil },
		".gz":  func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
		".zst": func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r) },
	}
	out := t.TempDir()
	site := goodSite(25)
	check := func(codings ...string) *Result {
		t.Helper()
		r := mustBuild(t, Options{Content: "content", FS: site, Out: out, Precompress: codings})
		siblings := map[string]int{}
		for _, name := range namesIn(t, out) {
			ending := path.Ext(name)
			if ending == ".json" {
				continue
			}
			siblings[ending[1:]]++
			reader, err := unpack[ending](strings.NewReader(readFile(t, filepath.Join(out, name))))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			data, err := io.ReadAll(reader)
			if err != nil || string(data) != readFile(t, filepath.Join(out, strings.TrimSuffix(name, ending))) {
				t.Errorf("%s does not unpack to the answer: %v", name, err)
			}
		}
		want := map[string]int{}
		for _, coding := range codings {
			want[coding] = 25*2 + 4*2
		}
		if diff := cmp.Diff(want, siblings); diff != "" {
			t.Errorf("siblings (-want +got):\n%s", diff)
		}
		if r.Changes.Files != len(namesIn(t, out)) {
			t.Errorf("the result counts %d files, and %d are there", r.Changes.Files, len(namesIn(t, out)))
		}
		return r
	}
	check("gz", "br", "zst")
	if r := check("gz", "br", "zst"); r.Changes.Any() {
		t.Error("a second build changed something")
	}
	site["fi/sivu-003.md"] = &fstest.MapFile{Data: []byte(pageWith("", "Uusi teksti.\n"))}
	r := check("gz", "br", "zst")
	var changed []string
	for name := range r.Changes.Changed.All() {
		changed = append(changed, path.Ext(name))
	}
	slices.Sort(changed)
	if diff := cmp.Diff([]string{".br", ".br", ".gz", ".gz", ".json", ".json", ".zst", ".zst"}, changed); diff != "" {
		t.Errorf("of one page that changed (-want +got):\n%s", diff)
	}
	check("br")
	check()
}

func TestPrecompressRefused(t *testing.T) {
	for _, test := range []struct {
		host    *host.Host
		codings []string
		want    string
	}{
		{nil, []string{"xz"}, `unknown coding "xz": the codings are br, gz, zst`},
		{walker, []string{"gz", "br"}, "walker never sends .br files: they would only take up space"},
	} {
		out := filepath.Join(t.TempDir(), "out")
		_, err := Build(t.Context(), Options{Content: "content", FS: goodSite(3), Out: out, Host: test.host, Precompress: test.codings})
		if err == nil || err.Error() != test.want {
			t.Errorf("error %v", err)
		}
		if _, err := os.Stat(out); err == nil {
			t.Error("the output folder was made")
		}
	}
}

// TestInRootWithoutManifest builds a smaller site into a folder whose manifest is
// lost, damaged, or was not written yet when an adopting build was killed. What the
// host had there is replaced, and what someone else put there is not.
func TestInRootWithoutManifest(t *testing.T) {
	h, ok := host.Named("netlify-redirects")
	if !ok {
		t.Fatal("there is no such host")
	}
	in := filepath.Join
	for name, spoil := range map[string]func(t *testing.T, state string){
		"all of .sivu is lost": func(t *testing.T, state string) { removeAll(t, state) },
		"an adopting build was killed": func(t *testing.T, state string) {
			removeAll(t, state)
			writeFile(t, in(state, "lock"), "")
			writeFile(t, in(state, "stage", "404.json"), "")
		},
		"only the lock is left": func(t *testing.T, state string) {
			removeAll(t, state)
			writeFile(t, in(state, "lock"), "")
		},
		"the manifest is lost":       func(t *testing.T, state string) { removeAll(t, in(state, "manifest")) },
		"the manifest is other text": func(t *testing.T, state string) { writeFile(t, in(state, "manifest"), "x\n") },
		"a block of the manifest is damaged": func(t *testing.T, state string) {
			data := []byte(readFile(t, in(state, "manifest")))
			data[len(data)/2] ^= 1
			writeFile(t, in(state, "manifest"), string(data))
		},
		"nor is the folder as the manifest said": func(t *testing.T, state string) {
			writeFile(t, in(state, "manifest"), "x\n")
			writeFile(t, in(state, "wrong"), "")
		},
	} {
		for _, full := range []bool{false, true} {
			t.Run(fmt.Sprint(name, " ", full), func(t *testing.T) {
				want, out := t.TempDir(), t.TempDir()
				o := Options{Content: "content", Host: h, Full: full}
				build := func(out string, pages int) error {
					o.Out, o.FS = out, goodSite(pages)
					_, err := Build(t.Context(), o)
					return err
				}
				if err := errors.Join(build(want, 12), build(out, 25)); err != nil {
					t.Fatal(err)
				}
				spoil(t, in(out, ".sivu"))
				if err := build(out, 12); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(contentsOf(t, want), contentsOf(t, out)); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
				spoil(t, in(out, ".sivu"))
				writeFile(t, in(out, "_redirects"), "mine")
				if err := build(out, 25); err == nil || !strings.Contains(err.Error(), `cannot write "_redirects" into`) {
					t.Errorf("error %v", err)
				}
				if got := readFile(t, in(out, "_redirects")); got != "mine" {
					t.Errorf("_redirects holds %q", got)
				}
			})
		}
	}
}

// A folder with the names of a snapshot and other bodies of errors is someone else's.
func TestForeignErrorBodies(t *testing.T) {
	for _, name := range []string{"404.json", "405.json"} {
		out := t.TempDir()
		o := Options{Content: "content", FS: goodSite(3), Out: out}
		mustBuild(t, o)
		removeAll(t, filepath.Join(out, ".sivu"))
		writeFile(t, filepath.Join(out, name), `{"mine":1}`)
		before := contentsOf(t, out)
		o.FS = goodSite(12)
		_, err := Build(t.Context(), o)
		if want := fmt.Sprintf("sivu never wrote to it (%q does not hold the body of an error of sivu)", name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v", err)
		}
		if diff := cmp.Diff(before, contentsOf(t, out)); diff != "" {
			t.Errorf("%s: (-want +got):\n%s", name, diff)
		}
	}
}

func removeAll(t *testing.T, name string) {
	t.Helper()
	if err := os.RemoveAll(name); err != nil {
		t.Fatal(err)
	}
}

// contentsOf returns the files of a snapshot with their bytes.
func contentsOf(t *testing.T, out string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, name := range namesIn(t, out) {
		files[name] = readFile(t, filepath.Join(out, name))
	}
	return files
}
