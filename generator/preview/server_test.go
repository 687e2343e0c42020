package preview

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/andybalholm/brotli"
	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
)

// Every answer has the headers of the contract, whatever its status.
func TestContract(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{})
	files := answersOf(t, s.Base, 12)
	s.Show(Site{Answers: files})
	var record string
	for name := range files {
		if strings.HasSuffix(name, "/index.json") && name != "pages/index.json" {
			record = strings.TrimSuffix(name, "index.json")
		}
	}
	record = strings.TrimSuffix(record, "/")
	const json = "application/json"
	const missing, refused = `{"detail":"Not found."}`, `{"detail":"Method not allowed."}`
	tests := []struct {
		method, path string
		status       int
		body, kind   string
		location     string
	}{
		{"GET", "/pages/", 200, files["pages/index.json"], json, ""},
		{"GET", "/pages/?page=2&format=api", 200, files["pages/page-2.api.json"], json, ""},
		{"GET", "/" + record + "/", 200, files[record+"/index.json"], json, ""},
		{"GET", "/" + record + "/?format=api", 200, files[record+"/index.api.json"], json, ""},
		{"GET", "/pages/page-2.json?x", 200, files["pages/page-2.json"], json, ""},
		{"GET", "/pages/?page=3", 404, missing, json, ""},
		{"GET", "/pages/?page=0", 404, missing, json, ""},
		{"GET", "/pages/" + someID + "/", 404, missing, json, ""},
		{"GET", "/", 404, missing, json, ""},
		{"GET", "/.sivu/manifest", 404, missing, json, ""},
		{"GET", "/pages?page=2", 308, "", json, "/pages/?page=2"},
		{"GET", "/" + record, 308, "", json, "/" + record + "/"},
		{"OPTIONS", "/pages/", 200, "{}", json, ""},
		{"OPTIONS", "/nowhere", 200, "{}", json, ""},
		{"POST", "/pages/", 405, refused, json, ""},
		{"DELETE", "/" + record + "/", 405, refused, json, ""},
		{"PATCH", "/nowhere", 405, refused, json, ""},
	}
	for _, tt := range tests {
		got := s.ask(t, tt.method, tt.path)
		vary := "Accept, Origin"
		if tt.status == 200 && tt.method != "OPTIONS" {
			vary = "Accept, Origin, Accept-Encoding"
		}
		fields := []string{
			"Content-Type", tt.kind, "Allow", "GET, HEAD, OPTIONS", "Vary", vary, "Location", tt.location,
			"Access-Control-Allow-Origin", "", "Cache-Control", "no-cache", "Content-Length", strconv.Itoa(len(tt.body)),
		}
		got.want(t, tt.method+" "+tt.path, tt.status, tt.body, fields...)
		if tt.method == "GET" {
			// HEAD is GET without the body.
			head := s.ask(t, "HEAD", tt.path)
			head.want(t, "HEAD "+tt.path, tt.status, "")
			head.header.Del("Date")
			got.header.Del("Date")
			if diff := cmp.Diff(got.header, head.header); diff != "" {
				t.Errorf("HEAD %s has other headers (-GET +HEAD):\n%s", tt.path, diff)
			}
		}
	}
	preflight := s.ask(t, "OPTIONS", "/pages/", "Origin", "http://localhost:3000", "Access-Control-Request-Method", "GET")
	preflight.want(t, "preflight", 200, "{}", "Access-Control-Allow-Methods", "GET, HEAD, OPTIONS", "Access-Control-Allow-Origin", "http://localhost:3000",
		"Access-Control-Allow-Headers", "*", "Access-Control-Max-Age", "600")
}

// A body is never sent after HEAD, nor one read after POST.
func TestRawRequests(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{})
	s.Show(Site{Answers: answersOf(t, s.Base, 1)})
	host := s.Addr().String()
	head, rest, _ := strings.Cut(s.raw(t, "HEAD /pages/ HTTP/1.1\r\nHost: "+host+"\r\nConnection: close\r\n\r\n"), "\r\n\r\n")
	if !strings.HasPrefix(head, "HTTP/1.1 200 OK\r\n") || rest != "" {
		t.Errorf("HEAD is answered with %q and the body %q", head, rest)
	}
	// The body that is announced never comes; the answer does, and then the end.
	answer := s.raw(t, "POST /pages/ HTTP/1.1\r\nHost: "+host+"\r\nContent-Length: 1000\r\n\r\n")
	if !strings.HasPrefix(answer, "HTTP/1.1 405 ") || !strings.HasSuffix(answer, `{"detail":"Method not allowed."}`) {
		t.Errorf("POST is answered with %q", answer)
	}
	long := s.raw(t, "GET /pages/ HTTP/1.1\r\nHost: "+host+"\r\nX: "+strings.Repeat("x", 64<<10)+"\r\n\r\n")
	if !strings.HasPrefix(long, "HTTP/1.1 431 ") {
		t.Errorf("a header of 64 kB is answered with %.80q", long)
	}
}

// Only requests that name the server's own address are answered.
func TestHosts(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{})
	files := answersOf(t, s.Base, 1)
	s.Show(Site{Answers: files})
	_, port, _ := strings.Cut(s.Addr().String(), ":")
	for _, host := range []string{"127.0.0.1:" + port, "localhost:" + port, "LOCALHOST:" + port, "[::1]:" + port} {
		s.ask(t, "GET", "/pages/", "Host", host).want(t, host, 200, files["pages/index.json"])
	}
	for _, host := range []string{
		"evil.example", "evil.example:" + port, "127.0.0.1", "localhost", "127.0.0.1:1", "localhost.evil.example:" + port,
		"127.0.0.1:" + port + ".evil.example", "127.0.0.2:" + port, "0.0.0.0:" + port, "2130706433:" + port, "localhost.:" + port,
	} {
		for _, path := range []string{"/pages/", "/", "/_preview/state.json", "/_preview/events", "/pages"} {
			s.ask(t, "GET", path, "Host", host).want(t, host+path, 421,
				"this preview answers only requests that name its own address, such as "+s.Base+"/\n",
				"Content-Type", "text/plain; charset=utf-8", "Access-Control-Allow-Origin", "")
		}
	}
	if got := s.raw(t, "GET http://evil.example/pages/ HTTP/1.1\r\nHost: "+s.Addr().String()+"\r\nConnection: close\r\n\r\n"); !strings.HasPrefix(got, "HTTP/1.1 421 ") {
		t.Errorf("an absolute address elsewhere is answered with %.80q", got)
	}
	if got := s.raw(t, "GET /pages/ HTTP/1.0\r\n\r\n"); !strings.HasPrefix(got, "HTTP/1.0 421 ") {
		t.Errorf("no host is answered with %.80q", got)
	}
}

// A validator that was sent is worth a 304, in each coding, and follows the
// bytes.
func TestConditional(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{})
	files := answersOf(t, s.Base, 1)
	s.Show(Site{Answers: files})
	seen := map[string]string{}
	for _, encoding := range []string{"identity", "gzip", "br", "zstd"} {
		first := s.ask(t, "GET", "/pages/", "Accept-Encoding", encoding)
		tag := first.header.Get("ETag")
		if other, ok := seen[tag]; ok || !strings.HasPrefix(tag, `"`) || !strings.HasSuffix(tag, `"`) {
			t.Errorf("the tag of %s is %s, and of %s too", encoding, tag, other)
		}
		seen[tag] = encoding
		for _, match := range []string{tag, "W/" + tag, `"x", ` + tag, "*"} {
			for _, method := range []string{"GET", "HEAD"} {
				got := s.ask(t, method, "/pages/", "Accept-Encoding", encoding, "If-None-Match", match)
				got.want(t, encoding+" "+match, 304, "", "ETag", tag, "Cache-Control", "no-cache", "Vary", "Accept, Origin, Accept-Encoding",
					"Content-Encoding", "", "Content-Length", "", "Content-Type", "")
			}
		}
		for _, match := range []string{`"x"`, strings.Trim(tag, `"`), strings.Replace(tag, `"`, `"x`, 1)} {
			if got := s.ask(t, "GET", "/pages/", "Accept-Encoding", encoding, "If-None-Match", match); got.status != 200 || got.body != first.body {
				t.Errorf("%s, If-None-Match %s: got %d", encoding, match, got.status)
			}
		}
		s.ask(t, "GET", "/pages/?page=7", "If-None-Match", "*").want(t, "missing", 404, `{"detail":"Not found."}`, "ETag", "")
	}
	changed := answersOf(t, s.Base, 2)
	s.Show(Site{Answers: changed})
	for tag, encoding := range seen {
		got := s.ask(t, "GET", "/pages/", "Accept-Encoding", encoding, "If-None-Match", tag)
		if got.status != 200 || decoded(t, got) != changed["pages/index.json"] {
			t.Errorf("%s: after a change the old tag gives %d", encoding, got.status)
		}
	}
}

// decoded returns the body without its content coding.
func decoded(t testing.TB, got reply) string {
	t.Helper()
	var r io.Reader = strings.NewReader(got.body)
	var err error
	switch coding := got.header.Get("Content-Encoding"); coding {
	case "":
	case "gzip":
		r, err = gzip.NewReader(r)
	case "br":
		r = brotli.NewReader(r)
	case "zstd":
		r, err = zstd.NewReader(r)
	default:
		t.Fatalf("the coding is %q", coding)
	}
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// What is sent in a coding is the same, smaller, and asked for.
func TestCodings(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{})
	const small, noise = "pages/page-8.json", "pages/page-9.json"
	files := answersOf(t, s.Base, 1)
	files[small] = `{"a":"` + strings.Repeat("a", 900) + `"}`
	files[noise] = noisy()
	s.Show(Site{Answers: files})
	for _, tt := range []struct{ path, accept, coding string }{
		{"/pages/", "", ""},
		{"/pages/", "gzip", "gzip"},
		{"/pages/", "br", "br"},
		{"/pages/", "zstd", "zstd"},
		{"/pages/", "gzip, deflate, br, zstd", "zstd"},
		{"/pages/", "gzip, br;q=0.5", "gzip"},
		{"/pages/", "deflate", ""},
		{"/pages/", "identity, gzip;q=0.1", ""},
		{"/pages/", "*;q=0", ""},
		{"/" + small, "gzip", ""},
		{"/" + small, "gzip, identity;q=0", "gzip"},
		{"/" + noise, "gzip, br, zstd", ""},
		{"/" + noise, "gzip, identity;q=0", "gzip"},
	} {
		want := files[strings.TrimPrefix(tt.path, "/")]
		if tt.path == "/pages/" {
			want = files["pages/index.json"]
		}
		for range 2 { // the second comes from what is kept
			got := s.ask(t, "GET", tt.path, "Accept-Encoding", tt.accept)
			if coding := got.header.Get("Content-Encoding"); coding != tt.coding || decoded(t, got) != want || got.status != 200 {
				t.Errorf("%s, %q: got %d %q, want %q", tt.path, tt.accept, got.status, coding, tt.coding)
			}
			if length := got.header.Get("Content-Length"); length != strconv.Itoa(len(got.body)) {
				t.Errorf("%s, %q: Content-Length %s of %d bytes", tt.path, tt.accept, length, len(got.body))
			}
		}
	}
}

// noisy returns bytes that no coding makes smaller.
func noisy() string {
	var b bytes.Buffer
	for x, i := uint64(1), 0; i < 4096; i++ {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		b.WriteByte(byte(x >> 24))
	}
	return b.String()
}

// failing are answers that cannot be read.
type failing struct{}

func (failing) Answer(string) ([]byte, error) { return nil, errors.New("the disk is gone") }

// Before there are answers, and if they cannot be read, clients are told so in
// the form of the other errors, and whoever started the server hears why.
func TestNoAnswers(t *testing.T) {
	var mu sync.Mutex
	var told []string
	s := serve(t, Options{Log: func(err error) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, err.Error())
	}})
	same := []string{"Content-Type", "application/json", "Allow", "GET, HEAD, OPTIONS", "Vary", "Accept, Origin"}
	s.ask(t, "GET", "/pages/").want(t, "none", 503, `{"detail":"Service unavailable."}`, append(same, "Retry-After", "1")...)
	s.ask(t, "GET", "/nowhere").want(t, "nowhere", 404, `{"detail":"Not found."}`, same...)
	s.ask(t, "GET", "/_preview/body/"+someID).want(t, "body", 503, note("There is nothing to show now."))
	s.Show(Site{Answers: failing{}})
	s.ask(t, "GET", "/pages/").want(t, "failing", 500, `{"detail":"Internal server error."}`, same...)
	if s.ask(t, "GET", "/_preview/body/"+someID).status != 500 {
		t.Error("the body of a record that cannot be read is there")
	}
	mu.Lock()
	defer mu.Unlock()
	if diff := cmp.Diff([]string{"cannot answer /pages/: the disk is gone", "cannot answer /_preview/body/" + someID + ": the disk is gone"}, told); diff != "" {
		t.Error(diff)
	}
}

// Show replaces everything at once: no reader ever sees two states in one
// answer, nor an older one after a newer.
func TestShowIsAtomic(t *testing.T) {
	t.Parallel()
	s := New(Options{})
	s.Show(Site{Answers: memory{"pages/index.json": "0"}})
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			last := 0
			for last < 500 {
				body, err := s.answer("pages/index.json")
				n, bad := strconv.Atoi(string(body))
				if err != nil || bad != nil || n < last {
					t.Errorf("after %d comes %q, %v", last, body, err)
					return
				}
				last = n
			}
		})
	}
	for n := range 501 {
		s.Show(Site{Answers: memory{"pages/index.json": strconv.Itoa(n)}})
	}
	readers.Wait()
}

// The zero options serve the contract to whoever names the loopback interface.
func TestZeroOptions(t *testing.T) {
	s := New(Options{})
	for host, want := range map[string]bool{
		"localhost": true, "localhost:1": true, "127.0.0.1:99": true, "[::1]:2": true, "[::1]": true, "a.example": false, "": false, "127.0.0.1.a.example:1": false,
	} {
		if got := s.ownHost(host); got != want {
			t.Errorf("%q: got %v, want %v", host, got, want)
		}
	}
}

var browser = fstest.MapFS{
	"index.html":   {Data: []byte("<!doctype html><title>browser</title>" + strings.Repeat(" ", 2000))},
	"app.js":       {Data: []byte("export {}")},
	"body.css":     {Data: []byte("body{}")},
	"views/a.css":  {Data: []byte("a{}")},
	"notes.md":     {Data: []byte("# not for browsers")},
	"views/b.html": {Data: []byte("<b>")},
}

// The page browser lies beside the contract, under a strict policy.
func TestBrowser(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{Browser: browser})
	s.Show(Site{Answers: answersOf(t, s.Base, 1)})
	const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' https: http: data:; " +
		"frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	same := []string{
		"Content-Security-Policy", policy, "X-Content-Type-Options", "nosniff", "Referrer-Policy", "no-referrer",
		"Cache-Control", "no-cache", "Access-Control-Allow-Origin", "",
	}
	for path, name := range map[string]string{
		"/": "index.html", "/?x": "index.html", "/_preview/app.js": "app.js", "/_preview/body.css": "body.css",
		"/_preview/views/a.css": "views/a.css", "/_preview/index.html": "index.html",
	} {
		got := s.ask(t, "GET", path)
		kind := map[string]string{"html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8"}[name[strings.LastIndex(name, ".")+1:]]
		got.want(t, path, 200, string(browser[name].Data), append(same, "Content-Type", kind, "Vary", "Accept-Encoding")...)
		s.ask(t, "HEAD", path).want(t, "HEAD "+path, 200, "")
		s.ask(t, "GET", path, "If-None-Match", got.header.Get("ETag")).want(t, path, 304, "", same...)
	}
	if got := s.ask(t, "GET", "/", "Accept-Encoding", "br"); got.header.Get("Content-Encoding") != "br" || decoded(t, got) != string(browser["index.html"].Data) {
		t.Error("the page browser is not compressed")
	}
	for _, path := range []string{
		"/_preview/", "/_preview/none.js", "/_preview/views", "/_preview/notes.md", "/_preview/../app.js", "/_preview/views/../app.js",
		"/_preview//app.js", "/_preview/%2e%2e/app.js", "/_preview/body/", "/_preview/body/x", "/_preview/body/" + strings.ToUpper(someID),
	} {
		s.ask(t, "GET", path).want(t, path, 404, "not found\n", append(same, "Content-Type", "text/plain; charset=utf-8")...)
	}
	for _, path := range []string{"/", "/_preview/app.js", "/_preview/state.json", "/_preview/events", "/_preview/none"} {
		for _, method := range []string{"POST", "OPTIONS", "DELETE"} {
			s.ask(t, method, path).want(t, method+" "+path, 405, "only GET and HEAD are answered here\n", append(same, "Allow", "GET, HEAD")...)
		}
	}
	for _, path := range []string{"/app.js", "/_preview", "/_previewx/app.js", "/index.html"} {
		s.ask(t, "GET", path).want(t, path, 404, `{"detail":"Not found."}`)
	}
	s.ask(t, http.MethodPost, "/pages/").want(t, "contract", 405, `{"detail":"Method not allowed."}`)
}

// A link in the content of a record leads a browser to the view that finds the
// page, and nobody else.
func TestLinks(t *testing.T) {
	t.Parallel()
	const chromium = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7"
	const missing = `{"detail":"Not found."}`
	s, bare := serve(t, Options{Browser: browser}), serve(t, Options{})
	s.Show(Site{Answers: answersOf(t, s.Base, 1)})
	for path, want := range map[string]string{
		"/fi/asuminen": "/#/at/fi/asuminen", "/fi/": "/#/at/fi", "/pagesx/a?page=2": "/#/at/pagesx/a", "/%D9%85%20%23%3F%25": "/#/at/%D9%85%20%23%3F%25",
		"//evil.example/a": "/#/at/evil.example/a", "/a%0D%0AX:y": "/#/at/a%0D%0AX:y",
	} {
		for _, method := range []string{"GET", "HEAD"} {
			s.ask(t, method, path, "Accept", chromium).want(t, path, 302, "", "Location", want, "Vary", "Accept", "Cache-Control", "no-cache", "Content-Length", "0")
		}
		s.ask(t, "POST", path, "Accept", chromium).want(t, "POST "+path, 405, `{"detail":"Method not allowed."}`)
		bare.ask(t, "GET", path, "Accept", chromium).want(t, "no browser "+path, 404, missing)
		for _, accept := range []string{
			"", "*/*", "application/json", "application/json, */*;q=0.1", "application/json, text/html", "text/html;q=0", "text/html;q=0.1, application/*;q=0.2",
			"application/xhtml+xml", "text/htmlx", "text/*",
		} {
			s.ask(t, "GET", path, "Accept", accept).want(t, accept+" "+path, 404, missing, "Content-Type", "application/json", "Location", "")
		}
	}
	for _, path := range []string{"/pages/none", "/pages/?page=0", "/pages%2Fx", "/_preview"} {
		s.ask(t, "GET", path, "Accept", chromium).want(t, path, 404, missing, "Location", "")
	}
	if got := s.ask(t, "GET", "/pages/", "Accept", chromium); got.status != 200 || got.header.Get("Content-Type") != "application/json" {
		t.Errorf("the API answers a browser with %d %v", got.status, got.header)
	}
}
