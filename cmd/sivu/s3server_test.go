package main

import (
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// s3Server is an object store in the process, with one bucket named bucket: as much of
// the S3 API as publish uses. versitygw, in the conformance tests, has all of it.
type s3Server struct {
	*httptest.Server
	mu      sync.Mutex
	objects map[string]s3Object
	log     []string                                          // requests, as in "PUT pages/index.json"
	fail    func(w http.ResponseWriter, r *http.Request) bool // answers in its place, if it returns true
	after   func(request string)                              // called after each request that writes, with the lock
}

type s3Object struct {
	data    []byte
	etag    string
	headers http.Header
	written time.Time
}

func newS3Server(t *testing.T) *s3Server {
	s := &s3Server{objects: map[string]s3Object{}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the client is gone
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		key, ok := strings.CutPrefix(r.URL.Path, "/bucket/")
		request := r.Method + " " + key
		s.log = append(s.log, request)
		switch {
		case s.fail != nil && s.fail(w, r):
		case !strings.HasPrefix(r.Header.Get("Authorization"), "AWS4-HMAC-SHA256 "):
			s3Error(w, http.StatusForbidden, "AccessDenied")
		case !ok:
			s3Error(w, http.StatusNotFound, "NoSuchBucket")
		default:
			s.answer(w, r, key, body)
		}
		if r.Method != http.MethodGet && s.after != nil {
			s.after(request)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *s3Server) answer(w http.ResponseWriter, r *http.Request, key string, body []byte) {
	is, ok := s.objects[key]
	match, none := strings.Trim(r.Header.Get("If-Match"), `"`), r.Header.Get("If-None-Match")
	switch {
	case r.Method == http.MethodPut && (match != "" && match != is.etag || none == "*" && ok):
		s3Error(w, http.StatusPreconditionFailed, "PreconditionFailed")
	case r.Method == http.MethodPut:
		sum := md5.Sum(body)
		o := s3Object{body, hex.EncodeToString(sum[:]), http.Header{}, time.Now()}
		for _, name := range []string{"Content-Type", "Cache-Control"} {
			o.headers.Set(name, r.Header.Get(name))
		}
		s.objects[key] = o
		w.Header().Set("ETag", `"`+o.etag+`"`)
	case r.Method == http.MethodDelete:
		delete(s.objects, key)
		w.WriteHeader(http.StatusNoContent)
	case r.URL.Query().Get("list-type") == "2":
		s.list(w, r.URL.Query().Get("prefix"), r.URL.Query().Get("continuation-token"))
	case r.Method == http.MethodGet && ok:
		maps.Copy(w.Header(), is.headers)
		w.Header().Set("ETag", `"`+is.etag+`"`)
		w.Header().Set("Last-Modified", is.written.UTC().Format(http.TimeFormat))
		w.Write(is.data)
	default:
		s3Error(w, http.StatusNotFound, "NoSuchKey")
	}
}

// list answers with ten objects, so that there is more than one page of them.
func (s *s3Server) list(w http.ResponseWriter, prefix, after string) {
	const most = 10
	type contents struct {
		Key, ETag, LastModified string
		Size                    int
	}
	var answer struct {
		XMLName               xml.Name `xml:"ListBucketResult"`
		IsTruncated           bool
		NextContinuationToken string
		Contents              []contents
	}
	for _, key := range slices.Sorted(maps.Keys(s.objects)) {
		if !strings.HasPrefix(key, prefix) || key <= after {
			continue
		}
		if len(answer.Contents) == most {
			answer.IsTruncated, answer.NextContinuationToken = true, answer.Contents[most-1].Key
			break
		}
		o := s.objects[key]
		answer.Contents = append(answer.Contents, contents{key, `"` + o.etag + `"`, o.written.UTC().Format(time.RFC3339), len(o.data)})
	}
	xml.NewEncoder(w).Encode(answer)
}

func s3Error(w http.ResponseWriter, status int, code string) {
	w.WriteHeader(status)
	fmt.Fprintf(w, "<Error><Code>%s</Code><Message>the message of %s</Message></Error>", code, code)
}

// requests returns what was asked since it was called last.
func (s *s3Server) requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	log := s.log
	s.log = nil
	return log
}

// lay writes the objects to a folder, and beside it, as JSON, their headers.
func (s *s3Server) lay(t *testing.T, folder string) {
	t.Helper()
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	type headers struct {
		Type  string `json:"type"`
		Cache string `json:"cache"`
	}
	about := map[string]headers{}
	for key, o := range s.objects {
		writePublic(t, filepath.Join(folder, filepath.FromSlash(key)), string(o.data))
		about[key] = headers{o.headers.Get("Content-Type"), o.headers.Get("Cache-Control")}
	}
	text, err := json.Marshal(about)
	if err != nil {
		t.Fatal(err)
	}
	writePublic(t, folder+".json", string(text))
}

// sivu runs a command of sivu, and returns what it prints.
func (s *s3Server) sivu(t *testing.T, args ...string) (string, error) {
	t.Helper()
	// What the test changed is there for the server, and what this changes for the test.
	s.mu.Lock()
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.mu.Unlock()
	}()
	// A process of its own: what other tests start could inherit its locks.
	command := exec.CommandContext(t.Context(), sivuProgram(t), append(args, "--endpoint", s.URL)...)
	out, err := command.CombinedOutput()
	return string(out), err
}
