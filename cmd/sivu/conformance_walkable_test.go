package main

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.org/sivu/generator/host"
)

func listenAt(t *testing.T, address string) net.Listener {
	t.Helper()
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	return listener
}

// firebaseRules follows firebase.json. It answers other methods as it does GET, and
// puts no headers on redirects.
func firebaseRules(t *testing.T, uploaded string, _ *served) http.Handler {
	var settings struct {
		Hosting struct {
			Public    string   `json:"public"`
			Ignore    []string `json:"ignore"`
			CleanURLs bool     `json:"cleanUrls"`
			Redirects []struct {
				Regex       string `json:"regex"`
				Destination string `json:"destination"`
				Type        int    `json:"type"`
			} `json:"redirects"`
			Rewrites []vercelRule     `json:"rewrites"`
			Headers  []sourceAndValue `json:"headers"`
		} `json:"hosting"`
	}
	readSettings(t, filepath.Join(uploaded, "firebase.json"), &settings)
	rules := settings.Hosting
	f := site{root: filepath.Join(uploaded, rules.Public), headers: headersFor(t, rules.Headers, "**"), missing: "404.html"}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, rule := range rules.Redirects {
			if found := regexp.MustCompile(rule.Regex).FindStringSubmatch(r.URL.Path); found != nil {
				to := url.URL{Path: strings.ReplaceAll(rule.Destination, ":1", found[1]), RawQuery: r.URL.RawQuery}
				http.Redirect(w, r, to.String(), rule.Type)
				return
			}
		}
		if f.send(w, r, r.URL.Path, http.StatusOK) {
			return
		}
		for _, rule := range rules.Rewrites {
			if rule.Source == r.URL.Path && f.send(w, r, rule.Destination, http.StatusOK) {
				return
			}
		}
		f.notFound(w, r)
	})
}

// TestFirebaseRecords asks for records by the contract's addresses, which lead to
// the files.
func TestFirebaseRecords(t *testing.T) {
	h, _ := host.Named("firebase")
	for _, prefix := range []string{"", "/v1.0"} {
		s, uploaded := publish(t, h, prefix, "", false)
		serveHere(t, s, firebaseRules(t, uploaded, s))
		record := "/pages/" + someRecord(t, s)
		for _, query := range []string{"", "?format=api"} {
			answer, _ := fetch(t, s, "GET", record+"/"+query)
			if to, err := answer.Location(); err != nil || to.String() != s.base()+record+"/index.json"+query {
				t.Errorf("%s/%s: status %d, leads to %v %v, want the file", record, query, answer.StatusCode, to, err)
			}
		}
		for _, path := range []string{record, record + "/x/", "/pages/x" + record[8:] + "/"} {
			if answer, _ := fetch(t, s, "GET", path); answer.StatusCode != http.StatusNotFound {
				t.Errorf("%s: status %d, want 404", path, answer.StatusCode)
			}
		}
	}
}

// azureRules follows staticwebapp.config.json. Methods that no rule names are
// answered as GET is.
func azureRules(t *testing.T, uploaded string, _ *served) http.Handler {
	var settings struct {
		Routes []struct {
			Route   string   `json:"route"`
			Methods []string `json:"methods"`
			Status  int      `json:"statusCode"`
			Rewrite string   `json:"rewrite"`
		} `json:"routes"`
		Overrides map[string]struct {
			Rewrite string `json:"rewrite"`
			Status  int    `json:"statusCode"`
		} `json:"responseOverrides"`
		Headers map[string]string `json:"globalHeaders"`
		Types   map[string]string `json:"mimeTypes"`
	}
	f := site{root: filepath.Join(uploaded, "site")}
	if _, err := os.Stat(filepath.Join(f.root, "index.html")); err != nil {
		t.Fatalf("the maker's client finds no default file: %v", err)
	}
	readSettings(t, filepath.Join(f.root, "staticwebapp.config.json"), &settings)
	f.headers, f.missing = settings.Headers, settings.Overrides["404"].Rewrite
	if settings.Types[".json"] != "application/json" {
		t.Fatalf("the type of .json is %q", settings.Types[".json"])
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, rule := range settings.Routes {
			under, any := strings.CutSuffix(rule.Route, "*")
			if r.URL.Path != under && (!any || !strings.HasPrefix(r.URL.Path, under)) ||
				len(rule.Methods) > 0 && !slices.Contains(rule.Methods, r.Method) {
				continue
			}
			switch {
			case rule.Status == http.StatusNotFound:
				f.notFound(w, r)
			case rule.Status != 0:
				w.WriteHeader(rule.Status)
			default:
				f.send(w, r, rule.Rewrite, http.StatusOK)
			}
			return
		}
		path := r.URL.Path
		if strings.HasSuffix(path, "/") {
			path += "index.html"
		}
		if !f.send(w, r, path, http.StatusOK) {
			f.notFound(w, r)
		}
	})
}

// s3Rules is a bucket with an index and an error document. It redirects to
// folders that have an index, with status 302.
func s3Rules(t *testing.T, uploaded string, s *served) http.Handler {
	var settings struct {
		IndexDocument struct{ Suffix string }
		ErrorDocument struct{ Key string }
	}
	readSettings(t, s.path("website.json"), &settings)
	f := site{root: filepath.Join(uploaded, "bucket"), missing: settings.ErrorDocument.Key}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Origin") != "" {
			w.Header().Set("Access-Control-Allow-Origin", "*")
		}
		if r.Method == http.MethodOptions {
			refuse(w, r, http.StatusForbidden)
			return
		}
		if refuse(w, r, http.StatusMethodNotAllowed) {
			return
		}
		path := r.URL.Path
		if strings.HasSuffix(path, "/") {
			path += settings.IndexDocument.Suffix
		}
		if f.send(w, r, path, http.StatusOK) {
			return
		}
		if _, err := os.Stat(filepath.Join(f.root, filepath.FromSlash(path), settings.IndexDocument.Suffix)); err == nil {
			http.Redirect(w, r, path+"/", http.StatusFound)
			return
		}
		f.notFound(w, r)
	})
}

// pagesRules are GitHub Pages and GitLab Pages, on a domain of one's own: files,
// and 404.html for everything else.
func pagesRules(_ *testing.T, uploaded string, s *served) http.Handler {
	f := site{root: uploaded, charset: true, missing: "404.html"}
	if s.host.Name == "github-pages" {
		f.headers = map[string]string{"Access-Control-Allow-Origin": "*"}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if refuse(w, r, http.StatusMethodNotAllowed) || f.sendSibling(w, r, s.host.Codings) {
			return
		}
		if !f.send(w, r, r.URL.Path, http.StatusOK) {
			f.notFound(w, r)
		}
	})
}

// sendSibling answers with a compressed sibling of a file, where there is one and
// the client takes it. It says nothing of that in Vary, as GitLab Pages does not.
func (f site) sendSibling(w http.ResponseWriter, r *http.Request, codings []string) bool {
	name := filepath.Join(f.root, filepath.FromSlash(filepath.Clean("/"+r.URL.Path)))
	for _, coding := range codings {
		info, err := os.Stat(name + "." + coding)
		if err != nil || !slices.Contains(strings.Split(r.Header.Get("Accept-Encoding"), ", "), contentCodings[coding]) {
			continue
		}
		file, err := os.Open(name + "." + coding)
		if err != nil {
			return false
		}
		defer file.Close()
		f.dress(w, name)
		w.Header().Set("Content-Encoding", contentCodings[coding])
		w.Header().Set("ETag", fmt.Sprintf(`"%x-%x-%s"`, info.ModTime().UnixNano(), info.Size(), coding))
		http.ServeContent(w, r, "", info.ModTime(), file)
		return true
	}
	return false
}

// plainRules is the file server of Go, which lists folders, and redirects to
// them.
func plainRules(_ *testing.T, uploaded string, _ *served) http.Handler {
	return http.FileServer(http.Dir(uploaded))
}
