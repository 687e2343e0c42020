//go:build linux || darwin || freebsd

package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"strings"
	"time"
)

// corpusFS is the content folder of a corpus whose pages are made when they are
// opened: a million of them need no disk.
type corpusFS struct{ *pageMaker }

func newCorpusFS(n int) *corpusFS { return &corpusFS{newPageMaker(n)} }

// corpusTime is the time of all its files.
var corpusTime = time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)

func (m *corpusFS) Open(name string) (fs.File, error) {
	if name == "site.yaml" {
		return newCorpusFile(name, []byte(siteText)), nil
	}
	code, base, _ := strings.Cut(name, "/")
	for i, language := range languages {
		var topic int
		if language.code != code {
			continue
		}
		if _, err := fmt.Sscanf(base, "topic-%d.md", &topic); err == nil && topic < m.topics && pageName(topic) == base {
			return newCorpusFile(base, m.appendPage(nil, i, topic)), nil
		}
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

func (m *corpusFS) ReadDir(name string) ([]fs.DirEntry, error) {
	var list []fs.DirEntry
	if name == "." {
		for _, language := range languages {
			list = append(list, fs.FileInfoToDirEntry(corpusInfo{name: language.code, mode: fs.ModeDir | 0o755}))
		}
		return list, nil
	}
	for topic := range m.topics {
		list = append(list, fs.FileInfoToDirEntry(corpusInfo{name: pageName(topic), size: pageBytes, mode: 0o644}))
	}
	return list, nil
}

// corpusFile is an open page.
type corpusFile struct {
	bytes.Reader

	info corpusInfo
}

func newCorpusFile(name string, text []byte) *corpusFile {
	f := &corpusFile{info: corpusInfo{name, int64(len(text)), 0o644}}
	f.Reset(text)
	return f
}

func (f *corpusFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *corpusFile) Close() error               { return nil }

// corpusInfo is what is known of a file or folder. That of a page in a list has
// about its size: to know it, the page would have to be made.
type corpusInfo struct {
	name string
	size int64
	mode fs.FileMode
}

func (i corpusInfo) Name() string       { return i.name }
func (i corpusInfo) Size() int64        { return i.size }
func (i corpusInfo) Mode() fs.FileMode  { return i.mode }
func (i corpusInfo) ModTime() time.Time { return corpusTime }
func (i corpusInfo) IsDir() bool        { return i.mode.IsDir() }
func (i corpusInfo) Sys() any           { return nil }
