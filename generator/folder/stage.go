package folder

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/fsutil"
	"example.org/sivu/generator/tree"
)

// The modes of files and folders; the umask applies.
const (
	fileMode   = 0o644
	folderMode = 0o755
	stateMode  = 0o700
)

// The names that sivu uses in an output folder. The stage, and the commit that it
// becomes, have the paths of the output folder below them, those in .sivu included.
const (
	pagesDir    = api.Folder
	stateDir    = ".sivu"
	stageDir    = stateDir + "/stage"
	scratchFile = stageDir + "/scratch"
	commitDir   = stateDir + "/commit"
	backupDir   = stateDir + "/backup" // of an older sivu, which undid commits
	lockFile    = stateDir + "/lock"
	manifest    = stateDir + "/manifest"
	manifestLog = manifest + ".log"
	wrongFile   = stateDir + "/wrong"
	changesFile = stateDir + "/changes"
	planFile    = stateDir + "/plan" // in the stage or commit alone

	lostAndFound = "lost+found" // made by the system in the root of a file system
)

// Options say how a snapshot is written. The zero value works.
type Options struct {
	// Content is the content folder, which the output must not touch; "" where
	// there is none.
	Content string

	// DryRun writes nothing anywhere: files are compared, and Commit returns the
	// changes that it would have made.
	DryRun bool

	// Codings are those of api.Codings in which every answer gets a precompressed
	// variant, where that is smaller than the answer.
	Codings []string

	// KeepRemoved is how long files of records and list pages that left the
	// snapshot stay where they are.
	KeepRemoved time.Duration

	// Largest asks for Changes.Largest: where the largest file is gone, the manifest has
	// to be read whole to find the next.
	Largest bool

	// Report says that a report of the changes will be written, after which [Reported]
	// is called. Until that is, they are kept on the disk.
	Report bool

	// ErrorBodies are the bodies of errors that every snapshot has. A folder without a
	// manifest is adopted only if it holds just these.
	ErrorBodies []api.File

	// Wait is called once if another build is at work on the folder, and then that
	// one's end is waited for. If it is nil, Open returns ErrLocked. The waiting
	// ends, with the cause, when the context that it returns is done.
	Wait func() context.Context

	fault     fault // of tests
	unflushed bool  // tests need not wait for the disk
}

// Stage is a snapshot in the making. One of Commit and Abort ends it.
type Stage struct {
	Options
	name    string   // the output folder as messages show it
	codings []Coding // those that answers get
	root    *disk    // nil in a dry run into a folder that does not exist

	made       []string // folders that Open made, outermost first
	newState   bool     // all of .sivu was made by Open
	adopted    bool     // there is a snapshot, and nothing else of sivu's
	lock       *os.File // nil while it is not held
	distrusted bool     // Verify found that the files are not those of the manifest
	recovery   Recovery // a build that was cut off, and its commit, which Open finished
	recorded   changeRecord

	now         time.Time
	incremental bool
	removed     []api.Path        // by Remove
	manifest    *os.File          // nil until it is asked for
	listed      *tree.Tree        // that of manifest
	retained    map[api.Path]bool // while the snapshot is verified
	pages       *disk             // nil on a first build
	staged      *disk
	scratch     *os.File // nil until it is asked for
	committed   func(*Changes)
	claims      func(lists int) []api.File // see Claim

	mu      sync.Mutex
	runs    tree.Runs
	planned *plan // nil before it is asked for
	writers int   // not closed yet
	failed  error // of the first writer that could not write
	ended   bool
}

// Open checks the output folder, takes its lock, finishes a commit that was cut off
// and makes an empty stage in it. A folder that does not exist is made. Nothing else is
// touched until Commit.
func Open(out string, opts Options) (*Stage, error) {
	codings, err := CodingsOf(opts.Codings)
	if err != nil {
		return nil, err
	}
	path, exists, err := checkPlace(out, opts.Content)
	if err != nil {
		return nil, err
	}
	s := &Stage{Options: opts, name: out, codings: codings, now: time.Now()}
	if s.DryRun && !exists {
		return s, nil
	}
	if !exists {
		if s.made, err = makeFolders(path); err != nil {
			removeFolders(s.made)
			return nil, problem("make the output folder", fmt.Sprintf("%q", out), err)
		}
	}
	if err := s.open(path); err != nil {
		s.discard()
		return nil, err
	}
	return s, nil
}

func (s *Stage) open(path string) (err error) {
	if s.root, err = openDisk(path, s.fault); err != nil {
		return problem("open the output folder", fmt.Sprintf("%q", s.name), err)
	}
	if err := s.checkRoot(path); err != nil {
		return err
	}
	if s.adopted, err = checkOwner(s.root, s.name, s.ErrorBodies); err != nil {
		return err
	}
	if err := s.takeLock(); err != nil {
		return err
	}
	if err := s.recover(); err != nil {
		return err
	}
	s.findState()
	if s.recorded, err = s.readRecord(); err != nil {
		return err
	}
	if s.pages, err = s.root.subDir(pagesDir); err != nil {
		return problem("open", pagesDir, err)
	}
	if s.DryRun {
		return nil
	}
	if err := s.root.MkdirAll(stageDir+"/"+pagesDir, folderMode); err != nil {
		return problem("make", stageDir, err)
	}
	if s.staged, err = s.root.subDir(stageDir); err != nil {
		return problem("open", stageDir, err)
	}
	return nil
}

// recover finishes a commit that was cut off, or clears the stage of a build that was. A
// dry run, which must not, refuses such a commit.
func (s *Stage) recover() error {
	var err error
	if s.distrusted, err = s.root.exists(wrongFile); err != nil {
		return problem("look at", wrongFile, err)
	}
	pending, err := s.root.exists(commitDir)
	if err == nil && s.DryRun && pending {
		return errPending(s.name)
	}
	if err == nil && !pending {
		s.recovery.CutOff, err = s.root.exists(stageDir)
	}
	if err != nil {
		return problem("look into", stateDir, err)
	}
	if s.DryRun {
		return nil
	}
	if pending {
		var leftover error
		s.recovery.CutOff = true
		s.recovery.Finished, leftover, err = s.finish()
		if err = errors.Join(err, leftover); err != nil {
			return fmt.Errorf("an interrupted build could not be finished: %w", err)
		}
	}
	if err := s.root.RemoveAll(stageDir); err != nil {
		return problem("clear", stageDir, err)
	}
	return nil
}

// findState finds out whether .sivu holds anything that sivu has to keep.
func (s *Stage) findState() {
	empty, err := isEmpty(s.root)
	hasManifest, errManifest := s.root.exists(manifest)
	if hasManifest || errManifest != nil {
		s.adopted = false
	}
	s.newState = err == nil && errManifest == nil && !hasManifest && (empty || s.adopted)
}

// checkRoot makes sure that the folder that was opened is the one that was
// checked, and not the target of a symlink that took its place since then.
func (s *Stage) checkRoot(path string) error {
	opened, err := s.root.root.Stat(".")
	var named fs.FileInfo
	if err == nil {
		named, err = os.Lstat(path)
	}
	if fsutil.IgnoreMissing(err) != nil {
		return problem("look at the output folder", fmt.Sprintf("%q", s.name), err)
	}
	if err != nil || !os.SameFile(named, opened) {
		return fmt.Errorf("the output folder %q was replaced while it was opened; try again", s.name)
	}
	return nil
}

// Scratch returns an empty file on the file system of the output folder, for data
// that a build has to set aside. The stage closes and removes it at its end. In
// a dry run it is nil, as nothing may be written.
func (s *Stage) Scratch() (*os.File, error) {
	if s.DryRun || s.scratch != nil {
		return s.scratch, nil
	}
	f, err := s.root.OpenFile(scratchFile, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, problem("make", scratchFile, err)
	}
	s.scratch = f
	return f, nil
}

// Generation returns the identity of the snapshot that lies in the folder: every
// commit that changes anything gives it another one. It is "" where it is not
// known: there is no manifest, or a damaged one, or [Stage.Verify] found that the files
// are others.
func (s *Stage) Generation() string {
	if s.distrusted {
		return ""
	}
	generation, _ := s.listedGeneration()
	return generation.String()
}

// Incremental makes the build incremental: files of the old snapshot that are neither written
// nor removed stay. Without it they go. It needs a snapshot whose generation is known, and
// the same codings that this was written with. The cost of a commit then
// depends on its changes, not on the size of the snapshot.
func (s *Stage) Incremental() { s.incremental = true }

// Remove removes a file of the old snapshot, and its precompressed variants with it. It
// is for incremental builds. A file that does not exist is passed over.
func (s *Stage) Remove(path string) error {
	p, ok := api.ParsePath(path)
	if !ok || p.Coding() != 0 {
		return fmt.Errorf("%s is not a file of a snapshot (%s)", strconv.Quote(path), asItWas)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.removed = append(s.removed, p)
	return nil
}

// AppendList appends the bytes of a list page of the snapshot that lies in the
// folder. The error wraps [fs.ErrNotExist] where there is none.
func (s *Stage) AppendList(dst []byte, path string) ([]byte, error) {
	p, ok := api.ParsePath(path)
	if !ok || !p.IsList() {
		return dst, fmt.Errorf("%s is not a list page of a snapshot", strconv.Quote(path))
	}
	dst, err := s.pages.appendFile(dst, strings.TrimPrefix(path, pagesDir+"/"))
	if err != nil {
		return dst, problem("read", path, err)
	}
	return dst, nil
}

// OnCommitted has f called by Commit when the new snapshot stands, or is there already, and
// before another build can begin: for data that has to be in step with the snapshot. A
// dry run does not call it, nor a build that finishes the commit of another.
func (s *Stage) OnCommitted(f func(*Changes)) { s.committed = f }

func (s *Stage) closeFolders() {
	if s.scratch != nil {
		s.scratch.Close()
		s.scratch = nil
	}
	s.closeManifest()
	for _, d := range []**disk{&s.staged, &s.pages} {
		(*d).Close()
		*d = nil
	}
}

// Abort ends the stage and leaves the old snapshot as it is: what was staged
// goes, and so does the output folder if Open made it. After Commit it does
// nothing, so that it can be deferred. No writer may be at work.
func (s *Stage) Abort() error {
	if s.ended {
		return nil
	}
	return s.discard()
}

// discard removes everything that Open and the writers made.
func (s *Stage) discard() error {
	s.ended = true
	s.closeFolders()
	if s.root == nil {
		removeFolders(s.made)
		return nil
	}
	var err error
	if s.lock != nil && !s.DryRun {
		if err = s.root.RemoveAll(stageDir); err != nil {
			err = problem("clear", stageDir, err)
		}
	}
	s.unlock(s.newState)
	s.root.Close()
	removeFolders(s.made)
	return err
}
