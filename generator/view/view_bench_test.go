package view

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"testing"
	"testing/fstest"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/corpus"
	"example.org/sivu/generator/settings"
)

// scanned returns the corpus of a site, all in memory.
func scanned(b *testing.B, site fstest.MapFS) (*settings.Settings, *corpus.Corpus) {
	s, err := settings.Resolve(settings.Options{Content: "content", FS: site})
	if err != nil {
		b.Fatal(err)
	}
	c, err := corpus.Scan(b.Context(), s, corpus.Options{Live: true, Spool: new(corpus.Spool)})
	if err != nil {
		b.Fatal(err)
	}
	c.Lint()
	if err := c.Render(b.Context(), nil); err != nil {
		b.Fatal(err)
	}
	return s, c
}

// siteOf returns a site of so many pages with random ids.
func siteOf(pages int, more string) fstest.MapFS {
	random := rand.New(rand.NewPCG(1, 2))
	site := fstest.MapFS{}
	for i := range pages {
		text := fmt.Sprintf("---\nid: %08x-0000-4000-8000-%012x\ntitle: A\ncreated: 2019-05-06\n%s---\n", random.Uint32(), i, more)
		site[fmt.Sprintf("fi/%08d.md", i)] = &fstest.MapFile{Data: []byte(text)}
	}
	return site
}

// BenchmarkView measures what every saved file costs in a site of 200,000 records:
// the view of them.
func BenchmarkView(b *testing.B) {
	s, c := scanned(b, siteOf(200_000, ""))
	for b.Loop() {
		newView(s, c, api.Links{}, nil, newMedia(c), nil, nil)
	}
}

// BenchmarkKeepLeftOut measures what it costs that 20,000 pages become drafts while
// the content folder has an error.
func BenchmarkKeepLeftOut(b *testing.B) {
	const pages = 20_000
	s, before := scanned(b, siteOf(pages, ""))
	drafts := siteOf(pages, "draft: true\n")
	drafts["fi/folder.md"] = &fstest.MapFile{Mode: fs.ModeDir}
	drafts["fi/pipe.md"] = &fstest.MapFile{Mode: fs.ModeNamedPipe}
	_, c := scanned(b, drafts)
	if !c.WalkFailed() {
		b.Fatal("the content folder has no error")
	}
	v := newView(s, before, api.Links{}, nil, newMedia(before), nil, nil)
	for b.Loop() {
		broken, ids := findBroken(c)
		if kept := v.keep(s, c, broken, ids); len(kept) > 0 {
			b.Fatal(kept)
		}
	}
}
