package archive

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
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

	zipStored   = 0
	zipDeflated = 8

	zipVersion   = 20 // of APPNOTE: deflate
	zipVersion64 = 45 // of APPNOTE: zip64
	zipUnix      = 3 << 8
	zipMax32     = math.MaxUint32
	zipMax16     = math.MaxUint16

	zipLocalSize = 30 // of the fixed part of a local header
	zipEntrySize = 46 // of the fixed part of an entry of the directory
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
