package adopt

import (
	"strings"
	"testing"

	"github.com/bmatcuk/doublestar/v4"
	"go.yaml.in/yaml/v4"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/source"
)

// Whatever the names of files, fields and markers are, and whatever problems say, the
// text is a site.yaml with these values.
func FuzzText(f *testing.F) {
	for _, seed := range []string{"a.md", "no", "12", "a: b", "# x", "- x", "c++ [1].md", "~", "\u2028", "a\nb", "\"q\"", "{{< x >}}", "*", "é/ä.md", "\xff"} {
		f.Add(seed, seed)
	}
	f.Fuzz(func(t *testing.T, name, reason string) {
		p := &proposal{survey: &survey{}, excluded: map[string]bool{}}
		p.leaveOut("folder/"+name, reason)
		p.add("title_from", flow([]string{"title", "x" + oneLine(strings.ToValidUTF8(name, ""))}), reason)
		text := p.text()
		var values struct {
			TitleFrom []string `yaml:"title_from"`
			Exclude   []string
		}
		if err := yaml.Unmarshal([]byte(text), &values); err != nil {
			t.Fatalf("%v:\n%s", err, text)
		}
		if got, want := values.TitleFrom[1], "x"+oneLine(strings.ToValidUTF8(name, "")); got != want {
			t.Errorf("the value is %q, not %q", got, want)
		}
		if ok, err := doublestar.Match(values.Exclude[0], "folder/"+name); err != nil || !ok && !strings.ContainsAny(name, "/\\") {
			t.Errorf("the pattern %q does not match %q: %v", values.Exclude[0], name, err)
		}
		source.ReadSite([]byte(text), source.SiteFile, nil, func(d diag.Diagnostic) {
			if !strings.Contains(d.Message, "does not lie below") { // the name has ".."
				t.Errorf("%s: %s\n%s", d.Pos, d.Message, text)
			}
		})
	})
}
