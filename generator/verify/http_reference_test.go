package verify

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// service is an exact reference of the contract over HTTP, and what is made wrong
// of it.
type service struct {
	prefix string
	files  map[string][]byte // as a snapshot names them
	ids    []string
	base   string

	before func(r *http.Request)                              // changes a request before it is understood
	after  func(r *http.Request, a *reply)                    // changes the answer
	raw    func(w http.ResponseWriter, r *http.Request) bool  // answers in another way
	bodies func(body []byte, coding string) []byte            // changes compressed bodies
	tag    func(file string, body []byte, code string) string // makes other entity tags
}

type reply struct {
	status int
	header http.Header
	body   []byte
}

// newService returns a service of so many records, behind a server.
func newService(t *testing.T, prefix string, records int, wrong func(*service)) *service {
	t.Helper()
	s := &service{prefix: prefix}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.base = server.URL + prefix
	s.fill(records)
	if wrong != nil {
		wrong(s)
	}
	return s
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.raw != nil && s.raw(w, r) {
		return
	}
	if s.before != nil {
		s.before(r)
	}
	a := s.answer(r)
	if s.after != nil {
		s.after(r, a)
	}
	for name, values := range a.header {
		w.Header()[name] = values
	}
	if a.header.Get("Content-Length") == "" && a.status != http.StatusNotModified && a.status != http.StatusNoContent {
		w.Header().Set("Content-Length", strconv.Itoa(len(a.body)))
	}
	w.WriteHeader(a.status)
	if r.Method != http.MethodHead {
		w.Write(a.body)
	}
}

func (s *service) answer(r *http.Request) *reply {
	a := &reply{status: http.StatusOK, header: http.Header{
		"Content-Type":                {"application/json"},
		"Allow":                       {"GET, HEAD, OPTIONS"},
		"Vary":                        {"Accept", "Accept-Encoding"},
		"Access-Control-Allow-Origin": {"*"},
	}}
	path := strings.TrimPrefix(r.URL.Path, s.prefix)
	file, good := route(path, r.URL.RawQuery)
	body, there := s.files[file]
	switch {
	case slices.Contains([]string{"POST", "PUT", "PATCH", "DELETE", "PROPFIND"}, r.Method):
		a.status, a.body = http.StatusMethodNotAllowed, []byte(`{"detail":"Method not allowed."}`)
	case path == "/pages" || idPath.MatchString(path+"/"):
		a.status = http.StatusPermanentRedirect
		to := url.URL{Path: r.URL.Path + "/", RawQuery: r.URL.RawQuery}
		a.header.Set("Location", to.String())
	case !good || !there:
		a.status, a.body = http.StatusNotFound, []byte(`{"detail":"Not found."}`)
	case r.Method == http.MethodOptions:
		a.body = []byte("{}")
		if r.Header.Get("Access-Control-Request-Method") != "" {
			a.header.Set("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS")
		}
	default:
		s.send(r, a, file, body)
	}
	return a
}

var (
	idPath     = regexp.MustCompile(`^/pages/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/$`)
	pageNumber = regexp.MustCompile(`^[1-9][0-9]{0,8}$`)
)

func route(path, query string) (file string, good bool) {
	variant := ""
	if format, _ := lastOf(query, "format"); format == "api" {
		variant = ".api"
	}
	if m := idPath.FindStringSubmatch(path); m != nil {
		return "pages/" + m[1] + "/index" + variant + ".json", true
	}
	page, given := lastOf(query, "page")
	switch {
	case strings.HasPrefix(path, "/pages/") && strings.HasSuffix(path, ".json"):
		return path[1:], true
	case path != "/pages/" || given && !pageNumber.MatchString(page):
		return "", false
	case given:
		return "pages/page-" + page + variant + ".json", true
	}
	return "pages/index" + variant + ".json", true
}

func lastOf(query, name string) (value string, given bool) {
	for _, pair := range strings.Split(query, "&") {
		if n, v, ok := strings.Cut(pair, "="); n == name && ok {
			value, given = v, true
		}
	}
	return value, given
}

var lastChange = time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC)

// send answers with a file: compressed, or not at all where the client has it.
func (s *service) send(r *http.Request, a *reply, file string, body []byte) {
	coding := ""
	for _, c := range []string{"br", "zstd", "gzip"} {
		if accepts(r.Header.Get("Accept-Encoding"), c) {
			coding = c
			break
		}
	}
	tag := fmt.Sprintf(`"%x"`, sha256.Sum256([]byte(coding+string(body))))
	if s.tag != nil {
		tag = s.tag(file, body, coding)
	}
	if tag != "" {
		a.header.Set("ETag", tag)
	}
	a.header.Set("Last-Modified", lastChange.Format(http.TimeFormat))
	if isFresh(r, tag) {
		a.status = http.StatusNotModified
		a.header.Del("Content-Type")
		return
	}
	a.body = body
	if coding != "" {
		a.header.Set("Content-Encoding", coding)
		a.body = pack(body, coding)
		if s.bodies != nil {
			a.body = s.bodies(body, coding)
		}
	}
}

func accepts(header, coding string) bool {
	for _, part := range strings.Split(header, ",") {
		name, q, _ := strings.Cut(strings.TrimSpace(part), ";")
		if strings.EqualFold(name, coding) {
			return strings.TrimSpace(q) != "q=0"
		}
	}
	return false
}

func isFresh(r *http.Request, tag string) bool {
	if given := r.Header.Get("If-None-Match"); given != "" {
		for _, t := range strings.Split(given, ",") {
			if t = strings.TrimSpace(t); t == "*" || strings.TrimPrefix(t, "W/") == strings.TrimPrefix(tag, "W/") {
				return true
			}
		}
		return false
	}
	since, err := http.ParseTime(r.Header.Get("If-Modified-Since"))
	return err == nil && !lastChange.After(since)
}

// pack compresses, and quickly: every request does it anew.
func pack(body []byte, coding string) []byte {
	var b bytes.Buffer
	var w io.WriteCloser
	switch coding {
	case "gzip":
		w, _ = gzip.NewWriterLevel(&b, gzip.BestSpeed)
	case "br":
		w = brotli.NewWriterLevel(&b, brotli.BestSpeed)
	case "zstd":
		w, _ = zstd.NewWriter(&b, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<17))
	}
	w.Write(body)
	w.Close()
	return b.Bytes()
}

// fill makes a snapshot of records, the newest first.
func (s *service) fill(records int) {
	s.files = map[string][]byte{}
	lists := max(1, (records+9)/10)
	s.ids = make([]string, records)
	for i := range records {
		s.ids[i] = fmt.Sprintf("%08x-abcd-4000-8000-%012x", 0xbee0+i, i)
	}
	for _, v := range []struct{ ending, alone, more string }{{".json", "", "?"}, {".api.json", "?format=api", "?format=api&"}} {
		for i, id := range s.ids {
			s.files["pages/"+id+"/index"+v.ending] = fmt.Appendf(nil, `{%s,"content":"<!-- modified: 2020-01-02T03:04:05 --><div class=\"xmldoc\"><p>%d</p></div>","embeds":[]}`, s.record(i, v.alone), i)
		}
		for n := 1; n <= lists; n++ {
			next, previous := "null", "null"
			if n < lists {
				next = fmt.Sprintf(`"%s/pages/%spage=%d"`, s.base, v.more, n+1)
			}
			if n == 2 {
				previous = fmt.Sprintf(`"%s/pages/%s"`, s.base, v.alone)
			} else if n > 2 {
				previous = fmt.Sprintf(`"%s/pages/%spage=%d"`, s.base, v.more, n-1)
			}
			var results []string
			for i := (n - 1) * 10; i < min(records, n*10); i++ {
				results = append(results, "{"+s.record(i, v.alone)+"}")
			}
			body := fmt.Appendf(nil, `{"count":%d,"next":%s,"previous":%s,"results":[%s]}`, records, next, previous, strings.Join(results, ","))
			s.files[fmt.Sprintf("pages/page-%d%s", n, v.ending)] = body
			if n == 1 {
				s.files["pages/index"+v.ending] = body
			}
		}
	}
}

func (s *service) record(i int, query string) string {
	created := time.Date(2019, 1, 2, 3, 4, 5, 0, time.UTC).Add(-time.Duration(i) * time.Hour).Format("2006-01-02T15:04:05.000000Z")
	return fmt.Sprintf(`"language":"fi","meta":{"title":"Sivu %d","url":"fi/sivu-%d"},"created":"%s","modified":"2020-01-02T03:04:05.000000Z","url":"%s/pages/%s/%s"`,
		i, i, created, s.base, s.ids[i], query)
}
