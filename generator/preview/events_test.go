package preview

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"example.org/sivu/generator/diag"
)

var testRule = &diag.Rule{Name: "date", Severity: diag.Error}

func problems() diag.Report {
	var c diag.Collector
	c.Add(testRule.At(diag.Position{File: "content/fi/a.md", Line: 3, Column: 1}, "no date").WithHint("give one"))
	return c.Report()
}

// The state is of the fixed shape that the page browser relies on.
func TestState(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{Snapshot: true})
	version := func() int64 { return s.shown.Load().version }
	s.Show(Site{})
	none := `{"version":%d,"base":"%s","snapshot":true,"languages":null,"failed":false,` +
		`"problems":{"errors":0,"warnings":0,"more":0,"diagnostics":[]},"pages":null}`
	s.ask(t, "GET", "/_preview/state.json").want(t, "nothing known", 200, fmt.Sprintf(none, version(), s.Base), "Content-Type", "application/json")
	id := uuid.MustParse(someID)
	before := version()
	s.Show(Site{
		Languages: []string{"fi", "ar"}, Failed: true, Report: problems(),
		Pages: []Page{
			{ID: id, Topic: "asuminen", Kind: "article", File: "content/fi/asuminen.md", Broken: Earlier},
			{Language: "fi", Topic: "a", Kind: "page", File: "content/fi/a.md", Broken: Hidden},
		},
	})
	full := `{"version":%d,"base":"%s","snapshot":true,"languages":["fi","ar"],"failed":true,` +
		`"problems":{"errors":1,"warnings":0,"more":0,"diagnostics":[{"file":"content/fi/a.md","line":3,"column":1,"severity":"error","rule":"date","message":"no date","hint":"give one"}]},` +
		`"pages":[{"id":"` + someID + `","topic":"asuminen","kind":"article","file":"content/fi/asuminen.md","broken":"earlier"},` +
		`{"language":"fi","topic":"a","kind":"page","file":"content/fi/a.md","broken":"hidden"}]}`
	s.ask(t, "GET", "/_preview/state.json").want(t, "all known", 200, fmt.Sprintf(full, before+1, s.Base))
	s.Show(Site{Languages: []string{}, Pages: slices.Repeat([]Page{{ID: id}}, 12_000)})
	got := s.ask(t, "GET", "/_preview/state.json", "Accept-Encoding", "br")
	if body := decoded(t, got); len(body) < 900_000 || len(got.body) > 64<<10 || !strings.Contains(body, `"languages":[],`) {
		t.Errorf("the state of 12,000 pages has %d bytes, %d as sent", len(body), len(got.body))
	}
	// The version of a later server is not one of an earlier one's.
	if started := New(Options{}).shown.Load().version; started <= before {
		t.Errorf("a new server begins with version %d, where an older one was at %d", started, before)
	}
}

// expect reads the next event and compares it with that of the version.
func expect(t *testing.T, next func() (string, error), s *running, rest string) {
	t.Helper()
	got, err := next()
	if want := fmt.Sprintf("event: state\ndata: {\"version\":%d,%s}", s.shown.Load().version, rest); err != nil || got != want {
		t.Fatalf("got %q, %v, want %q", got, err, want)
	}
}

// A stream tells of the state at once, and then of every change.
func TestEvents(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{})
	s.Show(Site{})
	next := s.events(t)
	if got, err := next(); err != nil || got != "retry: 500" {
		t.Fatalf("got %q, %v", got, err)
	}
	const good = `"failed":false,"errors":0,"warnings":0`
	expect(t, next, s, `"changed":null,`+good)
	id := uuid.MustParse(someID)
	s.Show(Site{Changed: []uuid.UUID{id}})
	expect(t, next, s, `"changed":["`+someID+`"],`+good)
	s.Show(Site{Changed: []uuid.UUID{}, Failed: true, Report: problems()})
	expect(t, next, s, `"changed":[],"failed":true,"errors":1,"warnings":0`)
	s.Show(Site{})
	expect(t, next, s, `"changed":null,`+good)
	s.Show(Site{Changed: manyIDs(maxChanged)})
	if event, err := next(); err != nil || strings.Count(event, "-4000-") != maxChanged {
		t.Errorf("got %.200q, %v, want %d ids", event, err, maxChanged)
	}
	s.Show(Site{Changed: manyIDs(maxChanged + 1)})
	expect(t, next, s, `"changed":null,`+good)
}

func manyIDs(n int) []uuid.UUID {
	ids := make([]uuid.UUID, n)
	for i := range ids {
		ids[i] = uuid.UUID{0: byte(i), 1: byte(i >> 8), 6: 0x40}
	}
	return ids
}

// What a slow stream missed is told in one event.
func TestEventsOfASlowStream(t *testing.T) {
	s := New(Options{})
	var seen *change
	take := func() []uuid.UUID {
		if seen != nil {
			<-seen.over
		}
		data, latest, err := s.event(seen)
		if err != nil {
			t.Fatal(err)
		}
		seen = latest
		var n notice
		if err := json.Unmarshal(data, &n); err != nil || n.Version != s.shown.Load().version {
			t.Fatalf("%s: %v", data, err)
		}
		return n.Changed
	}
	if take() != nil {
		t.Error("a new stream is not told that all may be new")
	}
	ids := manyIDs(3)
	for _, changed := range [][]uuid.UUID{ids[:2], {}, ids[1:], ids[:1]} {
		s.Show(Site{Changed: changed})
	}
	if diff := cmp.Diff(ids, take()); diff != "" {
		t.Errorf("put together (-want +got):\n%s", diff)
	}
	s.Show(Site{Changed: ids})
	s.Show(Site{})
	s.Show(Site{Changed: ids})
	if got := take(); got != nil {
		t.Errorf("any and some are %v", got)
	}
	for i := range 3 {
		s.Show(Site{Changed: manyIDs(maxChanged)[i*50:]})
		s.Show(Site{Changed: []uuid.UUID{{byte(i), 9, 9}}})
	}
	if got := take(); got != nil {
		t.Errorf("more than %d are %d", maxChanged, len(got))
	}
	select {
	case <-seen.over:
		t.Error("there is something to tell, though nothing happened")
	default:
	}
}

// A quiet stream carries comments, so that a client that is gone is noticed; and
// the number of streams has a bound.
func TestEventsHeartbeatAndBound(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{})
	s.heartbeat = time.Millisecond
	next := s.events(t)
	for range 2 {
		if _, err := next(); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if got, err := next(); err != nil || got != ": still here" {
			t.Fatalf("got %q, %v", got, err)
		}
	}
	s.ask(t, http.MethodHead, "/_preview/events").want(t, "HEAD", 200, "", "Content-Type", "text/event-stream", "Cache-Control", "no-store")
	s.streams.Add(maxStreams - 1)
	if got := s.ask(t, http.MethodGet, "/_preview/events"); got.status != 503 {
		t.Errorf("one stream too many is %d", got.status)
	}
	s.end()
	<-s.ended
	if n := s.streams.Load(); n != maxStreams-1 {
		t.Errorf("a stream that has ended counts still: %d", n)
	}
}

// slow are answers that take until they are told to end.
type slow struct{ asked, end chan struct{} }

func (s slow) Answer(string) ([]byte, error) {
	s.asked <- struct{}{}
	<-s.end
	return []byte("{}"), nil
}

// Serve ends when it is told to: streams end at once and whole, a request that
// is being answered gets its answer, and what is open besides is closed.
func TestEnd(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{})
	answers := slow{make(chan struct{}, 1), make(chan struct{})}
	s.Show(Site{Answers: answers})
	next := s.events(t)
	for range 2 {
		if _, err := next(); err != nil {
			t.Fatal(err)
		}
	}
	idle := s.dial(t) // has not asked for anything
	got := make(chan string, 1)
	c := s.dial(t)
	if _, err := io.WriteString(c, "GET /pages/ HTTP/1.1\r\nHost: "+s.Addr().String()+"\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	go func() {
		all, _ := io.ReadAll(c)
		got <- string(all)
	}()
	<-answers.asked
	s.end()
	if text, err := next(); err != io.EOF {
		t.Errorf("the stream goes on with %q, %v", text, err)
	}
	close(answers.end)
	if answer := <-got; !strings.HasPrefix(answer, "HTTP/1.1 200 ") || !strings.HasSuffix(answer, "\r\n\r\n{}") {
		t.Errorf("the open request is answered with %q", answer)
	}
	if err := <-s.ended; err != nil {
		t.Errorf("Serve ended with %v", err)
	}
	if n, err := idle.Read(make([]byte, 1)); err == nil {
		t.Errorf("an idle connection is open still: %d", n)
	}
}

// A request that never ends does not keep the server.
func TestEndOfAnEndlessRequest(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{})
	answers := slow{make(chan struct{}, 1), make(chan struct{})}
	defer close(answers.end)
	s.Show(Site{Answers: answers})
	c := s.dial(t)
	if _, err := io.WriteString(c, "GET /pages/ HTTP/1.1\r\nHost: "+s.Addr().String()+"\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	<-answers.asked
	s.end()
	if err := <-s.ended; err != nil {
		t.Errorf("Serve ended with %v", err)
	}
	if all, err := io.ReadAll(c); err == nil && len(all) > 0 {
		t.Errorf("the connection is answered with %q", all)
	}
}
