package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime"
	"strings"
	"time"

	"example.org/sivu/generator"
	"example.org/sivu/generator/work"
)

// madeFS is the content folder of a corpus whose pages are made when they are
// opened: a million of them need no disk.
type madeFS struct{ *pageMaker }

func newMadeFS(n int) *madeFS { return &madeFS{newPageMaker(n)} }

// madeTime is the time of all its files.
var madeTime = time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)

func (m *madeFS) Open(name string) (fs.File, error) {
	if name == "site.yaml" {
		return newMadeFile(name, []byte(siteText)), nil
	}
	code, base, _ := strings.Cut(name, "/")
	for i, language := range languages {
		var topic int
		if language.code != code {
			continue
		}
		if _, err := fmt.Sscanf(base, "topic-%d.md", &topic); err == nil && topic < m.topics && pageName(topic) == base {
			return newMadeFile(base, m.appendPage(nil, i, topic)), nil
		}
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

func (m *madeFS) ReadDir(name string) ([]fs.DirEntry, error) {
	var list []fs.DirEntry
	if name == "." {
		for _, language := range languages {
			list = append(list, fs.FileInfoToDirEntry(madeInfo{name: language.code, mode: fs.ModeDir | 0o755}))
		}
		return list, nil
	}
	for topic := range m.topics {
		list = append(list, fs.FileInfoToDirEntry(madeInfo{name: pageName(topic), size: pageBytes, mode: 0o644}))
	}
	return list, nil
}

// madeFile is an open page.
type madeFile struct {
	bytes.Reader

	info madeInfo
}

func newMadeFile(name string, text []byte) *madeFile {
	f := &madeFile{info: madeInfo{name, int64(len(text)), 0o644}}
	f.Reset(text)
	return f
}

func (f *madeFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *madeFile) Close() error               { return nil }

// madeInfo is what is known of a file or folder. That of a page in a list has
// about its size: to know it, the page would have to be made.
type madeInfo struct {
	name string
	size int64
	mode fs.FileMode
}

func (i madeInfo) Name() string       { return i.name }
func (i madeInfo) Size() int64        { return i.size }
func (i madeInfo) Mode() fs.FileMode  { return i.mode }
func (i madeInfo) ModTime() time.Time { return madeTime }
func (i madeInfo) IsDir() bool        { return i.mode.IsDir() }
func (i madeInfo) Sys() any           { return nil }

// runMade builds the snapshot of n made pages into out, or into an archive, as
// sivu does, and prints how many files and bytes it has.
func runMade(ctx context.Context, out, size string, w io.Writer) error {
	n, err := records(size)
	if err != nil {
		return err
	}
	work.TuneMemory(ctx)
	o := generator.Options{Content: "content", FS: newMadeFS(n), Out: out}
	if strings.HasSuffix(out, ".tar.zst") {
		o.Archive = out
	}
	result, err := generator.Build(ctx, o)
	if err != nil {
		return err
	}
	if result.Failed || result.Records != n {
		return fmt.Errorf("%d of %d records were built: %v", result.Records, n, result.Report.Diagnostics)
	}
	_, err = fmt.Fprintln(w, result.Changes.Files, result.Changes.Bytes)
	return err
}

// runSources makes and reads every page as often as a build does, and does
// nothing with them: what it takes is no part of a build.
func runSources(size string) error {
	const passes = 2
	n, err := records(size)
	if err != nil {
		return err
	}
	m := newMadeFS(n)
	buffers := make(chan []byte, 2*runtime.GOMAXPROCS(0))
	return each(passes*n, func() func(int) error {
		return func(i int) error {
			i %= n
			f, err := m.Open(languages[i/m.topics].code + "/" + pageName(i%m.topics))
			if err != nil {
				return err
			}
			var buffer []byte
			select {
			case buffer = <-buffers:
			default:
				buffer = make([]byte, 1<<20)
			}
			if _, err = io.ReadFull(f, buffer); errors.Is(err, io.ErrUnexpectedEOF) {
				err = nil
			}
			buffers <- buffer
			return err
		}
	})
}
