package snapshot

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"io"
	"strconv"
)

var kinds = [...]byte{
	classTop: kindTop, classRecord: kindRecord, classIndex: kindIndex, classList: kindList, classEnd: kindTop,
}

// manifestWriter writes a manifest of version 2: the header, the entries in order, and the
// SHA-256 of all that.
type manifestWriter struct {
	w      *bufio.Writer
	sum    hash.Hash
	last   key
	buffer []byte
}

func newManifestWriter(w io.Writer) *manifestWriter {
	m := &manifestWriter{w: bufio.NewWriterSize(w, 64<<10), sum: sha256.New()}
	m.put([]byte(manifestHeader2))
	return m
}

// put leaves errors to the last Flush, which repeats the first one.
func (m *manifestWriter) put(b []byte) {
	m.sum.Write(b)
	m.w.Write(b)
}

func (m *manifestWriter) add(e *entry) {
	b := append(m.buffer[:0], kinds[e.key.class()])
	if !e.key.isTop() {
		b[0] |= e.key[17] << tagSuffixShift
	}
	switch {
	case e.key.isTop():
		name := topNames[e.key[1]]
		b = append(append(b, byte(len(name))), name...)
	case e.key.class() == classRecord && e.key.folder() == m.last.folder():
		b[0] |= tagSameFolder
	case e.key.class() == classRecord:
		b = append(b, e.key[1:17]...)
	case e.key.class() == classList:
		number, _ := strconv.ParseUint(string(pageDigits(&e.key)), 10, 32)
		b = binary.LittleEndian.AppendUint32(b, uint32(number))
	}
	b = binary.LittleEndian.AppendUint32(b, e.size)
	m.buffer = append(b, e.sum[:]...)
	m.last = e.key
	m.put(m.buffer)
}

func (m *manifestWriter) close() error {
	m.w.Write(m.sum.Sum(nil))
	return m.w.Flush()
}
