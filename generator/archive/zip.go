package archive

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"path"
	"time"

	"github.com/klauspost/compress/flate"
)

// What PKWARE's APPNOTE calls these: signatures, and numbers that stand for a
// larger one elsewhere.
const (
	zipLocalSignature = 0x04034b50
	zipEntrySignature = 0x02014b50

	zipEndSignature       = 0x06054b50
	zipEnd64Signature     = 0x06064b50
	zipLocator64Signature = 0x07064b50

	zipStored   = 0
	zipDeflated = 8

	zipVersion   = 20 // of APPNOTE: deflate
	zipVersion64 = 45 // of APPNOTE: zip64
	zipUnix      = 3 << 8
	zipMax32     = math.MaxUint32
	zipMax16     = math.MaxUint16

	zipLocalSize = 30 // of the fixed part of a local header
	zipEntrySize = 46 // of the fixed part of an entry of the directory
	zipEnd64Size = 56
)

// zipEncoder makes blocks of a zip.
type zipEncoder struct {
	to        *spooler
	deflate   *flate.Writer
	packed    bytes.Buffer
	header    []byte
	local     []byte
	directory []byte // of the block, with places as if the block were the archive
}

func newZip() encoder { return new(zipEncoder) }

func (e *zipEncoder) begin(to *spooler) {
	e.to, e.directory = to, e.directory[:0]
}

func (e *zipEncoder) add(name string, data []byte, seconds int64) error {
	if len(data) >= zipMax32 {
		return fmt.Errorf("%s has %d bytes: more than an entry of a zip can have", name, len(data))
	}
	at := e.to.length
	if at >= zipMax32 {
		return fmt.Errorf("%s begins %d bytes after the first of its block: more than a zip can have", name, at)
	}
	method, packed, err := e.pack(name, data)
	if err != nil {
		return err
	}
	le := binary.LittleEndian
	// What the local header and the directory say alike.
	b := le.AppendUint16(e.header[:0], zipVersion)
	b = le.AppendUint16(b, 0) // flags: names are ASCII, sizes lie ahead
	b = le.AppendUint16(b, method)
	b = appendZipTime(b, seconds)
	b = le.AppendUint32(b, crc32.ChecksumIEEE(data))
	b = le.AppendUint32(b, uint32(len(packed)))
	b = le.AppendUint32(b, uint32(len(data)))
	b = le.AppendUint16(b, uint16(len(name)))
	b = le.AppendUint16(b, zipTimeSize)
	e.header = b

	d := le.AppendUint32(e.directory, zipEntrySignature)
	d = le.AppendUint16(d, zipUnix|zipVersion)
	d = append(d, b...)
	d = append(d, make([]byte, 2+2+2)...) // comment, disk, internal attributes: none
	d = le.AppendUint32(d, (regularFile|entryMode)<<16)
	d = le.AppendUint32(d, uint32(at))
	d = append(d, name...)
	e.directory = appendZipUnixTime(d, seconds)

	e.local = append(le.AppendUint32(e.local[:0], zipLocalSignature), b...)
	e.local = appendZipUnixTime(append(e.local, name...), seconds)
	if _, err := e.to.Write(e.local); err != nil {
		return err
	}
	_, err = e.to.Write(packed)
	return err
}

// pack returns data as the archive holds it. Siblings are compressed already.
func (e *zipEncoder) pack(name string, data []byte) (method uint16, packed []byte, err error) {
	if ending := path.Ext(name); ending == ".br" || ending == ".gz" || ending == ".zst" {
		return zipStored, data, nil
	}
	const level = 1 // see BenchmarkFormats: others take longer than all the rest of a build
	e.packed.Reset()
	if e.deflate == nil {
		e.deflate, err = flate.NewWriter(&e.packed, level)
	} else {
		e.deflate.Reset(&e.packed)
	}
	if err == nil {
		_, err = e.deflate.Write(data)
	}
	if err == nil {
		err = e.deflate.Close()
	}
	if err != nil || e.packed.Len() >= len(data) {
		return zipStored, data, err
	}
	return zipDeflated, e.packed.Bytes(), nil
}

func (e *zipEncoder) end() error {
	if err := e.to.flush(); err != nil {
		return err
	}
	e.to.begin(e.to.block, directory)
	_, err := e.to.Write(e.directory)
	return err
}

// appendZipTime appends a time as MS-DOS has it: an even second of no zone.
func appendZipTime(b []byte, seconds int64) []byte {
	t := time.Unix(seconds, 0).UTC()
	clock := t.Hour()<<11 | t.Minute()<<5 | t.Second()/2
	date := (t.Year()-1980)<<9 | int(t.Month())<<5 | t.Day()
	b = binary.LittleEndian.AppendUint16(b, uint16(clock))
	return binary.LittleEndian.AppendUint16(b, uint16(date))
}

// zipTimeSize is the size of what appendZipUnixTime appends.
const zipTimeSize = 9

// appendZipUnixTime appends the field that has the time in UTC, for programs
// that take the other one for local time.
func appendZipUnixTime(b []byte, seconds int64) []byte {
	const id, modified = 0x5455, 1
	b = binary.LittleEndian.AppendUint16(b, id)
	b = binary.LittleEndian.AppendUint16(b, zipTimeSize-4)
	b = append(b, modified)
	return binary.LittleEndian.AppendUint32(b, uint32(seconds))
}

// finishZip writes the directory, block by block: each entry gets the place
// that it has in the archive.
func finishZip(a *assembly) error {
	start := a.size
	count := 0
	var buffer bytes.Buffer
	var out []byte
	err := a.each(directory, func(block int32, read io.Reader) (err error) {
		buffer.Reset()
		if _, err := buffer.ReadFrom(read); err != nil {
			return err
		}
		var n int
		if out, n, err = appendDirectory(out[:0], buffer.Bytes(), a.starts[block]); err != nil {
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
