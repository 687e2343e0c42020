package generator

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/sivu/generator/view"
)

// BenchmarkLive measures what an edit costs in a site of 12,000 records on disk:
// of one body, of one address, and of one page more or less.
func BenchmarkLive(b *testing.B) {
	const topics, languages = 1000, 12
	dir := b.TempDir()
	names := make([]string, languages)
	for i := range names {
		names[i] = fmt.Sprintf("a%c", 'a'+i)
	}
	write := func(name, text string) {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	page := func(topic int, title, more string) string {
		return fmt.Sprintf("---\ntitle: %s\ncreated: 2019-01-01T00:00:00.%06dZ\n---\n%s\nSee [the next](/aa/s%d/t%d).\n%s", title, topic,
			strings.Repeat("A paragraph of *some* words, as pages have them.\n\n", 12), (topic+1)%topics%30, (topic+1)%topics, more)
	}
	write("site.yaml", "base_url: https://api.example.org\nnamespace: 0e6f3c1a-6f0f-4a86-9a5e-0f7f3b7a4c11\ndates: [fields]\nlanguages: ["+strings.Join(names, ", ")+"]\n")
	for topic := range topics {
		for _, language := range names {
			write(fmt.Sprintf("%s/s%d/t%d.md", language, topic%30, topic), page(topic, "Title", ""))
		}
	}
	l, err := view.NewLive(Options{Content: dir, BaseURL: liveBase})
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	update := func(touched ...string) {
		u, err := l.Update(b.Context(), touched)
		if err != nil || u.Failed {
			b.Fatal(u, err)
		}
	}
	update()
	const file = "ac/s5/t5.md"
	b.Run("body", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			write(file, page(5, "Title", fmt.Sprint(i)))
			update(file)
		}
	})
	b.Run("address", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			write(file, strings.Replace(page(5, "Title", ""), "---\n", fmt.Sprintf("---\nslug: s%d\n", i), 1))
			update(file)
		}
	})
	b.Run("new", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			name := fmt.Sprintf("ac/s5/n%d.md", i)
			write(name, page(5, "Title", ""))
			update(name)
		}
	})
}
