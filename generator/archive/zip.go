package archive

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"path"
	"time"

	"github.com/klauspost/compress/flate"
)

// Signatures and numbers of PKWARE's APPNOTE. zipMax16 and zipMax32 stand for a larger
// number in a zip64 field.
const (
	zipLocalSignature = 0x04034b50
	zipEntrySignature = 0x02014b50

	zipEndSignature       = 0x06054b50
	zipEnd64Signature     = 0x06064b50
	zipLocator64Signature = 0x07064b50

	zipVersion   = 20 // of APPNOTE: deflate
	zipVersion64 = 45 // of APPNOTE: zip64
	zipUnix      = 3 << 8
	zipMax32     = math.MaxUint32
	zipMax16     = math.MaxUint16

	zipRegular   = 0o100000 // the bit of Unix that says that it is a file
	zipLocalSize = 30       // of the fixed part of a local header
	zipTimeSize  = 9        // of the extra field with the time
	zipEnd64Size = 56
)

// zipEncoder makes blocks of a zip.
type zipEncoder struct {
	to      io.Writer
	deflate *flate.Writer
	packed  bytes.Buffer
	local   []byte
}

func newZip() encoder { return new(zipEncoder) }

func (e *zipEncoder) begin(to io.Writer) { e.to = to }

func (e *zipEncoder) end() error { return nil }

func (e *zipEncoder) add(name string, data []byte, seconds int64) error {
	if int64(len(data)) >= zipMax32 {
		return fmt.Errorf("%s has %d bytes: more than an entry of a zip can have", name, len(data))
	}
	method, packed, err := e.pack(name, data)
	if err != nil {
		return err
	}
	le := binary.LittleEndian
	t := time.Unix(seconds, 0).UTC()
	b := le.AppendUint32(e.local[:0], zipLocalSignature)
	b = le.AppendUint16(b, zipVersion)
	b = le.AppendUint16(b, 0) // flags: names are ASCII, sizes lie ahead
	b = le.AppendUint16(b, method)
	b = le.AppendUint16(b, uint16(t.Hour()<<11|t.Minute()<<5|t.Second()/2))
	b = le.AppendUint16(b, uint16((t.Year()-1980)<<9|int(t.Month())<<5|t.Day()))
	b = le.AppendUint32(b, crc32.ChecksumIEEE(data))
	b = le.AppendUint32(b, uint32(len(packed)))
	b = le.AppendUint32(b, uint32(len(data)))
	b = le.AppendUint16(b, uint16(len(name)))
	b = le.AppendUint16(b, zipTimeSize)
	b = append(b, name...)
	// The time in UTC, for programs that take the other one for local time.
	const id, size, modified = 0x5455, zipTimeSize - 4, 1
	b = le.AppendUint16(b, id)
	b = le.AppendUint16(b, size)
	b = append(b, modified)
	e.local = le.AppendUint32(b, uint32(seconds))
	if _, err := e.to.Write(e.local); err != nil {
		return err
	}
	_, err = e.to.Write(packed)
	return err
}

// pack returns data as the archive holds it. Precompressed variants stay as they are.
func (e *zipEncoder) pack(name string, data []byte) (method uint16, packed []byte, err error) {
	if ending := path.Ext(name); ending == ".br" || ending == ".gz" || ending == ".zst" {
		return zip.Store, data, nil
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
		return zip.Store, data, err
	}
	return zip.Deflate, e.packed.Bytes(), nil
}

// finishZip writes the directory and what follows it.
func finishZip(to io.Writer, blocks io.Reader, start int64) (int64, error) {
	count, size, err := writeZipDirectory(to, blocks, 0)
	if err != nil {
		return 0, err
	}
	n, err := to.Write(appendZipEnd(nil, count, uint64(start), uint64(start+size)))
	return start + size + int64(n), err
}

// writeZipDirectory writes an entry for each local header, the first of which is at the
// given offset of the archive. It returns the number of entries and their size.
func writeZipDirectory(to io.Writer, blocks io.Reader, at int64) (count uint64, size int64, err error) {
	const packedSize, nameLength, extraLength = 18, 26, 28 // in the local header
	le := binary.LittleEndian
	var entry []byte
	for read := bufio.NewReaderSize(blocks, 1<<16); ; count++ {
		local, err := read.Peek(zipLocalSize)
		if err == io.EOF && len(local) == 0 {
			return count, size, nil
		}
		if err == nil {
			local, err = read.Peek(zipLocalSize + int(le.Uint16(local[nameLength:])) + int(le.Uint16(local[extraLength:])))
		}
		if err != nil {
			return count, size, err
		}
		entry = appendZipEntry(entry[:0], local, uint64(at))
		length := len(local) + int(le.Uint32(local[packedSize:]))
		if _, err = read.Discard(length); err == nil {
			_, err = to.Write(entry)
		}
		if err != nil {
			return count, size, err
		}
		at += int64(length)
		size += int64(len(entry))
	}
}

// appendZipEntry appends the entry of the directory that belongs to a local header.
func appendZipEntry(dst, local []byte, at uint64) []byte {
	const version, extraLength = 6, 30 // in the entry
	le := binary.LittleEndian
	start := len(dst)
	dst = le.AppendUint32(dst, zipEntrySignature)
	dst = le.AppendUint16(dst, zipUnix|zipVersion)
	dst = append(dst, local[4:zipLocalSize]...) // from the version to the length of the extra fields
	dst = append(dst, make([]byte, 2+2+2)...)   // comment, disk, internal attributes: none
	dst = le.AppendUint32(dst, (zipRegular|entryMode)<<16)
	dst = le.AppendUint32(dst, uint32(min(at, zipMax32)))
	dst = append(dst, local[zipLocalSize:]...)
	if at >= zipMax32 {
		const id, size = 1, 8 // of the field that has large numbers
		entry := dst[start:]
		le.PutUint16(entry[version:], zipVersion64)
		le.PutUint16(entry[extraLength:], le.Uint16(entry[extraLength:])+4+size)
		dst = le.AppendUint64(le.AppendUint16(le.AppendUint16(dst, id), size), at)
	}
	return dst
}

// appendZipEnd appends the end of a zip, whose directory lies from start to end.
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

func readZip(f *os.File, visit visitor) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	z, err := zip.NewReader(f, info.Size())
	if err != nil {
		return damaged(err)
	}
	for _, entry := range z.File {
		if entry.Mode().IsDir() {
			continue
		}
		if !entry.Mode().IsRegular() {
			return fmt.Errorf("%q is not a regular file", entry.Name)
		}
		data, err := entry.Open()
		if err != nil {
			return damaged(fmt.Errorf("%s: %w", entry.Name, err))
		}
		if err := errors.Join(visit(entry.Name, data), data.Close()); err != nil {
			return err
		}
	}
	return nil
}
