package preview

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/net/html"
)

// Images, sounds and films are served at the address that content has for them,
// whole and in ranges; nothing else of the folder is, however it is asked for.
func TestMedia(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const svg = `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`
	for name, text := range map[string]string{"fi/a b.svg": svg, "fi/film.webm": "0123456789", "fi/a.md": "secret", "site.yaml": "secret", "fi/other.png": "secret", "pages/x.png": "png"} {
		writeFile(t, filepath.Join(dir, filepath.FromSlash(name)), text)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	media := Media{Files: map[string]MediaFile{
		"fi/ä b.svg": {"fi/a b.svg", "image/svg+xml"}, "fi/film.webm": {"fi/film.webm", "video/webm"}, "pages/x.png": {"pages/x.png", "image/png"},
		"fi/gone.png": {"fi/gone.png", "image/png"}, "fi/folder.png": {"fi", "image/png"},
	}, Open: root.FS().Open}
	s := serve(t, Options{Browser: fstest.MapFS{"index.html": {}}})
	s.Show(Site{Answers: answersOf(t, s.Base, 1), Media: media})

	for _, path := range []string{"/fi/%C3%A4%20b.svg", "/fi/a%CC%88%20b.svg?v=1"} {
		got := s.ask(t, "GET", path, "Accept", "text/html", "Origin", "http://localhost")
		got.want(t, path, 200, svg, "Content-Type", "image/svg+xml", "Content-Security-Policy", mediaPolicy, "X-Content-Type-Options", "nosniff",
			"Cache-Control", "no-cache", "Access-Control-Allow-Origin", "")
		s.ask(t, "GET", path, "If-None-Match", got.header.Get("ETag")).want(t, "again", 304, "")
	}
	s.ask(t, "GET", "/fi/film.webm", "Range", "bytes=2-4").want(t, "a range", 206, "234", "Content-Range", "bytes 2-4/10", "Content-Type", "video/webm")
	s.ask(t, "GET", "/fi/film.webm", "Range", "bytes=20-").want(t, "no range", 416, "invalid range: failed to overlap\n")
	s.ask(t, "HEAD", "/fi/film.webm").want(t, "HEAD", 200, "", "Content-Length", "10", "Accept-Ranges", "bytes")
	s.ask(t, "POST", "/fi/film.webm").want(t, "POST", 405, `{"detail":"Method not allowed."}`)
	s.ask(t, "GET", "/pages/x.png").want(t, "in a folder that is named pages", 200, "png")
	s.ask(t, "GET", "/fi/film.webm", "Host", "evil.example").want(t, "another host", 421, s.ask(t, "GET", "/", "Host", "evil.example").body)
	for _, path := range []string{
		"/fi/a.md", "/site.yaml", "/fi/other.png", "/fi/gone.png", "/fi/../site.yaml", "/fi/%2e%2e/site.yaml", "/fi/film.webm/", "//fi/film.webm", "/FI/film.webm", "/fi/film.webm%00",
	} {
		s.ask(t, "GET", path).want(t, path, 404, `{"detail":"Not found."}`)
	}
	s.ask(t, "GET", "/fi/folder.png").want(t, "a folder", 500, "this cannot be shown; the reason is where the preview was started\n")

	// What was written anew within a second is sent anew.
	old := s.ask(t, "GET", "/fi/film.webm").header.Get("ETag")
	writeFile(t, filepath.Join(dir, "fi", "film.webm"), "9876543210")
	s.ask(t, "GET", "/fi/film.webm", "If-None-Match", old).want(t, "anew", 200, "9876543210")
}

// In a frame, what is here is shown from here, and all else from where the site
// says that its files are.
func TestMediaLocalized(t *testing.T) {
	const assets = "https://www.example.org/files/"
	m := Media{Assets: assets, Files: map[string]MediaFile{"fi/a.png": {}, "fi/ä b.png": {}, "fi/s.mp4": {}}}
	for before, after := range map[string]string{
		`<p>a &amp; b<img src="A/fi/a.png" alt="x &lt; y"></p>`:           `<p>a &amp; b<img src="/fi/a.png" alt="x &lt; y"></p>`,
		`<img src="A/fi/a.png?v=1&amp;w=2#x">`:                            `<img src="/fi/a.png?v=1&amp;w=2#x">`,
		`<img src="A/fi/%C3%A4%20b.png">`:                                 `<img src="/fi/%C3%A4%20b.png">`,
		`<img src="A/fi/b.png"><img src="/fi/a.png">`:                     `<img src="A/fi/b.png"><img src="/fi/a.png">`,
		`<img srcset="A/fi/a.png 1x, A/fi/b.png 2x,A/fi/a.png">`:          `<img srcset="/fi/a.png 1x, A/fi/b.png 2x,A/fi/a.png">`,
		`<video poster="A/fi/a.png" src="A/fi/s.mp4"></video>`:            `<video poster="/fi/a.png" src="/fi/s.mp4"></video>`,
		`<a href="A/fi/a.png">A/fi/a.png</a><!-- A/fi/a.png -->`:          `<a href="/fi/a.png">A/fi/a.png</a><!-- A/fi/a.png -->`,
		`<img alt="A/fi/a.png"><img src="https://b.example/?A/fi/a.png">`: `<img alt="A/fi/a.png"><img src="https://b.example/?A/fi/a.png">`,
		`<img src="A/fi/%zz.png">`:                                        `<img src="A/fi/%zz.png">`,
		`A/`:                                                              `A/`,
	} {
		real := func(s string) string { return strings.ReplaceAll(s, "A/", assets) }
		if got := m.localize(real(before)); got != real(after) {
			t.Errorf("%s became\n%s, want\n%s", real(before), got, real(after))
		}
	}
}

// FuzzLocalize holds that nothing but addresses changes in content.
func FuzzLocalize(f *testing.F) {
	f.Add(`<p><img src="https://www.example.org/files/fi/a.png" alt="&lt;"></p><script>"https://www.example.org/files/"</script>`)
	f.Fuzz(func(t *testing.T, content string) {
		m := Media{Assets: "https://www.example.org/files/", Files: map[string]MediaFile{"fi/a.png": {}}}
		shape := func(content string) string {
			var b strings.Builder
			for z := html.NewTokenizer(strings.NewReader(content)); z.Next() != html.ErrorToken; {
				token := z.Token()
				b.WriteString(token.Type.String() + token.Data)
				for _, a := range token.Attr {
					b.WriteString(" " + a.Key)
				}
			}
			return b.String()
		}
		if before, after := shape(content), shape(m.localize(content)); before != after {
			t.Errorf("%q became %q", before, after)
		}
	})
}
