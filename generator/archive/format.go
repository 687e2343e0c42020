package archive

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// Format is a form of archives.
type Format struct {
	Ending string // of the names of such archives, with its dots

	magics     []string // one of these stands at magicAt in the file
	magicAt    int
	newEncoder func() encoder
	read       func(*os.File, visitor) error

	// finish writes what follows the blocks, which it can read once more and whose size
	// is given. It returns the size of the whole archive.
	finish func(to io.Writer, blocks io.Reader, size int64) (int64, error)
}

// Formats are all forms of archives. One without a name, for a pipe, has the
// last of them, which other programs unpack or compress as they like.
var Formats = []Format{
	{Ending: ".tar.zst", magics: []string{"\x28\xb5\x2f\xfd"}, newEncoder: newTarZstd, finish: finishTarZstd, read: readTarZstd},
	{Ending: ".zip", magics: []string{"PK\x03\x04", "PK\x05\x06"}, newEncoder: newZip, finish: finishZip, read: readZip},
	{Ending: ".tar", magics: []string{"ustar"}, magicAt: 257, newEncoder: newTar, finish: finishTar, read: func(f *os.File, visit visitor) error { return readTar(f, visit) }},
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
	return nil, fmt.Errorf("the name %q does not tell what kind of archive it is for; the endings are %s", name, strings.Join(Endings(), ", "))
}

// fits reports whether a file is such an archive, going by its first bytes.
func (f *Format) fits(file *os.File) (bool, error) {
	head := make([]byte, 512)
	if _, err := file.ReadAt(head, 0); err != nil && err != io.EOF {
		return false, err
	}
	return slices.ContainsFunc(f.magics, func(magic string) bool { return strings.HasPrefix(string(head[f.magicAt:]), magic) }), nil
}

// encoder makes blocks of an archive. One goroutine uses it.
type encoder interface {
	begin(to io.Writer)                             // a block
	add(name string, data []byte, time int64) error // the time is in Unix seconds
	end() error                                     // of the block
}

// visitor is called for each file of an archive that is read.
type visitor func(name string, data io.Reader) error
