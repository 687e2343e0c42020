package source

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/page"
)

// version is a page at one moment: the hash of its body, and its field "modified"; nil
// where it has none.
type version struct {
	file     *File
	body     uint64
	modified *field
}

func (r *Reader) version(file *File, text []byte) version {
	d := r.Read(file, text, func(diag.Diagnostic) {})
	v := version{file: file, body: Hash(bytes.TrimSpace(text[d.BodyStart:d.BodyEnd]))}
	if f := r.now.own[ownModified]; f != nil && f.shape == scalar && !d.Skip {
		kept := *f
		v.modified = &kept
	}
	return v
}

// CheckModified reports the pages whose text changed while their field "modified" stayed
// as it was: since the commit that is checked out, and in it, against its first parent.
// A field of less than a day before the change is as good as new. Where there is no git
// repository, or no such commit, as in a shallow clone, there are no problems.
func CheckModified(ctx context.Context, dir string, fsys fs.FS, site *Site, files []*File, now time.Time, report func(diag.Diagnostic)) error {
	if _, err := exec.LookPath("git"); err != nil {
		return nil
	}
	committed, err := gitOutput(ctx, dir, "log", "-1", "--format=%at", "--no-show-signature", "HEAD")
	if err != nil {
		return context.Cause(ctx)
	}
	reader, pages, loader := NewReader(site, nil), []version(nil), Loader{}
	reader.Now, _ = page.TimeOf(now)
	for _, file := range files {
		if text, ok := loader.Load(fsys, file, func(diag.Diagnostic) {}); ok {
			if v := reader.version(file, text); v.modified != nil {
				pages = append(pages, v)
			}
		}
	}
	seconds, _ := strconv.ParseInt(strings.TrimSpace(committed), 10, 64)
	told := make(map[*File]bool)
	for _, change := range []struct {
		base, words string
		at          time.Time
	}{{"HEAD", "since the last commit", now}, {"HEAD^1", "in the last commit", time.Unix(seconds, 0)}} {
		at, _ := page.TimeOf(change.at)
		err := readCommitted(ctx, dir, change.base, pages, func(v version, before []byte) {
			old := reader.version(v.file, normalize(before))
			t, ok := parseDate(v.modified.value, site.Timezone)
			if !ok || t+day > at || told[v.file] || old.modified == nil || old.modified.value != v.modified.value || old.body == v.body {
				return
			}
			told[v.file] = true
			report(ruleModified.At(diag.Position{File: v.file.Path, Line: v.modified.line, Column: v.modified.column},
				"the text changed %s, and %s is still %s", change.words, diag.Quote(v.modified.name), diag.Quote(v.modified.value)).
				WithHint("write the day of the change into it"))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// readCommitted calls f with the text of each page in a commit, empty where it has none.
func readCommitted(ctx context.Context, dir, commit string, pages []version, f func(v version, text []byte)) error {
	var names strings.Builder
	for _, v := range pages {
		names.WriteString(commit + ":./" + v.file.Path + "\n") // no name of a page holds a line feed
	}
	err := git(ctx, dir, strings.NewReader(names.String()), func(r io.Reader) error {
		b := bufio.NewReader(r)
		for _, v := range pages {
			header, err := b.ReadString('\n')
			if err != nil {
				return io.ErrUnexpectedEOF // git says why
			}
			var text []byte
			parts := strings.Fields(header)
			if size, err := strconv.Atoi(parts[len(parts)-1]); err == nil { // else it ends in "missing"
				text = make([]byte, min(size, MaxFileSize))
				_, err = io.ReadFull(b, text)
				_, rest := b.Discard(size - len(text) + len("\n"))
				if err != nil || rest != nil {
					return io.ErrUnexpectedEOF
				}
			}
			f(v, text)
		}
		return nil
	}, "cat-file", "--batch")
	if _, isGit := errors.AsType[*gitError](err); isGit { // as where a partial clone lacks a text
		return nil
	}
	return err
}
