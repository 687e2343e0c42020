package source

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/page"
)

// gitCommitMark begins the token of a commit. No status begins with it.
const gitCommitMark = "@"

// maxGitToken is how long a path may be.
const maxGitToken = 64 << 10

// parseGitLog reads the output of git log with gitLogArguments into a history:
// tokens that end with NUL. A commit is its mark and author date; then come its
// files, each a status and its paths. Empty tokens and line feeds before a status
// separate.
func parseGitLog(r io.Reader, h *gitHistory) error {
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, maxGitToken+1), maxGitToken+1)
	s.Split(splitNUL)
	for s.Scan() {
		token := strings.TrimPrefix(s.Text(), "\n")
		if date, ok := strings.CutPrefix(token, gitCommitMark); ok {
			h.endCommit()
			h.beginCommit(date)
		} else if token != "" {
			if err := parseGitStatus(token, s, h); err != nil {
				return err
			}
		}
	}
	h.endCommit()
	return gitLogError(s)
}

// splitNUL is a [bufio.SplitFunc] of tokens that end with NUL.
func splitNUL(data []byte, atEOF bool) (advance int, token []byte, err error) {
	if i := bytes.IndexByte(data, 0); i >= 0 {
		return i + 1, data[:i], nil
	}
	if atEOF && len(data) > 0 {
		return 0, nil, io.ErrUnexpectedEOF
	}
	return 0, nil, nil
}

func gitLogError(s *bufio.Scanner) error {
	if errors.Is(s.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("the history has a path of more than %d bytes", maxGitToken)
	}
	return s.Err()
}

// parseGitStatus reads the paths of a status. A commit with one parent has a
// letter and maybe a score, and the old path of a rename or copy. A merge has one
// letter for each parent, and the path in each of them. The path that the commit
// leaves comes last.
func parseGitStatus(status string, s *bufio.Scanner, h *gitHistory) error {
	letters := strings.TrimRight(status, "0123456789")
	if letters == "" || strings.Trim(letters, "ABCDMRTUX") != "" {
		return fmt.Errorf("git log printed the status %s, which is not understood", diag.Quote(status))
	}
	count := len(letters) + 1
	if len(letters) == 1 && letters != "R" && letters != "C" {
		count = 1
	}
	paths := make([]string, count)
	for i := range paths {
		if !s.Scan() {
			return cmp.Or(gitLogError(s), io.ErrUnexpectedEOF)
		}
		paths[i] = s.Text()
	}
	h.touch(letters, paths[:count-1], paths[count-1])
	return nil
}

// gitHistory follows files back through a history whose commits are given
// children first. At any commit, names maps a path to the file of today that it
// then was. A path of no file of today still gets a file, an unwanted one: a
// rename that comes later, on another branch, may show whose it was.
type gitHistory struct {
	wanted  func(path string) bool
	names   map[string]*gitFile
	today   map[string]*gitFile // the files that are wanted, by their paths of today
	renames []gitRename         // of the current commit, which take effect at once

	now   gitTouch // of the current commit
	dated bool     // it has a date that can be used
}

// gitFile is one file and its first and last commit so far.
type gitFile struct {
	isToday bool
	isAdded bool // the commit that added it under its present name was met
	first   gitTouch
	last    gitTouch
}

// gitTouch is a commit that touched a file.
type gitTouch struct {
	commit int // counted from 1; 0 for none
	date   page.Time
}

// gitRename says that before the current commit, a file had other paths.
type gitRename struct {
	file *gitFile
	path string
	old  []string
	kept bool // in some parent the file had its path already
}

func newGitHistory(wanted func(path string) bool) *gitHistory {
	return &gitHistory{wanted: wanted, names: make(map[string]*gitFile), today: make(map[string]*gitFile)}
}

// beginCommit begins a commit of a date in seconds since 1970.
func (h *gitHistory) beginCommit(date string) {
	h.now, h.dated = gitTouch{commit: h.now.commit + 1}, false
	if seconds, err := strconv.ParseInt(date, 10, 64); err == nil {
		h.now.date, h.dated = page.TimeOf(time.Unix(seconds, 0))
	}
}

// file returns the file that a path is at this point of the history.
func (h *gitHistory) file(path string) *gitFile {
	if f := h.names[path]; f != nil {
		return f
	}
	f := &gitFile{}
	if h.today[path] == nil && h.wanted(path) {
		f.isToday = true
		h.today[path] = f
	}
	h.names[path] = f
	return f
}

// touch takes in that the current commit touched a path. There is a letter and
// an old path for each parent, or one letter and no old path.
func (h *gitHistory) touch(letters string, old []string, path string) {
	if strings.Trim(letters, "D") == "" {
		return
	}
	f := h.file(path)
	if h.dated {
		f.touch(h.now)
	}
	if strings.Trim(letters, "AC") == "" {
		f.isAdded = true
		if !f.isToday {
			delete(h.names, path)
		}
		return
	}
	r := gitRename{file: f, path: path}
	for i, letter := range letters {
		switch {
		case letter == 'R':
			r.old = append(r.old, old[i])
		case letter != 'A' && letter != 'C':
			r.kept = true
		}
	}
	if len(r.old) > 0 {
		h.renames = append(h.renames, r)
	}
}

// endCommit goes back before the current commit: its renames are undone, all at
// once, so that files that changed places find theirs.
func (h *gitHistory) endCommit() {
	for _, r := range h.renames {
		if !r.kept && h.names[r.path] == r.file {
			delete(h.names, r.path)
		}
	}
	for _, r := range h.renames {
		r.file.isAdded = false
		for _, old := range r.old {
			h.claim(old, r.file)
		}
	}
	clear(h.renames)
	h.renames = h.renames[:0]
}

// claim says that a path was the file's before the current commit.
func (h *gitHistory) claim(path string, f *gitFile) {
	other := h.names[path]
	switch {
	case other == nil:
		h.names[path] = f
	case other == f:
	case !other.isToday: // commits of another branch, where the file had its old path
		f.touch(other.first, other.last)
		h.names[path] = f
	case other.isAdded: // another file that took the path later
		h.names[path] = f
	case !f.isToday: // the same rename, on two branches
		other.touch(f.first, f.last)
	}
}

func (f *gitFile) touch(touches ...gitTouch) {
	for _, t := range touches {
		if t.commit > f.first.commit {
			f.first = t
		}
		if t.commit > 0 && (f.last.commit == 0 || t.commit < f.last.commit) {
			f.last = t
		}
	}
}

// dates returns the dates of the wanted files, by their paths below prefix.
func (h *gitHistory) dates(prefix string) map[string]Dates {
	dates := make(map[string]Dates, len(h.today))
	for path, f := range h.today {
		if f.last.commit > 0 {
			dates[strings.TrimPrefix(path, prefix)] = Dates{
				Created:  min(f.first.date, f.last.date),
				Modified: max(f.first.date, f.last.date),
			}
		}
	}
	return dates
}
