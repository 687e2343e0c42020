package markup_test

import (
	"bytes"
	"sync"
	"testing"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/markup"
	"example.org/sivu/generator/page"
)

func TestRules(t *testing.T) {
	names := map[string]bool{}
	for _, rule := range markup.Rules {
		if rule.Name == "" || rule.Doc == "" || rule.Severity == diag.Off || names[rule.Name] {
			t.Errorf("rule %q is not whole, or there twice", rule.Name)
		}
		if rule.Contract != (rule.Severity == diag.Error) {
			t.Errorf("rule %q: an error of this package is one that the contract rests on", rule.Name)
		}
		names[rule.Name] = true
	}
	if !names[markup.AssetAddress.Name] {
		t.Error("asset-address is not among the rules")
	}
}

// TestConcurrentRenderers is for the race detector: one index and one goldmark
// serve any number of renderers.
func TestConcurrentRenderers(t *testing.T) {
	body, index := benchmarkBody(), testIndex()
	want := bytes.Clone(markup.NewRenderer(markup.Options{}, index).Render(0, page.Markdown, body).Content)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			r := markup.NewRenderer(markup.Options{}, index)
			for range 20 {
				if got := r.Render(0, page.Markdown, body); !bytes.Equal(got.Content, want) {
					t.Error("the same body gives another content")
					return
				}
			}
		})
	}
	wg.Wait()
}

func TestHashAnchor(t *testing.T) {
	for anchor, want := range map[string]uint64{"": 0xcbf29ce484222325, "a": 0xaf63dc4c8601ec8c, "foobar": 0x85944171f73967e8} {
		if got := markup.HashAnchor(anchor); got != want {
			t.Errorf("HashAnchor(%q) = %#x, want %#x", anchor, got, want)
		}
	}
}
