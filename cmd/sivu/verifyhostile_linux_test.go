package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// mostMemory is what verify may take of memory, whatever a service sends.
const mostMemory = 200 << 20

// hostile is a service that has many records, and sends something else in places.
type hostile struct {
	count string // of list pages
	lists int    // that there are; 0 never ends
	size  int    // records of a list page; 0 is 10
	other bool   // the api variant has other records
	odd   func(w http.ResponseWriter, r *http.Request, kind string) bool
}

// Kinds of answers of a hostile service.
const (
	aList   = "list"
	aRecord = "record"
	anError = "error"
)

func (h *hostile) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Allow": "GET, HEAD, OPTIONS", "Vary": "Accept", "Access-Control-Allow-Origin": "*",
	} {
		w.Header().Set(name, value)
	}
	page := 1
	if text := r.FormValue("page"); text != "" {
		page, _ = strconv.Atoi(text)
	}
	id := strings.Trim(strings.TrimPrefix(r.URL.Path, "/pages/"), "/")
	kind, body := anError, `{"detail":"Not found."}`
	switch {
	case r.URL.Path == "/pages/" && page > 0 && (h.lists == 0 || page <= h.lists):
		kind, body = aList, h.list(r, page)
	case len(id) == 36 && strings.HasPrefix(id, "00000000-"):
		kind, body = aRecord, strings.TrimSuffix(h.record(r, id), "}")+
			`,"content":"<!-- modified: 2019-05-06T08:06:31 --><div class=\"xmldoc\"></div>","embeds":[]}`
	}
	if h.odd != nil && h.odd(w, r, kind) {
		return
	}
	if kind == anError {
		w.WriteHeader(http.StatusNotFound)
	}
	io.WriteString(w, body)
}

func (h *hostile) record(r *http.Request, id string) string {
	query := ""
	if r.FormValue("format") == "api" {
		query = "?format=api"
	}
	return fmt.Sprintf(`{"language":"fi","meta":{"title":"a"},"created":"2019-05-06T08:06:31.000000Z","modified":"2019-05-06T08:06:31.000000Z","url":"http://%s/pages/%s/%s"}`,
		r.Host, id, query)
}

func (h *hostile) list(r *http.Request, page int) string {
	link := func(n int) string {
		var query []string
		if r.FormValue("format") == "api" {
			query = append(query, "format=api")
		}
		if n > 1 {
			query = append(query, fmt.Sprintf("page=%d", n))
		}
		address := "http://" + r.Host + "/pages/"
		if len(query) > 0 {
			address += "?" + strings.Join(query, "&")
		}
		return `"` + address + `"`
	}
	next, previous := link(page+1), "null"
	if h.lists > 0 && page == h.lists {
		next = "null"
	}
	if page > 1 {
		previous = link(page - 1)
	}
	var records []string
	size, first := max(h.size, 10), 0
	if h.other && r.FormValue("format") == "api" {
		first = 1 << 40
	}
	for i := range size {
		records = append(records, h.record(r, fmt.Sprintf("00000000-0000-4000-8000-%012x", first+page*size+i)))
	}
	return fmt.Sprintf(`{"count":%s,"next":%s,"previous":%s,"results":[%s]}`, h.count, next, previous, strings.Join(records, ","))
}

// verified is what came of a verification in a process of its own.
type verified struct {
	status   int
	peak     int64 // bytes
	requests int
	stopped  string
	rules    map[string]bool
	problems string // standard error
}

// verifyHostile runs sivu verify for a service.
func verifyHostile(t *testing.T, service http.Handler, flags ...string) verified {
	t.Helper()
	server := httptest.NewServer(service)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, "sivu", append([]string{"verify", server.URL, "--format", "json", "--quiet"}, flags...)...)
	var out, problems bytes.Buffer
	command.Stdout, command.Stderr = &out, &problems
	v := verified{peak: runForPeak(t, command)}
	var report struct {
		Requests int
		Stopped  string
		Findings []struct{ Rule string }
	}
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		t.Fatalf("%v\n%s%s", err, out.Bytes(), problems.Bytes())
	}
	v.status, v.requests, v.stopped, v.rules = command.ProcessState.ExitCode(), report.Requests, report.Stopped, map[string]bool{}
	v.problems = problems.String()
	for _, f := range report.Findings {
		v.rules[f.Rule] = true
	}
	t.Logf("%d MB, %d requests: %s", v.peak>>20, v.requests, v.stopped)
	return v
}

// runForPeak runs a command, whatever its status, and returns how many bytes of memory
// it took at most. A new process takes over the peak of the one that starts it, so the
// command "peak" of the test binary does that, which has little.
func runForPeak(t *testing.T, command *exec.Cmd) int64 {
	t.Helper()
	program, err := exec.LookPath("peak")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "peak")
	command.Args = append([]string{"peak", file, command.Path}, command.Args[1:]...)
	command.Path = program
	if err := command.Run(); command.ProcessState == nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("the memory of %s is not known: %v", command, err)
	}
	peak, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil || peak <= 0 {
		t.Fatalf("the memory of %s is %q", command, text)
	}
	return peak
}

var _ = addCommand("peak", peak)

// peak is a command: it runs another one, writes to a file how many bytes of memory that
// took at most, and ends with its status.
func peak() {
	command := exec.Command(os.Args[2], os.Args[3:]...)
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
	command.Run()
	if command.ProcessState == nil {
		os.Exit(1)
	}
	usage := command.ProcessState.SysUsage().(*syscall.Rusage)
	if os.WriteFile(os.Args[1], strconv.AppendInt(nil, usage.Maxrss<<10, 10), 0o600) != nil {
		os.Exit(1)
	}
	os.Exit(command.ProcessState.ExitCode())
}

// The memory of a process that ends at once is measured, and not that of the test.
func TestRunForPeak(t *testing.T) {
	inTestAll(t)
	if underRace {
		t.Skip("the race detector's own memory is in the way; make test-all runs this")
	}
	const mine, its = 160 << 20, 64 << 20
	copy(make([]byte, mine), bytes.Repeat([]byte("x"), mine))
	peak := runForPeak(t, exec.Command("dd", "if=/dev/zero", "of=/dev/null", "count=1", fmt.Sprintf("bs=%d", its)))
	if peak < its || peak >= mine {
		t.Errorf("%d MB, due are %d", peak>>20, its>>20)
	}
}

// want fails unless a verification failed by a rule, within its memory.
func (v verified) want(t *testing.T, rule, stopped string) {
	t.Helper()
	if v.status != 1 || !v.rules[rule] {
		t.Errorf("status %d, found by %v, due is %s", v.status, v.rules, rule)
	}
	if !regexp.MustCompile(stopped).MatchString(v.stopped) {
		t.Errorf("stopped: %q, due is %s", v.stopped, stopped)
	}
	if budget := regexp.MustCompile(`budget of (\d+) requests`).FindStringSubmatch(v.stopped); budget != nil && budget[1] != strconv.Itoa(v.requests) {
		t.Errorf("%d requests", v.requests)
	}
	v.wantMemory(t)
}

func (v verified) wantMemory(t *testing.T) {
	t.Helper()
	if v.peak > mostMemory && !underRace {
		t.Errorf("%d MB of memory", v.peak>>20)
	}
}

// TestVerifyEndless holds verify against services whose lists do not end.
func TestVerifyEndless(t *testing.T) {
	inTestAll(t)
	const all = "the api variants, requests that no walk makes$"
	t.Run("beyond count", func(t *testing.T) {
		v := verifyHostile(t, &hostile{count: "30"})
		v.want(t, "count", `^there are more list pages than the count of 30 allows: the walk ended after 13$`)
	})
	t.Run("long list pages", func(t *testing.T) {
		v := verifyHostile(t, &hostile{count: "3000", size: 100})
		v.want(t, "count", `^there are more records than the count of 3000 allows: the walk ended after 4000$`)
	})
	t.Run("other records in the api variant", func(t *testing.T) {
		v := verifyHostile(t, &hostile{count: "3000", lists: 300, other: true})
		v.want(t, "count", `^there are more records than the count of 3000 allows: the walk ended after 4000$`)
	})
	t.Run("without a count", func(t *testing.T) {
		v := verifyHostile(t, &hostile{count: "null"})
		v.want(t, "budget", `^the budget of 1000 requests \(--max-requests\) is used up; not checked: records beyond the first \d+, the way back by previous, `+all)
	})
	t.Run("with a count of nobody", func(t *testing.T) {
		v := verifyHostile(t, &hostile{count: "1000000000000000000"})
		v.want(t, "budget", `^the budget of 1000 requests \(--max-requests\) is used up; not checked: \d+ of 1000000000000000000 records, the way back by previous, `+all)
	})
	t.Run("as many requests as given", func(t *testing.T) {
		v := verifyHostile(t, &hostile{count: "1100000"}, "--max-requests", "3000")
		v.want(t, "budget", `^the budget of 3000 requests \(--max-requests\) is used up; not checked: \d+ of 1100000 records`)
	})
	t.Run("as good as none", func(t *testing.T) {
		v := verifyHostile(t, &hostile{count: "30", lists: 3}, "--max-requests", "1")
		v.want(t, "budget", `^the budget of 1 request \(--max-requests\) is used up; not checked: all records, the way back by previous, `+all)
	})
	t.Run("slow", func(t *testing.T) {
		v := verifyHostile(t, &hostile{count: "30", lists: 3, odd: drip}, "--max-time", "2s")
		v.want(t, "budget", `^the budget of 2s \(--max-time\) is used up; not checked: \d+ of 30 records`)
	})
	t.Run("long headers", func(t *testing.T) {
		v := verifyHostile(t, &hostile{count: "30", lists: 3, odd: func(w http.ResponseWriter, r *http.Request, kind string) bool {
			if kind == aRecord && strings.Contains(r.URL.Path, "f/") {
				w.Header().Set("X-Long", strings.Repeat("x", 900<<10))
			}
			return false
		}})
		v.want(t, "status", "^$")
	})
	t.Run("as many bytes as given", func(t *testing.T) {
		v := verifyHostile(t, &hostile{count: "30", lists: 3, odd: func(w http.ResponseWriter, r *http.Request, kind string) bool {
			if kind == anError {
				w.WriteHeader(http.StatusNotFound)
				pour(w)
			}
			return kind == anError
		}}, "--max-bytes", "50000000")
		v.want(t, "budget", `^the budget of 50000000 bytes \(--max-bytes\) is used up; not checked: requests that no walk makes$`)
	})
}

// TestVerifyUnasked holds verify against a service that goes on after the end of an
// answer: nothing of that is printed.
func TestVerifyUnasked(t *testing.T) {
	v := verifyHostile(t, &hostile{count: "30", lists: 3, odd: func(w http.ResponseWriter, r *http.Request, kind string) bool {
		if kind != anError {
			return false
		}
		conn, to, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return true
		}
		defer conn.Close()
		fmt.Fprint(to, "HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}GARBAGE")
		to.Flush()
		return true
	}})
	if v.status != 1 || !v.rules["not-found-body"] || v.problems != "" {
		t.Errorf("status %d, found by %v, standard error is %q", v.status, v.rules, v.problems)
	}
}

// drip answers a byte at a time, without end.
func drip(w http.ResponseWriter, r *http.Request, kind string) bool {
	if kind != aRecord {
		return false
	}
	for r.Context().Err() == nil {
		if _, err := io.WriteString(w, " "); err != nil {
			break
		}
		w.(http.Flusher).Flush()
		time.Sleep(50 * time.Millisecond)
	}
	return true
}

// pour answers white space without end.
func pour(w io.Writer) {
	space := bytes.Repeat([]byte(" "), 64<<10)
	for {
		if _, err := w.Write(space); err != nil {
			return
		}
	}
}

// TestVerifyMemory holds verify against bodies that take memory.
func TestVerifyMemory(t *testing.T) {
	inTestAll(t)
	content := func(html string) string {
		return `{"language":"fi","meta":{"title":"a"},"created":"2019-05-06T08:06:31.000000Z","modified":"2019-05-06T08:06:31.000000Z",` +
			`"url":"x","content":"<!-- modified: 2019-05-06T08:06:31 --><div class='xmldoc'>` + html + `</div>","embeds":[]}`
	}
	attributes := func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(" " + strconv.FormatInt(int64(i), 36))
		}
		return "<p" + b.String() + ">"
	}
	const bomb = 128 << 20
	for name, body := range map[string]func() (coding string, body []byte){
		"gzip bombs": func() (string, []byte) { return "gzip", packedSpace(t, "gzip", bomb) },
		"br bombs":   func() (string, []byte) { return "br", packedSpace(t, "br", bomb) },
		"zstd bombs": func() (string, []byte) { return "zstd", packedSpace(t, "zstd", bomb) },
		"large strings": func() (string, []byte) {
			return "", []byte(content(strings.Repeat("a", 30<<20)))
		},
		"arrays":     func() (string, []byte) { return "", []byte("[" + strings.Repeat("0,", 16<<20) + "0]") },
		"keys":       func() (string, []byte) { return "", []byte(`{"` + strings.Repeat(`a":0,"`, 49_000) + `b":0}`) },
		"attributes": func() (string, []byte) { return "", []byte(content(strings.Repeat(attributes(40_000), 12))) },
		"nested noscripts": func() (string, []byte) {
			return "", []byte(content(strings.Repeat("<noscript>", 100) + strings.Repeat("x", 19*100_000) + strings.Repeat("</noscript>", 100)))
		},
		"elements": func() (string, []byte) { return "", []byte(content(strings.Repeat("<p>", 9<<20))) },
	} {
		t.Run(name, func(t *testing.T) {
			coding, made := body()
			v := verifyHostile(t, &hostile{count: "60", lists: 6, odd: func(w http.ResponseWriter, r *http.Request, kind string) bool {
				if kind == aList && r.FormValue("page") == "" {
					return false // something to walk on
				}
				if coding != "" {
					w.Header().Set("Content-Encoding", coding)
				}
				if kind == anError {
					w.WriteHeader(http.StatusNotFound)
				}
				w.Write(made)
				return true
			}}, "--max-bytes", "100000000")
			if v.status != 1 {
				t.Errorf("status %d", v.status)
			}
			v.wantMemory(t)
		})
	}
}

// packedSpace returns so many spaces, compressed.
func packedSpace(t *testing.T, coding string, size int) []byte {
	t.Helper()
	var b bytes.Buffer
	var w io.WriteCloser
	switch coding {
	case "gzip":
		w, _ = gzip.NewWriterLevel(&b, gzip.BestSpeed)
	case "br":
		w = brotli.NewWriterOptions(&b, brotli.WriterOptions{Quality: 2, LGWin: 24})
	case "zstd":
		w, _ = zstd.NewWriter(&b, zstd.WithWindowSize(8<<20))
	}
	part := bytes.Repeat([]byte(" "), 1<<20)
	for range size >> 20 {
		if _, err := w.Write(part); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
