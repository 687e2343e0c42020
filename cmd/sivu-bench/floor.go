package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/google/uuid"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
	"golang.org/x/sync/errgroup"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/markup"
	"example.org/sivu/generator/page"
)

// each calls work for every i below n on as many workers as sivu has. Each
// worker has a work function of its own.
func each(n int, newWork func() func(i int) error) error {
	workers := 2 * runtime.GOMAXPROCS(0)
	var group errgroup.Group
	for w := range workers {
		group.Go(func() error {
			work := newWork()
			for i := n * w / workers; i < n*(w+1)/workers; i++ {
				if err := work(i); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return group.Wait()
}

func runFloor(corpus, out string) error {
	debug.SetGCPercent(400) // it keeps nothing, so the collector shall cost it nothing
	var names []string
	err := filepath.WalkDir(corpus, func(name string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(name, ".md") {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		return err
	}
	writer, err := newTreeWriter(out)
	if err != nil {
		return err
	}
	style, _ := api.StyleNamed("query")
	links := api.Links{Base: "https://api.example.org", Style: style}
	markdown := goldmark.New(
		goldmark.WithExtensions(markup.Extensions()...),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()),
		goldmark.WithRendererOptions(html.WithUnsafe()),
	)
	title := page.Page{Language: "fi", Meta: page.Meta{{Key: "title", Value: "title"}}}
	return each(len(names), func() func(int) error {
		var text, rendered bytes.Buffer
		var head, tail, detail []byte
		return func(i int) error {
			if err := readInto(&text, names[i]); err != nil {
				return err
			}
			_, body, _ := bytes.Cut(text.Bytes()[4:], []byte("\n---\n"))
			rendered.Reset()
			if err := markdown.Convert(body, &rendered); err != nil {
				return err
			}
			id := uuid.NewSHA1(uuid.Nil, []byte(names[i]))
			head = api.AppendItem(head[:0], &title)
			tail = api.AppendSuffix(tail[:0], nil, rendered.Bytes())
			folder, err := writer.folder(api.RecordFolder(id))
			if err != nil {
				return err
			}
			for _, v := range api.Variants {
				detail = links.AppendDetail(detail[:0], head, tail, id, v)
				if err := writer.write(folder+api.IndexName(v), detail); err != nil {
					return err
				}
			}
			return nil
		}
	})
}

func readInto(b *bytes.Buffer, name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	b.Reset()
	_, err = b.ReadFrom(f)
	return err
}
