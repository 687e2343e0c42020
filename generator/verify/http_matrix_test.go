package verify

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// runMatrix judges every answer of a service, as a walk does, and runs the
// request matrix over it.
func runMatrix(t *testing.T, s *service, o Options) *Report {
	t.Helper()
	return runTuned(t, s, o, func(*client) {})
}

// runTuned is runMatrix with a client that is changed before.
func runTuned(t *testing.T, s *service, o Options, tune func(*client)) *Report {
	t.Helper()
	c, ctx := newChecker(t.Context(), s.base, o)
	client, err := newClient(s.base, o)
	if err != nil {
		t.Fatal(err)
	}
	defer client.close()
	tune(client)
	c.Jobs = usualJobs
	in := matrixInput{lists: max(1, (len(s.ids)+9)/10), seen: map[int]digest{}}
	see := func(path string) digest {
		address := s.base + path
		a, err := client.open(ctx, address, wantRecord, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !c.checkHeaders(address, a) {
			return 0
		}
		return a.Sum
	}
	for n := 1; n <= in.lists; n++ {
		plain, api := fmt.Sprintf("/pages/?page=%d", n), fmt.Sprintf("/pages/?format=api&page=%d", n)
		if n == 1 {
			plain, api = "/pages/", "/pages/?format=api"
		}
		if sum := see(plain); sum != 0 {
			in.seen[n] = sum
		}
		see(api)
	}
	for _, id := range s.ids[:min(1, len(s.ids))] {
		in.ids = append(in.ids, id)
		see("/pages/" + id + "/")
		see("/pages/" + id + "/?format=api")
	}
	c.checkRequests(ctx, client, in)
	if err := context.Cause(ctx); err != nil {
		t.Fatal(err)
	}
	return c.finish()
}

// rulesOf returns the names of the rules that were broken, sorted.
func rulesOf(r *Report) string {
	found := map[string]bool{}
	for _, f := range r.Findings {
		found[f.Rule.Name] = true
	}
	return strings.Join(slices.Sorted(maps.Keys(found)), " ")
}

func explain(t *testing.T, r *Report) {
	t.Helper()
	for _, f := range r.Findings {
		t.Logf("%s: %s [%s]\n\tdue:  %s\n\tcame: %s", f.Rule.Name, f.Address, f.Request, f.Due, f.Came)
	}
}

func TestExactServiceIsClean(t *testing.T) {
	for _, prefix := range []string{"", "/v1/fi"} {
		for _, records := range []int{0, 1, 10, 11, 25} {
			t.Run(fmt.Sprintf("%s %d", prefix, records), func(t *testing.T) {
				r := runMatrix(t, newService(t, prefix, records, nil), Options{})
				if rulesOf(r) != "" {
					explain(t, r)
					t.Fatal("findings in an exact service")
				}
			})
		}
	}
}

func TestExactServiceIsCleanToURL(t *testing.T) {
	for _, records := range []int{0, 1, 11, 25} {
		s := newService(t, "/v1", records, nil)
		r, err := URL(t.Context(), s.base, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Findings) > 0 || r.Failed() || r.Stopped != "" {
			explain(t, r)
			t.Errorf("%d records: findings in an exact service, stopped: %q", records, r.Stopped)
		}
		if r.Records != records || r.Lists != max(1, (records+9)/10) || r.Requests < 100 {
			t.Errorf("%d records: %d records, %d list pages, %d requests", records, r.Records, r.Lists, r.Requests)
		}
	}
}

// Apache sends the tag of a file that was just written as a weak one, and a second
// later as a strong one.
func TestHeadWithTagOfOtherStrength(t *testing.T) {
	weaken := func(a *reply) {
		if tag := a.header.Get("ETag"); tag != "" {
			a.header.Set("ETag", "W/"+tag)
		}
	}
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		r := runMatrix(t, newService(t, "", 25, after(onMethod(method, weaken))), Options{})
		if len(r.Findings) > 0 {
			explain(t, r)
			t.Errorf("findings where the tags of %s are weak", method)
		}
	}
}

// Where a host says that it cannot, findings are there and do not fail.
func TestExceptionsOfHosts(t *testing.T) {
	s := newService(t, "", 25, after(onMethod("OPTIONS", func(a *reply) { a.status = http.StatusMethodNotAllowed })))
	r, err := URL(t.Context(), s.base, Options{Cannot: map[string]string{"options-status": "no code runs there"}})
	if err != nil {
		t.Fatal(err)
	}
	if r.Failed() || rulesOf(r) != "options-status" || r.Findings[0].Reason != "no code runs there" {
		explain(t, r)
		t.Error("an exception counts")
	}
}

// linkFiles gives a snapshot the links of the file style.
func linkFiles(s *service) {
	link := regexp.MustCompile(regexp.QuoteMeta(s.base) + `/pages/([0-9a-f-]+/)?(\?[^"]*)?"`)
	for name, body := range s.files {
		s.files[name] = link.ReplaceAllFunc(body, func(old []byte) []byte {
			m := link.FindSubmatch(old)
			query := strings.TrimPrefix(string(m[2]), "?")
			file := "index"
			if page, given := lastOf(query, "page"); given {
				file = "page-" + page
			}
			if strings.Contains(query, "format=api") {
				file += ".api"
			}
			return fmt.Appendf(nil, `%s/pages/%s%s.json"`, s.base, m[1], file)
		})
	}
}

// Hosts for which these links are made keep less of the contract's addresses,
// and the walk is clean all the same.
func TestFileLinks(t *testing.T) {
	isFolder := func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/") }
	for name, c := range map[string]struct {
		rules string
		wrong func(*service)
	}{
		"knows the contract's addresses, too": {"", nil},
		"ignores the query": {
			"format-query not-found-status page-query", rewrite(func(string) string { return "" }),
		},
		"knows files only": {
			"format-query options-status page-query preflight",
			before(func(r *http.Request) {
				if isFolder(r) && (r.Method == "GET" || r.Method == "HEAD" || r.Method == "OPTIONS") {
					r.URL.Path = "/none"
				}
			}),
		},
		"lists folders": {
			"format-query not-found-status page-query",
			after(func(r *http.Request, a *reply) {
				if isFolder(r) && a.status == http.StatusOK && r.Method != "OPTIONS" {
					toHTML(a, http.StatusOK)
				}
			}),
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newService(t, "/v1", 25, linkFiles)
			if c.wrong != nil {
				c.wrong(s)
			}
			r, err := URL(t.Context(), s.base, Options{Links: LinksFile})
			if err != nil {
				t.Fatal(err)
			}
			if got := rulesOf(r); got != c.rules {
				explain(t, r)
				t.Errorf("found by %q, due is %q", got, c.rules)
			}
		})
	}
}

// A service whose list goes on for ever: next always leads to one more page.
func TestEndlessList(t *testing.T) {
	s := newService(t, "", 25, nil)
	s.after = func(r *http.Request, a *reply) {
		page, _ := lastOf(r.URL.RawQuery, "page")
		n, err := strconv.Atoi(page)
		if err != nil || n < 3 || n > 1e6 || strings.Contains(r.URL.RawQuery, "format") || r.URL.Path != "/pages/" || r.Method != http.MethodGet {
			return
		}
		a.status = http.StatusOK
		a.body = fmt.Appendf(nil, `{"count":25,"next":"%s/pages/?page=%d","previous":"%s/pages/?page=%d","results":[]}`, s.base, n+1, s.base, n-1)
	}
	r, err := URL(t.Context(), s.base, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Requests > 2000 || !strings.Contains(rulesOf(r), "walk-end") || !strings.Contains(rulesOf(r), "not-found-status") {
		explain(t, r)
		t.Errorf("%d requests, found by %s", r.Requests, rulesOf(r))
	}
}

// isList reports whether a request is for the first list page, plain.
func isList(r *http.Request) bool {
	return strings.HasSuffix(r.URL.Path, "/pages/") && r.URL.RawQuery == ""
}

// toHTML makes the page of a web site of an answer.
func toHTML(a *reply, status int) {
	a.status, a.body = status, []byte("<!doctype html><title>404</title>")
	a.header.Set("Content-Type", "text/html")
}

// wrong is a way to serve a good snapshot wrongly, with the rules that find it:
// no other may.
type wrong struct {
	name  string
	rules string
	wrong func(*service)
	slow  bool // waits for a time-out
}

var wrongs = []wrong{
	// What the query picks.
	{name: "the query is ignored", rules: "format-query link-variant not-found-status page-query walk-end", wrong: rewrite(func(string) string { return "" })},
	{name: "page is ignored", rules: "not-found-status page-query walk-end", wrong: rewrite(func(q string) string { return dropPairs(q, "page=") })},
	{name: "format is ignored", rules: "format-query link-variant", wrong: rewrite(func(q string) string { return dropPairs(q, "format=") })},
	{name: "page counts only where it comes first", rules: "not-found-status page-query walk-end", wrong: rewrite(func(q string) string {
		if !strings.HasPrefix(q, "page=") {
			return dropPairs(q, "page=")
		}
		return q
	})},
	{name: "format counts only where it comes first", rules: "format-query", wrong: rewrite(func(q string) string {
		if !strings.HasPrefix(q, "format=") {
			return dropPairs(q, "format=")
		}
		return q
	})},
	{name: "the first of repeated parameters counts", rules: "format-query page-query", wrong: rewrite(func(q string) string {
		pairs := strings.Split(q, "&")
		slices.Reverse(pairs)
		return strings.Join(pairs, "&")
	})},
	{name: "format is found anywhere", rules: "format-query", wrong: rewrite(func(q string) string {
		if strings.Contains(q, "format=api") {
			return q + "&format=api"
		}
		return q
	})},
	{name: "format knows no case", rules: "format-query", wrong: rewrite(func(q string) string { return strings.ReplaceAll(q, "API", "api") })},
	{name: "page is found anywhere", rules: "page-query", wrong: rewrite(func(q string) string { return strings.ReplaceAll(q, "xpage=", "page=") })},
	{name: "names know no case", rules: "page-query", wrong: rewrite(func(q string) string { return strings.ReplaceAll(q, "Page=", "page=") })},
	{name: "unknown parameters are refused", rules: "page-query", wrong: after(func(r *http.Request, a *reply) {
		if strings.Contains(r.URL.RawQuery, "utm_source") {
			a.status, a.body = http.StatusBadRequest, []byte(`{}`)
		}
	})},
	{name: "page 1 has bytes of its own", rules: "page-query", wrong: func(s *service) {
		s.files["pages/page-1.json"] = append(slices.Clone(s.files["pages/index.json"]), '\n')
	}},
	{name: "page=02 is page 2", rules: "not-found-status", wrong: rewrite(func(q string) string { return strings.ReplaceAll(q, "page=0", "page=") })},
	{name: "numbers are read as far as they go", rules: "not-found-status", wrong: rewrite(func(q string) string {
		return strings.NewReplacer("page=1x", "page=1", "page=2x", "page=2").Replace(q)
	})},
	{name: "no page number is page 1", rules: "not-found-status", wrong: rewrite(func(q string) string {
		if q == "page=" {
			return ""
		}
		return q
	})},
	{name: "pages beyond the last are empty", rules: "not-found-status", wrong: func(s *service) {
		s.files["pages/page-4.json"] = []byte(`{"count":25,"next":null,"previous":null,"results":[]}`)
	}},
	{name: "a record has no variant", rules: "format-query link-variant", wrong: before(func(r *http.Request) {
		if idPath.MatchString(r.URL.Path) {
			r.URL.RawQuery = ""
		}
	})},

	// Unknown addresses.
	{name: "unknown addresses answer 200 and HTML", rules: "not-found-status", wrong: after(func(_ *http.Request, a *reply) {
		if a.status == http.StatusNotFound {
			toHTML(a, http.StatusOK)
		}
	})},
	{name: "404 with HTML", rules: "error-headers not-found-body", wrong: after(func(_ *http.Request, a *reply) {
		if a.status == http.StatusNotFound {
			toHTML(a, http.StatusNotFound)
		}
	})},
	{name: "404 with another body", rules: "not-found-body", wrong: after(onStatus(404, func(a *reply) { a.body = []byte(`{"detail": "Not found."}`) }))},
	{name: "404 with a line break", rules: "not-found-body", wrong: after(onStatus(404, func(a *reply) { a.body = append(a.body, '\n') }))},
	{name: "404 without Allow", rules: "error-headers", wrong: after(onStatus(404, func(a *reply) { a.header.Del("Allow") }))},
	{name: "404 without CORS", rules: "cors-header", wrong: after(onStatus(404, func(a *reply) { a.header.Del("Access-Control-Allow-Origin") }))},
	{name: "unknown addresses answer 410", rules: "not-found-status", wrong: after(onStatus(404, func(a *reply) { a.status = http.StatusGone }))},
	{name: "unknown addresses lead to the list", rules: "redirect", wrong: after(onStatus(404, func(a *reply) {
		a.status = http.StatusFound
		a.header.Set("Location", "/pages/")
	}))},
	{name: "ids know no case", rules: "not-found-status", wrong: before(func(r *http.Request) {
		if strings.Contains(r.URL.Path, "-") {
			r.URL.Path = strings.ToLower(r.URL.Path)
		}
	})},
	{name: "ids need no hyphens", rules: "not-found-status", wrong: before(func(r *http.Request) {
		if p := r.URL.Path; len(p) == len("/pages//")+32 {
			id := p[len("/pages/"):]
			r.URL.Path = "/pages/" + id[:8] + "-" + id[8:12] + "-" + id[12:16] + "-" + id[16:20] + "-" + id[20:]
		}
	})},
	{name: "what stands below a record is the record", rules: "not-found-status", wrong: before(func(r *http.Request) {
		r.URL.Path = strings.TrimSuffix(r.URL.Path, "x/")
	})},
	{name: ".sivu is served", rules: "state-hidden", wrong: after(func(r *http.Request, a *reply) {
		if strings.HasSuffix(r.URL.Path, "/.sivu/manifest") {
			a.status, a.body = http.StatusOK, []byte("sivu manifest 1\n")
		}
	})},

	// Addresses without the slash.
	{name: "301 in place of 308", rules: "slash-redirect", wrong: after(onStatus(308, func(a *reply) { a.status = http.StatusMovedPermanently }))},
	{name: "301 that drops the query", rules: "slash-redirect", wrong: after(onStatus(308, func(a *reply) {
		a.status = http.StatusMovedPermanently
		dropQuery(a)
	}))},
	{name: "308 that drops the query", rules: "slash-redirect", wrong: after(onStatus(308, dropQuery))},
	{name: "308 that forgets the slash", rules: "slash-redirect", wrong: after(onStatus(308, func(a *reply) {
		a.header.Set("Location", strings.Replace(a.header.Get("Location"), "/pages/", "/pages", 1))
	}))},
	{name: "200 without the slash", rules: "slash-redirect", wrong: before(func(r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/") {
			r.URL.Path += "/"
		}
	})},
	{name: "308 to another host", rules: "redirect", wrong: after(onStatus(308, func(a *reply) {
		a.header.Set("Location", "https://elsewhere.invalid"+a.header.Get("Location"))
	}))},
	{name: "404 without the slash, with HTML", rules: "error-headers not-found-body", wrong: after(onStatus(308, func(a *reply) {
		a.header.Del("Location")
		toHTML(a, http.StatusNotFound)
	}))},

	// Redirects.
	{name: "page 2 leads to another host", rules: "redirect", wrong: after(func(r *http.Request, a *reply) {
		if strings.Contains(r.URL.RawQuery, "page=2") && a.status == http.StatusOK {
			a.status = http.StatusFound
			a.header.Set("Location", "https://elsewhere.invalid/")
		}
	})},
	{name: "the list leads to itself", rules: "redirect", wrong: after(func(r *http.Request, a *reply) {
		if isList(r) && a.status == http.StatusOK && r.Method != http.MethodOptions {
			a.status = http.StatusTemporaryRedirect
			a.header.Set("Location", "/pages/")
		}
	})},

	// Headers of successes.
	{name: "a charset", rules: "content-type", wrong: after(onGood(func(a *reply) { a.header.Set("Content-Type", "application/json; charset=utf-8") }))},
	{name: "another type", rules: "content-type", wrong: after(onGood(func(a *reply) { a.header.Set("Content-Type", "text/plain") }))},
	{name: "no Vary", rules: "compression vary-header", wrong: after(onGood(func(a *reply) { a.header.Del("Vary") }))},
	{name: "Vary names Accept-Encoding only", rules: "vary-header", wrong: after(onGood(func(a *reply) { a.header["Vary"] = []string{"Accept-Encoding"} }))},
	{name: "Vary is *", rules: "compression vary-header", wrong: after(onGood(func(a *reply) { a.header["Vary"] = []string{"*"} }))},
	{name: "Allow in another order", rules: "allow-header", wrong: after(onGood(func(a *reply) { a.header.Set("Allow", "GET, OPTIONS, HEAD") }))},
	{name: "Allow without spaces", rules: "allow-header", wrong: after(onGood(func(a *reply) { a.header.Set("Allow", "GET,HEAD,OPTIONS") }))},
	{name: "Allow twice", rules: "allow-header", wrong: after(onGood(func(a *reply) { a.header["Allow"] = []string{"GET, HEAD, OPTIONS", "GET, HEAD, OPTIONS"} }))},
	{name: "no CORS", rules: "cors-header", wrong: after(func(_ *http.Request, a *reply) { a.header.Del("Access-Control-Allow-Origin") })},
	{name: "CORS for the one that asks", rules: "cors-header", wrong: after(func(r *http.Request, a *reply) {
		if o := r.Header.Get("Origin"); o != "" {
			a.header.Set("Access-Control-Allow-Origin", o)
		}
	})},

	// HEAD.
	{name: "HEAD without headers", rules: "head", wrong: after(onMethod("HEAD", func(a *reply) { a.header = http.Header{} }))},
	{name: "HEAD with Content-Length 0", rules: "head", wrong: after(onMethod("HEAD", func(a *reply) { a.header.Set("Content-Length", "0") }))},
	{name: "HEAD with a body", rules: "head", wrong: func(s *service) {
		s.raw = withBody(s, func(r *http.Request, _ *reply) bool { return r.Method == http.MethodHead })
	}},
	{name: "HEAD is refused", rules: "head", wrong: after(onMethod("HEAD", func(a *reply) { a.status = http.StatusMethodNotAllowed }))},
	{name: "HEAD of a 404 is 200", rules: "head", wrong: after(func(r *http.Request, a *reply) {
		if r.Method == http.MethodHead && a.status == http.StatusNotFound {
			a.status = http.StatusOK
		}
	})},
	{name: "HEAD has another ETag", rules: "head", wrong: after(onMethod("HEAD", func(a *reply) { a.header.Set("ETag", `"head"`) }))},
	{name: "HEAD has another weak ETag", rules: "head", wrong: after(onMethod("HEAD", func(a *reply) { a.header.Set("ETag", `W/"head"`) }))},
	{name: "HEAD without ETag", rules: "head", wrong: after(onMethod("HEAD", func(a *reply) { a.header.Del("ETag") }))},

	// OPTIONS and preflights.
	{name: "OPTIONS is 204", rules: "options-status", wrong: after(onMethod("OPTIONS", func(a *reply) { a.status, a.body = http.StatusNoContent, nil }))},
	{name: "OPTIONS is 405", rules: "options-status", wrong: after(onMethod("OPTIONS", func(a *reply) { a.status = http.StatusMethodNotAllowed }))},
	{name: "OPTIONS without a body", rules: "options-body", wrong: after(onMethod("OPTIONS", func(a *reply) { a.body = nil }))},
	{name: "OPTIONS without Allow", rules: "allow-header", wrong: after(onMethod("OPTIONS", func(a *reply) { a.header.Del("Allow") }))},
	{name: "a preflight without methods", rules: "preflight", wrong: after(func(_ *http.Request, a *reply) { a.header.Del("Access-Control-Allow-Methods") })},
	{name: "a preflight that allows POST", rules: "preflight", wrong: after(onMethod("OPTIONS", func(a *reply) {
		a.header.Set("Access-Control-Allow-Methods", "GET, HEAD, POST")
	}))},
	{name: "a preflight is 403", rules: "preflight", wrong: after(func(r *http.Request, a *reply) {
		if r.Header.Get("Access-Control-Request-Method") != "" {
			a.status = http.StatusForbidden
		}
	})},

	// Other methods.
	{name: "405 with HTML", rules: "error-headers method-body", wrong: after(onStatus(405, func(a *reply) { toHTML(a, http.StatusMethodNotAllowed) }))},
	{name: "405 without Allow", rules: "error-headers", wrong: after(onStatus(405, func(a *reply) { a.header.Del("Allow") }))},
	{name: "403 in place of 405", rules: "method-status", wrong: after(onStatus(405, func(a *reply) { a.status = http.StatusForbidden }))},
	{name: "POST is answered as GET", rules: "method-status", wrong: before(func(r *http.Request) {
		if r.Method == http.MethodPost {
			r.Method = http.MethodGet
		}
	})},
	{name: "an unknown method is 501", rules: "method-status", wrong: after(onMethod("PROPFIND", func(a *reply) { a.status = http.StatusNotImplemented }))},

	// Conditional requests.
	{name: "one tag for both variants", rules: "conditional-request", wrong: func(s *service) {
		s.tag = func(file string, _ []byte, coding string) string {
			return `"` + strings.Replace(file, ".api", "", 1) + coding + `"`
		}
	}},
	{name: "304 never comes", rules: "conditional-request", wrong: before(func(r *http.Request) {
		r.Header.Del("If-None-Match")
		r.Header.Del("If-Modified-Since")
	})},
	{name: "304 to whoever asks with a tag", rules: "conditional-request", wrong: before(func(r *http.Request) {
		if r.Header.Get("If-None-Match") != "" {
			r.Header.Set("If-None-Match", "*")
		}
	})},
	{name: "* is not known", rules: "conditional-request", wrong: before(func(r *http.Request) {
		if r.Header.Get("If-None-Match") == "*" {
			r.Header.Del("If-None-Match")
		}
	})},
	{name: "lists of tags are not known", rules: "conditional-request", wrong: before(func(r *http.Request) {
		if strings.Contains(r.Header.Get("If-None-Match"), ",") {
			r.Header.Del("If-None-Match")
		}
	})},
	{name: "a date counts beside a tag", rules: "conditional-request", wrong: before(func(r *http.Request) {
		if r.Header.Get("If-Modified-Since") != "" {
			r.Header.Del("If-None-Match")
		}
	})},
	{name: "304 without the tag", rules: "conditional-request", wrong: after(onStatus(304, func(a *reply) { a.header.Del("ETag") }))},
	{name: "304 with a body", rules: "conditional-request", wrong: func(s *service) {
		s.raw = withBody(s, func(_ *http.Request, a *reply) bool { return a.status == http.StatusNotModified })
	}},
	{name: "412 in place of 304", rules: "conditional-request", wrong: after(onStatus(304, func(a *reply) { a.status = http.StatusPreconditionFailed }))},
	{name: "tags of compressed answers do not match", rules: "conditional-request", wrong: before(func(r *http.Request) {
		if r.Header.Get("Accept-Encoding") == "gzip" {
			r.Header.Del("If-None-Match")
		}
	})},

	// Compression.
	{name: "gzip of another body", rules: "compression", wrong: func(s *service) {
		s.bodies = func(body []byte, coding string) []byte { return pack(append(body[:len(body):len(body)], ' '), coding) }
	}},
	{name: "brotli of the other variant", rules: "compression", wrong: func(s *service) {
		s.bodies = func(body []byte, coding string) []byte {
			if coding == "br" {
				body = s.files["pages/index.api.json"]
			}
			return pack(body, coding)
		}
	}},
	{name: "gzip that is not gzip", rules: "compression", wrong: func(s *service) { s.bodies = func(body []byte, _ string) []byte { return body } }},
	{name: "gzip that ends early", rules: "compression", wrong: func(s *service) {
		s.bodies = func(body []byte, coding string) []byte { p := pack(body, coding); return p[:len(p)-5] }
	}},
	{name: "gzip without Vary", rules: "compression", wrong: after(onGood(func(a *reply) { a.header["Vary"] = []string{"Accept"} }))},
	{name: "gzip though it is refused", rules: "compression", wrong: before(func(r *http.Request) {
		if r.Header.Get("Accept-Encoding") == "gzip;q=0" {
			r.Header.Set("Accept-Encoding", "gzip")
		}
	})},
	{name: "gzip though nothing was asked for", rules: "compression", wrong: before(func(r *http.Request) {
		if r.Header.Get("Accept-Encoding") == "identity" && isList(r) {
			r.Header.Set("Accept-Encoding", "gzip")
		}
	})},
	{name: "an error for brotli", rules: "compression", wrong: after(func(r *http.Request, a *reply) {
		if r.Header.Get("Accept-Encoding") == "br" {
			a.status = http.StatusNotAcceptable
		}
	})},

	// Answers that do not come.
	{name: "a body that ends early", rules: "status", wrong: func(s *service) { s.raw = cut(s, isList) }},
	{name: "a connection that is closed", rules: "status", wrong: func(s *service) { s.raw = hangUp }},
	{name: "503 on a list page", rules: "status", wrong: after(func(r *http.Request, a *reply) {
		if r.URL.RawQuery == "page=3" {
			a.status = http.StatusServiceUnavailable
		}
	})},
	{name: "a body that never ends", rules: "status", slow: true, wrong: func(s *service) { s.raw = drip }},
	{name: "no answer at all", rules: "status", slow: true, wrong: func(s *service) {
		s.raw = func(_ http.ResponseWriter, r *http.Request) bool {
			if r.URL.RawQuery == "page=3" {
				<-r.Context().Done()
			}
			return r.URL.RawQuery == "page=3"
		}
	}},
	{name: "headers without end", rules: "status", wrong: after(func(r *http.Request, a *reply) {
		if r.URL.RawQuery == "page=3" {
			a.header.Set("X-Long", strings.Repeat("x", 2*mostHeader))
		}
	})},
}

func TestWrongServices(t *testing.T) {
	if len(wrongs) < 35 {
		t.Fatalf("only %d wrong services", len(wrongs))
	}
	for _, w := range wrongs {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			s := newService(t, "", 25, w.wrong)
			o := Options{Timeout: 10 * time.Second}
			if w.slow {
				o.Timeout = 300 * time.Millisecond
			}
			r, err := URL(t.Context(), s.base, o)
			if err != nil {
				t.Fatal(err)
			}
			if got := rulesOf(r); got != w.rules {
				explain(t, r)
				t.Fatalf("found by %q, due is %q", got, w.rules)
			}
		})
	}
}

// Every rule of HTTP is broken by one of them.
func TestEveryHTTPRuleIsTried(t *testing.T) {
	tried := map[string]bool{}
	for _, w := range wrongs {
		for _, rule := range strings.Fields(w.rules) {
			tried[rule] = true
		}
	}
	for _, rule := range httpRules {
		if !tried[rule.Name] {
			t.Errorf("no service breaks %s", rule.Name)
		}
	}
}

func before(f func(*http.Request)) func(*service) {
	return func(s *service) { s.before = f }
}

func after(f func(*http.Request, *reply)) func(*service) {
	return func(s *service) { s.after = f }
}

func rewrite(f func(query string) string) func(*service) {
	return before(func(r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/") {
			r.URL.RawQuery = f(r.URL.RawQuery)
		}
	})
}

func onStatus(status int, f func(*reply)) func(*http.Request, *reply) {
	return func(_ *http.Request, a *reply) {
		if a.status == status {
			f(a)
		}
	}
}

func onMethod(method string, f func(*reply)) func(*http.Request, *reply) {
	return func(r *http.Request, a *reply) {
		if r.Method == method {
			f(a)
		}
	}
}

// onGood changes what GET and HEAD of good addresses answer.
func onGood(f func(*reply)) func(*http.Request, *reply) {
	return func(r *http.Request, a *reply) {
		if a.status == http.StatusOK && r.Method != http.MethodOptions {
			f(a)
		}
	}
}

func dropPairs(query, beginning string) string {
	pairs := strings.Split(query, "&")
	return strings.Join(slices.DeleteFunc(pairs, func(p string) bool { return strings.HasPrefix(p, beginning) }), "&")
}

func dropQuery(a *reply) {
	path, _, _ := strings.Cut(a.header.Get("Location"), "?")
	a.header.Set("Location", path)
}

// write answers on the bare connection, and closes it.
func write(w http.ResponseWriter, answer string) bool {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		return false
	}
	defer conn.Close()
	conn.Write([]byte(answer))
	return true
}

// wire returns an answer as it goes over the wire.
func (a *reply) wire(body string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "HTTP/1.1 %d %s\r\n", a.status, http.StatusText(a.status))
	a.header.Write(&b)
	return b.String() + "Connection: close\r\n\r\n" + body
}

// withBody answers with a body what must have none.
func withBody(s *service, which func(r *http.Request, a *reply) bool) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, r *http.Request) bool {
		a := s.answer(r)
		return which(r, a) && write(w, a.wire("{}"))
	}
}

// cut sends half a body.
func cut(s *service, which func(*http.Request) bool) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodGet || !which(r) {
			return false
		}
		a := s.answer(r)
		a.header.Set("Content-Length", fmt.Sprint(len(a.body)))
		return write(w, a.wire(string(a.body[:len(a.body)/2])))
	}
}

// hangUp closes the connection where list page 2 is due.
func hangUp(w http.ResponseWriter, r *http.Request) bool {
	return r.URL.RawQuery == "page=2" && write(w, "")
}

// drip sends a byte now and then where list page 3 is due.
func drip(w http.ResponseWriter, r *http.Request) bool {
	if r.URL.RawQuery != "page=3" {
		return false
	}
	w.Header().Set("Content-Type", "application/json")
	for r.Context().Err() == nil {
		w.Write([]byte(" "))
		w.(http.Flusher).Flush()
		time.Sleep(20 * time.Millisecond)
	}
	return true
}
