package source

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.org/sivu/generator/diag"
)

// A text that changes while its field "modified" does not is told, before the commit and
// after it.
func TestCheckModified(t *testing.T) {
	site := DefaultSite()
	now := time.Date(2020, 1, 20, 12, 0, 0, 0, time.UTC)
	const january1 = "---\ntitle: T\nmodified: 2020-01-01\n---\nText.\n"
	tests := map[string]struct {
		first, second, tree string // the text at the first commit, of 10 January, at the last, of 15 January, and in the work tree
		want                string
	}{
		"nothing":                  {january1, january1, january1, ""},
		"not committed":            {january1, january1, "---\ntitle: T\nmodified: 2020-01-01\n---\nOther.\n", `3:1: the text changed since the last commit, and "modified" is still "2020-01-01"`},
		"in the last commit":       {january1, "---\nmodified: 2020-01-01\n---\n# T\nOther.\n", "", `2:1: the text changed in the last commit, and "modified" is still "2020-01-01"`},
		"in both":                  {january1, january1 + "More.\n", january1 + "Most.\n", `3:1: the text changed since the last commit, and "modified" is still "2020-01-01"`},
		"modified with it":         {january1, january1, "---\ntitle: T\nmodified: 2020-01-20\n---\nOther.\n", ""},
		"modified that day":        {"---\ntitle: T\nmodified: 2020-01-15\n---\nText.\n", "---\ntitle: T\nmodified: 2020-01-15\n---\nOther.\n", "", ""},
		"modified as text differs": {january1, "---\ntitle: T\nmodified: 2020-01-02\n---\nOther.\n", "", ""},
		"fields and blanks alone":  {january1, "---\ntitle: U\nmodified: 2020-01-01\n---\n\nText.\n\n\n", "", ""},
		"line ends alone":          {january1, january1, "\ufeff---\r\ntitle: T\r\nmodified: 2020-01-01\r\n---\r\nText.\r\n", ""},
		"no such field":            {"---\ncreated: 2020-01-01\n---\nText.\n", "---\ncreated: 2020-01-01\n---\nOther.\n", "", ""},
		"a draft":                  {january1, january1, "---\ndraft: true\nmodified: 2020-01-01\n---\nOther.\n", ""},
		"published that day":       {january1, january1, "---\npublish: 2020-01-20\nmodified: 2020-01-01\n---\nOther.\n", `3:1: the text changed since the last commit, and "modified" is still "2020-01-01"`},
		"a new page":               {"", january1, january1, ""},
	}
	r := newRepository(t)
	names := make([]string, 0, len(tests))
	for what := range tests {
		names = append(names, what)
	}
	slices.Sort(names)
	for step, day := range []int{10, 15, 0} {
		for _, what := range names {
			test := tests[what]
			if text := [...]string{test.first, test.second, test.tree}[step]; text != "" {
				r.writeText("content/fi/"+what+".md", text)
			}
		}
		if day > 0 {
			r.commit(day)
		}
	}
	dir := filepath.Join(r.dir, "content")
	check := func(dir string) map[string]string {
		got := map[string]string{}
		var files []*File
		for i := range names {
			files = append(files, &File{Path: "fi/" + names[i] + ".md"})
		}
		err := CheckModified(t.Context(), dir, os.DirFS(filepath.Join(r.dir, "content")), site, files, now, func(d diag.Diagnostic) {
			what := filepath.Base(d.Pos.File)
			got[what[:len(what)-len(".md")]] += d.Pos.String()[len(d.Pos.File)+1:] + ": " + d.Message
		})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	want := map[string]string{}
	for what, test := range tests {
		if test.want != "" {
			want[what] = test.want
		}
	}
	if diff := cmp.Diff(want, check(dir)); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
	if got := check(t.TempDir()); len(got) > 0 {
		t.Errorf("in no repository: %q", got)
	}
}
