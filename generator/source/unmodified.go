package source

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/page"
)

// CheckModified reports the pages whose text changed while their field "modified" stayed
// as it was: since the commit that is checked out, and in it, against its first parent.
// A field of less than a day before the change is as good as new. Folders in no git
// repository, and commits that are not there, as in a shallow clone, have no problems.
func CheckModified(ctx context.Context, dir string, fsys fs.FS, site *Site, files []*File, now time.Time, report func(diag.Diagnostic)) error {
	if _, err := exec.LookPath("git"); err != nil {
		return nil
	}
	committed, err := gitOutput(ctx, dir, "log", "-1", "--format=%at", "--no-show-signature", "HEAD")
	if err != nil {
		return context.Cause(ctx)
	}
	seconds, _ := strconv.ParseInt(strings.TrimSpace(committed), 10, 64)
	m := modifiedChecker{Reader: NewReader(site, nil), ctx: ctx, dir: dir, fsys: fsys, reported: make(map[string]bool)}
	for _, change := range []struct {
		base, words string
		at          time.Time
	}{{"HEAD", "since the last commit", now}, {"HEAD^1", "in the last commit", time.Unix(seconds, 0)}} {
		at, _ := page.TimeOf(change.at)
		if err := m.compare(files, change.base, func(file *File, f *field) {
			t, ok := parseDate(f.value, site.Timezone)
			if !ok || t+day > at || m.reported[file.Path] {
				return
			}
			m.reported[file.Path] = true
			report(ruleModified.At(diag.Position{File: file.Path, Line: f.line, Column: f.column},
				"the text changed %s, and %s is still %s", change.words, diag.Quote(f.name), diag.Quote(f.value)).
				WithHint("write the day of the change into it"))
		}); err != nil {
			return err
		}
	}
	return nil
}

// modifiedChecker is the state of one call of [CheckModified].
type modifiedChecker struct {
	*Reader
	ctx      context.Context
	dir      string
	fsys     fs.FS
	loader   Loader
	reported map[string]bool
}

// compare calls f with the files that have another text than in a commit, and the field
// "modified" of that time.
func (m *modifiedChecker) compare(files []*File, commit string, f func(*File, *field)) error {
	tree, err := gitOutput(m.ctx, m.dir, "ls-tree", "-r", "-z", commit, "--", ".")
	if err != nil {
		return context.Cause(m.ctx)
	}
	blobs := make(map[string]string)
	for line := range strings.SplitSeq(tree, "\x00") {
		if about, name, ok := strings.Cut(line, "\t"); ok {
			blobs[name] = about[strings.LastIndexByte(about, ' ')+1:]
		}
	}
	type text struct {
		file     *File
		body     uint64 // its hash
		modified *field
	}
	var changed []text
	var wanted strings.Builder
	for _, file := range files {
		blob := blobs[file.Path]
		loaded, ok := m.loader.Load(m.fsys, file, func(diag.Diagnostic) {})
		if !ok || blob == "" || blob == blobID(loaded) {
			continue
		}
		if body, modified := m.read(file, loaded); modified != nil {
			changed = append(changed, text{file, body, modified})
			wanted.WriteString(blob + "\n")
		}
	}
	if len(changed) == 0 {
		return nil
	}
	err = git(m.ctx, m.dir, strings.NewReader(wanted.String()), func(r io.Reader) error {
		b := bufio.NewReader(r)
		for _, now := range changed {
			blob, err := readBlob(b)
			if err != nil {
				return err
			}
			body, modified := m.read(now.file, normalize(blob))
			if modified != nil && modified.value == now.modified.value && body != now.body {
				f(now.file, now.modified)
			}
		}
		return nil
	}, "cat-file", "--batch")
	if _, isGit := errors.AsType[*gitError](err); isGit { // as where a partial clone lacks a text
		return nil
	}
	return err
}

// blobID returns the name that git gives a text. In a repository that uses SHA-256, all
// texts seem to have changed, and are compared.
func blobID(text []byte) string {
	h := sha1.New()
	fmt.Fprintf(h, "blob %d\x00", len(text))
	h.Write(text)
	return hex.EncodeToString(h.Sum(nil))
}

// readBlob reads the next answer of git cat-file --batch; it is empty for what is no text
// of a page.
func readBlob(b *bufio.Reader) ([]byte, error) {
	header, err := b.ReadString('\n')
	if err != nil {
		return nil, err
	}
	parts := strings.Fields(header)
	if len(parts) != 3 { // "missing"
		return nil, nil
	}
	size, err := strconv.ParseInt(parts[2], 10, 64)
	if err != nil {
		return nil, err
	}
	if size > MaxFileSize {
		_, err := b.Discard(int(size) + 1)
		return nil, err
	}
	text := make([]byte, size+1) // a line feed follows
	_, err = io.ReadFull(b, text)
	return text[:size], err
}

// read returns a hash of the body of a text, and its field "modified"; nil where it has
// none.
func (m *modifiedChecker) read(file *File, text []byte) (body uint64, modified *field) {
	d := m.Read(file, text, func(diag.Diagnostic) {})
	if f := m.now.own[ownModified]; f != nil && f.shape == scalar && !d.Skip {
		kept := *f
		modified = &kept
	}
	return Hash(bytes.TrimSpace(text[d.BodyStart:d.BodyEnd])), modified
}
