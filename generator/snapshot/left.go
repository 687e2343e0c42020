package snapshot

import (
	"encoding/binary"
	"fmt"
	"math"
	"time"

	"example.org/sivu/generator/state"
)

// leftFile is a file that left the snapshot and stays for a while: someone may
// come to it from an older list.
type leftFile struct {
	key   key
	since int64 // when it left, in seconds since 1970
}

func (f leftFile) compare(other leftFile) int { return f.key.compare(other.key) }

func (f leftFile) stored() string { return leftMark + f.key.stored() }

func (f leftFile) value() []byte { return binary.AppendUvarint(nil, uint64(f.since)) }

func parseSince(b []byte) (int64, bool) {
	n, length := binary.Uvarint(b)
	return int64(n), length == len(b) && n <= math.MaxInt64
}

// readLeft returns the files that left, of a manifest that has them.
func readLeft(s *state.State) (left []leftFile, err error) {
	for c := s.From(leftMark); ; {
		stored, value, ok := c.Next()
		if !ok {
			if c.Err() != nil {
				return nil, damage(c.Err())
			}
			return left, nil
		}
		k, ok := parseStored(stored[len(leftMark):])
		since, good := parseSince(value)
		if !ok || !good {
			return nil, fmt.Errorf("%w: %q is no file of a snapshot", ErrDamaged, stored)
		}
		left = append(left, leftFile{k, since})
	}
}

// isOver reports whether the time of a file is over. One from the future is not
// waited for: a clock was put right.
func (s *Stage) isOver(f leftFile) bool {
	age := s.now.Sub(time.Unix(f.since, 0))
	return age >= s.keepRemoved || age < -time.Minute
}

// takeLeft goes through the files that left before. One that is due again is like
// any other. One beside files that are due again goes at once, as it may belong to
// older ones.
func (m *merger) takeLeft() error {
	left, err := m.old.left()
	if err != nil {
		return problem("read", manifest, err)
	}
	t := &m.plan.totals
	for _, f := range left {
		switch runs := m.stage.runs; {
		case runs.has(f.key):
		case runs.hasGroup(f.key), m.stage.isOver(f):
			isThere, err := m.stage.isFile(f.key)
			if err != nil {
				return err
			}
			if isThere {
				m.remove(f.key)
			}
		default:
			m.plan.left = append(m.plan.left, f)
			continue
		}
		m.plan.unleft = append(m.plan.unleft, f)
	}
	t.left, t.leftSince = int64(len(m.plan.left)), 0
	for i, f := range m.plan.left {
		if i == 0 || f.since < t.leftSince {
			t.leftSince = f.since
		}
	}
	return nil
}
