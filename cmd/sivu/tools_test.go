package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"example.org/sivu/generator/baseurl"
	"example.org/sivu/generator/host"
)

// TestEmulatorTools holds the makers' tools that uploads run against the registry
// and against what make emulators has installed: each is pinned to its current
// major version, and knows the compatibility date of the Worker.
func TestEmulatorTools(t *testing.T) {
	installed := os.Getenv("SIVU_EMULATORS")
	if installed == "" {
		t.Skip("SIVU_EMULATORS is not set: make emulators asks the registry")
	}
	base, err := baseurl.Parse("https://api.example.fi")
	if err != nil {
		t.Fatal(err)
	}
	tool := regexp.MustCompile(`npx --yes (\S+)@(\d+) `)
	date := regexp.MustCompile(`"compatibility_date": "([0-9-]+)"`)
	tools := map[string]string{}
	for _, h := range host.Hosts {
		for _, produce := range []func(*host.Config) ([]host.File, error){h.ConfigFiles, h.UploadFiles} {
			files, err := produce(&host.Config{Base: base, ListPages: 1})
			if err != nil {
				t.Fatalf("%s: %v", h.Name, err)
			}
			for _, file := range files {
				for _, found := range tool.FindAllStringSubmatch(string(file.Data), -1) {
					tools[found[1]] = found[2]
				}
				if found := date.FindStringSubmatch(string(file.Data)); found != nil {
					runtime := versionOf(t, filepath.Join(installed, "node_modules", "workerd"))
					if known := strings.Split(runtime, ".")[1]; strings.ReplaceAll(found[1], "-", "") > known {
						t.Errorf("the compatibility date is %s, and workerd %s knows dates up to %s", found[1], runtime, known)
					}
				}
			}
		}
	}
	if len(tools) == 0 {
		t.Error("no upload runs a tool of npm")
	}
	for name, major := range tools {
		out, err := exec.CommandContext(t.Context(), "npm", "view", "--silent", name, "version").Output()
		if err != nil {
			t.Errorf("npm view %s: %v", name, err)
		} else if current, _, _ := strings.Cut(strings.TrimSpace(string(out)), "."); current != major {
			t.Errorf("uploads run %s@%s, and %s is current", name, major, out)
		}
	}
}

// versionOf returns the version of an installed package of npm.
func versionOf(t *testing.T, folder string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "package.json"))
	if err != nil {
		t.Fatal(err)
	}
	var about struct{ Version string }
	if err := json.Unmarshal(text, &about); err != nil {
		t.Fatal(err)
	}
	return about.Version
}
