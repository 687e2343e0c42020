package snapshot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Recovery says what [Recover] found and did.
type Recovery struct {
	CutOff     bool   // a build had been cut off
	Undone     int    // steps of its commit that were undone; 0 where it had not begun
	IsThere    bool   // there is a snapshot; if not, it was the first build that was cut off
	Whole      bool   // every file of it is as the manifest says
	Files      int    // how many those are
	Generation string // of the snapshot: see [Stage.Generation]
}

// Recover brings an output folder to rest without a build: it undoes a commit that
// was cut off, clears what else a build left behind, and verifies the snapshot,
// jobs files at once. The folder then holds exactly the snapshot before that
// build, or the new one, if the build had come to its end. Of opts only Wait is
// used. An error means that the folder could not be brought to rest.
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
	r := &Recovery{CutOff: s.isUnsure, Undone: s.undone}
	err = s.look(ctx, r, jobs)
	return r, errors.Join(err, s.Abort())
}

func (s *Stage) look(ctx context.Context, r *Recovery, jobs int) error {
	s.findState()
	var err error
	if r.IsThere, err = s.root.exists(manifest); err != nil {
		return problem("look at", manifest, err)
	}
	if !r.IsThere {
		return s.markSure()
	}
	if r.Whole, err = s.Verify(ctx, jobs); err != nil || !r.Whole {
		return err
	}
	o, err := s.openManifest()
	if err != nil || o == nil {
		return err
	}
	r.Files, r.Generation = int(o.totals.files), o.totals.name()
	return nil
}
