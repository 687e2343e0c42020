package generator

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "example.org/sivu/"

// allowed says which packages of the house each package may import. Data goes
// one way: see doc.go.
var allowed = map[string][]string{
	"generator/diag":    {},
	"generator/baseurl": {"generator/diag"},
	"generator/page":    {},
	"generator/work":    {},
	"generator/fsutil":  {},
	"generator/state":   {"generator/fsutil"},
	"generator/tree":    {"generator/api", "generator/state"},

	"generator/source": {"generator/baseurl", "generator/diag", "generator/fsutil", "generator/page"},
	"generator/markup": {"generator/diag", "generator/page"},
	"generator/lint":   {"generator/diag", "generator/page"},
	"generator/author": {"generator/diag", "generator/page", "generator/source"},
	"generator/api":    {"generator/page"},
	"generator/host":   {"generator/api", "generator/baseurl", "templates"},

	"generator/adopt": {"generator/baseurl", "generator/diag", "generator/fsutil", "generator/markup", "generator/page", "generator/source", "templates"},

	"generator/settings": {
		"generator/api", "generator/baseurl", "generator/diag", "generator/host", "generator/lint", "generator/markup",
		"generator/source", "generator/work",
	},
	"generator/lists": {"generator/api", "generator/source", "generator/work"},
	"generator/corpus": { // no destination: rendering hands files to a function
		"generator/api", "generator/diag", "generator/fsutil", "generator/lint", "generator/lists", "generator/markup",
		"generator/page", "generator/settings", "generator/source", "generator/state", "generator/work",
	},

	"generator/folder":  {"generator/api", "generator/fsutil", "generator/state", "generator/tree"},
	"generator/archive": {"generator/api", "generator/folder", "generator/fsutil", "generator/tree"},
	"generator/bucket":  {"generator/api", "generator/folder", "generator/fsutil", "generator/tree"},
	"generator/diff":    {"generator/api", "generator/diag", "generator/tree"},
	"generator/preview": {"generator/api", "generator/diag", "generator/fsutil"},
	"generator/view": {
		"generator/api", "generator/corpus", "generator/diag", "generator/lists", "generator/page", "generator/preview",
		"generator/settings", "generator/source",
	},
	"generator/watch":  {"generator/fsutil"},
	"generator/verify": {"generator/diag"}, // above all not generator/api: see its package comment

	"generator": {
		"generator/adopt", "generator/api", "generator/archive", "generator/author", "generator/baseurl", "generator/corpus", "generator/diag", "generator/folder", "generator/fsutil",
		"generator/host", "generator/lint", "generator/lists", "generator/page", "generator/preview", "generator/settings",
		"generator/source", "generator/view", "generator/watch", "generator/work",
	},
	"templates": {},
	"cmd/sivu": {
		"generator", "generator/api", "generator/archive", "generator/baseurl", "generator/bucket", "generator/diag", "generator/diff", "generator/folder", "generator/fsutil", "generator/host",
		"generator/page", "generator/preview", "generator/source", "generator/tree", "generator/verify",
		"generator/view", "generator/watch", "generator/work", "templates",
	},
	"generator/bench": {}, // only tests
}

func TestImports(t *testing.T) {
	seen := map[string]bool{}
	err := fs.WalkDir(os.DirFS(".."), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && name != "." && strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir
		}
		if strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			seen[path.Dir(name)] = true
			checkImports(t, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for folder := range allowed {
		if !seen[folder] {
			t.Errorf("the table names %s, which has no Go files", folder)
		}
	}
}

func checkImports(t *testing.T, name string) {
	t.Helper()
	table, ok := allowed[path.Dir(name)]
	if !ok {
		t.Errorf("%s: its package is not in the table of allowed imports", name)
		return
	}
	file, err := parser.ParseFile(token.NewFileSet(), "../"+name, nil, parser.ImportsOnly)
	if err != nil {
		t.Error(err)
		return
	}
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Error(err)
		}
		if inside, ok := strings.CutPrefix(imported, module); ok && !slices.Contains(table, inside) {
			t.Errorf("%s imports %s, which the table does not allow", name, inside)
		}
	}
}
