package corpus

import (
	"bytes"
	"encoding/json"
	"strings"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/page"
	"example.org/sivu/generator/settings"
	"example.org/sivu/generator/state"
)

// stored is the build cache on disk.
type stored struct {
	state *state.State
	meta  cacheMeta
}

// cacheMeta is the header of a build cache.
type cacheMeta struct {
	Key        []byte // see settings.Settings.Key
	Generation string // of the snapshot that the build wrote
	Commit     string // of the dates from git; "" where git was not asked
	Content    string // the content folder
	Files      int    // how many source files there were
	Written    int64  // when the build looked at the sources, in microseconds since 1970
}

// Load returns the corpus that a build with the same settings saved in a folder, after
// it had written the snapshot of that generation. It returns nil where there is none,
// or a damaged one: then everything is read.
func Load(dir string, s *settings.Settings, generation string) *Corpus {
	const leastFile = 16 // bytes that the path and the value of a source take at least
	loaded, err := state.Load(dir)
	if err != nil {
		return nil
	}
	defer loaded.Close()
	var meta cacheMeta
	key := s.Key()
	if json.Unmarshal(loaded.Meta(), &meta) != nil || meta.Generation != generation || key == nil || !bytes.Equal(meta.Key, key) {
		return nil
	}
	if meta.Files < 0 || int64(meta.Files) > loaded.Size()/leastFile || meta.Written < 0 {
		return nil
	}
	c := &Corpus{
		Sources: make([]Source, 0, meta.Files), Pages: make([]Page, 0, meta.Files),
		settings: s, started: meta.Written, content: meta.Content, stored: &stored{loaded, meta},
	}
	c.history.commit = meta.Commit
	d := codec{decodes: true, rules: make(map[string]*diag.Rule)}
	for _, rule := range settings.Rules() {
		d.rules[rule.Name] = rule
	}
	if !c.decode(&d, loaded.From("")) || len(c.Sources) != meta.Files {
		return nil
	}
	c.findAliases()
	return c
}

// lintKey is the key of the lint results in the build cache. The keys of sources are
// their paths, and no path begins like that.
const lintKey = "\x00lint"

// decode reads all of a build cache. It reports whether it is valid.
func (c *Corpus) decode(d *codec, cursor *state.Cursor) bool {
	for {
		key, value, ok := cursor.Next()
		if !ok {
			return cursor.Err() == nil
		}
		d.bytes = value
		if key == lintKey {
			d.problems(&c.lintResults)
		} else if !strings.HasPrefix(key, "\x00") {
			c.decodeSource(d, key)
		}
		if d.failed || len(d.bytes) > 0 {
			return false
		}
	}
}

// decodeSource adds a source, in the order of paths.
func (c *Corpus) decodeSource(d *codec, path string) {
	s := Source{previous: none, page: none}
	s.Path = keepText(&d.paths, path)
	isPage := false
	if d.source(&s, &isPage); isPage {
		s.page = int32(len(c.Pages))
		c.Pages = append(c.Pages, Page{Record: page.Record{Path: s.Path}, source: int32(len(c.Sources)), previous: none})
		d.page(&c.Pages[s.page], &s)
	} else {
		c.LeftOut = append(c.LeftOut, s.Path)
	}
	c.Sources = append(c.Sources, s)
}

// encode returns source i and its page as a value of the build cache.
func (c *Corpus) encode(dst []byte, i int) []byte {
	e := codec{bytes: dst[:0]}
	s := &c.Sources[i]
	isPage := s.page != none
	if e.source(s, &isPage); isPage {
		e.page(&c.Pages[s.page], s)
	}
	return e.bytes
}

func encodeProblems(problems []diag.Diagnostic) []byte {
	var e codec
	e.problems(&problems)
	return e.bytes
}

// Save writes the corpus to the build cache in a folder, for the next build after the
// snapshot of that generation: the differences from the cache that the previous corpus
// was loaded from, or all of it.
func (c *Corpus) Save(dir, generation string) error {
	meta := cacheMeta{c.settings.Key(), generation, c.history.commit, c.content, len(c.Sources), c.started}
	text, err := json.Marshal(meta)
	if err != nil {
		return err
	}
	var changed []int
	for i := range c.Sources {
		if !c.Sources[i].isUnchanged {
			changed = append(changed, i)
		}
	}
	// Where much changed, the whole cache is better written anew.
	if c.stored != nil && len(changed) <= c.stored.meta.Files/4 {
		old, changes := c.stored.meta, c.stateChanges(changed)
		if len(changes) == 0 && old.Generation == meta.Generation && old.Commit == meta.Commit && old.Content == meta.Content {
			return nil
		}
		if done, err := c.stored.state.Append(dir, text, changes); done || err != nil {
			return err
		}
	}
	w, err := state.Create(dir, text)
	if err != nil {
		return err
	}
	w.Put(lintKey, encodeProblems(c.lintResults))
	var value []byte
	for i := range c.Sources {
		value = c.encode(value, i)
		w.Put(c.Sources[i].Path, value)
	}
	return w.Close()
}

// stateChanges returns the differences from the stored build cache, given the indexes of
// the sources that changed.
func (c *Corpus) stateChanges(changed []int) []state.Change {
	var changes []state.Change
	if !c.lintReused {
		changes = append(changes, state.Change{Key: lintKey, Value: encodeProblems(c.lintResults)})
	}
	for _, i := range changed {
		changes = append(changes, state.Change{Key: c.Sources[i].Path, Value: c.encode(nil, i)})
	}
	for _, path := range c.removed {
		changes = append(changes, state.Change{Key: path, Remove: true})
	}
	return changes
}
