package verify

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/time/rate"
)

// serve returns a client for a handler, below "/v1".
func serve(t *testing.T, o Options, handler http.HandlerFunc) *client {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	c, err := newClient(server.URL+"/v1", o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.close)
	return c
}

func (c *client) at(path string) string { return c.base.String() + path }

func get(t *testing.T, c *client, path string) *answer {
	t.Helper()
	a, err := c.open(t.Context(), c.at(path), wantRecord, nil)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// wantError looks for an Error with these words, and a hint with those.
func wantError(t *testing.T, err error, words, hint string) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v, which is no *Error", err)
	}
	if !strings.Contains(e.Error(), words) || !strings.Contains(e.Hint, hint) {
		t.Fatalf("got %q with the hint %q, due are %q and %q", e, e.Hint, words, hint)
	}
}

func TestClientSaysWhoAsks(t *testing.T) {
	var got http.Header
	c := serve(t, Options{}, func(_ http.ResponseWriter, r *http.Request) { got = r.Header })
	get(t, c, "/pages/")
	if a := got.Get("User-Agent"); !strings.HasPrefix(a, "sivu-verify/") {
		t.Errorf("User-Agent is %q", a)
	}
	if e := got.Values("Accept-Encoding"); len(e) != 1 || e[0] != "identity" {
		t.Errorf("Accept-Encoding is %q", e)
	}
	if got.Get("Cookie") != "" || got.Get("Authorization") != "" {
		t.Error("the client sends credentials")
	}
}

// A service that leads elsewhere by redirects and by links, at every address.
func TestClientStaysOnTheService(t *testing.T) {
	var hits atomic.Int64
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { hits.Add(1) }))
	defer other.Close()
	redirects := func(s *service) {
		s.after = func(r *http.Request, a *reply) {
			a.status = http.StatusTemporaryRedirect
			a.header.Set("Location", other.URL+r.URL.Path)
		}
	}
	someRedirects := func(s *service) {
		s.after = func(r *http.Request, a *reply) {
			if a.status != http.StatusOK || len(r.URL.RawQuery)%2 == 1 {
				a.status = http.StatusPermanentRedirect
				a.header.Set("Location", other.URL+r.URL.Path)
			}
		}
	}
	links := func(s *service) {
		for name, body := range s.files {
			s.files[name] = bytes.ReplaceAll(body, []byte(s.base), []byte(other.URL))
		}
	}
	for name, wrong := range map[string]func(*service){"redirects": redirects, "some redirects": someRedirects, "links": links} {
		t.Run(name, func(t *testing.T) {
			s := newService(t, "/v1", 25, wrong)
			r, err := URL(t.Context(), s.base, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if !r.Failed() {
				t.Error("nothing was found")
			}
			if n := hits.Load(); n != 0 {
				t.Errorf("the other server was asked %d times", n)
			}
		})
	}
}

// Nor does it leave the base address on the same server.
func TestClientStaysBelowTheBase(t *testing.T) {
	s := newService(t, "/v1/fi", 25, nil)
	s.raw = func(_ http.ResponseWriter, r *http.Request) bool {
		if clean := path.Clean(r.URL.Path); clean != "/v1/fi" && !strings.HasPrefix(clean, "/v1/fi/") {
			t.Errorf("asked for %s", r.URL)
		}
		return false
	}
	if _, err := URL(t.Context(), s.base, Options{}); err != nil {
		t.Fatal(err)
	}
}

func TestClientAddresses(t *testing.T) {
	var asked atomic.Int64
	c := serve(t, Options{}, func(http.ResponseWriter, *http.Request) { asked.Add(1) })
	host := c.base.Host
	for _, address := range []string{
		"", "/v1/pages/", "//" + host + "/v1/pages/", "https://" + host + "/v1/pages/", "http://elsewhere.invalid/v1/pages/",
		"http://user@" + host + "/v1/pages/", "http://" + host + "/", "http://" + host + "/v2/pages/", "http://" + host + "/v1x/",
		"http://" + host + "/v1/../pages/", "http://" + host + "/v1/%2e%2e/pages/", "http://" + host + "/v1/pages/..%2f../../x",
		"http:" + host + "/v1/", "file:///etc/passwd", "http://" + host + "/v1/\n",
	} {
		a, err := c.open(t.Context(), address, wantRecord, nil)
		if err != nil || a.Status != 0 || !strings.HasPrefix(a.Fault, "not asked for") {
			t.Errorf("%q: got %+v, %v", address, a, err)
		}
	}
	if n := asked.Load(); n != 0 {
		t.Errorf("the server was asked %d times", n)
	}
	for _, path := range []string{"/", "/pages/", "/pages/%2e%2e/", "/pages/../x#y", "/pages/?next=http://elsewhere.invalid/"} {
		if a := get(t, c, path); a.Status != 200 {
			t.Errorf("%s: got %+v", path, a)
		}
	}
}

func FuzzClientAddress(f *testing.F) {
	c, err := newClient("http://127.0.0.1:1/v1/fi", Options{})
	if err != nil {
		f.Fatal(err)
	}
	f.Add("/pages/?page=2")
	f.Add("/../x")
	f.Add("/%2e%2e/%2e%2e//x")
	f.Fuzz(func(t *testing.T, tail string) {
		u, err := c.within(c.base.String() + tail)
		if err != nil {
			return
		}
		clean := path.Clean(u.Path)
		if u.Host != "127.0.0.1:1" || u.Scheme != "http" || clean != "/v1/fi" && !strings.HasPrefix(clean, "/v1/fi/") {
			t.Errorf("%q leads to %s", tail, u)
		}
	})
}

func TestClientBases(t *testing.T) {
	for base, words := range map[string]string{
		"":                       "no http or https address",
		"api.example.fi":         "no http or https address",
		"http:":                  `"http:" has no host`,
		"ftp://api.example.fi":   "ftp is no scheme that verify knows",
		"https://":               `"https://" has no host`,
		"https://:80":            "has no host",
		"https://u@example.fi":   "the address names a user",
		"https://u:pw@x/#a":      "the address names a user",
		"https://u:pw@x:port/":   "the address names a user",
		"https://u:p/w@x/":       "the address names a user",
		"https:u:pw@x":           "the address names a user",
		"u:pw@x":                 "the address names a user",
		"https://example.fi/?a":  "the address has a query",
		"https://example.fi/?":   "the address has a query",
		"https://example.fi/#a":  "the address has a fragment",
		"https://example.fi/#":   "the address has a fragment",
		"https://example.fi/%zz": "the address is not one",
		"http://h:99999/":        "99999 is no port",
		"http://h:0":             "0 is no port",
		"http://h:x":             `the address is not one: invalid port ":x" after host`,
	} {
		_, err := newClient(base, Options{})
		wantError(t, err, words, "")
		if strings.Contains(err.Error(), "pw") {
			t.Errorf("%s: the error tells the password: %v", base, err)
		}
	}
}

// Scheme and host know no case, and paths do.
func TestBaseSpelling(t *testing.T) {
	for given, due := range map[string]string{
		"HTTP://127.0.0.1:8000":       "http://127.0.0.1:8000",
		"Https://API.Example.FI/V1/a": "https://api.example.fi/V1/a",
		"https://api.example.fi///":   "https://api.example.fi",
		"https://api.example.fi:/v1/": "https://api.example.fi/v1",
		"http://[::1]:80/a%2Fb/@c/":   "http://[::1]:80/a%2Fb/@c",
		"http://[::1]:80/a%2F/":       "http://[::1]:80/a%2F",
	} {
		if u, err := parseBase(given); err != nil || u.String() != due {
			t.Errorf("%s: got %v, %v, due is %q", given, u, err, due)
		}
	}
}

func TestClientRates(t *testing.T) {
	for _, c := range []struct {
		base  string
		asked float64
		due   rate.Limit
	}{
		{"https://api.example.fi", 0, 50},
		{"https://api.example.fi", 7, 7},
		{"http://127.0.0.1:8000", 0, rate.Inf},
		{"http://[::1]:8000", 0, rate.Inf},
		{"http://localhost:8000", 0, rate.Inf},
		{"http://localhost:8000", 3, 3},
		{"http://10.0.0.1", 0, 50},
		{"http://127.0.0.1.example.fi", 0, 50},
	} {
		client, err := newClient(c.base, Options{Rate: c.asked})
		if err != nil {
			t.Fatal(err)
		}
		if got := client.limiter.Limit(); got != c.due {
			t.Errorf("%s: %v requests a second, due are %v", c.base, got, c.due)
		}
	}
}

func TestClientKeepsTheRate(t *testing.T) {
	c := serve(t, Options{Rate: 50}, func(http.ResponseWriter, *http.Request) {})
	begin := time.Now()
	for range 11 {
		get(t, c, "/pages/")
	}
	if took := time.Since(begin); took < 200*time.Millisecond {
		t.Errorf("11 requests at 50 a second took %s", took)
	}
}

func TestClientAsksFewAtOnce(t *testing.T) {
	var now, most atomic.Int64
	c := serve(t, Options{Jobs: 3}, func(http.ResponseWriter, *http.Request) {
		n := now.Add(1)
		defer now.Add(-1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		time.Sleep(10 * time.Millisecond)
	})
	var wait sync.WaitGroup
	for range 12 {
		wait.Go(func() {
			if _, err := c.open(t.Context(), c.at("/pages/"), wantRecord, nil); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if m := most.Load(); m != 3 {
		t.Errorf("%d requests at once, due are 3", m)
	}
	if n := c.requests(); n != 12 {
		t.Errorf("%d requests counted, due are 12", n)
	}
}

func TestClientBoundsBodies(t *testing.T) {
	const most = 64 << 10
	zeros := make([]byte, 64*most)
	for _, coding := range []string{"", "gzip", "br", "zstd"} {
		body := zeros
		if coding != "" {
			body = pack(zeros, coding)
		}
		c := serve(t, Options{}, func(w http.ResponseWriter, r *http.Request) {
			if coding != "" {
				w.Header().Set("Content-Encoding", coding)
			}
			w.Write(body)
		})
		c.maxBody = most
		a := get(t, c, "/pages/")
		if !a.Long || a.Status != 200 || len(a.Body) != most {
			t.Errorf("%q: Long is %v, status %d, %d bytes, due are %d: %s", coding, a.Long, a.Status, len(a.Body), most, a.Fault)
		}
	}
}

// A compressed body that comes slowly keeps no other from being read.
func TestSlowCompressedBody(t *testing.T) {
	body := pack([]byte(`{"a":1}`), "gzip")
	began, rest := make(chan struct{}), make(chan struct{})
	c := serve(t, Options{Timeout: 5 * time.Second}, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		if r.URL.Path == "/v1/slow" {
			w.Write(body[:12])
			w.(http.Flusher).Flush()
			close(began)
			select {
			case <-rest:
			case <-r.Context().Done():
			}
			w.Write(body[12:])
			return
		}
		w.Write(body)
	})
	slow := make(chan *answer, 1)
	go func() {
		a, err := c.open(t.Context(), c.at("/slow"), wantRecord, nil)
		if err != nil {
			t.Error(err)
		}
		slow <- a
	}()
	<-began
	for range 10 {
		if a := get(t, c, "/fast"); a.Fault != "" || string(a.Body) != `{"a":1}` {
			t.Errorf("got %q, %q", a.Body, a.Fault)
			break
		}
	}
	close(rest)
	if a := <-slow; a == nil || a.Fault != "" {
		t.Errorf("the slow one: got %+v", a)
	}
}

// Nor does the wait until another body is unpacked count as one for the service.
func TestUnpackingWaits(t *testing.T) {
	t.Parallel()
	const timeout = 500 * time.Millisecond
	random := make([]byte, 3*maxTogether)
	rand.NewChaCha8([32]byte{}).Read(random)
	for name, plain := range map[string][]byte{"small": []byte("{}"), "large": random} {
		body := pack(plain, "gzip")
		c := serve(t, Options{Timeout: timeout}, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(body)
		})
		c.decoding.Lock()
		time.AfterFunc(2*timeout, c.decoding.Unlock)
		if a := get(t, c, "/pages/"); a.Fault != "" || !bytes.Equal(a.Body, plain) {
			t.Errorf("%s: %d bytes, due are %d: %s", name, len(a.Body), len(plain), a.Fault)
		}
	}
}

// A body of exactly as many bytes as are read is a whole one.
func TestClientReadsLongBodies(t *testing.T) {
	body := bytes.Repeat([]byte("x"), 1000)
	c := serve(t, Options{}, func(w http.ResponseWriter, r *http.Request) { w.Write(body) })
	c.maxBody = 1000
	if a := get(t, c, "/pages/"); a.Long || !bytes.Equal(a.Body, body) {
		t.Errorf("Long is %v, %d bytes", a.Long, len(a.Body))
	}
	c.maxBody = 999
	if a := get(t, c, "/pages/"); !a.Long || len(a.Body) != 999 {
		t.Errorf("Long is %v, %d bytes", a.Long, len(a.Body))
	}
}

// A bomb is a finding about compression, and no reason to stop.
func TestCompressionBomb(t *testing.T) {
	bomb := pack(make([]byte, 1<<20), "gzip")
	s := newService(t, "", 25, func(s *service) {
		s.bodies = func(body []byte, coding string) []byte {
			if coding == "gzip" {
				return bomb
			}
			return pack(body, coding)
		}
	})
	r := runTuned(t, s, Options{}, func(c *client) { c.maxBody = 64 << 10 })
	if got := rulesOf(r); got != "compression" {
		explain(t, r)
		t.Fatalf("found by %q", got)
	}
}

func TestClientCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	entered := make(chan struct{})
	c := serve(t, Options{}, func(_ http.ResponseWriter, r *http.Request) {
		close(entered)
		<-r.Context().Done()
	})
	go func() {
		<-entered
		cancel()
	}()
	if _, err := c.open(ctx, c.at("/pages/"), wantRecord, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, err := c.open(ctx, c.at("/pages/"), wantRecord, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("afterwards got %v", err)
	}
	_, err := URL(ctx, c.base.String(), Options{})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("URL: got %v", err)
	}
}

// Ctrl-C while the service wants to be left alone.
func TestClientCancelWhileWaiting(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	c := serve(t, Options{}, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "25")
		w.WriteHeader(http.StatusServiceUnavailable)
		time.AfterFunc(10*time.Millisecond, cancel)
	})
	if _, err := c.open(ctx, c.at("/pages/"), wantRecord, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestNobodyAnswers(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := "http://" + l.Addr().String()
	l.Close()
	_, err = URL(t.Context(), address, Options{})
	wantError(t, err, "connection refused", "is the service up")
}

func TestOtherProtocols(t *testing.T) {
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	_, err := URL(t.Context(), strings.Replace(plain.URL, "http:", "https:", 1), Options{})
	wantError(t, err, "does not answer", "write http://")

	secret := httptest.NewUnstartedServer(http.NotFoundHandler())
	secret.Config.ErrorLog = log.New(io.Discard, "", 0)
	secret.StartTLS()
	defer secret.Close()
	_, err = URL(t.Context(), secret.URL, Options{})
	wantError(t, err, "certificate", "not trusted")
}

func TestServiceThatFallsSilent(t *testing.T) {
	var count atomic.Int64
	c := serve(t, Options{}, func(w http.ResponseWriter, r *http.Request) {
		if count.Add(1) > 1 {
			write(w, "")
		}
	})
	get(t, c, "/pages/")
	for i := 1; i < maxFailures; i++ {
		if a := get(t, c, "/pages/"); a.Fault != "the connection was closed before the answer" {
			t.Fatalf("request %d: got %+v", i, a)
		}
	}
	_, err := c.open(t.Context(), c.at("/pages/"), wantRecord, nil)
	wantError(t, err, "stopped answering", "--jobs 1")
}

func TestClientWaitsAsTold(t *testing.T) {
	t.Parallel()
	var count atomic.Int64
	var first time.Time
	c := serve(t, Options{}, func(w http.ResponseWriter, _ *http.Request) {
		if count.Add(1) == 1 {
			first = time.Now()
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		if waited := time.Since(first); waited < 900*time.Millisecond {
			t.Errorf("waited %s, due is 1s", waited)
		}
	})
	if a := get(t, c, "/pages/"); a.Status != 200 {
		t.Errorf("got %+v", a)
	}
}

func TestTooManyRequests(t *testing.T) {
	for _, after := range []string{"0", "3600", time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)} {
		var count atomic.Int64
		c := serve(t, Options{}, func(w http.ResponseWriter, _ *http.Request) {
			count.Add(1)
			w.Header().Set("Retry-After", after)
			w.WriteHeader(http.StatusTooManyRequests)
		})
		_, err := c.open(t.Context(), c.at("/pages/"), wantRecord, nil)
		wantError(t, err, "429, too many requests", "--rate")
		if due := map[bool]int64{true: 2, false: 1}[after == "0"]; count.Load() != due {
			t.Errorf("%s: asked %d times, due is %d", after, count.Load(), due)
		}
	}
}

func TestUnavailable(t *testing.T) {
	for after, due := range map[string]int64{"": 1, "0": 2, "3600": 1} {
		var count atomic.Int64
		c := serve(t, Options{}, func(w http.ResponseWriter, _ *http.Request) {
			count.Add(1)
			if after != "" {
				w.Header().Set("Retry-After", after)
			}
			w.WriteHeader(http.StatusServiceUnavailable)
		})
		if a := get(t, c, "/pages/"); a.Status != http.StatusServiceUnavailable || count.Load() != due {
			t.Errorf("Retry-After %q: status %d after %d requests, due are 503 and %d", after, a.Status, count.Load(), due)
		}
	}
}

// A server that closes kept connections when the next request comes, as many do
// after some seconds. By itself net/http repeats only requests like GET.
func TestClosedIdleConnection(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			from := bufio.NewReader(conn)
			if r, err := http.ReadRequest(from); err == nil {
				fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(r.Method), r.Method)
			}
			http.ReadRequest(from)
			conn.Close()
		}
	}()
	c, err := newClient("http://"+l.Addr().String(), Options{Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		for _, method := range []string{"GET", "POST", "PROPFIND"} {
			a, err := c.do(t.Context(), request{method: method, address: c.at("/pages/")})
			if err != nil || string(a.Body) != method {
				t.Errorf("%s: got %+v, %v", method, a, err)
			}
		}
	}
}

func TestFaults(t *testing.T) {
	c := serve(t, Options{Timeout: 200 * time.Millisecond}, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/v1/short":
			write(w, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
		case "/v1/chunks":
			write(w, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
		case "/v1/zip":
			w.Header().Set("Content-Encoding", "zip")
		case "/v1/gzip":
			w.Header().Set("Content-Encoding", "gzip")
			io.WriteString(w, "{}")
		case "/v1/headers":
			w.Header().Set("X-Long", strings.Repeat("x", 2*maxHeader))
		case "/v1/slow":
			<-r.Context().Done()
		}
	})
	get(t, c, "/good")
	for path, due := range map[string]string{
		"/short":   "200, and the body ended early, after 3 bytes of 10",
		"/chunks":  "200, and the body ended early, after 3 bytes",
		"/zip":     `200, and a body that is not "zip": sivu asks for gzip, br and zstd only`,
		"/gzip":    `200, and a body that is not "gzip": unexpected EOF`,
		"/headers": "headers of more than 65536 bytes",
		"/slow":    "no whole answer within 200ms",
	} {
		if a := get(t, c, path); a.Status != 0 || a.Fault != due {
			t.Errorf("%s: got status %d and %q, due is %q", path, a.Status, a.Fault, due)
		}
	}
}

// What a service would do that allows a method after all: nothing, because no
// tag matches; and what it says it allows is not sent.
func TestMethodsDoNoHarm(t *testing.T) {
	var lock sync.Mutex
	harmed := map[string]bool{}
	s := newService(t, "", 25, nil)
	s.raw = func(_ http.ResponseWriter, r *http.Request) bool {
		lock.Lock()
		defer lock.Unlock()
		switch r.Method {
		case "GET", "HEAD", "OPTIONS":
		default:
			if r.Header.Get("If-Match") == "" || r.ContentLength > 0 {
				harmed[r.Method] = true
			}
			if r.Method == "DELETE" {
				t.Error("DELETE was sent, and the service allows it")
			}
		}
		return false
	}
	s.after = onGood(func(a *reply) { a.header.Set("Allow", "GET, HEAD, OPTIONS, DELETE") })
	r := runMatrix(t, s, Options{})
	if len(harmed) > 0 {
		t.Errorf("sent without If-Match: %v", harmed)
	}
	if got := rulesOf(r); got != "allow-header method-status" {
		t.Errorf("found by %q", got)
	}
}

func TestRequestLabels(t *testing.T) {
	for due, r := range map[string]request{
		"":                         {address: "x"},
		"HEAD":                     {method: "HEAD"},
		"GET, Accept-Encoding: br": {header: []headerField{{"Accept-Encoding", "br"}}},
	} {
		if got := r.label(); got != due {
			t.Errorf("got %q, due is %q", got, due)
		}
	}
}

func TestVaryNames(t *testing.T) {
	for _, c := range []struct {
		lines []string
		good  bool
	}{
		{[]string{"Accept"}, true},
		{[]string{"accept"}, true},
		{[]string{"Accept-Encoding, Accept"}, true},
		{[]string{"Accept-Encoding,Accept"}, true},
		{[]string{"Accept-Encoding", "Accept"}, true},
		{nil, false},
		{[]string{""}, false},
		{[]string{"*"}, false},
		{[]string{"Accept-Encoding"}, false},
		{[]string{"X-Accept"}, false},
	} {
		h := http.Header{"Vary": c.lines, "Allow": {"GET, HEAD, OPTIONS"}, "Content-Type": {"application/json"}, "Access-Control-Allow-Origin": {"*"}}
		checker, _ := newChecker(t.Context(), "http://x", Options{})
		checker.checkFields(request{address: "http://x/pages/"}, &answer{Status: http.StatusOK, Header: h})
		if good := len(checker.finish().Findings) == 0; good != c.good {
			t.Errorf("Vary %q: good is %v", c.lines, good)
		}
	}
}
