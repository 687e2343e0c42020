//go:build linux || darwin || freebsd

package bench

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"example.org/sivu/generator/api"
)

// editedTime is the time of files that were changed. Like corpusTime it is long
// past, as times of sources mostly are: those of the last seconds prove nothing.
var editedTime = corpusTime.Add(time.Hour)

// edit is a change of a corpus.
type edit struct {
	name   string
	undone string       // the name of the way back
	do     func() error // changes the corpus
	undo   func() error // makes it what it was, times of files included
	files  int          // that a build after either adds, changes or removes
}

// edits are the changes that rebuilds of a corpus of n records are measured
// after.
func edits(corpus string, n int) []edit {
	maker := newPageMaker(n)
	folder := filepath.Join(corpus, languages[0].code)
	name := filepath.Join(folder, pageName(maker.topics/2))
	page := maker.appendPage(nil, 0, maker.topics/2)
	added := filepath.Join(folder, pageName(maker.topics))
	variants := len(api.Variants)
	return []edit{
		{
			name: oneBody, undone: "back",
			do: func() error {
				return writeAt(editedTime, name, append(bytes.Clone(page), "\nOne more paragraph.\n"...))
			},
			undo:  func() error { return writeAt(corpusTime, name, page) },
			files: variants,
		},
		{
			name: newRecord, undone: "record gone",
			do:    func() error { return writeAt(editedTime, added, onTop(maker.appendPage(nil, 0, maker.topics))) },
			undo:  func() error { return os.Remove(added) },
			files: variants * (1 + api.ListPages(n+1) + 1),
		},
		{
			name: "touched", undone: "back",
			do:   func() error { return touch(corpus, editedTime) },
			undo: func() error { return touch(corpus, corpusTime) },
		},
	}
}

// onTop returns a page that lists show before all others: it is newer than those
// of pageText.
func onTop(page []byte) []byte {
	const key = "\ncreated: "
	before, after, _ := bytes.Cut(page, []byte(key))
	return fmt.Appendf(nil, "%s%s2024%s", before, key, after[len("2024"):])
}

func writeAt(t time.Time, name string, text []byte) error {
	if err := os.WriteFile(name, text, 0o644); err != nil {
		return err
	}
	return os.Chtimes(name, t, t)
}

// touch gives every file of a folder the same time.
func touch(folder string, t time.Time) error {
	return filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		return os.Chtimes(name, t, t)
	})
}
