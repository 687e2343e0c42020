package source

import (
	"strings"
	"time"

	"example.org/sivu/generator/page"
)

// gitHistory follows files back through a history whose commits are given
// children first. At any commit, names says which file of today a path then
// was. A path that is none of today's files still gets a file, an unwanted one:
// a rename that is only met later, on another branch, may show whose it was.
type gitHistory struct {
	wanted  func(path string) bool
	names   map[string]*gitFile
	today   map[string]*gitFile // the files that are wanted, by their paths of today
	renames []gitRename         // of the current commit, which take effect at once

	commit int // counts commits
	date   page.Time
	dated  bool // the current commit has a date that can be used
}

// gitFile is one file and what is known of its commits so far.
type gitFile struct {
	isToday bool
	touched bool
	isAdded bool // the commit that added it under its present name was met
	first   gitTouch
	last    gitTouch
}

// gitTouch is a commit that touched a file.
type gitTouch struct {
	commit int
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

func (h *gitHistory) beginCommit(seconds int64, ok bool) {
	h.commit++
	h.date, h.dated = 0, false
	if ok {
		h.date, h.dated = page.TimeOf(time.Unix(seconds, 0))
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
	f.touch(gitTouch{h.commit, h.date}, h.dated)
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
		f.merge(other)
		h.names[path] = f
	case other.isAdded: // another file that took the path later
		h.names[path] = f
	case !f.isToday: // the same rename, on two branches
		other.merge(f)
	}
}

func (f *gitFile) touch(t gitTouch, dated bool) {
	if !dated {
		return
	}
	if !f.touched || t.commit > f.first.commit {
		f.first = t
	}
	if !f.touched || t.commit < f.last.commit {
		f.last = t
	}
	f.touched = true
}

func (f *gitFile) merge(other *gitFile) {
	if other.touched {
		f.touch(other.first, true)
		f.touch(other.last, true)
	}
}

// dates returns the dates of the wanted files, by their paths below prefix.
func (h *gitHistory) dates(prefix string) map[string]Dates {
	dates := make(map[string]Dates, len(h.today))
	for path, f := range h.today {
		if f.touched {
			dates[strings.TrimPrefix(path, prefix)] = Dates{
				Created:  min(f.first.date, f.last.date),
				Modified: max(f.first.date, f.last.date),
			}
		}
	}
	return dates
}
