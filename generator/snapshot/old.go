package snapshot

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"

	"example.org/sivu/generator/state"
)

// oldFiles are the files that the old snapshot may have, in order of path:
// those of its manifest, or what has the shape of such files where no manifest
// can be trusted.
type oldFiles struct {
	state   *state.State // of the manifest, or nil
	cursor  *state.Cursor
	totals  totals
	decoder *decoder // of a manifest of an old version, or nil
	keys    []key    // where there is neither

	next   entry
	peeked bool
}

// isCurrent reports whether the manifest can be added to.
func (o *oldFiles) isCurrent() bool { return o.state != nil }

// knows reports whether the sizes and sums of the files are known.
func (o *oldFiles) knows() bool { return o.state != nil || o.decoder != nil }

func (s *Stage) oldFiles() (*oldFiles, error) {
	if s.root == nil {
		return &oldFiles{}, nil
	}
	if !s.suspect {
		o, err := s.openManifest()
		if err != nil || o != nil {
			return o, err
		}
	}
	return s.oldByShape()
}

func (s *Stage) oldByShape() (*oldFiles, error) {
	keys, err := s.findByShape()
	if err != nil {
		return nil, err
	}
	inRoot, err := s.claimed(keys)
	if err == nil && s.suspect {
		inRoot, err = s.addInRoot(inRoot)
	}
	if err != nil {
		return nil, err
	}
	return &oldFiles{keys: sortedKeys(append(keys, inRoot...))}, nil
}

// addInRoot adds the in-root files that the manifest has. It may not know all
// files after a commit that was cut off, but those that it knows are sivu's.
func (s *Stage) addInRoot(keys []key) ([]key, error) {
	known, err := s.openManifest()
	if err != nil || known == nil {
		return keys, err
	}
	for {
		e, err := known.peek()
		if err == io.EOF || errors.Is(err, ErrDamaged) {
			return keys, nil
		}
		if err != nil {
			return nil, problem("read", manifest, err)
		}
		if e.key.isInRoot() {
			keys = append(keys, e.key)
		}
		known.skip()
	}
}

// openManifest returns nil where there is no manifest, or a damaged one. Of one of
// this version the index and the log are checked; its blocks are when they are
// read.
func (s *Stage) openManifest() (*oldFiles, error) {
	o, err := s.readManifest()
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, ErrDamaged):
		return nil, nil
	case err != nil:
		return nil, problem("read", manifest, err)
	}
	return o, nil
}

// leastLogLimit is up to how many bytes of a log are read in any case. It grows to a
// quarter of the manifest, or to less than this.
const leastLogLimit = 1 << 20

func (s *Stage) readManifest() (*oldFiles, error) {
	f, err := s.manifestFile()
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	var header [len(manifestHeader2)]byte
	if _, err := f.ReadAt(header[:], 0); err != nil && err != io.EOF {
		return nil, err
	}
	if !state.IsState(header[:]) {
		if err := checkManifest(f, info.Size(), func(entry) {}); err != nil {
			return nil, err
		}
		return &oldFiles{decoder: newDecoder(f, info.Size())}, nil
	}
	log, err := s.root.readUpTo(manifestLog, max(info.Size(), leastLogLimit))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	st, err := state.Open(f, info.Size(), log)
	if err != nil {
		return nil, damage(err)
	}
	t, err := parseTotals(st.Meta())
	return &oldFiles{state: st, cursor: st.From(""), totals: t}, err
}

// manifestFile returns the manifest that was there when it was first asked for,
// open as long as the stage is.
func (s *Stage) manifestFile() (*os.File, error) {
	if s.manifest == nil {
		f, err := s.root.Open(manifest)
		if err != nil {
			return nil, err
		}
		s.manifest = f
	}
	return s.manifest, nil
}

// peek returns the next file, or io.EOF.
func (o *oldFiles) peek() (*entry, error) {
	var err error
	switch {
	case o.peeked:
		return &o.next, nil
	case o.cursor != nil:
		o.next, err = readEntry(o.cursor)
	case o.decoder != nil:
		o.next, err = o.decoder.next()
	case len(o.keys) > 0:
		o.next, o.keys = entry{key: o.keys[0]}, o.keys[1:]
	default:
		err = io.EOF
	}
	o.peeked = err == nil
	return &o.next, err
}

func (o *oldFiles) skip() { o.peeked = false }

// seek passes over the files before a group.
func (o *oldFiles) seek(group key) {
	if o.cursor == nil || o.peeked && o.next.key.compare(group) >= 0 {
		return
	}
	o.peeked = false
	o.cursor.Seek(group.stored())
}

// group returns the files of a group, where the next file is one of it.
func (o *oldFiles) group(group key, files []entry) ([]entry, error) {
	for {
		e, err := o.peek()
		switch {
		case err == io.EOF:
			return files, nil
		case err != nil:
			return nil, err
		case e.key.group() != group:
			return files, nil
		}
		files = append(files, *e)
		o.skip()
	}
}

// left returns the files that left the snapshot before and are still there, with
// the time when each did.
func (o *oldFiles) left() ([]leftFile, error) {
	if !o.isCurrent() || o.totals.left == 0 {
		return nil, nil
	}
	return readLeft(o.state)
}

// findByShape returns what could be a file of a snapshot, judged by its path,
// in order. Not all of them need be there. In-root files are not among them:
// people write files of such names too.
func (s *Stage) findByShape() ([]key, error) {
	var keys []key
	for _, name := range errorBodies {
		k, _ := topKey(name)
		keys = append(keys, k)
	}
	err := s.eachInPages(func(name string) {
		if k, ok := parsePath(pagesDir + "/" + name); ok {
			keys = append(keys, k)
		}
		for _, suffix := range suffixes {
			if k, ok := recordKey(name, "index"+suffix); ok {
				keys = append(keys, k)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(keys, key.compare)
	return keys, nil
}

// eachInPages visits the names of what lies in pages, if that is there.
func (s *Stage) eachInPages(visit func(name string)) error {
	if !s.pages.isThere() {
		return nil
	}
	f, err := s.root.Open(pagesDir)
	if err != nil {
		return problem("read", pagesDir, err)
	}
	defer f.Close()
	for {
		names, err := f.Readdirnames(1024)
		for _, name := range names {
			visit(name)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return problem("read", pagesDir, err)
		}
	}
}
