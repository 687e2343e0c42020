//go:build linux || darwin || freebsd

package bench

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
	"golang.org/x/sync/errgroup"
	"golang.org/x/sys/unix"

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

// runFloor is the least that a build has to do: see the package comment.
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
	title := page.Page{Record: page.Record{Language: "fi"}, Meta: page.Meta{{Key: "title", Value: "title"}}}
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

// treeWriter writes files below a folder that it keeps open, the quickest way
// there is.
type treeWriter struct {
	root int
}

func newTreeWriter(out string) (*treeWriter, error) {
	if err := os.MkdirAll(filepath.Join(out, api.Folder), 0o755); err != nil {
		return nil, err
	}
	root, err := unix.Open(out, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	return &treeWriter{root}, err
}

// folder makes a folder and returns what names of its files begin with.
func (w *treeWriter) folder(name string) (string, error) {
	return name + "/", unix.Mkdirat(w.root, name, 0o755)
}

func (w *treeWriter) write(name string, data []byte) error {
	fd, err := unix.Openat(w.root, name, unix.O_WRONLY|unix.O_CREAT|unix.O_TRUNC|unix.O_CLOEXEC, 0o644)
	if err != nil {
		return err
	}
	for len(data) > 0 {
		n, err := unix.Write(fd, data)
		if err != nil {
			unix.Close(fd)
			return err
		}
		data = data[n:]
	}
	return unix.Close(fd)
}

// runStat walks a folder and stats every file in it: what has to be done to know
// that nothing changed, in the plain way.
func runStat(folder string) error {
	return filepath.WalkDir(folder, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		_, err = d.Info()
		return err
	})
}

// runLists writes files of the names and sizes of the snapshot's list pages into
// out, one after the other, in the least way in which nobody meets a torn one: each
// under another name, and then renamed over the one that is there. It prints how
// long this took, without what it takes to find out which they are.
func runLists(from, out string, w io.Writer) error {
	lists, err := filepath.Glob(filepath.Join(from, api.Folder, "*.json"))
	if err != nil {
		return err
	}
	data := make([][]byte, len(lists))
	for i, name := range lists {
		if data[i], err = os.ReadFile(name); err != nil {
			return err
		}
	}
	err = os.MkdirAll(out, 0o755)
	start := time.Now()
	for i, name := range lists {
		name = filepath.Join(out, filepath.Base(name))
		if err == nil {
			err = os.WriteFile(name+".new", data[i], 0o644)
		}
		if err == nil {
			err = os.Rename(name+".new", name)
		}
	}
	if err == nil {
		_, err = fmt.Fprint(w, time.Since(start))
	}
	return err
}
