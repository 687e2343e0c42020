package adopt

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/uuid"

	"example.org/sivu/generator/baseurl"
	"example.org/sivu/generator/source"
	"example.org/sivu/templates"
)

// starterFolder returns the content folder of a new site: the one that build reads unless
// another is named.
func starterFolder(folder string) string {
	if full, err := filepath.Abs(folder); err == nil && filepath.Base(full) == "content" {
		return folder
	}
	return filepath.Join(folder, "content")
}

// writeStarter writes a new site.
func writeStarter(w *place) (*Adopted, error) {
	a := &Adopted{Content: w.content}
	starter := templates.Starter()
	values := strings.NewReplacer("PLACEHOLDER", baseurl.Placeholder, "NAMESPACE", uuid.NewString(), "TODAY", time.Now().Format(time.DateOnly))
	err := fs.WalkDir(starter, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(starter, name)
		if err != nil {
			return err
		}
		file := filepath.Join(w.content, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		written := values.Replace(string(text))
		if path.Base(name) == source.SiteFile {
			a.Text = written
		}
		return os.WriteFile(file, []byte(written), 0o644)
	})
	return a, err
}
