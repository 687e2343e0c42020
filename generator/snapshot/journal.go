package snapshot

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"os"
)

// journalHeader names the format of the journal and its version. What follows are
// the steps of a commit, each a byte and the stored key of a file as a text, and
// the SHA-256 of all that.
const journalHeader = "sivu journal 1\n"

// What is undone of a commit that was cut off.
const (
	putBack        = 'b' // the file in the backup takes its place again
	takeOut        = 'a' // the file goes
	takeOutFolder  = 'f' // the file goes, and the folder of its record if it is empty
	takeOutIfOurs  = 'i' // the in-root file goes if it holds the bytes whose SHA-256 follows
	takeOutTree    = 't' // all files of a snapshot below pages go
	cutLog         = 'l' // the log of the manifest is cut to the size that follows
	takeOutListing = 'm' // the manifest goes
)

// journal is a record of what a commit will do, made before its first step.
type journal struct {
	op  byte
	key key
	sum [sha256.Size]byte // of takeOutIfOurs
	log int64             // of cutLog
}

// steps returns what has to be undone of a commit, in the order of its steps.
func (p *plan) steps(hadManifest bool) []journal {
	var steps []journal
	if p.tree {
		steps = append(steps, journal{op: takeOutTree})
	}
	for _, e := range p.moves {
		j := journal{op: putBack, key: e.key}
		switch {
		case e.state == addedWithFolder:
			j.op = takeOutFolder
		case e.state == added && e.key.isInRoot():
			j.op, j.sum = takeOutIfOurs, e.sum
		case e.state == added:
			j.op = takeOut
		}
		steps = append(steps, j)
	}
	for _, k := range p.removals {
		steps = append(steps, journal{op: putBack, key: k})
	}
	switch {
	case !p.rewrite:
		steps = append(steps, journal{op: cutLog, log: p.logSize})
	case hadManifest:
		steps = append(steps, journal{op: putBack, key: manifestKey})
	default:
		steps = append(steps, journal{op: takeOutListing})
	}
	return steps
}

func encodeJournal(steps []journal) []byte {
	b := []byte(journalHeader)
	for _, j := range steps {
		b = append(b, j.op)
		switch j.op {
		case cutLog:
			b = binary.AppendUvarint(b, uint64(j.log))
			continue
		case takeOutTree, takeOutListing:
			continue
		}
		stored := ""
		if j.key != manifestKey {
			stored = j.key.stored()
		}
		b = append(append(b, byte(len(stored))), stored...)
		if j.op == takeOutIfOurs {
			b = append(b, j.sum[:]...)
		}
	}
	sum := sha256.Sum256(b)
	return append(b, sum[:]...)
}

// readJournal returns the steps of a commit that was cut off. The error wraps
// ErrDamaged where they cannot be known.
func (s *Stage) readJournal() ([]journal, error) {
	data, err := s.root.readUpTo(journalFile, manifestLimit)
	if err != nil {
		return nil, err
	}
	return decodeJournal(data)
}

func decodeJournal(b []byte) ([]journal, error) {
	n := len(b) - sha256.Size
	if n < len(journalHeader) || string(b[:len(journalHeader)]) != journalHeader {
		return nil, ErrDamaged
	}
	if sum := sha256.Sum256(b[:n]); !bytes.Equal(sum[:], b[n:]) {
		return nil, ErrDamaged
	}
	var steps []journal
	for b = b[len(journalHeader):n]; len(b) > 0; {
		j := journal{op: b[0]}
		rest, ok := j.decode(b[1:])
		if !ok {
			return nil, ErrDamaged
		}
		steps, b = append(steps, j), rest
	}
	return steps, nil
}

// decode reads what follows the first byte of a step, and returns what is left.
func (j *journal) decode(b []byte) ([]byte, bool) {
	switch j.op {
	case takeOutTree, takeOutListing:
		return b, true
	case cutLog:
		n, length := binary.Uvarint(b)
		j.log = int64(n)
		return b[max(length, 0):], length > 0 && j.log >= 0
	case putBack, takeOut, takeOutFolder, takeOutIfOurs:
	default:
		return nil, false
	}
	if len(b) == 0 || int(b[0]) > len(b)-1 {
		return nil, false
	}
	stored, b := string(b[1:1+b[0]]), b[1+b[0]:]
	ok := j.op == putBack
	if j.key = manifestKey; stored != "" {
		j.key, ok = parseStored(stored)
	}
	if j.op == takeOutFolder && j.key.class() != classRecord {
		return nil, false
	}
	if ok && j.op == takeOutIfOurs {
		if ok = len(b) >= len(j.sum) && j.key.isInRoot(); ok {
			b = b[copy(j.sum[:], b):]
		}
	}
	return b, ok
}

// writeJournal writes the journal of a plan into the backup in the making.
func (m *mover) writeJournal(p *plan) error {
	const name = prepareDir + "/journal"
	if err := m.step("note", journalFile); err != nil {
		return err
	}
	f, err := m.stage.root.create(name, os.O_EXCL, 0o600)
	if err != nil {
		return problem("write", journalFile, err)
	}
	_, err = f.Write(encodeJournal(p.steps(m.hadManifest)))
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return problem("write", journalFile, err)
	}
	return nil
}
