package preview

import (
	"net/http/httptest"
	"strings"
	"testing"
)

const evilOrigin = "https://evil.example"

// Scripts of loopback origins, and of those that are named, can read the answers
// of the contract; no others can, and nobody else's can read what is beside it.
func TestOrigins(t *testing.T) {
	t.Parallel()
	named, err := ParseOrigin("https://Dev.Example.org:443")
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t, Options{Origins: []string{named}})
	s.Show(Site{Answers: answersOf(t, s.Base, 1)})
	for origin, allowed := range map[string]bool{
		"http://localhost": true, "http://localhost:3000": true, "https://localhost:3000": true, "HTTP://LocalHost:3000": true,
		"http://127.0.0.1:5173": true, "http://127.255.3.4": true, "http://[::1]:3000": true, "http://[::ffff:127.0.0.1]": true,
		"https://dev.example.org": true, "https://dev.example.org:443": true, s.Base: true,

		"": false, "null": false, "*": false, "file://": false, evilOrigin: false, "http://dev.example.org": false, "https://dev.example.org:444": false,
		"http://localhost.evil.example": false, "http://localhost.": false, "http://127.0.0.1.evil.example": false, "http://127.0.0.1.": false,
		"http://evil.example#localhost": false, "http://evil.example/@localhost": false, "http://localhost@evil.example": false,
		"http://evil@localhost": false, "http://evil.localhost": false, "http://xlocalhost": false, "http://localhost/": false, "http://localhost:": false,
		"http://localhost:0": false, "http://localhost:65536": false, "http://localhost:x": false, "http://localhost:3000?": false, "localhost:3000": false,
		"//localhost": false, "ftp://localhost": false, "chrome-extension://localhost": false, "http://128.0.0.1": false, "http://2130706433": false,
		"http://0.0.0.0": false, "http://[::1%25lo]": false, "http://[::2]": false, "http://127.1": false, "http://localhost http://evil.example": false,
		"http://localhost, http://evil.example": false, "http://loc\u00adalhost": false, "http://\u212aocalhost": false,
	} {
		want := ""
		if allowed {
			want = origin
		}
		for _, path := range []string{"/pages/", "/pages/?page=9", "/pages", "/nowhere"} {
			for _, method := range []string{"GET", "HEAD", "POST", "OPTIONS"} {
				got := s.ask(t, method, path, "Origin", origin, "Access-Control-Request-Method", "GET").header
				if value := strings.Join(got.Values("Access-Control-Allow-Origin"), " | "); value != want {
					t.Errorf("%s %s from %q: the allowed origin is %q, want %q", method, path, origin, value, want)
				}
				if vary := got.Get("Vary"); !strings.HasPrefix(vary, "Accept, Origin") || got.Get("Access-Control-Allow-Credentials") != "" {
					t.Errorf("%s %s from %q: Vary is %q, of %v", method, path, origin, vary, got)
				}
			}
		}
		for _, path := range []string{"/_preview/state.json", "/_preview/body/" + someID} {
			if value := s.ask(t, "GET", path, "Origin", origin).header.Get("Access-Control-Allow-Origin"); value != "" {
				t.Errorf("%s lets %q read", path, value)
			}
		}
	}
	two := s.ask(t, "GET", "/pages/", "Origin", "http://localhost", "Origin", evilOrigin)
	two.want(t, "two origins", 200, two.body, "Access-Control-Allow-Origin", "")
}

func TestParseOrigin(t *testing.T) {
	for text, want := range map[string]string{
		"http://a.example:80": "http://a.example", "https://A.example:443": "https://a.example", "http://a.example:443": "http://a.example:443",
		"http://[FE80::1]:81": "http://[fe80::1]:81",
	} {
		if got, err := ParseOrigin(text); got != want || err != nil {
			t.Errorf("%s became %q, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "*", "null", "a.example", "https://a.example/", "https://b@a.example", "https://*.a.example", "https://ä.example", "ws://a.example"} {
		if got, err := ParseOrigin(text); err == nil {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// FuzzOrigin holds that what is taken for a loopback origin is one to a URL
// parser of another make too: the host is nothing but localhost or an address.
func FuzzOrigin(f *testing.F) {
	for _, text := range []string{"http://localhost:1", "https://[::1]", "http://127.0.0.1", "http://a@localhost", "http://localhost.evil.example", "null"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		h := httptest.NewRecorder().Header()
		New(Options{}).allowOrigin(h, []string{text})
		if h.Get("Access-Control-Allow-Origin") == "" {
			return
		}
		host, ok := strings.CutPrefix(strings.ToLower(text), "http://")
		if !ok {
			host, ok = strings.CutPrefix(strings.ToLower(text), "https://")
		}
		if i := strings.LastIndexByte(host, ':'); i >= 0 && !strings.HasSuffix(host, "]") {
			host = host[:i]
		}
		if !ok || host != "localhost" && !strings.HasPrefix(host, "127.") && !strings.HasPrefix(host, "[") || strings.ContainsAny(host, "/@?#\\ ") ||
			strings.HasPrefix(host, "127.") && strings.Trim(host, "0123456789.") != "" {
			t.Errorf("%q may read", text)
		}
	})
}
