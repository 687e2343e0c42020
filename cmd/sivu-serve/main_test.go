package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
)

// Files are served as they are, but none that is sivu's own or leads outside.
func TestHandler(t *testing.T) {
	folder := t.TempDir()
	outside := filepath.Join(t.TempDir(), "secret")
	for name, text := range map[string]string{
		filepath.Join(folder, "pages", "index.json"): `{"count":0}`,
		filepath.Join(folder, ".sivu", "manifest"):   "own",
		outside: "secret",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(outside, filepath.Join(folder, "pages", "leak.json")); err != nil {
		t.Skipf("no symlinks here: %v", err)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	server := httptest.NewServer(handler(root))
	defer server.Close()
	for path, want := range map[string]int{
		"/pages/index.json?page=1": http.StatusOK,
		"/pages/other.json":        http.StatusNotFound,
		"/.sivu/manifest":          http.StatusNotFound,
		"/pages/../.sivu/manifest": http.StatusNotFound,
		"/%2esivu/manifest":        http.StatusNotFound,
	} {
		response, err := http.Get(server.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(response.Body)
		response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("%s: status %d, want %d", path, response.StatusCode, want)
		}
		if want == http.StatusOK && (string(body) != `{"count":0}` || response.Header.Get("Content-Type") != "application/json") {
			t.Errorf("%s: %s, %s", path, response.Header.Get("Content-Type"), body)
		}
	}
	response, err := http.Get(server.URL + "/pages/leak.json")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if body, _ := io.ReadAll(response.Body); string(body) == "secret" {
		t.Error("a file outside the folder was served")
	}
}
