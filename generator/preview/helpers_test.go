package preview

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"example.org/sivu/generator/api"
)

// memory are answers in memory.
type memory map[string]string

func (m memory) Answer(file string) ([]byte, error) {
	body, ok := m[file]
	if !ok {
		return nil, nil
	}
	return []byte(body), nil
}

// answersOf makes the answers of a snapshot of count records, with bodies that
// are worth compressing.
func answersOf(t testing.TB, base string, count int) memory {
	return made(t, api.Links{Base: base, Style: api.Styles[0]}, count, "long", strings.Repeat("Vuokra-asunto ", 200))
}

// running is a server that answers on a port of its own.
type running struct {
	*Server
	*Listener
	end   context.CancelFunc
	ended chan error // what Serve returned
}

// serve starts a server. It ends with the test.
func serve(t testing.TB, o Options) *running {
	t.Helper()
	l, err := Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	o.Base, o.Hosts = l.Base, l.Hosts
	ctx, end := context.WithCancel(context.Background())
	r := &running{New(o), l, end, make(chan error, 1)}
	var once sync.WaitGroup
	once.Go(func() { r.ended <- r.Serve(ctx, l) })
	t.Cleanup(func() {
		end()
		once.Wait()
	})
	return r
}

// client follows no redirect and unpacks nothing.
var client = &http.Client{
	Transport:     &http.Transport{DisableCompression: true, DisableKeepAlives: true},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// reply is what came back.
type reply struct {
	status int
	header http.Header
	body   string
}

// ask sends a request; fields are names and values of headers.
func (r *running) ask(t testing.TB, method, path string, fields ...string) reply {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, r.Base+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(fields); i += 2 {
		if fields[i] == "Host" {
			request.Host = fields[i+1]
		}
		request.Header.Add(fields[i], fields[i+1])
	}
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply{response.StatusCode, response.Header, string(body)}
}

// want compares a reply with a status and a body, and headers by name and value.
func (got reply) want(t testing.TB, what string, status int, body string, fields ...string) {
	t.Helper()
	if got.status != status || got.body != body {
		t.Errorf("%s: got %d %q, want %d %q", what, got.status, got.body, status, body)
	}
	for i := 0; i < len(fields); i += 2 {
		if value := strings.Join(got.header.Values(fields[i]), " | "); value != fields[i+1] {
			t.Errorf("%s: %s is %q, want %q", what, fields[i], value, fields[i+1])
		}
	}
}

// raw sends bytes, and returns all that comes until the server closes.
func (r *running) raw(t testing.TB, text string) string {
	t.Helper()
	c := r.dial(t)
	if _, err := io.WriteString(c, text); err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(c)
	if err != nil {
		t.Fatal(err)
	}
	return string(all)
}

func (r *running) dial(t testing.TB) net.Conn {
	t.Helper()
	c, err := new(net.Dialer).DialContext(t.Context(), "tcp", r.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// events opens the stream of events, and returns what reads the next block of
// it, or io.EOF.
func (r *running) events(t testing.TB) func() (string, error) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.Base+"/_preview/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { response.Body.Close() })
	if got := response.Header.Get("Content-Type"); response.StatusCode != http.StatusOK || got != "text/event-stream" {
		t.Fatalf("the stream is %d %s", response.StatusCode, got)
	}
	scanner := bufio.NewScanner(response.Body)
	scanner.Split(func(data []byte, atEOF bool) (int, []byte, error) {
		if i := bytes.Index(data, []byte("\n\n")); i >= 0 {
			return i + 2, data[:i], nil
		}
		return 0, nil, nil
	})
	return func() (string, error) {
		if !scanner.Scan() {
			if scanner.Err() != nil {
				return "", scanner.Err()
			}
			return "", io.EOF
		}
		return scanner.Text(), nil
	}
}
