package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/sivu/generator"
	"example.org/sivu/generator/baseurl"
	"example.org/sivu/generator/host"
)

const cacheDeploy = "public, max-age=0, must-revalidate"

// jsHost says how the stand-in for a host is run with what was uploaded there.
type jsHost struct {
	host  string
	cache string
	args  func(s *served, uploaded string) []string
}

var jsHosts = []jsHost{
	{"cloudflare-pages", cacheDeploy, func(_ *served, uploaded string) []string {
		site := filepath.Join(uploaded, "site")
		return []string{"cloudflare.mjs", "--site", site, "--worker", filepath.Join(site, "_worker.js")}
	}},
	{"cloudflare-workers", cacheDeploy, func(_ *served, uploaded string) []string {
		return []string{"cloudflare.mjs", "--site", filepath.Join(uploaded, "site"), "--worker", filepath.Join(uploaded, "worker.js")}
	}},
	{"netlify", cacheDeploy, func(_ *served, uploaded string) []string {
		return []string{"netlify.mjs", "--project", uploaded}
	}},
	{"vercel", cacheDeploy, func(_ *served, uploaded string) []string {
		return []string{"vercel.mjs", "--project", uploaded}
	}},
	{"cloudfront", goodCache, func(s *served, uploaded string) []string {
		return []string{"cloudfront.mjs", "--files", s.dir, "--bucket", filepath.Join(uploaded, "bucket")}
	}},
}

// TestJavaScriptHosts builds the sample site for each host that runs JavaScript,
// uploads it with the script that sivu writes to a stand-in for the maker's tool,
// and asks the stand-in for the host, in which sivu's code runs, everything.
func TestJavaScriptHosts(t *testing.T) {
	inTestAll(t)
	for _, js := range jsHosts {
		for _, prefix := range []string{"", "/v1"} {
			for _, edge := range []bool{false, true} {
				h, ok := host.Named(js.host)
				if !ok {
					t.Fatalf("there is no host %s", js.host)
				}
				if edge && !h.Edge {
					continue
				}
				name := fmt.Sprintf("%s%s edge=%t", js.host, prefix, edge)
				t.Run(strings.ReplaceAll(name, "/", "-"), func(t *testing.T) {
					t.Parallel()
					s, uploaded := publish(t, h, prefix, "", edge)
					node := programOf(t, "node")
					args := js.args(s, uploaded)
					args[0] = nodeFile(t, args[0])
					start(t, s, s.config.Listen, node, append(args, "--listen", s.config.Listen)...)
					askJavaScript(t, s, js.cache)
					askAllFiles(t, s)
					conforms(t, s)
				})
			}
		}
	}
}

// TestEdgeVariantsOfFileLinks asks for the variants that code makes of links that
// name files.
func TestEdgeVariantsOfFileLinks(t *testing.T) {
	inTestAll(t)
	h, _ := host.Named("cloudflare-pages")
	for _, links := range []string{"file", "file+query"} {
		t.Run(links, func(t *testing.T) {
			t.Parallel()
			s, uploaded := publish(t, h, "/v1", links, true)
			args := jsHosts[0].args(s, uploaded)
			args[0] = nodeFile(t, args[0])
			start(t, s, s.config.Listen, programOf(t, "node"), append(args, "--listen", s.config.Listen)...)
			askAllFiles(t, s)
			conforms(t, s)
		})
	}
}

// TestEdgeVariantsOfHostilePages makes variants of pages that look like what has
// to be changed, or like the end of it, and are neither. {base} is the address of
// the service.
func TestEdgeVariantsOfHostilePages(t *testing.T) {
	inTestAll(t)
	h, _ := host.Named("cloudflare-pages")
	for _, links := range h.Styles() {
		t.Run(links, func(t *testing.T) {
			t.Parallel()
			s, uploaded := publishContent(t, func(base string) string { return hostilePages(t, base) }, h, "/v1", links, true)
			args := jsHosts[0].args(s, uploaded)
			args[0] = nodeFile(t, args[0])
			start(t, s, s.config.Listen, programOf(t, "node"), append(args, "--listen", s.config.Listen)...)
			askAllFiles(t, s)
		})
	}
}

// hostilePages writes the pages, and returns their folder.
func hostilePages(t *testing.T, base string) string {
	t.Helper()
	content := t.TempDir()
	writePublic(t, filepath.Join(content, "site.yaml"), "languages: [en]\nhtml: trusted\n")
	for i, text := range []string{
		`"url":"{base}/pages/"`, `\"url":"{base}/pages/`, `{"results":[{"url":"{base}/pages/x/"}]}`, `\`, `\\"`, `"}],"next":"{base}/pages/?page=2"`,
		"{base}/pages/", "\u2028\t\\u0022url", `,"url":`, "😀\"url\":", `]}]}`, `{{[[`,
	} {
		text = strings.ReplaceAll(text, "{base}", base)
		id := fmt.Sprintf("6ba7b810-9dad-41d1-80b4-00c04fd4%04d", i)
		page := "---\nid: " + id + "\ntitle: " + jsonWord(t, text) + "\ncreated: 2020-01-01\nmeta:\n"
		for _, key := range []string{"next", "previous", "results", "content", "count"} {
			page += "  " + key + ": " + jsonWord(t, text) + "\n"
		}
		writePublic(t, filepath.Join(content, "en", fmt.Sprintf("page%d.html", i)), page+"---\n<p>"+text+"</p><p>"+text+"</p>\n")
	}
	return content
}

// jsonWord returns a text as YAML, which takes JSON.
func jsonWord(t *testing.T, text string) string {
	t.Helper()
	word, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(word)
}

// programOf returns the path of a program, or skips the test where it is not
// there and need not be.
func programOf(t *testing.T, name string) string {
	t.Helper()
	program, err := exec.LookPath(name)
	if err != nil {
		if os.Getenv(requireHosts) != "" {
			t.Fatalf("%s is set, and there is no %s", requireHosts, name)
		}
		t.Skipf("there is no %s", name)
	}
	return program
}

func nodeFile(t *testing.T, name string) string {
	t.Helper()
	file, err := filepath.Abs(filepath.Join("testdata/node", name))
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// publish publishes the sample site.
func publish(t *testing.T, h *host.Host, prefix, links string, edge bool) (*served, string) {
	t.Helper()
	return publishContent(t, func(string) string { return "../../content" }, h, prefix, links, edge)
}

// publishContent builds the pages of a folder, which content returns for a base
// address, for a host, and runs its upload. It returns the
// whole snapshot that the answers are compared with, which has all variants, and
// the folder of what arrived at the host: the folder from which the maker's tool
// was called, or "bucket".
func publishContent(t *testing.T, content func(base string) string, h *host.Host, prefix, links string, edge bool) (*served, string) {
	t.Helper()
	dir := t.TempDir()
	listen := freeAddress(t)
	base, err := baseurl.Parse("http://" + listen + prefix)
	if err != nil {
		t.Fatal(err)
	}
	if links == "" {
		links = h.Styles()[0]
	}
	s := &served{host: h, root: filepath.Join(dir, "whole"), dir: filepath.Join(dir, "deploy"),
		config: &host.Config{Base: base, Listen: listen, Links: links, Edge: edge}}
	options := generator.Options{Content: content(s.base()), Out: s.root, BaseURL: s.base(), Links: links}
	s.config.ListPages = buildSample(t, options)
	options.Out, options.Host, options.Edge, options.Precompress = filepath.Join(dir, "public"), h, edge, h.AutoCodings()
	buildSample(t, options)
	for _, produce := range []func(*host.Config) ([]host.File, error){h.ConfigFiles, h.UploadFiles} {
		if produce != nil {
			files, err := produce(s.config)
			layFiles(t, s.dir, files, err)
		}
	}
	uploaded := filepath.Join(dir, "uploaded")
	upload(t, s, options.Out, uploaded)
	return s, uploaded
}

// buildSample builds, and returns how many list pages there are.
func buildSample(t *testing.T, options generator.Options) int {
	t.Helper()
	result, err := generator.Build(t.Context(), options)
	if err != nil || result.Report.Errors > 0 {
		t.Fatalf("the site does not build: %v %v", err, result)
	}
	lists, err := filepath.Glob(filepath.Join(options.Out, "pages", "page-*[0-9].json"))
	if err != nil {
		t.Fatal(err)
	}
	return len(lists)
}

// upload runs upload.sh, or site.sh, with a stand-in for npx; where there is neither, it
// publishes to a bucket, which it lays there as a folder.
func upload(t *testing.T, s *served, snapshot, uploaded string) {
	t.Helper()
	if sample, err := os.ReadFile(s.path("github.yml")); err == nil && bytes.Contains(sample, []byte("sivu publish")) {
		store := newS3Server(t)
		publishSample(t, s, store, snapshot)
		store.lay(t, filepath.Join(uploaded, "bucket"))
		return
	}
	tools := t.TempDir()
	writeTool(t, tools, "npx", `case "$*" in *--token*) exit 1 ;; esac; cp -R . "$UPLOADED"`)
	script := []string{s.path("upload.sh"), snapshot}
	if _, err := os.Stat(script[0]); err != nil {
		script = []string{s.path("site.sh"), snapshot, uploaded}
	}
	c := exec.CommandContext(t.Context(), "sh", script...)
	c.Env = append(os.Environ(), "PATH="+tools+string(os.PathListSeparator)+os.Getenv("PATH"),
		"UPLOADED="+uploaded,
		"CLOUDFLARE_PAGES_PROJECT=p", "FIREBASE_KEY={}", "NETLIFY_SITE_ID=s", "VERCEL_TOKEN=t", "FIREBASE_PROJECT=p", "SWA_CLI_DEPLOYMENT_TOKEN=t")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", filepath.Base(script[0]), err, out)
	}
	checkUploaded(t, uploaded, s.host.Codings)
}

func writeTool(t *testing.T, dir, name, command string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+command+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
}

// checkUploaded looks for what must stay at home.
func checkUploaded(t *testing.T, uploaded string, codings []string) {
	t.Helper()
	answers := 0
	err := filepath.WalkDir(uploaded, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		ending := strings.TrimPrefix(filepath.Ext(name), ".")
		switch base := entry.Name(); {
		case base == ".sivu", slices.Contains(allThree, ending) && !slices.Contains(codings, ending):
			t.Errorf("%s was uploaded", name)
		case base == "index.json":
			answers++
		}
		return nil
	})
	if err != nil || answers == 0 {
		t.Fatalf("what was uploaded has %d answers: %v", answers, err)
	}
}

// askJavaScript asks what verify does not. What differs, the host says by the name
// of a rule.
func askJavaScript(t *testing.T, s *served, cache string) {
	t.Helper()
	id := someRecord(t, s)
	for _, want := range moreRequests(id) {
		answer, body := fetch(t, s, want.method, want.path)
		what := want.method + " " + want.path
		file, good := strings.CutPrefix(want.body, "@")
		if good {
			want.body = readFile(t, s, file)
		}
		if answer.StatusCode != want.status || string(body) != want.body {
			t.Errorf("%s: status %d, body %.200q, want %d, %.200q", what, answer.StatusCode, body, want.status, want.body)
		}
		if excepted(s, "content-type") {
			answer.Header.Set("Content-Type", strings.TrimSuffix(answer.Header.Get("Content-Type"), "; charset=utf-8"))
		}
		switch {
		case good:
			checkCommon(t, what, answer, cache)
		case s.host.Name != "vercel": // of which some errors are a file, 404.html
			checkCommon(t, what, answer, errorCache)
		}
	}
	askRedirects(t, s, id)
	askPreflight(t, s)
	for _, path := range []string{"/pages/", "/pages/?page=2&format=api", "/pages/" + id + "/?format=api", "/pages/index.api.json"} {
		askVariantTag(t, s, path)
	}
}

func readFile(t *testing.T, s *served, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(s.root, "pages", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// askVariantTag asks for an answer with the validator of its other variant.
func askVariantTag(t *testing.T, s *served, path string) {
	t.Helper()
	other, _ := fetch(t, s, "GET", strings.NewReplacer("format=api", "format=x", ".api.json", ".json").Replace(path))
	if !strings.Contains(path, "api") {
		other, _ = fetch(t, s, "GET", path+"?format=api")
	}
	answer, _ := fetch(t, s, "GET", path, "If-None-Match", other.Header.Get("ETag"))
	if answer.StatusCode != http.StatusOK {
		t.Errorf("%s, with the ETag %s of the other variant: status %d, want 200", path, other.Header.Get("ETag"), answer.StatusCode)
	}
}

func excepted(s *served, rule string) bool {
	return slices.ContainsFunc(s.host.Cannot, func(e host.Exception) bool { return e.Rule == rule })
}

// askAllFiles asks for each file of the snapshot by its own address.
func askAllFiles(t *testing.T, s *served) {
	t.Helper()
	root := os.DirFS(s.root)
	err := fs.WalkDir(root, "pages", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		want, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		if answer, body := fetch(t, s, "GET", "/"+name); answer.StatusCode != 200 || string(body) != string(want) {
			t.Errorf("/%s: status %d, body %.300q, want that of the file, %.300q", name, answer.StatusCode, body, want)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
