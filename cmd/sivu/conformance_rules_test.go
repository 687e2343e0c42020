package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.org/sivu/generator/host"
	"example.org/sivu/generator/verify"
)

// ruleHost is a host that is configured by rules or by nothing at all, and a
// stand-in that follows them as far as its maker describes it. What makers do not
// describe the stand-in does in the worst of the likely ways.
type ruleHost struct {
	host    string
	handler func(t *testing.T, uploaded string, s *served) http.Handler
	unshown string // rules that the real host may break, and this stand-in keeps
}

var ruleHosts = []ruleHost{
	{"netlify-redirects", netlifyRules, "method-body options-body"},
	{"vercel-rewrites", vercelRules, "method-body options-body"},
	{"firebase", firebaseRules, "method-body options-status"},
	{"azure", azureRules, ""},
	{"s3-website", s3Rules, "method-status options-body"},
	{"github-pages", pagesRules, "method-status options-body"},
	{"gitlab-pages", pagesRules, "method-status options-body"},
	{"files", plainRules, "method-body options-status redirect"},
}

// TestRuleHosts builds the sample site for each host, brings it there with the
// script that sivu writes, and verifies what a stand-in for the host answers.
func TestRuleHosts(t *testing.T) {
	inTestAll(t)
	for _, rules := range ruleHosts {
		for _, prefix := range []string{"", "/v1"} {
			h, ok := host.Named(rules.host)
			if !ok {
				t.Fatalf("there is no host %s", rules.host)
			}
			for i, links := range h.Styles() {
				name := fmt.Sprintf("%s%s %s", rules.host, prefix, links)
				t.Run(strings.ReplaceAll(name, "/", "-"), func(t *testing.T) {
					t.Parallel()
					s, uploaded := publish(t, h, prefix, links, false)
					serveHere(t, s, rules.handler(t, uploaded, s))
					askAllFiles(t, s)
					askReadable(t, s)
					if i > 0 {
						walks(t, s)
						return
					}
					shown := *h
					shown.Cannot = slices.DeleteFunc(slices.Clone(h.Cannot), func(e host.Exception) bool {
						return slices.Contains(strings.Fields(rules.unshown), e.Rule)
					})
					s.host = &shown
					conforms(t, s)
				})
			}
		}
	}
}

// askReadable looks at answers with all statuses that rules can give, where the
// host takes headers of one's own for them.
func askReadable(t *testing.T, s *served) {
	t.Helper()
	if excepted(s, "vary-header") {
		return
	}
	const list = "/pages/index.json"
	good, _ := fetch(t, s, "GET", list)
	checkReadable(t, list, good)
	again, _ := fetch(t, s, "GET", list, "If-None-Match", good.Header.Get("ETag"))
	if checkReadable(t, "304 for "+list, again); again.StatusCode != http.StatusNotModified {
		t.Errorf("%s, If-None-Match %s: status %d, want 304", list, good.Header.Get("ETag"), again.StatusCode)
	}
	if !excepted(s, "cors-header") {
		missing, _ := fetch(t, s, "GET", "/pages/none.json")
		checkReadable(t, "/pages/none.json", missing)
	}
}

// walks verifies that a host keeps all but its exceptions. Which of these show
// depends on the style of the links.
func walks(t *testing.T, s *served) {
	t.Helper()
	report, err := verify.URL(t.Context(), s.base(), verify.Options{Links: s.config.Links, Jobs: 8, Rate: 10_000})
	if err != nil {
		t.Fatal(err)
	}
	if report.Stopped != "" || report.Records < 100 {
		t.Errorf("verify opened %d records: %s", report.Records, report.Stopped)
	}
	for _, f := range report.Findings {
		if !f.Note && !excepted(s, f.Rule.Name) {
			t.Errorf("%s: %s %s: due %s, came %s", f.Rule.Name, f.Request, f.Address, f.Due, f.Came)
		}
	}
}

func serveHere(t *testing.T, s *served, handler http.Handler) {
	t.Helper()
	server := &http.Server{Addr: s.config.Listen, Handler: handler}
	listener := listenAt(t, s.config.Listen)
	go server.Serve(listener)
	t.Cleanup(func() { server.Close() })
}

// site is a folder of files, with what a host puts on its answers.
type site struct {
	root    string
	headers map[string]string
	charset bool   // the host adds one to the type
	missing string // file shown for what is missing
}

// send answers with a file, or reports that there is none.
func (f site) send(w http.ResponseWriter, r *http.Request, path string, status int) bool {
	name := filepath.Join(f.root, filepath.FromSlash(filepath.Clean("/"+path)))
	info, err := os.Stat(name)
	if err != nil || info.IsDir() || strings.HasSuffix(path, "/") {
		return false
	}
	f.dress(w, name)
	if status != http.StatusOK {
		text, _ := os.ReadFile(name)
		w.WriteHeader(status)
		w.Write(text)
		return true
	}
	w.Header().Set("ETag", fmt.Sprintf(`"%x-%x"`, info.ModTime().UnixNano(), info.Size()))
	file, err := os.Open(name)
	if err != nil {
		return false
	}
	defer file.Close()
	http.ServeContent(w, r, "", info.ModTime(), file)
	return true
}

func (f site) dress(w http.ResponseWriter, name string) {
	kind := map[string]string{".json": "application/json", ".html": "text/html"}[filepath.Ext(name)]
	if set, ok := f.headers["Content-Type"]; ok {
		kind = set
	}
	for key, value := range f.headers {
		w.Header().Set(key, value)
	}
	if f.charset {
		kind += "; charset=utf-8"
	}
	w.Header().Set("Content-Type", kind)
}

func (f site) notFound(w http.ResponseWriter, r *http.Request) {
	if f.missing == "" || !f.send(w, r, f.missing, http.StatusNotFound) {
		http.NotFound(w, r)
	}
}

// refuse answers methods that a file server does not know.
func refuse(w http.ResponseWriter, r *http.Request, status int) bool {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return false
	}
	w.Header().Set("Content-Type", "text/html")
	w.WriteHeader(status)
	fmt.Fprint(w, "<html></html>")
	return true
}

// netlifyRules follows _redirects and _headers. Of a repeated parameter it takes
// the first; a slash at the end of a path makes no difference to rules.
func netlifyRules(t *testing.T, uploaded string, _ *served) http.Handler {
	f := site{root: filepath.Join(uploaded, "site"), headers: map[string]string{}, missing: "404.html"}
	for _, line := range lines(t, filepath.Join(f.root, "_headers")) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), ": "); ok {
			f.headers[name] = value
		} else if line != "/*" {
			t.Fatalf("_headers: what is %q", line)
		}
	}
	if _, ok := f.headers["Allow"]; ok {
		t.Fatal("_headers sets Allow, which Netlify ignores")
	}
	var rules []netlifyRule
	for _, line := range lines(t, filepath.Join(f.root, "_redirects")) {
		rules = append(rules, parseNetlifyRule(t, line))
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.dress(w, "")
		if refuse(w, r, http.StatusNotFound) {
			return
		}
		for _, rule := range rules {
			to, ok := rule.match(r)
			if !ok {
				continue
			}
			if !rule.force && f.send(w, r, r.URL.Path, http.StatusOK) {
				return
			}
			if f.send(w, r, to, rule.status) {
				return
			}
			break
		}
		f.notFound(w, r)
	})
}

type netlifyRule struct {
	path   *regexp.Regexp
	query  map[string]string
	to     string
	status int
	force  bool
}

func parseNetlifyRule(t *testing.T, line string) netlifyRule {
	t.Helper()
	fields := strings.Fields(line)
	last := len(fields) - 1
	rule := netlifyRule{query: map[string]string{}, to: fields[last-1]}
	pattern := regexp.QuoteMeta(strings.TrimSuffix(fields[0], "/"))
	pattern = regexp.MustCompile(`:(\w+)`).ReplaceAllString(pattern, `(?P<$1>[^/]+)`)
	pattern = strings.ReplaceAll(pattern, `\*`, `(?P<splat>.*)`)
	rule.path = regexp.MustCompile("^" + pattern + "/?$")
	for _, parameter := range fields[1 : last-1] {
		name, value, ok := strings.Cut(parameter, "=")
		if !ok {
			t.Fatalf("_redirects: what is %q in %q", parameter, line)
		}
		rule.query[name] = value
	}
	if _, err := fmt.Sscanf(fields[last], "%d", &rule.status); err != nil {
		t.Fatal(err)
	}
	rule.force = strings.HasSuffix(fields[last], "!")
	return rule
}

func (n netlifyRule) match(r *http.Request) (string, bool) {
	found := n.path.FindStringSubmatchIndex(r.URL.Path)
	if found == nil {
		return "", false
	}
	query := r.URL.Query()
	for name, value := range n.query {
		if !query.Has(name) || !strings.HasPrefix(value, ":") && query.Get(name) != value {
			return "", false
		}
	}
	to := regexp.MustCompile(`:(\w+)`).ReplaceAllString(n.to, `$${$1}`)
	return string(n.path.ExpandString(nil, to, r.URL.Path, found)), true
}

// lines returns the lines of a file but the empty ones and comments.
func lines(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(strings.Split(string(text), "\n"), func(line string) bool {
		return line == "" || strings.HasPrefix(line, "#")
	})
}

// vercelSettings is what the stand-in knows of vercel.json. Anything else there
// is an error.
type vercelSettings struct {
	Schema    string           `json:"$schema"`
	Framework any              `json:"framework"`
	Build     any              `json:"buildCommand"`
	Install   any              `json:"installCommand"`
	Output    string           `json:"outputDirectory"`
	Redirects []vercelRule     `json:"redirects"`
	Rewrites  []vercelRule     `json:"rewrites"`
	Headers   []sourceAndValue `json:"headers"`
}

type sourceAndValue struct {
	Source  string `json:"source"`
	Headers []struct {
		Key   string `json:"key"`
		Value string `json:"value"`
	} `json:"headers"`
}

type vercelRule struct {
	Source      string        `json:"source"`
	Destination string        `json:"destination"`
	Status      int           `json:"statusCode"`
	Has         []vercelQuery `json:"has"`
	Missing     []vercelQuery `json:"missing"`
}

type vercelQuery struct {
	Type  string `json:"type"`
	Key   string `json:"key"`
	Value string `json:"value"`
}

// vercelRules follows the rules of vercel.json. Of a repeated parameter it takes
// the first. Rules go before files only where there is no file.
func vercelRules(t *testing.T, uploaded string, _ *served) http.Handler {
	var settings vercelSettings
	readSettings(t, filepath.Join(uploaded, "vercel.json"), &settings)
	f := site{root: filepath.Join(uploaded, settings.Output), headers: headersFor(t, settings.Headers, "/(.*)"), charset: true, missing: "404.html"}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, rule := range settings.Redirects {
			if to, ok := rule.match(r); ok {
				if r.URL.RawQuery != "" {
					to += "?" + r.URL.RawQuery
				}
				f.dress(w, "")
				http.Redirect(w, r, to, rule.Status)
				return
			}
		}
		f.dress(w, "")
		if refuse(w, r, http.StatusNotFound) || f.send(w, r, r.URL.Path, http.StatusOK) {
			return
		}
		for _, rule := range settings.Rewrites {
			if to, ok := rule.match(r); ok && f.send(w, r, to, http.StatusOK) {
				return
			}
		}
		f.notFound(w, r)
	})
}

// match knows paths with parameters such as ":id(pattern)".
func (v vercelRule) match(r *http.Request) (string, bool) {
	named := regexp.MustCompile(`:(\w+)\(((?:[^()\\]|\\.)+)\)`)
	pattern := named.ReplaceAllString(strings.ReplaceAll(v.Source, "?", `\?`), `(?P<$1>$2)`)
	path := regexp.MustCompile("^" + pattern + "$")
	found := path.FindStringSubmatch(r.URL.Path)
	if found == nil {
		return "", false
	}
	values := map[string]string{}
	for i, name := range path.SubexpNames() {
		values[name] = found[i]
	}
	query := r.URL.Query()
	for _, one := range v.Missing {
		if query.Has(one.Key) {
			return "", false
		}
	}
	for _, one := range v.Has {
		expression := regexp.MustCompile(one.Value)
		found := expression.FindStringSubmatch(query.Get(one.Key))
		if !query.Has(one.Key) || found == nil {
			return "", false
		}
		for i, name := range expression.SubexpNames() {
			values[name] = found[i]
		}
	}
	return regexp.MustCompile(`:(\w+)`).ReplaceAllStringFunc(v.Destination, func(name string) string { return values[name[1:]] }), true
}

// readSettings reads a JSON file, in which nothing may be that the stand-in does
// not know.
func readSettings(t *testing.T, name string, to any) {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	d := json.NewDecoder(file)
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

func headersFor(t *testing.T, rules []sourceAndValue, source string) map[string]string {
	t.Helper()
	headers := map[string]string{}
	for _, rule := range rules {
		if rule.Source != source {
			t.Fatalf("what source is %q", rule.Source)
		}
		for _, header := range rule.Headers {
			headers[header.Key] = header.Value
		}
	}
	return headers
}
