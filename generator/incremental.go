package generator

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"time"

	"example.org/sivu/generator/baseurl"
	"example.org/sivu/generator/state"
)

// errStale ends an incremental build that finds the output folder, or a source, to
// be another one than its state tells. The build is then made anew, and whole.
var errStale = errors.New("the output folder is not as the last build left it")

// staleText is the error of a text that is not the one that a page has, as far as
// only the state tells which that is.
func (r *run) staleText(record *record) error {
	if r.stored != nil && record.earlier != nowhere {
		return errStale
	}
	return nil // a problem was reported
}

// judgedKey is the key of the problems of the collection in the state. No path
// begins like that.
const judgedKey = "\x00judged"

// racyTime is how much older than the state a file must be for its size and time
// to prove that it is the same: times of files are coarse, and clocks differ.
const racyTime = 2 * time.Second

// stateMeta is what a state says of itself.
type stateMeta struct {
	Key        []byte // what all of it depends on: see stateKey
	Generation string // of the snapshot that the build wrote
	Commit     string // that git's dates are of; "" where git was not asked
	Content    string // the content folder
	Files      int    // how many source files there were
	Written    int64  // when the build looked at the sources, in microseconds since 1970
}

// recallState makes what the build before found that of a run before, if it is
// there, whole, and of this snapshot, site and program.
func (r *run) recallState() {
	generation := r.stage.Generation()
	if r.Full || generation == "" {
		return
	}
	stored, err := state.Load(r.stateDir())
	if err != nil {
		return // without a state, or with a damaged one, everything is read
	}
	defer stored.Close()
	var meta stateMeta
	key := r.stateKey()
	if json.Unmarshal(stored.Meta(), &meta) != nil || meta.Generation != generation || key == nil || !bytes.Equal(meta.Key, key) {
		return
	}
	if meta.Files < 0 || int64(meta.Files) > stored.Size()/leastFile || meta.Written < 0 {
		return
	}
	m := newMemory(meta.Files)
	if !m.addAll(stored.From("")) || len(m.trace.files) != meta.Files {
		return
	}
	m.history.commit = meta.Commit
	r.before = &recall{run: m.run, racy: meta.Written - racyTime.Microseconds()}
	if meta.Content != r.contentPath() {
		r.before.racy = 0 // times of files in one folder say nothing of another
	}
	r.stored, r.storedMeta = stored, meta
}

// saveState keeps what this build found for the next one. Where it cannot be
// kept, the next build reads everything.
func (r *run) saveState(generation string) error {
	dir := r.stateDir()
	if generation == "" || r.DryRun {
		return nil
	}
	meta := stateMeta{r.stateKey(), generation, r.history.commit, r.contentPath(), len(r.trace.files), r.started.UnixMicro()}
	text, err := json.Marshal(meta)
	if err != nil {
		return err
	}
	if r.Cache != "" {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	if r.before != nil && !r.changesMuch() {
		changes := r.stateChanges()
		old := r.storedMeta
		if len(changes) == 0 && !r.before.wasRacy.Load() && old.Generation == meta.Generation && old.Commit == meta.Commit && old.Content == meta.Content {
			return nil
		}
		if done, err := r.stored.Append(dir, text, changes); done || err != nil {
			return err
		}
	}
	return r.createState(dir, text)
}

// changesMuch reports whether so many files changed that the whole state is better
// written anew.
func (r *run) changesMuch() bool {
	changed := 0
	for _, clean := range r.before.clean {
		if !clean {
			changed++
		}
	}
	return changed > len(r.before.trace.files)/4
}

// createState writes the whole state.
func (r *run) createState(dir string, meta []byte) error {
	w, err := state.Create(dir, meta)
	if err != nil {
		return err
	}
	w.Put(judgedKey, r.encodeJudged())
	var value []byte
	for i := range r.trace.files {
		value = r.encodeFile(value, i)
		w.Put(r.trace.files[i].Path, value)
	}
	return w.Close()
}

func (r *run) encodeJudged() []byte {
	var e encoder
	e.problems(r.trace.judged)
	return e.bytes
}

// stateChanges returns what differs from the state of the build before.
func (r *run) stateChanges() []state.Change {
	var changes []state.Change
	if !r.lintReused {
		changes = append(changes, state.Change{Key: judgedKey, Value: r.encodeJudged()})
	}
	stays := make([]bool, len(r.before.trace.files))
	for i, old := range r.before.files {
		if old != nowhere {
			stays[old] = true
		}
		if !r.before.clean[i] {
			changes = append(changes, state.Change{Key: r.trace.files[i].Path, Value: r.encodeFile(nil, i)})
		}
	}
	for old, stay := range stays {
		if !stay {
			changes = append(changes, state.Change{Key: r.before.trace.files[old].Path, Remove: true})
		}
	}
	return changes
}

// stateDir returns the folder of the state.
func (r *run) stateDir() string {
	return cmp.Or(r.Cache, filepath.Join(r.Out, ".sivu"))
}

func (r *run) contentPath() string {
	path, err := filepath.Abs(r.Content)
	if err != nil {
		return r.Content
	}
	return path
}

// stateKey returns a hash of all that every page depends on: sivu itself, the
// site's settings but for the severity of rules, and the form of the snapshot.
func (r *run) stateKey() []byte {
	site := *r.site
	site.Name, site.Rules, site.BaseURL, site.Links = "", nil, baseurl.URL{}, ""
	hostName := ""
	if r.Host != nil {
		hostName = r.Host.Name
	}
	program := programIdentity()
	if program == nil {
		return nil
	}
	text, err := json.Marshal([]any{
		"sivu state of pages 3", program, site, fmt.Sprint(r.site.Timezone),
		r.links.Base, r.links.Style.Name, hostName, r.Edge, slices.Sorted(slices.Values(r.Precompress)),
	})
	if err != nil {
		return nil
	}
	key := sha256.Sum256(text)
	return key[:]
}

// programIdentity tells this program from any other build of it. It is nil where
// that cannot be told.
func programIdentity() []string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return nil
	}
	identity := []string{info.GoVersion, info.Main.Version, info.Main.Sum}
	exact := info.Main.Sum != ""
	for _, setting := range info.Settings {
		switch setting.Key {
		case "vcs.revision":
			identity, exact = append(identity, setting.Value), true
		case "vcs.modified":
			exact = exact && setting.Value == "false"
		}
	}
	if exact {
		return identity
	}
	name, err := os.Executable()
	if err != nil {
		return nil
	}
	stat, err := os.Stat(name)
	if err != nil {
		return nil
	}
	return append(identity, fmt.Sprint(stat.Size(), stat.ModTime().UnixNano()))
}
