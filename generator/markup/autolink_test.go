package markup

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestMayAutolink(t *testing.T) {
	for body, want := range map[string]bool{
		"":                                     false,
		"plain text, no address":               false,
		"see <https://example.fi/>":            false,
		"see <https://www.example.fi/>":        false,
		`<a href="https://example.fi/">x</a>`:  false,
		"<a href=https://example.fi/>x</a>":    false,
		"xhttps://example.fi":                  false,
		"https://example.fi/":                  true,
		"see https://example.fi/":              true,
		"[x](https://example.fi/)":             true,
		"*www.example.fi*":                     true,
		"|www.example.fi|":                     true,
		">ftp://example.fi":                    true,
		"<https://a.fi> and http://example.fi": true,
		"write to a@example.fi":                true,
	} {
		if got := mayAutolink([]byte(body)); got != want {
			t.Errorf("%q: got %t, want %t", body, got, want)
		}
	}
}

// checkAutolinks fails where a body is held for one without autolinks, and has
// some.
func checkAutolinks(t *testing.T, body []byte) {
	t.Helper()
	if mayAutolink(body) {
		return
	}
	var all, without buffer
	if complete().Convert(body, &all) != nil || withoutAutolinks().Convert(body, &without) != nil {
		t.Fatal("the buffer failed")
	}
	if string(all.data) != string(without.data) {
		t.Fatalf("%q has an autolink:\n%s\n%s", body, all.data, without.data)
	}
}

func FuzzMayAutolink(f *testing.F) {
	for _, seed := range []string{
		"a<https://x.fi>", "\"https://x.fi", "`a`https://x.fi", "=www.x.fi", "/www.x.fi", "<https://www.x.fi> /www.x.fi", "[a]\n\n[a]:<https://x.fi>", "a\n=https://x.fi",
		"<http://x.fi y>", "<www.x.fi>", "'ftp://x.fi'", "1https://x.fi", "ähttps://x.fi", "| a |\n|-|\n|<https://x.fi|", "0  \n0", "0   \n0", "0 \n0", "0\t \n0", "0\t\t\n0",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(checkAutolinks)
}

// The same for the pages of real sites.
func TestCorporaAutolinks(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("SIVU_CORPORA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "corpora")
	}
	if _, err := os.Stat(dir); err != nil {
		if os.Getenv("SIVU_REQUIRE_CORPORA") == "1" {
			t.Fatal(err)
		}
		t.Skipf("no corpora of real pages: SIVU_CORPORA names their folder (%v)", err)
	}
	quick, all := 0, 0
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".md") {
			return err
		}
		text, err := os.ReadFile(name)
		if all++; !mayAutolink(text) {
			quick++
		}
		checkAutolinks(t, text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d of %d pages have nothing that may be an autolink", quick, all)
}
