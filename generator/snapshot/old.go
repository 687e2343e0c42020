package snapshot

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
)

// oldFiles are the files that the old snapshot may have, in order of path:
// those of its manifest, or what has the shape of such files where no manifest
// can be trusted.
type oldFiles struct {
	file    *os.File // of the manifest, or nil
	decoder *decoder
	keys    []key // where there is no decoder

	next   key
	peeked bool
}

func (s *Stage) oldFiles() (*oldFiles, error) {
	if s.root == nil {
		return &oldFiles{}, nil
	}
	if !s.suspect {
		f, err := s.openManifest()
		if err != nil {
			return nil, err
		}
		if f != nil {
			return f, nil
		}
	}
	keys, err := s.findByShape()
	if err == nil && s.suspect {
		keys, err = s.addInRoot(keys)
	}
	return &oldFiles{keys: keys}, err
}

// addInRoot adds the in-root files that the manifest has. It may not know all
// files after a commit that was cut off, but those that it knows are sivu's.
func (s *Stage) addInRoot(keys []key) ([]key, error) {
	known, err := s.openManifest()
	if err != nil || known == nil {
		return keys, err
	}
	defer known.close()
	for {
		k, err := known.peek()
		if err == io.EOF {
			slices.SortFunc(keys, key.compare)
			return keys, nil
		}
		if err != nil {
			return nil, problem("read", manifest, err)
		}
		if k.isInRoot() {
			keys = append(keys, k)
		}
		known.skip()
	}
}

// openManifest returns nil where there is no manifest, or a damaged one.
func (s *Stage) openManifest() (*oldFiles, error) {
	f, err := s.root.Open(manifest)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, problem("read", manifest, err)
	}
	info, err := f.Stat()
	if err == nil {
		err = checkManifest(f, info.Size(), func(entry) {})
	}
	switch {
	case errors.Is(err, ErrDamaged):
		f.Close()
		return nil, nil
	case err != nil:
		f.Close()
		return nil, problem("read", manifest, err)
	}
	return &oldFiles{file: f, decoder: newDecoder(f, info.Size())}, nil
}

func (o *oldFiles) close() {
	if o.file != nil {
		o.file.Close()
	}
}

// peek returns the next file, or io.EOF.
func (o *oldFiles) peek() (key, error) {
	switch {
	case o.peeked:
	case o.decoder != nil:
		e, err := o.decoder.next()
		if err != nil {
			return key{}, err
		}
		o.next, o.peeked = e.key, true
	case len(o.keys) > 0:
		o.next, o.peeked = o.keys[0], true
		o.keys = o.keys[1:]
	default:
		return key{}, io.EOF
	}
	return o.next, nil
}

func (o *oldFiles) skip() { o.peeked = false }

// findByShape returns what could be a file of a snapshot, judged by its path,
// in order. Not all of them need be there. In-root files are not among them:
// people write files of such names too.
func (s *Stage) findByShape() ([]key, error) {
	var keys []key
	for _, name := range errorBodies {
		k, _ := topKey(name)
		keys = append(keys, k)
	}
	if !s.pages.isThere() {
		return keys, nil
	}
	f, err := s.root.Open(pagesDir)
	if err != nil {
		return nil, problem("read", pagesDir, err)
	}
	defer f.Close()
	for {
		names, err := f.Readdirnames(1024)
		for _, name := range names {
			if k, ok := parsePath(pagesDir + "/" + name); ok {
				keys = append(keys, k)
			}
			for _, suffix := range suffixes {
				if k, ok := recordKey(name, "index"+suffix); ok {
					keys = append(keys, k)
				}
			}
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, problem("read", pagesDir, err)
		}
	}
	slices.SortFunc(keys, key.compare)
	return keys, nil
}
