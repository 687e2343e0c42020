package main

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.org/sivu/generator/verify"
)

// TestUploadBehindCache brings a second collection to the server behind a cache
// that has all of the first, with the script that sivu writes. As soon as the
// script has ended, the cache answers with nothing of the first.
func TestUploadBehindCache(t *testing.T) {
	inTestAll(t)
	programOf(t, "rsync")
	programOf(t, "curl")
	for _, server := range realServers {
		if server.host != "varnish" {
			continue
		}
		s := serve(t, server, "/v1", "query")
		conforms(t, s)
		content := filepath.Join(t.TempDir(), "content")
		for _, language := range []string{"en", "fi", "sv"} {
			if err := os.CopyFS(filepath.Join(content, language), os.DirFS(filepath.Join("../../content", language))); err != nil {
				t.Fatal(err)
			}
		}
		settings, err := os.ReadFile("../../content/site.yaml")
		if err != nil {
			t.Fatal(err)
		}
		writePublic(t, filepath.Join(content, "site.yaml"), string(settings))
		second := filepath.Join(t.TempDir(), "second")
		command(t, "build", "--quiet", "--content", content, "--out", second, "--base-url", s.base(), "--host", server.host)

		if cached, _ := fetch(t, s, "GET", "/pages/?page=2"); cached.Header.Get("Age") == "" {
			t.Fatal("the cache has kept nothing")
		}
		upload := exec.CommandContext(t.Context(), "sh", s.path("upload.sh"), second)
		upload.Env = append(os.Environ(), "TARGET="+s.root, "WAIT=0")
		if out, err := upload.CombinedOutput(); err != nil {
			t.Fatalf("upload.sh: %v\n%s", err, out)
		}
		first := *s
		s.root = second
		report, err := verify.URL(t.Context(), s.base(), verify.Options{Jobs: 8, Rate: 10_000})
		if err != nil || report.Failed() || report.Stopped != "" || report.Records < 30 {
			t.Errorf("behind the cache: %v, %d records, %s, %v", err, report.Records, report.Stopped, report.Findings)
		}
		if _, body := fetch(t, s, "GET", "/pages/"); string(body) != readFile(t, s, "index.json") {
			t.Error("the cache answers with the list of before")
		}
		refusesBan(t, &first)
	}
}

// refusesBan asks the cache to forget as somebody does who comes through a proxy.
func refusesBan(t *testing.T, s *served) {
	t.Helper()
	answer, body := fetch(t, s, "BAN", "/", "X-Forwarded-For", "192.0.2.1")
	if answer.StatusCode != http.StatusMethodNotAllowed || !strings.Contains(string(body), "not allowed") {
		t.Errorf("BAN through a proxy: status %d, %q", answer.StatusCode, body)
	}
}
