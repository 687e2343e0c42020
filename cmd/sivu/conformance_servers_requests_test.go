package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"example.org/sivu/generator/host"
)

// What verify does not ask, because the contract leaves it to the host: how long
// answers are kept, that compressed ones come, addresses of files.

const (
	notFoundAnswer  = `{"detail":"Not found."}`
	badMethodAnswer = `{"detail":"Method not allowed."}`
	goodCache       = "public, max-age=60, stale-while-revalidate=600"
	errorCache      = "public, max-age=10"
)

// due is what a request must be answered with. A body that begins with "@" is
// that of a file below pages.
type due struct {
	method, path string
	status       int
	body         string
}

func moreRequests(id string) []due {
	good := func(path, file string) due { return due{"GET", path, 200, "@" + file} }
	missing := func(path string) due { return due{"GET", path, 404, notFoundAnswer} }
	record := "/pages/" + id + "/"
	return []due{
		good("/pages/", "index.json"),
		good("/pages/?x=1?page=2", "index.json"),
		good("/pages/?page=2&page=3&format=api&format=x", "page-3.json"),
		good("/pages/?page=14&&format=api&z", "page-14.api.json"),
		good(record, id+"/index.json"),
		good("/pages/index.json", "index.json"),
		good("/pages/index.json?page=2", "index.json"),
		good("/pages/page-2.json?page=2", "page-2.json"),
		good("/pages/page-2.api.json?format=api&page=3", "page-2.api.json"),
		good(record+"index.json?format=api", id+"/index.json"),
		good(record+"index.api.json", id+"/index.api.json"),
		missing("/pages/?page=2,3"),
		missing("/pages/?page=1000000000"),
		missing("/pages/index.json.gz"), missing("/pages/index.json.br"), missing("/pages/index.json.zst"),
		missing("/pages/page-.json"), missing("/pages/page-02.json"), missing("/pages/page-2.json/"), missing("/pages/surplus.json"),
		missing(record + "x"), missing("/surplus.json"), missing("/"),
		{"POST", "/pages/", 405, badMethodAnswer}, {"DELETE", record, 405, badMethodAnswer}, {"PATCH", "/other", 405, badMethodAnswer},
	}
}

// askMore asks a server what verify does not.
func askMore(t *testing.T, s *served, codings []string) {
	t.Helper()
	for _, name := range []string{"surplus.json", "pages/surplus.json", "pages/page-02.json"} {
		writePublic(t, filepath.Join(s.root, filepath.FromSlash(name)), `"not sivu's"`)
	}
	id := someRecord(t, s)
	for _, want := range moreRequests(id) {
		askOne(t, s, want)
	}
	askRedirects(t, s, id)
	askPreflight(t, s)
	askLongQueries(t, s)
	for _, path := range []string{"/pages/", "/pages/?page=2", "/pages/" + id + "/?format=api"} {
		for _, coding := range codings {
			askCompressed(t, s, path, contentCodings[coding])
		}
	}
	askOutside(t, s)
}

// askOutside asks for what the contract does not name. Answers are JSON where
// they say so, kept for a short time, and nothing that lies beside the answers is
// shown.
func askOutside(t *testing.T, s *served) {
	t.Helper()
	for _, path := range []string{"/.htaccess", "/.sivu/", "/.sivu/manifest"} {
		answer, body := fetch(t, s, "GET", path)
		isJSON := answer.Header.Get("Content-Type") == "application/json"
		// Apache refuses before it reads a folder that is shut, or its own file.
		if answer.StatusCode != 404 && (s.host.Name != "apache" || answer.StatusCode != 403) || isJSON && !json.Valid(body) {
			t.Errorf("%s: status %d, body %q", path, answer.StatusCode, body)
		}
	}
	if s.host.Level != host.Full {
		return
	}
	for _, c := range []struct {
		path, name, value string
		status            []int
	}{
		{"/pages/", "If-Match", `"another"`, []int{200, 412}},
		{"/pages/", "Range", "bytes=99999999-", []int{200, 416}},
		{"/pages/%", "Accept", "*/*", []int{400, 404}},
		{"/pages/" + strings.Repeat("x", 12_000), "Accept", "*/*", []int{404, 414}},
		{"/pages/", "X-Long", strings.Repeat("x", 20_000), []int{200, 400, 431}},
	} {
		answer, body := fetchRaw(t, s, c.path, c.name, c.value)
		if answer == nil {
			continue // the connection was shut
		}
		what := fmt.Sprintf("%.20s, %s", c.path, c.name)
		if !slices.Contains(c.status, answer.StatusCode) {
			t.Errorf("%s: status %d, want one of %v", what, answer.StatusCode, c.status)
		}
		if answer.Header.Get("Content-Type") == "application/json" && len(body) > 0 && !json.Valid(body) {
			t.Errorf("%s: %d is said to be JSON, and is %.200q", what, answer.StatusCode, body)
		}
		if answer.StatusCode >= 400 && strings.Contains(answer.Header.Get("Cache-Control"), "stale") {
			t.Errorf("%s: %d has Cache-Control %q", what, answer.StatusCode, answer.Header.Get("Cache-Control"))
		}
	}
}

// fetchRaw is fetch for addresses that no client would ask for.
func fetchRaw(t *testing.T, s *served, path, name, value string) (*http.Response, []byte) {
	t.Helper()
	conn, err := net.Dial("tcp", s.config.Listen)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "GET %s%s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n%s: %s\r\n\r\n", s.config.Prefix(), path, s.config.Base.Host(), name, value)
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return nil, nil
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return answer, body
}

// contentCodings are the names in HTTP of the endings of siblings.
var contentCodings = map[string]string{"gz": "gzip", "br": "br", "zst": "zstd"}

func someRecord(t *testing.T, s *served) string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(s.root, "pages"))
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(entries, func(e os.DirEntry) bool { return e.IsDir() })
	return entries[i].Name()
}

// fetch makes one request that asks for no compression, and follows nothing.
func fetch(t *testing.T, s *served, method, path string, headers ...string) (*http.Response, []byte) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.base()+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept-Encoding", "identity")
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	return answer, body
}

func askOne(t *testing.T, s *served, want due) {
	t.Helper()
	answer, body := fetch(t, s, want.method, want.path)
	if answer.StatusCode != want.status {
		t.Errorf("%s %s: status %d, want %d", want.method, want.path, answer.StatusCode, want.status)
	}
	if file, ok := strings.CutPrefix(want.body, "@"); ok {
		text, err := os.ReadFile(filepath.Join(s.root, "pages", file))
		if err != nil {
			t.Fatal(err)
		}
		want.body = string(text)
	}
	if string(body) != want.body {
		t.Errorf("%s %s: body %.200q, want %.200q", want.method, want.path, body, want.body)
	}
	cache := goodCache
	if want.status >= 400 {
		cache = errorCache
	}
	checkCommon(t, want.method+" "+want.path, answer, cache)
}

// checkCommon looks at what is the same on every answer.
func checkCommon(t *testing.T, what string, answer *http.Response, cache string) {
	t.Helper()
	for name, want := range map[string]string{
		"Allow": "GET, HEAD, OPTIONS", "Content-Type": "application/json",
		"Cache-Control": cache,
	} {
		if got := answer.Header.Values(name); !slices.Equal(got, []string{want}) {
			t.Errorf("%s: %s is %q, want %q", what, name, got, want)
		}
	}
	checkReadable(t, what, answer)
	if !varyNames(answer, "Accept") {
		t.Errorf("%s: Vary is %q, want Accept", what, answer.Header.Values("Vary"))
	}
	for _, name := range []string{"Server", "Via"} {
		if got := answer.Header.Get(name); strings.ContainsAny(got, "0123456789") {
			t.Errorf("%s: %s is %q, which has a version", what, name, got)
		}
	}
}

func varyNames(answer *http.Response, element string) bool {
	for part := range strings.SplitSeq(strings.Join(answer.Header.Values("Vary"), ","), ",") {
		if strings.EqualFold(strings.TrimSpace(part), element) {
			return true
		}
	}
	return false
}

// checkReadable wants that scripts of other origins can read the validator, and
// that no browser takes an answer for something else than JSON.
func checkReadable(t *testing.T, what string, answer *http.Response) {
	t.Helper()
	for name, want := range map[string]string{
		"Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "ETag", "X-Content-Type-Options": "nosniff",
	} {
		if got := answer.Header.Values(name); !slices.Equal(got, []string{want}) {
			t.Errorf("%s: %s is %q, want %q", what, name, got, want)
		}
	}
}

func askRedirects(t *testing.T, s *served, id string) {
	t.Helper()
	for _, path := range []string{"/pages", "/pages/" + id} {
		for _, query := range []string{"", "?format=api&page=2&x=%26%3D"} {
			answer, _ := fetch(t, s, "GET", path+query)
			if answer.StatusCode != http.StatusPermanentRedirect {
				t.Errorf("%s%s: status %d, want 308", path, query, answer.StatusCode)
				continue
			}
			if to, err := answer.Location(); err != nil || to.String() != s.base()+path+"/"+query {
				t.Errorf("%s%s: leads to %v %v, want the same with a slash", path, query, to, err)
			}
		}
	}
}

func askPreflight(t *testing.T, s *served) {
	t.Helper()
	answer, _ := fetch(t, s, "OPTIONS", "/pages/", "Origin", "https://www.example.org",
		"Access-Control-Request-Method", "GET", "Access-Control-Request-Headers", "x-client")
	for name, want := range map[string]string{
		"Access-Control-Allow-Methods": "GET, HEAD, OPTIONS", "Access-Control-Allow-Headers": "*", "Access-Control-Max-Age": "86400",
	} {
		if got := answer.Header.Values(name); !slices.Equal(got, []string{want}) {
			t.Errorf("preflight: %s is %q, want %q", name, got, want)
		}
	}
}

// askLongQueries sends what could take a pattern long. It is no error of the
// server's.
func askLongQueries(t *testing.T, s *served) {
	t.Helper()
	const most = 6000
	for _, part := range []string{"page=1&", "page&", "&", "format=api&page=1&x", "page=1&x&", "x"} {
		query := strings.Repeat(part, most/len(part))
		for _, end := range []string{"page=x", "page=2&format=api"} {
			answer, _ := fetch(t, s, "GET", "/pages/?"+query+"&"+end)
			want := map[string]int{"page=x": 404, "page=2&format=api": 200}[end]
			if answer.StatusCode != want {
				t.Errorf("a long query of %q and %s: status %d, want %d", part, end, answer.StatusCode, want)
			}
		}
	}
}

func askCompressed(t *testing.T, s *served, path, coding string) {
	t.Helper()
	plain, want := fetch(t, s, "GET", path)
	answer, packed := fetch(t, s, "GET", path, "Accept-Encoding", coding)
	if got := answer.Header.Get("Content-Encoding"); got != coding {
		t.Errorf("%s: Content-Encoding is %q, want %q", path, got, coding)
		return
	}
	got, err := unpack(coding, packed)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s: %s unpacks to something else: %v", path, coding, err)
	}
	checkCommon(t, coding+" "+path, answer, goodCache)
	if got := answer.Header.Get("Content-Language"); got != "" {
		t.Errorf("%s: Content-Language is %q: .br is no Breton here", path, got)
	}
	for _, one := range []*http.Response{plain, answer} {
		if !varyNames(one, "Accept-Encoding") {
			t.Errorf("%s: Vary is %q, want Accept-Encoding too", path, one.Header.Values("Vary"))
		}
	}
	tag := answer.Header.Get("ETag")
	if tag == "" || tag == plain.Header.Get("ETag") && !strings.HasPrefix(tag, "W/") {
		t.Errorf("%s: plain and %s have the ETag %q", path, coding, tag)
	}
	again, body := fetch(t, s, "GET", path, "Accept-Encoding", coding, "If-None-Match", tag)
	if again.StatusCode != http.StatusNotModified || len(body) > 0 {
		t.Errorf("%s: %s, If-None-Match %s: status %d, want 304", path, coding, tag, again.StatusCode)
	}
	checkReadable(t, "304 for "+path, again)
}

func unpack(coding string, packed []byte) ([]byte, error) {
	var r io.Reader
	var err error
	switch coding {
	case "gzip":
		r, err = gzip.NewReader(bytes.NewReader(packed))
	case "br":
		r = brotli.NewReader(bytes.NewReader(packed))
	default:
		r, err = zstd.NewReader(bytes.NewReader(packed))
	}
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}
