package templates_test

import (
	"bytes"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"testing"

	"example.org/sivu/templates"
)

// previewFiles returns the files of the page browser by name.
func previewFiles(t *testing.T) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := fs.WalkDir(templates.Preview(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files[name], err = fs.ReadFile(templates.Preview(), name)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

var reference = regexp.MustCompile(`(?:from |import |href=|src=|url\()['"]([^'"#]+)['"]`)

// Whatever one file names is there, and every file is named: nothing is asked
// for elsewhere, and nothing is left over.
func TestPreviewIsWhole(t *testing.T) {
	files := previewFiles(t)
	named := map[string]bool{"index.html": true, "body.css": true}
	for name, text := range files {
		for _, match := range reference.FindAllSubmatch(text, -1) {
			target := string(match[1])
			if target == "/pages/" {
				continue
			}
			if below, ok := strings.CutPrefix(target, "/_preview/"); ok {
				target = below
			} else if strings.HasPrefix(target, ".") {
				target = path.Join(path.Dir(name), target)
			}
			if files[target] == nil {
				t.Errorf("%s names %s, which is not there", name, match[1])
			}
			named[target] = true
		}
	}
	for name := range files {
		if !named[name] {
			t.Errorf("nothing names %s", name)
		}
	}
}

// The policy forbids what stands in a page; and no text of a record may become
// HTML.
func TestPreviewKeepsItsPolicy(t *testing.T) {
	inline := regexp.MustCompile(`(?i)<style|<script(?: [^>]*)?>[^<]|\sstyle=|\son[a-z]+=`)
	unsafe := regexp.MustCompile(`innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\b|new Function|\bsetAttribute\('style`)
	for name, text := range previewFiles(t) {
		if path.Ext(name) == ".html" && inline.Match(text) {
			t.Errorf("%s: %s stands in the page", name, inline.Find(text))
		}
		if path.Ext(name) == ".js" && unsafe.Match(text) {
			t.Errorf("%s uses %s", name, unsafe.Find(text))
		}
		if bytes.Contains(text, []byte("://")) && !strings.HasSuffix(name, ".svg") {
			for line := range strings.Lines(string(text)) {
				if strings.Contains(line, "://") && !strings.Contains(line, "www.w3.org") && !strings.Contains(line, `https:\/\/`) {
					t.Errorf("%s names another place: %s", name, line)
				}
			}
		}
	}
}

func TestHosts(t *testing.T) {
	entries, err := fs.ReadDir(templates.Hosts(), ".")
	if err != nil || len(entries) == 0 {
		t.Errorf("no templates of hosts: %v", err)
	}
}
