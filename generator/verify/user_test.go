package verify

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// wantReport compares what a user reads at the end of a report.
func wantReport(t *testing.T, r *Report, rules, stopped string, hints ...string) {
	t.Helper()
	if got := rulesOf(r); got != rules || r.Stopped != stopped || !slices.Equal(r.Hints, hints) || r.Failed() != (rules != "") {
		explain(t, r)
		t.Errorf("found by %q, stopped %q, hints %q, failed %v\ndue %q, %q, %q", got, r.Stopped, r.Hints, r.Failed(), rules, stopped, hints)
	}
}

func verifyURL(t *testing.T, base string, o Options) *Report {
	t.Helper()
	r, err := URL(t.Context(), base, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// likeDjango makes of an exact service one that a framework could have made: a
// slash is added to every path, errors have bodies of their own, records have
// one more key, and look-alikes are refused.
func likeDjango(s *service) {
	stamp := regexp.MustCompile(`"created"`)
	for name, body := range s.files {
		s.files[name] = stamp.ReplaceAll(body, []byte(`"id":1,"created"`))
	}
	s.after = func(r *http.Request, a *reply) {
		switch {
		case !strings.HasSuffix(r.URL.Path, "/") && r.Method == http.MethodGet:
			a.status = http.StatusMovedPermanently
			a.body = nil
			to := *r.URL
			to.Path += "/"
			a.header.Set("Location", to.RequestURI())
		case a.status == http.StatusNotFound:
			a.header.Del("Allow")
			a.body = []byte(`{"detail":"Invalid page."}`)
		case a.status == http.StatusMethodNotAllowed:
			a.body = fmt.Appendf(nil, `{"detail":"Method \"%s\" not allowed."}`, r.Method)
		case strings.Contains(r.URL.RawQuery, "format=json"):
			a.status, a.body = http.StatusNotFound, []byte(`{"detail":"Not found."}`)
		case strings.Contains(r.URL.RawQuery, "utm_source"):
			a.status = http.StatusFound
			a.header.Set("Location", "/pages/")
		}
	}
}

func TestLenientPassesServicesOfOthers(t *testing.T) {
	s := newService(t, "/v1", 25, likeDjango)
	r := verifyURL(t, s.base, Options{Lenient: true})
	if failures, notes, _ := r.Totals(); r.Failed() || failures > 0 || notes == 0 || r.Records != 25 {
		explain(t, r)
		t.Errorf("failed is %v, %d findings, %d notes, %d records", r.Failed(), failures, notes, r.Records)
	}
	for _, f := range r.Findings {
		if f.Rule == ruleRedirect && strings.Contains(f.Address, "sivu/") {
			t.Errorf("%s: what is there with a slash was not judged: came %s", f.Address, f.Came)
		}
	}
	strict := verifyURL(t, s.base, Options{})
	for _, rule := range []string{"redirect", "slash-redirect", "not-found-body", "method-body", "extra-key", "format-query"} {
		if !strings.Contains(rulesOf(strict), rule) {
			t.Errorf("without Lenient %s is not found, but %s", rule, rulesOf(strict))
		}
	}
}

// What the contract itself says is a finding, beside notes of the same rule.
func TestLenientKeepsTheContract(t *testing.T) {
	s := newService(t, "", 25, likeDjango)
	django := s.after
	s.after = func(r *http.Request, a *reply) {
		django(r, a)
		if r.URL.RawQuery == "page=2&format=api" {
			a.body = s.files["pages/index.json"]
		}
		if strings.Contains(r.URL.RawQuery, "&page=2&") || strings.HasSuffix(r.URL.RawQuery, "format=apix") {
			a.status = http.StatusNotFound
		}
	}
	r := verifyURL(t, s.base, Options{Lenient: true})
	kinds := map[bool]int{}
	for _, f := range r.Findings {
		if f.Rule == ruleFormatQuery || f.Rule == rulePageQuery {
			kinds[f.Note]++
		} else if !f.Note {
			t.Errorf("%s fails", f.Rule.Name)
		}
	}
	if failures, _, _ := r.Totals(); failures != kinds[false] || kinds[false] == 0 || kinds[true] == 0 {
		explain(t, r)
		t.Errorf("%d findings, and of two rules %v", failures, kinds)
	}
}

// Notes do not push failures of their rule out of a report, and both are counted.
func TestNotesLeaveRoom(t *testing.T) {
	c, _ := newChecker(t.Context(), "http://x", Options{Lenient: true})
	for i := range 3 * mostFindings {
		c.findIn(rulePageQuery, request{address: fmt.Sprintf("http://x/a%02d", i), loose: true}, "due", "came")
	}
	c.find(rulePageQuery, "http://x/z", "due", "came")
	c.report.Lists = 1
	r := c.finish()
	failures, notes, exceptions := r.Totals()
	if !r.Failed() || failures != 1 || notes != 3*mostFindings || exceptions != 0 || r.More["page-query"] != 2*mostFindings {
		t.Errorf("failed is %v, %d findings, %d notes, %d exceptions, more: %v", r.Failed(), failures, notes, exceptions, r.More)
	}
}

// An address that sends clients to another one is one finding, with its cause.
func TestRedirectingAddress(t *testing.T) {
	for _, c := range []struct{ base, to, stopped, hint string }{
		{"", "https://www.example.org/pages/", "the address sends clients to https://www.example.org", "verify that address: https://www.example.org"},
		{"/v1", "https://www.example.org/v1/pages/", "the address sends clients to https://www.example.org/v1", "verify that address: https://www.example.org/v1"},
		{"", "/login", "the address sends clients to {}/login", "give the base address of a service that answers by itself"},
		{"", "/pages/", "the address sends clients to {}/pages/", "give the base address of a service that answers by itself"},
		{"", "::", "the redirect has no Location", ""},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", c.to)
			w.WriteHeader(http.StatusMovedPermanently)
		}))
		r := verifyURL(t, server.URL+c.base, Options{})
		var hints []string
		if c.hint != "" {
			hints = []string{c.hint}
		}
		wantReport(t, r, "redirect", strings.Replace(c.stopped, "{}", server.URL, 1), hints...)
		if r.Requests != 1 || len(r.Findings) != 1 {
			t.Errorf("%s: %d requests, %d findings", c.to, r.Requests, len(r.Findings))
		}
		server.Close()
	}
}

// HEAD of what redirects with GET, too, is no finding of its own.
func TestHeadOfRedirects(t *testing.T) {
	s := newService(t, "", 25, after(func(r *http.Request, a *reply) {
		if r.URL.Path == "/pages/"+unknownID+"/" {
			a.status = http.StatusFound
			a.header.Set("Location", "/none/")
		}
	}))
	r := verifyURL(t, s.base, Options{})
	if rulesOf(r) != "redirect" {
		explain(t, r)
		t.Error("the redirect is not found, or more")
	}
	for _, f := range r.Findings {
		if f.Request == http.MethodHead {
			t.Errorf("%s: due %s, came %s", f.Address, f.Due, f.Came)
		}
	}
}

// A host that has no list page where it is due says why, in a few requests.
func TestNoListPage(t *testing.T) {
	page := func(w http.ResponseWriter, status int) {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(status)
		fmt.Fprint(w, "\n<!doctype html><title>files</title>")
	}
	const ownPage = "this host answers /pages/ with a page of its own"
	for _, c := range []struct {
		name, path, file string // file is what /pages/index.json holds
		status           int
		rules, stopped   string
		hint             string
	}{
		{"a plain file server", "", `{"results":[{"url":"http://x/pages/a/index.json"}]}`, 200, "json", ownPage, "for a plain file server give --host files"},
		{"one that shows no folders", "", `{"results":[]}`, 403, "status", "the first list page answers 403", "for a plain file server give --host files"},
		{"links that it cannot answer", "", `{"results":[{"url":"http://x/pages/a/"}]}`, 200, "json", ownPage, "a plain file server ignores the query: build with --host files, and verify with it too"},
		{"a web site", "", "", 200, "json", ownPage, baseHint},
		{"nothing", "/v1", "", 404, "status", "the first list page answers 404", baseHint},
		{"the address of the list", "/v1/pages/", "", 404, "status", "the first list page answers 404", baseHint + ", {}/v1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if strings.HasSuffix(r.URL.Path, "/index.json") && c.file != "" {
					fmt.Fprint(w, c.file)
					return
				}
				page(w, c.status)
			}))
			defer server.Close()
			r := verifyURL(t, server.URL+c.path, Options{})
			wantReport(t, r, c.rules, c.stopped, strings.Replace(c.hint, "{}", server.URL, 1))
			if r.Requests > 2 || len(r.Findings) != 1 {
				t.Errorf("%d requests, %d findings", r.Requests, len(r.Findings))
			}
		})
	}
}

// What was not read is not kept, whatever the host cannot.
func TestNothingReadFails(t *testing.T) {
	server := httptest.NewServer(http.RedirectHandler("https://www.example.org/pages/", http.StatusMovedPermanently))
	defer server.Close()
	if r := verifyURL(t, server.URL, Options{Cannot: map[string]string{"redirect": "its own way"}}); !r.Failed() {
		t.Error("a service of which nothing was read keeps the contract")
	}
}

func TestSpellingOfTheBase(t *testing.T) {
	s := newService(t, "/V1", 11, nil)
	r := verifyURL(t, strings.Replace(s.base, "http:", "HTTP:", 1)+"//", Options{})
	wantReport(t, r, "", "")
	if r.Base != s.base {
		t.Errorf("base is %s", r.Base)
	}
}

// All links have another base, or another style, than was asked for.
func TestHintsOfLinks(t *testing.T) {
	s := newService(t, "", 11, nil)
	local := strings.Replace(s.base, "127.0.0.1", "localhost", 1)
	r := verifyURL(t, local, Options{})
	if due := []string{"all links begin with " + s.base + ": give that address, or build with --base-url " + local}; !slices.Equal(r.Hints, due) {
		t.Errorf("hints are %q, due are %q", r.Hints, due)
	}
	s = newService(t, "", 5, linkFiles)
	r = verifyURL(t, s.base, Options{})
	if due := []string{"all links are of the style file: give --links file"}; !slices.Equal(r.Hints, due) {
		t.Errorf("hints are %q, due are %q", r.Hints, due)
	}
	s = newService(t, "", 25, func(s *service) {
		for name, body := range s.files {
			s.files[name] = []byte(strings.Replace(string(body), s.base, "https://elsewhere.invalid", 1))
		}
	})
	if r = verifyURL(t, s.base, Options{}); len(r.Hints) > 0 {
		t.Errorf("some links only: hints are %q", r.Hints)
	}
}

func TestHintOfHiddenFiles(t *testing.T) {
	s := newService(t, "", 5, after(func(r *http.Request, a *reply) {
		if strings.HasSuffix(r.URL.Path, "/.sivu/manifest") {
			a.status, a.body = http.StatusOK, []byte("sivu manifest 1\n")
		}
	}))
	wantReport(t, verifyURL(t, s.base, Options{}), "state-hidden", "", "upload the snapshot without .sivu")
	if r := verifyURL(t, s.base, Options{Lenient: true}); r.Failed() {
		t.Error("what only sivu hides fails with Lenient")
	}
}
