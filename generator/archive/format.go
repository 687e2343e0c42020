package archive

import (
	"bytes"
	"fmt"
	"os"
	"strings"
)

// Format is a form of archives.
type Format struct {
	Ending string // of the names of such archives, with its dots
	Doc    string

	begins     func(head []byte) bool // whether a file that begins so is such an archive
	newEncoder func() encoder
	finish     func(*assembly) error // writes what follows the blocks
	read       func(*os.File, visitor) error
}

// Formats are all forms of archives. One without a name, for a pipe, has the
// last of them: what reads it there is a tar, or compresses as it likes.
var Formats = []Format{
	{Ending: ".tar.zst", Doc: "tar, compressed with Zstandard (RFC 8878)", begins: isZstd, newEncoder: newTarZstd, finish: finishTarZstd, read: readTarZstd},
	{Ending: ".zip", Doc: "zip, deflated (RFC 1951)", begins: isZip, newEncoder: newZip, finish: finishZip, read: readZip},
	{Ending: ".tar", Doc: "tar (POSIX ustar), not compressed", begins: isTar, newEncoder: newTar, finish: finishTar, read: readTar},
}

// Endings returns the endings of all formats.
func Endings() []string {
	var list []string
	for _, f := range Formats {
		list = append(list, f.Ending)
	}
	return list
}

// formatOf returns the format that the name of an archive asks for.
func formatOf(name string) (*Format, error) {
	if name == Pipe {
		return &Formats[len(Formats)-1], nil
	}
	for i, f := range Formats {
		if strings.HasSuffix(strings.ToLower(name), f.Ending) {
			return &Formats[i], nil
		}
	}
	return nil, fmt.Errorf("the name %q does not tell what kind of archive it is for; end it with %s", name, strings.Join(Endings(), ", "))
}

// headSize is how many bytes of a file tell whether it is an archive.
const headSize = 512

func isZstd(head []byte) bool { return bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd")) }

func isZip(head []byte) bool {
	return bytes.HasPrefix(head, []byte("PK\x03\x04")) || bytes.HasPrefix(head, []byte("PK\x05\x06"))
}

func isTar(head []byte) bool {
	const place = 257
	return len(head) > place && bytes.HasPrefix(head[place:], []byte("ustar"))
}

// encoder makes blocks of an archive. One goroutine uses it.
type encoder interface {
	// begin begins a block, which goes to the spool.
	begin(to *spooler)
	// add adds a file. The time is in Unix seconds.
	add(name string, data []byte, time int64) error
	// end ends the block.
	end() error
}
