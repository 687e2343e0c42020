package state

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"unsafe"
)

// checked returns data without the checksum at its end, if that fits.
func checked(data []byte) ([]byte, bool) {
	n := len(data) - sumSize
	if n < 0 || binary.LittleEndian.Uint32(data[n:]) != crc32.Checksum(data[:n], table) {
		return nil, false
	}
	return data[:n], true
}

// reader reads numbers and strings of bytes one after the other.
type reader struct {
	rest   []byte
	failed bool
}

func (r *reader) number() int64 {
	n, length := binary.Uvarint(r.rest)
	if length <= 0 || n > math.MaxInt64 {
		r.failed, r.rest = true, nil
		return 0
	}
	r.rest = r.rest[length:]
	return int64(n)
}

func (r *reader) bytes() []byte {
	n := r.number()
	if r.failed || n > int64(len(r.rest)) {
		r.failed, r.rest = true, nil
		return nil
	}
	b := r.rest[:n:n]
	r.rest = r.rest[n:]
	return b
}

// text returns a string that shares its memory with what was read: a large state
// has hundreds of thousands.
func (r *reader) text() string {
	b := r.bytes()
	return unsafe.String(unsafe.SliceData(b), len(b))
}

func appendBytes[T string | []byte](dst []byte, b T) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(b))), b...)
}

// appendSum appends the checksum of b.
func appendSum(b []byte) []byte {
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, table))
}
