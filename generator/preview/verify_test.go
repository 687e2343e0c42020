package preview_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"example.org/sivu/generator"
	"example.org/sivu/generator/api"
	"example.org/sivu/generator/preview"
	"example.org/sivu/generator/verify"
)

// The preview of a folder that was built keeps every sentence of the contract,
// whatever its base address and link style, and also where the api variants are
// left for the host to make.
func TestVerify(t *testing.T) {
	for _, style := range api.Styles {
		for _, edge := range []bool{false, true} {
			name := style.Name
			if edge {
				name += ", variants made"
			}
			t.Run(name, func(t *testing.T) {
				out := build(t, style.Name)
				if edge {
					removeVariants(t, out)
				}
				base := start(t, out)
				report, err := verify.URL(t.Context(), base, verify.Options{Links: style.Name, Rate: 1e6})
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range report.Findings {
					t.Errorf("%s: %s %s: due %s, came %s", f.Rule.Name, f.Request, f.Address, f.Due, f.Came)
				}
				if report.Failed() || report.Stopped != "" || report.Records < 100 || report.Lists < 10 {
					t.Errorf("failed %v, stopped %q, %d records, %d lists", report.Failed(), report.Stopped, report.Records, report.Lists)
				}
			})
		}
	}
}

// build builds the sample site.
func build(t *testing.T, links string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "public")
	result, err := generator.Build(t.Context(), generator.Options{
		Content: "../../content", Out: out, BaseURL: "https://api.example.fi/v1", Links: links,
	})
	if err != nil || result.Failed {
		t.Fatalf("the sample site does not build: %v, %+v", err, result)
	}
	return out
}

func removeVariants(t *testing.T, out string) {
	t.Helper()
	err := filepath.WalkDir(out, func(name string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(name, ".api.json") {
			err = os.Remove(name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// start serves a folder, and returns the base address.
func start(t *testing.T, dir string) string {
	t.Helper()
	listener, err := preview.Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	folder, err := preview.OpenFolder(dir, listener.Base)
	if err != nil {
		t.Fatal(err)
	}
	server := preview.New(preview.Options{Base: listener.Base, Hosts: listener.Hosts, Snapshot: true, Browser: fstest.MapFS{"index.html": {}}, Log: func(err error) { t.Error(err) }})
	server.Show(preview.Site{Answers: folder})
	ctx, end := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ctx, listener) }()
	t.Cleanup(func() {
		end()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return listener.Base
}
