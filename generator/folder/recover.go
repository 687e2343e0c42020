package folder

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Recovery is the result of [Recover].
type Recovery struct {
	CutOff     bool   // a build had been cut off
	Finished   int    // steps of its commit, which was finished; 0 where it had not begun
	IsThere    bool   // there is a snapshot; if not, it was the first build that was cut off
	Whole      bool   // every file of it is as the manifest says
	Files      int    // how many those are
	Generation string // of the snapshot: see [Stage.Generation]
}

// Recover finishes a build that was cut off in its commit, without another build: it
// takes the steps that are left, clears other remains of builds, and verifies the
// snapshot, jobs files at once. The folder then holds exactly the new snapshot, or the one
// before that build, if its commit had not begun. Of opts only Wait is used. An error
// means that the commit could not be finished.
func Recover(ctx context.Context, out string, opts Options, jobs int) (*Recovery, error) {
	if _, err := os.Lstat(out); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no folder %q; name one that sivu build wrote to", out)
	}
	s, err := Open(out, Options{Wait: opts.Wait, fault: opts.fault, unflushed: opts.unflushed})
	if errors.Is(err, errForeign) {
		return nil, fmt.Errorf("the folder %q %w; name one that sivu build wrote to", out, errForeign)
	}
	if err != nil {
		return nil, err
	}
	if s.adopted {
		return nil, errors.Join(fmt.Errorf("the folder %q holds a snapshot, but no manifest tells which; sivu build adopts it", out), s.Abort())
	}
	err = s.verifyRecovered(ctx, &s.recovery, jobs)
	return &s.recovery, errors.Join(err, s.Abort())
}

// Finish finishes a commit that was cut off, and does nothing where there is none: for
// what has to come before a build looks at its settings. Of opts only Content and Wait are
// used.
func Finish(out string, opts Options) error {
	if _, err := os.Lstat(filepath.Join(out, filepath.FromSlash(commitDir))); err != nil {
		return nil // the build that follows says if anything else is wrong
	}
	s, err := Open(out, Options{Content: opts.Content, Wait: opts.Wait, unflushed: opts.unflushed})
	if err != nil {
		return err
	}
	return s.Abort()
}

func (s *Stage) verifyRecovered(ctx context.Context, r *Recovery, jobs int) error {
	var err error
	if r.IsThere, err = s.root.exists(manifest); err != nil {
		return problem("look at", manifest, err)
	}
	if !r.IsThere {
		return s.trust()
	}
	if r.Whole, err = s.Verify(ctx, jobs); err != nil || !r.Whole {
		return err
	}
	t, err := s.openManifest()
	if err != nil || t == nil {
		return err
	}
	r.Files, r.Generation = int(t.Files), t.Generation.String()
	return nil
}
