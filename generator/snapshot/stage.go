package snapshot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"time"
)

// The modes of what sivu makes; the umask applies.
const (
	fileMode   = 0o644
	folderMode = 0o755
	stateMode  = 0o700
)

// Options say how a snapshot is written. The zero value works.
type Options struct {
	// Content is the content folder, which the output must not touch; "" where
	// there is none.
	Content string

	// DryRun writes nothing anywhere: files are compared, and Commit says what
	// it would have done.
	DryRun bool

	// Codings are the names of the Codings in which every answer gets a sibling,
	// where that is smaller than the answer.
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
	ErrorBodies []File

	// Wait is called once if another build is at work on the folder, and then that
	// one's end is waited for. If it is nil, Open returns ErrLocked. The waiting
	// ends, with the cause, when the context that it returns is done.
	Wait func() context.Context

	fault     fault // of tests
	unflushed bool  // tests need not wait for the disk
}

// Stage is a snapshot in the making. One of Commit and Abort ends it.
type Stage struct {
	name   string // the output folder as messages show it
	dryRun bool
	coding []byte // the places in Codings of those that answers get, from 1
	root   *disk  // nil in a dry run into a folder that is not there

	made     []string // folders that Open made, outermost first
	newState bool     // there is nothing of sivu's in the folder but what Open made
	adopted  bool     // there is a snapshot, and nothing else of sivu's
	lock     *os.File // nil while it is not held
	suspect  bool     // the manifest may not know all files
	isCutOff bool     // a commit was cut off, and not undone yet
	undone   int      // steps of that which Open undid
	isUnsure bool     // a build was cut off, and the snapshot was not verified since then

	report     bool
	hasRecord  bool     // there is a record of what changed since the last report
	recordLost bool     // more may have changed than it holds
	record     []change // what it holds

	now          time.Time
	keepRemoved  time.Duration
	findsLargest bool
	keepRest     bool
	unflushed    bool
	removed      []key        // by Remove
	manifest     *os.File     // nil until it is asked for
	stays        map[key]bool // files that left and are still there, while the snapshot is verified

	out, pages         folder // the old snapshot; pages is not there on a first build
	staged, stagedPage folder // the new one, as far as it differs

	scratch *os.File // nil until it is asked for

	then   func(*Changes)         // to call when the new snapshot stands
	claims func(lists int) []File // see Claim

	hook func(op, path string) error // tests fail a step of a commit with it

	mu      sync.Mutex
	runs    runs
	planned *plan // nil before it is asked for
	writers int   // not closed yet
	failed  error // of the first writer that could not write
	ended   bool
}

// Open checks the output folder, takes its lock, undoes a commit that was cut off
// and prepares .sivu in it. A folder that is not there is made. Nothing else is
// touched until Commit.
func Open(out string, opts Options) (*Stage, error) {
	codings, err := checkCodings(opts.Codings)
	if err != nil {
		return nil, err
	}
	path, exists, err := checkPlace(out, opts.Content)
	if err != nil {
		return nil, err
	}
	s := &Stage{name: out, dryRun: opts.DryRun, coding: codings, now: time.Now(), keepRemoved: opts.KeepRemoved, findsLargest: opts.Largest, report: opts.Report, unflushed: opts.unflushed}
	if s.dryRun && !exists {
		return s, nil
	}
	if !exists {
		if s.made, err = makeFolders(path); err != nil {
			removeFolders(s.made)
			return nil, problem("make the output folder", fmt.Sprintf("%q", out), err)
		}
	}
	if err := s.open(path, &opts); err != nil {
		s.discard()
		return nil, err
	}
	return s, nil
}

func (s *Stage) open(path string, opts *Options) (err error) {
	if s.root, err = openDisk(path, opts.fault); err != nil {
		return problem("open the output folder", fmt.Sprintf("%q", s.name), err)
	}
	if err := s.checkRoot(path); err != nil {
		return err
	}
	if s.adopted, err = checkOwner(s.root, s.name, opts.ErrorBodies); err != nil {
		return err
	}
	if err := s.takeLock(opts.Wait); err != nil {
		return err
	}
	if err := s.findLeftovers(); err != nil {
		return err
	}
	s.findState()
	if !s.dryRun {
		if err := s.prepare(); err != nil {
			return err
		}
	}
	if err := s.findRecord(); err != nil {
		return err
	}
	if !s.hasRecord {
		isFirst, err := isEmpty(s.root)
		if err != nil {
			return problem("read the output folder", fmt.Sprintf("%q", s.name), err)
		}
		s.recordLost = !isFirst
	}
	return s.openFolders()
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
// checked, and not what a symlink put in its place since then leads to.
func (s *Stage) checkRoot(path string) error {
	opened, err := s.root.Stat(".")
	if err != nil {
		return problem("look at the output folder", fmt.Sprintf("%q", s.name), err)
	}
	named, err := os.Lstat(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return problem("look at the output folder", fmt.Sprintf("%q", s.name), err)
	}
	if err != nil || !os.SameFile(named, opened) {
		return fmt.Errorf("the output folder %q was replaced while it was opened; try again", s.name)
	}
	return nil
}

// prepare undoes a commit that was cut off, clears what an earlier run left behind
// and makes an empty stage.
func (s *Stage) prepare() error {
	if s.isUnsure {
		s.emptyStage()
		if err := s.markUnsure(); err != nil {
			return err
		}
	}
	if s.isCutOff {
		undone, err := s.undoCommit()
		if err != nil {
			return err
		}
		s.undone = undone
	}
	for _, name := range []string{stageDir, trashDir} {
		if err := s.root.RemoveAll(name); err != nil {
			return problem("clear", name, err)
		}
	}
	if err := s.root.MkdirAll(stageDir+"/"+pagesDir, folderMode); err != nil {
		return problem("make", stageDir, err)
	}
	return nil
}

// openFolders opens what files are compared with and written to.
func (s *Stage) openFolders() error {
	var err error
	if s.out, err = openFolder(s.root, "."); err == nil {
		s.pages, err = s.out.sub(pagesDir)
	}
	if err != nil {
		return problem("open", pagesDir, err)
	}
	if s.dryRun {
		return nil
	}
	if s.staged, err = openFolder(s.root, stageDir); err == nil {
		s.stagedPage, err = s.staged.sub(pagesDir)
	}
	if err != nil {
		return problem("open", stageDir, err)
	}
	return nil
}

// emptyStage makes room on a disk that a build has filled which was cut off, before
// anything is written there. The stage itself stays, as the sign that there was one.
func (s *Stage) emptyStage() {
	if info, err := s.root.Lstat(stageDir); err != nil || !info.IsDir() {
		return // whatever is there is cleared later
	}
	f, err := s.root.Open(stageDir)
	if err != nil {
		return
	}
	defer f.Close()
	for {
		names, err := f.Readdirnames(1024)
		for _, name := range names {
			s.root.RemoveAll(stageDir + "/" + name)
		}
		if err != nil {
			return
		}
	}
}

func (s *Stage) closeFolders() {
	if s.scratch != nil {
		s.scratch.Close()
		s.scratch = nil
	}
	if s.manifest != nil {
		s.manifest.Close()
		s.manifest = nil
	}
	for _, d := range []*folder{&s.stagedPage, &s.staged, &s.pages, &s.out} {
		d.close()
		*d = folder{}
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
	if s.lock != nil && !s.dryRun {
		if err = s.root.RemoveAll(stageDir); err != nil {
			err = problem("clear", stageDir, err)
		}
	}
	s.unlock(s.newState && !s.isCutOff && !s.isUnsure)
	s.root.Close()
	removeFolders(s.made)
	return err
}
