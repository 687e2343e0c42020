package verify_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.org/sivu/generator/verify"
)

// listService answers list pages as list makes them, and every record that it is
// asked for.
func listService(t *testing.T, list func(base string, n int, api bool) string) (base string, requests *atomic.Int64) {
	t.Helper()
	requests = new(atomic.Int64)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		base := "http://" + r.Host
		api := r.URL.Query().Get("format") == "api"
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Allow", "GET, HEAD, OPTIONS")
		w.Header().Set("Vary", "Accept")
		w.Header().Set("Access-Control-Allow-Origin", "*")
		if id := strings.Trim(strings.TrimPrefix(r.URL.Path, "/pages/"), "/"); len(id) == 36 {
			fmt.Fprintf(w, "%s,\"content\":%q,\"embeds\":[]}", strings.TrimSuffix(listRecord(base, id, api), "}"),
				`<!-- modified: 2019-05-06T08:06:31 --><div class='xmldoc'></div>`)
			return
		}
		n, err := strconv.Atoi(r.URL.Query().Get("page"))
		if err != nil {
			n = 1
		}
		w.Write([]byte(list(base, n, api)))
	}))
	t.Cleanup(server.Close)
	return server.URL, requests
}

func listRecord(base, id string, api bool) string {
	query := ""
	if api {
		query = "?format=api"
	}
	const stamp = "2019-05-06T08:06:31.000000Z"
	return fmt.Sprintf(`{"language":"fi","meta":{"title":"a"},"created":"%s","modified":"%s","url":"%s/pages/%s/%s"}`, stamp, stamp, base, id, query)
}

// listOf returns list page n with ten records, and these links.
func listOf(base string, n, count int, api bool, next, previous string) string {
	var records []string
	for i := range 10 {
		records = append(records, listRecord(base, fmt.Sprintf("00000000-0000-0000-0000-%012x", n*10+i), api))
	}
	encoded, _ := json.Marshal([]*string{link(next), link(previous)})
	links := strings.SplitN(strings.Trim(strings.ReplaceAll(string(encoded), `\u0026`, "&"), "[]"), ",", 2)
	return fmt.Sprintf(`{"count":%d,"next":%s,"previous":%s,"results":[%s]}`, count, links[0], links[1], strings.Join(records, ","))
}

func link(address string) *string {
	if address == "" {
		return nil
	}
	return &address
}

// pageLink is the address of list page n, "" for n < 1.
func pageLink(base string, n int, api bool) string {
	var query []string
	if api {
		query = append(query, "format=api")
	}
	if n > 1 {
		query = append(query, fmt.Sprintf("page=%d", n))
	}
	switch {
	case n < 1:
		return ""
	case len(query) == 0:
		return base + "/pages/"
	}
	return base + "/pages/?" + strings.Join(query, "&")
}

// A walk that would never end is ended, and the message names the cause.
func TestEndless(t *testing.T) {
	for _, test := range []struct {
		name    string
		list    func(base string, n int, api bool) string
		rule    string
		stopped string
	}{
		{"the host ignores the query", func(base string, n int, api bool) string {
			return listOf(base, 1, 30, false, pageLink(base, 2, false), "")
		}, "walk-end", `^a client that follows next never ends: this host ignores the query: \?page=2 answered with list page 1; for such hosts build with --links file\+query$`},
		{"next leads back", func(base string, n int, api bool) string {
			return listOf(base, n, 30, api, pageLink(base, n%3+1, api), pageLink(base, n-1, api))
		}, "walk-end", `^next of list page 3 leads back to list page 1: a client that follows it never ends$`},
		{"next names its own list page", func(base string, n int, api bool) string {
			return listOf(base, n, 10, api, pageLink(base, n, api), pageLink(base, n-1, api))
		}, "walk-end", `^next of list page 1 leads back to list page 1: `},
		{"more list pages than count allows", func(base string, n int, api bool) string {
			return listOf(base, n, 30, api, pageLink(base, n+1, api), pageLink(base, n-1, api))
		}, "count", `^there are more list pages than the count of 30 allows: the walk ended after 13$`},
		{"the count grows", func(base string, n int, api bool) string {
			return listOf(base, n, 20+n*10, api, pageLink(base, n+1, api), pageLink(base, n-1, api))
		}, "count-equal", `^there are more list pages than the count of 30 allows: `},
		{"empty list pages without an end", func(base string, n int, api bool) string {
			if n > 3 {
				return fmt.Sprintf(`{"count":30,"next":"%s","previous":"%s","results":[]}`, pageLink(base, n+1, api), pageLink(base, n-1, api))
			}
			return listOf(base, n, 30, api, pageLink(base, n+1, api), pageLink(base, n-1, api))
		}, "walk-end", `^there are more list pages than the 3 that count allows, without new records: `},
	} {
		t.Run(test.name, func(t *testing.T) {
			base, requests := listService(t, test.list)
			r, err := verify.URL(t.Context(), base, verify.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Contains(found(r), test.rule) {
				t.Errorf("%s is not found:\n%s", test.rule, described(r))
			}
			if !regexp.MustCompile(test.stopped).MatchString(r.Stopped) {
				t.Errorf("stopped is %q", r.Stopped)
			}
			if n := requests.Load(); n > 1500 {
				t.Errorf("%d requests", n)
			}
		})
	}
}

// Addresses outside the base are findings, and are never opened.
func TestStaysInside(t *testing.T) {
	outside := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("asked for %s outside the base", r.URL)
	}))
	defer outside.Close()
	base, _ := listService(t, func(base string, n int, api bool) string {
		list := listOf(base, n, 10, api, outside.URL+"/pages/?page=2", "")
		return strings.Replace(list, `"url":"`+base, `"url":"`+outside.URL, 1)
	})
	r, err := verify.URL(t.Context(), base, verify.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(found(r), "link-base") {
		t.Error(described(r))
	}
}

// A verification that is told to stop does so at once, in the middle of a walk
// and of a request.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	asked := make(chan struct{}, 100)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		<-r.Context().Done()
	}))
	defer server.Close()
	go func() {
		<-asked
		cancel()
	}()
	if _, err := verify.URL(ctx, server.URL, verify.Options{Timeout: time.Hour}); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	if _, err := verify.Folder(ctx, snapshot(t, testBase, "").fs(), verify.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

// What services that sivu did not make do in another way is a note; what breaks
// the contract is still a finding.
func TestLenient(t *testing.T) {
	for _, test := range []struct {
		name  string
		spoil func(f files)
		notes string
		rules string
	}{
		{"a stray key", inRecord(3, `"created"`, `"id":1,"created"`), "extra-key", ""},
		{"white space", func(f files) { f.append("\n", f.details(3)...) }, "json-bytes", ""},
		{"another order of keys", func(f files) {
			f.replace(`{"count":25,"next":`, `{"next":`, pages(3)...)
			f.replace(`"results"`, `"count":25,"results"`, pages(3)...)
		}, "key-order", ""},
		{"another order of records", func(f files) { f.relist(pages(2), swap(3, 6)) }, "order", ""},
		{"white space around the div", inDetail(comment, comment+" "), "content-bytes", ""},
		{"embeds of another form", inDetail(`"embeds":[]`, `"embeds":["a"]`), "embeds", ""},
		{"a wrong count", func(f files) { f.everywhere(`"count":25`, `"count":24`) }, "", "count"},
		{"a missing key", inRecord(3, `"language":"fi",`, ``), "", "record-keys"},
		{"a title that differs", inDetail(`"title":"Sivu`, `"title":"Page`), "", "record-equal"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := snapshot(t, testBase, "")
			test.spoil(f)
			r := check(t, f.fs(), verify.Options{Lenient: true})
			wantRules(t, r, test.rules, "")
			var notes []string
			for _, f := range r.Findings {
				if f.Note {
					notes = append(notes, f.Rule.Name)
				}
			}
			if diff := cmp.Diff(strings.Fields(test.notes), slices.Compact(notes)); diff != "" && (test.notes != "" || notes != nil) {
				t.Errorf("%s\n%s", diff, described(r))
			}
			if r.Failed() != (test.rules != "") {
				t.Errorf("failed is %v:\n%s", r.Failed(), described(r))
			}
		})
	}
}

// resized returns the snapshot with list pages of so many records.
func resized(t *testing.T, size int) files {
	f := snapshot(t, testBase, "")
	for _, variant := range []string{".json", ".api.json"} {
		var all []string
		for n := 1; n <= 3; n++ {
			all = append(all, results(f[fmt.Sprintf("pages/page-%d%s", n, variant)])...)
			delete(f, fmt.Sprintf("pages/page-%d%s", n, variant))
		}
		api := variant != ".json"
		last := (len(all) + size - 1) / size
		for n := 1; n <= last; n++ {
			next, previous := "null", "null"
			if n < last {
				next = strconv.Quote(pageLink(testBase, n+1, api))
			}
			if n > 1 {
				previous = strconv.Quote(pageLink(testBase, n-1, api))
			}
			f[fmt.Sprintf("pages/page-%d%s", n, variant)] = fmt.Sprintf(`{"count":%d,"next":%s,"previous":%s,"results":[%s]}`,
				len(all), next, previous, strings.Join(all[(n-1)*size:min(n*size, len(all))], ","))
		}
		f["pages/index"+variant] = f["pages/page-1"+variant]
	}
	return f
}

// Another page size is one finding, and a note with Lenient.
func TestPageSize(t *testing.T) {
	for _, size := range []int{4, 12, 20} {
		f := resized(t, size)
		wantRules(t, check(t, f.fs(), verify.Options{}), "page-size", "pages/index.json")
		wantRules(t, check(t, f.fs(), verify.Options{Lenient: true}), "", "pages/index.json")
	}
}

// A sample opens as many records as it is told, and finds what shows there.
func TestSample(t *testing.T) {
	for _, n := range []int{1, 3, 5, 12, 25, 1000} {
		opened := map[string]bool{}
		fsys := &listening{FS: snapshot(t, testBase, "").fs(), opened: opened}
		r := check(t, fsys, verify.Options{Sample: n})
		wantRules(t, r, "", "")
		due := min(max(n, 3), 25)
		if r.Records < due-2 || r.Records > due {
			t.Errorf("a sample of %d opened %d records", n, r.Records)
		}
		for _, name := range []string{"pages/index.json", "pages/page-2.json", "pages/page-3.json"} {
			if !opened[name] {
				t.Errorf("a sample of %d did not open %s", n, name)
			}
		}
	}
	for _, b := range []breakage{
		{"list page 2 is list page 1", func(f files) { f["pages/page-2.json"] = f["pages/index.json"] }, "walk-end", "pages/page-2.json"},
		{"next on the last list page", func(f files) {
			f.replace(`"next":null`, `"next":"`+testBase+`/pages/?page=4"`, "pages/page-3.json")
		}, "next", "pages/page-3.json"},
		{"next leads back", func(f files) {
			f.replace(`"next":null`, `"next":"`+testBase+`/pages/"`, "pages/page-3.json")
		}, "walk-end", "pages/page-3.json"},
		{"record dropped from the last list page", func(f files) { f.relist(pages(3), less(1)) }, "count", "pages/page-3.json"},
		{"record that is not listed", put("pages/"+otherID+"/index.json", "{}"), "file-surplus", "pages"},
	} {
		t.Run(b.name, func(t *testing.T) {
			f := snapshot(t, testBase, "")
			b.spoil(f)
			wantRules(t, check(t, f.fs(), verify.Options{Sample: 3}), b.rules, b.at)
		})
	}
}

// An empty collection has one list page.
func TestEmpty(t *testing.T) {
	const list = `{"count":0,"next":null,"previous":null,"results":[]}`
	f := snapshot(t, testBase, "")
	empty := files{"404.json": f["404.json"], "405.json": f["405.json"]}
	empty.set(list, pages(1)...)
	r := check(t, empty.fs(), verify.Options{})
	wantRules(t, r, "", "")
	if r.Base != "" || r.Count != 0 {
		t.Errorf("base is %q, count %d", r.Base, r.Count)
	}
	empty.set(`{"count":1,"next":null,"previous":null,"results":[]}`, pages(1)...)
	wantRules(t, check(t, empty.fs(), verify.Options{}), "page-size", filepath.ToSlash("pages/index.json"))
}

// What a host cannot keep is told, and is no failure.
func TestCannot(t *testing.T) {
	f := snapshot(t, testBase, "")
	f.append("\n", "405.json")
	r := check(t, f.fs(), verify.Options{Cannot: map[string]string{"error-body": "it has its own"}})
	if r.Failed() || len(r.Findings) != 1 || r.Findings[0].Reason != "it has its own" {
		t.Error(described(r))
	}
}

// Of one rule the first findings by address are kept, whichever goroutine finds
// them, and the others counted.
func TestMany(t *testing.T) {
	var before *verify.Report
	for range 5 {
		f := snapshot(t, testBase, "")
		for i := range 25 {
			f.append("\n", f.details(i)...)
		}
		r := check(t, f.fs(), verify.Options{Jobs: 8})
		wantRules(t, r, "json-bytes", "")
		if len(r.Findings) != 20 || r.More["json-bytes"] != 30 {
			t.Errorf("%d findings and %d more", len(r.Findings), r.More["json-bytes"])
		}
		if n, _, _ := r.Totals(); n != 50 {
			t.Errorf("%d in all", n)
		}
		if before != nil && described(before) != described(r) {
			t.Errorf("not the same as before:\n%s\n%s", described(before), described(r))
		}
		before = r
	}
}
