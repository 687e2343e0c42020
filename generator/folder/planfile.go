package folder

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/state"
	"example.org/sivu/generator/tree"
)

// A plan on the disk is a state of package state. Its meta is the version, flags, both
// generations, and the size of the manifest's log before the commit. The keys count the
// steps in their order. The value of a step is its operation, its path as text of package
// api, and the sums of the new file and of the old one, as far as there are such.
const planVersion = 1

const (
	planTree    = 1 << iota // pages as a whole is moved in first
	planSegment             // the log of the manifest grows; else the manifest is replaced
)

// planHead begins a plan.
type planHead struct {
	tree     bool            // pages as a whole is moved in, and its files are not in steps
	rewrite  bool            // the manifest is written whole; else its log grows
	old, new tree.Generation // old is zero where it is not known
	logSize  int64           // of the manifest's log before the commit
}

func (p *planHead) encode() []byte {
	flags := byte(0)
	if p.tree {
		flags |= planTree
	}
	if !p.rewrite {
		flags |= planSegment
	}
	b := append([]byte{planVersion, flags}, p.old[:]...)
	return binary.AppendUvarint(append(b, p.new[:]...), uint64(p.logSize))
}

// stagePlan writes the plan into the stage.
func (s *Stage) stagePlan(p *plan) error {
	f, err := s.createInStage(planFile, 0o600)
	if err != nil {
		return err
	}
	w := state.NewWriter(f, p.encode())
	var key [4]byte
	for i := range p.steps {
		binary.BigEndian.PutUint32(key[:], uint32(i))
		w.Put(string(key[:]), encodeStep(&p.steps[i]))
	}
	if err := errors.Join(w.Finish(), f.Close()); err != nil {
		return problem("write", planFile, err)
	}
	return nil
}

func encodeStep(s *tree.Step) []byte {
	path := s.Path.Stored()
	b := append([]byte{byte(s.Op), byte(len(path))}, path...)
	return s.Old.Append(s.New.Append(b))
}

func decodeStep(b []byte) (s tree.Step, ok bool) {
	if len(b) < 2 || len(b) < 2+int(b[1]) {
		return s, false
	}
	path, sums := b[2:2+int(b[1])], b[2+int(b[1]):]
	s.Op = tree.Op(b[0])
	if s.Path, ok = api.ParseStored(string(path)); !ok || len(sums) != 2*tree.SumSize || s.Op == tree.Keep || s.Op > tree.Remove {
		return s, false
	}
	s.New, _ = tree.DecodeSum(sums[:tree.SumSize])
	s.Old, ok = tree.DecodeSum(sums[tree.SumSize:])
	return s, ok
}

// pending is the plan of a commit that has begun.
type pending struct {
	planHead
	file  *os.File
	steps *state.State
	count int
}

// openPlan opens and checks the plan of the commit.
func (s *Stage) openPlan() (*pending, error) {
	f, info, err := s.root.openRegular(commitDir + "/" + planFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, problem("read", commitDir+"/"+planFile, err)
	}
	p := &pending{file: f}
	if err == nil {
		p.steps, err = state.Open(f, info.Size(), nil)
	}
	if err == nil && !p.decode(p.steps.Meta()) {
		err = state.ErrDamaged
	}
	if err == nil {
		err = p.each(func(*tree.Step) error { p.count++; return nil })
	}
	if err != nil && f != nil {
		f.Close()
	}
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, state.ErrDamaged):
		return nil, s.unusable("its plan is missing or damaged, or of another version of sivu")
	case err != nil:
		return nil, problem("read", commitDir+"/"+planFile, err)
	}
	return p, nil
}

// unusable is the error of a commit that cannot be finished, with its cause and cure.
func (s *Stage) unusable(why string) error {
	return fmt.Errorf("the commit in %q, folder %s, cannot be finished: %s; remove %s and %s, and build again: that compares and writes every file",
		s.name, commitDir, why, commitDir, manifest)
}

// decode is the inverse of encode, and reports whether b is a head of this version.
func (p *planHead) decode(b []byte) bool {
	if len(b) < 2+len(p.old)+len(p.new) || b[0] != planVersion {
		return false
	}
	p.tree, p.rewrite = b[1]&planTree != 0, b[1]&planSegment == 0
	b = b[2:]
	b = b[copy(p.old[:], b):]
	b = b[copy(p.new[:], b):]
	size, length := binary.Uvarint(b)
	p.logSize = int64(size)
	return length > 0 && p.logSize >= 0 && p.logSize <= manifestLimit
}

// each visits the steps in their order. The error is [state.ErrDamaged] where they cannot
// be read.
func (p *pending) each(visit func(*tree.Step) error) error {
	for c := p.steps.From(""); ; {
		_, value, ok := c.Next()
		if !ok {
			return c.Err()
		}
		s, ok := decodeStep(value)
		if !ok {
			return state.ErrDamaged
		}
		if err := visit(&s); err != nil {
			return err
		}
	}
}
