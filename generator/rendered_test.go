package generator

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// renderedEditor edits a rendered site: pages, redirects and lists that take each other's
// places, its sitemap, the ids that are kept and what is left out of bodies.
type renderedEditor struct {
	*rand.Rand
	fsys  fstest.MapFS
	clock time.Time
}

func (e *renderedEditor) write(name, text string) string {
	e.clock = e.clock.Add(time.Second)
	e.fsys[name] = &fstest.MapFile{Data: []byte(text), ModTime: e.clock}
	return name
}

func (e *renderedEditor) address() string {
	return pick(e.Rand, []string{"", "fi/"}) + fmt.Sprintf("p%d", e.IntN(8))
}

func (e *renderedEditor) edit() (touched string) {
	name := e.address()
	if last := name[len(name)-1]; last%2 == 0 && e.IntN(20) > 0 {
		name += ".html"
	} else {
		name += "/index.html"
	}
	lang := pick(e.Rand, []string{"", ` lang="en-US"`, ` lang="fi"`})
	switch e.IntN(10) {
	case 0:
		return e.write(name, `<meta http-equiv="refresh" content="0; url=/`+e.address()+`/">`)
	case 1:
		return e.write(name, `<html`+lang+`><meta name="robots" content="noindex"><main>list</main>`)
	case 2:
		if names := e.pages(); len(names) > 3 {
			name = pick(e.Rand, names)
			delete(e.fsys, name)
		}
		return name
	case 3:
		return e.write("sitemap.xml", pick(e.Rand, []string{"", "", "", "<"})+fmt.Sprintf(`<urlset><url><loc>https://example.org/%s/</loc><lastmod>2022-01-%02d</lastmod><link hreflang="en" href="/%s/"/></url></urlset>`,
			e.address(), 1+e.IntN(28), e.address()))
	case 4:
		return e.write("ids.yaml", fmt.Sprintf("en/p%d: 6ba7b810-9dad-51d1-80b4-00000000000%d\n", e.IntN(8), e.IntN(3)))
	case 5:
		return e.settings()
	}
	return e.write(name, fmt.Sprintf(`<html%s><title>T%d</title><meta name="date" content="2020-01-%02d"><main>before<p class=a>A <a href="/%s/">a</a></p><p class=b>B</p><a href="../%s.html">b</a> <a href="/%s#x%d">c</a><p id=x%d></main>after`,
		lang, e.IntN(9), 1+e.IntN(28), e.address(), e.address(), e.address(), e.IntN(2), e.IntN(2)))
}

func (e *renderedEditor) settings() string {
	return e.write("site.yaml", "languages: [en, fi]\nnamespace: 6ba7b811-9dad-11d1-80b4-00c04fd430c8\nsite: https://example.org\nrules: {moved-page: warning}\nrendered:\n  remove: ["+
		pick(e.Rand, []string{".a", ".b", "p"})+"]\n")
}

func (e *renderedEditor) pages() (names []string) {
	for name := range e.fsys {
		if filepath.Ext(name) == ".html" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// After any edits of a rendered site, a build that knows the one before, and the preview,
// come to what a build that knows nothing does.
func TestRenderedIncremental(t *testing.T) {
	for seed := range uint64(20) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			e := &renderedEditor{Rand: rand.New(rand.NewPCG(seed, 3)), fsys: fstest.MapFS{}, clock: time.Now().Add(-24 * time.Hour)}
			e.settings()
			for range 10 {
				e.edit()
			}
			l, u := newLive(t, e.fsys)
			out := filepath.Join(t.TempDir(), "out")
			built := 0
			for step := range 40 {
				var touched []string
				if step > 0 {
					for range e.IntN(3) {
						touched = append(touched, e.edit())
					}
					u = mustUpdate(t, l, touched)
				}
				options := Options{Content: "content", FS: e.fsys, Out: out, BaseURL: liveBase, AllowEmpty: true}
				fresh := options
				fresh.Out = filepath.Join(t.TempDir(), "fresh")
				got, want := mustRun(t, options), mustRun(t, fresh)
				if diff := cmp.Diff(hinted(want.Report), hinted(got.Report)); diff != "" {
					t.Fatalf("step %d, %v: the report differs (-full +incremental):\n%s", step, touched, diff)
				}
				if diff := cmp.Diff(described(want.Report), slices.DeleteFunc(described(u.Report), isOfMedia)); diff != "" {
					t.Fatalf("step %d, %v: the report differs (-full +live):\n%s", step, touched, diff)
				}
				if want.Failed {
					continue
				}
				built++
				tree := readTree(t, fresh.Out)
				if diff := cmp.Diff(tree, readTree(t, out)); diff != "" {
					t.Fatalf("step %d, %v: files differ (-full +incremental):\n%s", step, touched, diff)
				}
				if diff := cmp.Diff(tree, viewed(t, u.View)); diff != "" {
					t.Fatalf("step %d, %v: files differ (-full +live):\n%s", step, touched, diff)
				}
			}
			if built < 5 {
				t.Errorf("%d of 40 builds had no errors", built)
			}
		})
	}
}

func mustRun(t *testing.T, o Options) *Result {
	t.Helper()
	result, err := Build(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// A redirect that comes and goes changes the links to it, though neither the page that
// has the link nor the one that it leads to is read again.
func TestRedirectComesAndGoes(t *testing.T) {
	e := &renderedEditor{Rand: rand.New(rand.NewPCG(1, 3)), fsys: fstest.MapFS{}, clock: time.Now().Add(-24 * time.Hour)}
	e.settings()
	const page = `<title>T</title><meta name="date" content="2020-01-01"><main>`
	e.write("a/index.html", page)
	e.write("b/index.html", page)
	e.write("from.html", page+`<a href="/old/">a</a>`)
	for i := range 20 { // of so many sources the build cache is not written anew for one
		e.write(fmt.Sprintf("more/%d.html", i), page)
	}
	options := Options{Content: "content", FS: e.fsys, Out: filepath.Join(t.TempDir(), "out"), BaseURL: liveBase}
	for step, redirect := range []string{"", "/a/", "", "/b/", "/c/", "/a/"} {
		delete(e.fsys, "old/index.html")
		if redirect != "" {
			e.write("old/index.html", `<meta http-equiv="refresh" content="0; url=`+redirect+`">`)
		}
		fresh := options
		fresh.Out = filepath.Join(t.TempDir(), "fresh")
		got, want := mustRun(t, options), mustRun(t, fresh)
		if diff := cmp.Diff(readTree(t, fresh.Out), readTree(t, options.Out)); diff != "" {
			t.Errorf("step %d: files differ (-full +incremental):\n%s", step, diff)
		}
		if read := min(step, 1); redirect != "" && got.Read != read || want.Read < 2 {
			t.Errorf("step %d: %d sources were read, want %d", step, got.Read, read)
		}
	}
}
