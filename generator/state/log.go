package state

import (
	"bytes"
	"encoding/binary"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"example.org/sivu/generator/fsutil"
)

// The operations of a log.
const (
	opPut    = 1
	opRemove = 0
)

// Change is a new value of a key, or the end of it.
type Change struct {
	Key    string
	Value  []byte // nil where it is removed
	Remove bool
}

// apply applies a log. Zeros at its end are room for a segment that was not written.
func (s *State) apply(log []byte) error {
	rest := bytes.TrimRight(log, "\x00")
	if len(rest) == 0 {
		return nil
	}
	if len(log) < len(logMagic)+8 || string(log[:len(logMagic)]) != logMagic {
		return ErrDamaged
	}
	if binary.LittleEndian.Uint64(log[len(logMagic):]) != s.number {
		return nil // of a state that was replaced
	}
	written := len(rest)
	s.changed = make(map[string][]byte)
	for at := len(logMagic) + 8; ; {
		s.logSize = int64(at)
		if at >= written {
			break
		}
		if len(log)-at < 8 {
			return ErrDamaged
		}
		size := binary.LittleEndian.Uint64(log[at:])
		at += 8
		if size > uint64(len(log)-at) {
			return ErrDamaged
		}
		segment, ok := checked(log[at : at+int(size)])
		if !ok || !s.applySegment(segment) {
			return ErrDamaged
		}
		at += int(size)
	}
	s.sorted = slices.Sorted(maps.Keys(s.changed))
	return nil
}

func (s *State) applySegment(segment []byte) bool {
	r := reader{rest: segment}
	s.meta = r.bytes()
	for len(r.rest) > 0 && !r.failed {
		removed := r.rest[0] == opRemove
		r.rest = r.rest[1:]
		key := r.text()
		var value []byte
		if !removed {
			value = r.bytes()
		}
		s.changed[key] = value
	}
	return !r.failed
}

// LogSize returns how long the log is that was applied: where the next segment
// begins. What a log file holds beyond that, or at all if it is 0, is of another
// state.
func (s *State) LogSize() int64 { return s.logSize }

// Segment returns the bytes to be written at [State.LogSize] of the log for the changes
// since the state was read. It reports false where the log would
// grow so long that the whole state should be written anew.
func (s *State) Segment(meta []byte, changes []Change) ([]byte, bool) {
	var log []byte
	if s.logSize == 0 {
		log = binary.LittleEndian.AppendUint64([]byte(logMagic), s.number)
	}
	start := len(log) + 8
	log = appendBytes(append(log, make([]byte, 8)...), meta)
	for _, c := range changes {
		if c.Remove {
			log = appendBytes(append(log, opRemove), c.Key)
			continue
		}
		log = appendBytes(appendBytes(append(log, opPut), c.Key), c.Value)
	}
	log = append(log[:start], appendSum(log[start:])...)
	binary.LittleEndian.PutUint64(log[start-8:], uint64(len(log)-start))
	const least = 64 << 10
	return log, s.logSize+int64(len(log)) <= max(s.size/4, least)
}

// With returns the state as it would be after changes.
func (s *State) With(changes []Change) *State {
	with := *s
	with.changed = make(map[string][]byte, len(s.changed)+len(changes))
	maps.Copy(with.changed, s.changed)
	for _, c := range changes {
		with.changed[c.Key] = c.Value
	}
	with.sorted = slices.Sorted(maps.Keys(with.changed))
	return &with
}

// Append writes the changes since the state was read. It reports false, and
// writes nothing, where the log has grown so long that the whole state should be
// written anew with [Create].
func (s *State) Append(dir string, meta []byte, changes []Change) (bool, error) {
	segment, ok := s.Segment(meta, changes)
	if !ok {
		return false, nil
	}
	name := filepath.Join(dir, logFile)
	flags := os.O_WRONLY | os.O_APPEND
	if s.logSize == 0 { // a file there is of another state, and never written through
		flags |= os.O_CREATE | os.O_EXCL
		if err := fsutil.IgnoreMissing(os.Remove(name)); err != nil {
			return true, refused(dir, logFile, err)
		}
	}
	f, err := os.OpenFile(name, flags, 0o600)
	if err == nil {
		_, err = f.Write(segment)
		err = errors.Join(err, f.Close())
	}
	return true, refused(dir, logFile, err)
}
