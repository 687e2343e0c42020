package archive

import (
	"encoding/binary"
	"fmt"
	"io"
)

const (
	zipEndSignature       = 0x06054b50
	zipEnd64Signature     = 0x06064b50
	zipLocator64Signature = 0x07064b50

	zipEnd64Size = 56
)

// finishZip writes the directory, block by block: each entry gets the place
// that it has in the archive.
func finishZip(a *assembly) error {
	start := a.size
	count := 0
	var buffer, out []byte
	err := a.each(directory, func(block int32, read io.Reader) (err error) {
		if buffer, err = appendAll(buffer[:0], read); err != nil {
			return err
		}
		var n int
		if out, n, err = appendDirectory(out[:0], buffer, a.starts[block]); err != nil {
			return err
		}
		count += n
		_, err = a.Write(out)
		return err
	})
	if err != nil {
		return err
	}
	_, err = a.Write(appendZipEnd(out[:0], uint64(count), uint64(start), uint64(a.size)))
	return err
}

// appendDirectory appends the entries of a block that begins at start, and
// returns how many they are.
func appendDirectory(dst, block []byte, start int64) ([]byte, int, error) {
	const extraLength, place, version = 30, 42, 6 // in the fixed part of an entry
	le := binary.LittleEndian
	n := 0
	for len(block) > 0 {
		if len(block) < zipEntrySize {
			return dst, n, fmt.Errorf("the directory of a block is cut off")
		}
		length := zipEntrySize + int(le.Uint16(block[28:])) + int(le.Uint16(block[extraLength:]))
		if len(block) < length {
			return dst, n, fmt.Errorf("the directory of a block is cut off")
		}
		at := uint64(start) + uint64(le.Uint32(block[place:]))
		entry := len(dst)
		dst, block = append(dst, block[:length]...), block[length:]
		n++
		if at < zipMax32 {
			le.PutUint32(dst[entry+place:], uint32(at))
			continue
		}
		const id, size = 1, 8 // of the field that has large numbers
		le.PutUint32(dst[entry+place:], zipMax32)
		le.PutUint16(dst[entry+version:], zipVersion64)
		le.PutUint16(dst[entry+extraLength:], le.Uint16(dst[entry+extraLength:])+4+size)
		dst = le.AppendUint64(le.AppendUint16(le.AppendUint16(dst, id), size), at)
	}
	return dst, n, nil
}

// appendZipEnd appends what tells where the directory is: from start to end.
func appendZipEnd(b []byte, entries, start, end uint64) []byte {
	le := binary.LittleEndian
	if entries >= zipMax16 || end >= zipMax32 {
		b = le.AppendUint32(b, zipEnd64Signature)
		b = le.AppendUint64(b, zipEnd64Size-12) // what follows of this
		b = le.AppendUint16(b, zipUnix|zipVersion64)
		b = le.AppendUint16(b, zipVersion64)
		b = append(b, make([]byte, 4+4)...) // the number of this disk, and of that with the directory
		b = le.AppendUint64(b, entries)
		b = le.AppendUint64(b, entries)
		b = le.AppendUint64(b, end-start)
		b = le.AppendUint64(b, start)
		b = le.AppendUint32(b, zipLocator64Signature)
		b = le.AppendUint32(b, 0)
		b = le.AppendUint64(b, end)
		b = le.AppendUint32(b, 1) // disks
	}
	b = le.AppendUint32(b, zipEndSignature)
	b = append(b, make([]byte, 2+2)...) // the number of this disk, and of that with the directory
	b = le.AppendUint16(b, uint16(min(entries, zipMax16)))
	b = le.AppendUint16(b, uint16(min(entries, zipMax16)))
	b = le.AppendUint32(b, uint32(min(end-start, zipMax32)))
	b = le.AppendUint32(b, uint32(min(start, zipMax32)))
	return le.AppendUint16(b, 0) // a comment: none
}

// appendAll appends all that can be read.
func appendAll(dst []byte, from io.Reader) ([]byte, error) {
	for {
		if len(dst) == cap(dst) {
			dst = append(dst, 0)[:len(dst)]
		}
		n, err := from.Read(dst[len(dst):cap(dst)])
		dst = dst[:len(dst)+n]
		if err == io.EOF {
			return dst, nil
		}
		if err != nil {
			return dst, err
		}
	}
}
