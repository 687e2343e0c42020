package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/fsutil"
)

// Folder is a content folder on disk, as the [fs.FS] of an [os.Root]: no symlink
// leads out of it. It is safe for concurrent use.
type Folder struct {
	rootFS
	root *os.Root
	top  *os.File // the folder itself
}

// rootFS are the interfaces of [os.Root.FS].
type rootFS interface {
	fs.ReadDirFS
	fs.StatFS
	fs.ReadLinkFS
}

// OpenFolder opens a content folder, which may itself be a symlink. The error is
// a message for people.
func OpenFolder(dir string) (*Folder, error) {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("content folder %q does not exist; name the folder of the source pages with --content", dir)
	case err != nil:
		return nil, fmt.Errorf("content folder %q cannot be opened: %w", dir, fsutil.Reason(err))
	case !info.IsDir():
		return nil, fmt.Errorf("content folder %q is not a folder", dir)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("content folder %q cannot be opened: %w", dir, fsutil.Reason(err))
	}
	top, err := root.Open(".")
	if err != nil {
		root.Close()
		return nil, fmt.Errorf("content folder %q cannot be opened: %w", dir, fsutil.Reason(err))
	}
	return &Folder{root.FS().(rootFS), root, top}, nil
}

// Close closes the folder. No reader may be at work: the descriptor may be another file's then.
func (f *Folder) Close() error { return errors.Join(f.top.Close(), f.root.Close()) }

// Open opens a file or folder. It does not wait for the writer of a FIFO.
func (f *Folder) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	file, err := f.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	return file, nil
}

// Loader reads files into one buffer that it uses again and again. It is for one
// goroutine. The zero value is ready to use.
type Loader struct {
	buffer []byte
}

var byteOrderMark = []byte("\xef\xbb\xbf")

// keptBuffer is the size up to which a buffer is kept for the next file.
const keptBuffer = 1 << 20

// Load returns the text of a file: UTF-8 without a byte order mark, and with LF
// line ends. The caller may change it; it is valid until the next call. Where the
// file cannot be a source page, the reason is reported, and the result is false.
func (l *Loader) Load(fsys fs.FS, file *File, report func(diag.Diagnostic)) ([]byte, bool) {
	raw, problem := l.read(fsys, file)
	if problem != nil {
		report(*problem)
		return nil, false
	}
	text, ok := normalize(raw), true
	for _, d := range encodingProblems(raw, text, file.Path) {
		report(d)
		ok = false
	}
	return text, ok
}

// Reload is Load for a file that was loaded before in this run of the program and
// then had the given hash. A text with another hash is reported; one with that hash
// is not checked again.
func (l *Loader) Reload(fsys fs.FS, file *File, hash uint64, report func(diag.Diagnostic)) ([]byte, bool) {
	raw, problem := l.read(fsys, file)
	text := normalize(raw)
	if problem == nil && Hash(text) != hash {
		d := ruleChanged.At(diag.Position{File: file.Path}, "the file changed while sivu was at work").WithHint("run sivu again")
		problem = &d
	}
	if problem != nil {
		report(*problem)
		return nil, false
	}
	return text, true
}

// read returns the bytes of a file.
func (l *Loader) read(fsys fs.FS, file *File) ([]byte, *diag.Diagnostic) {
	ok := false
	if folder, isFolder := fsys.(*Folder); isFolder {
		if l.buffer, ok = readBeneath(folder.top, file.Path, l.buffer); ok {
			return l.buffer, nil
		}
	}
	f, err := fsys.Open(file.Path)
	var info fs.FileInfo
	if err == nil {
		defer f.Close()
		info, err = f.Stat()
	}
	if err == nil && info.Mode().IsRegular() && info.Size() <= MaxFileSize {
		b := bytes.NewBuffer(withRoom(l.buffer, info.Size()))
		_, err = b.ReadFrom(io.LimitReader(f, MaxFileSize+1)) // the file may grow while it is read
		l.buffer = b.Bytes()
	}
	at := diag.Position{File: file.Path}
	var d diag.Diagnostic
	switch {
	case err != nil:
		d = ruleUnreadable.At(at, "the file cannot be read: %s", diag.Clean(fsutil.Reason(err).Error()))
	case !info.Mode().IsRegular():
		d = ruleFileKind.At(at, "this is %s, not a file", kindOfFile(info.Mode()))
	case info.Size() > MaxFileSize || len(l.buffer) > MaxFileSize:
		d = ruleFileSize.At(at, "the file is larger than 16 MiB").
			WithHint("cut it into several pages, or name it under \"exclude\" in site.yaml")
	default:
		return l.buffer, nil
	}
	return nil, &d
}

// withRoom returns an empty buffer for a file of that size: the one of the previous
// file, unless that is too small, or large for nothing.
func withRoom(buffer []byte, size int64) []byte {
	room := max(int(size)+bytes.MinRead, 64<<10)
	if cap(buffer) < room || cap(buffer) > keptBuffer && room <= keptBuffer {
		return make([]byte, 0, room)
	}
	return buffer[:0]
}

// normalize drops a byte order mark and turns CRLF into LF.
func normalize(text []byte) []byte {
	text = bytes.TrimPrefix(text, byteOrderMark)
	if bytes.IndexByte(text, '\r') < 0 {
		return text
	}
	return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
}

const utf8Hint = "save the file as UTF-8"

// encodingProblems returns the problems of a text that is not UTF-8.
func encodingProblems(raw, text []byte, name string) []diag.Diagnostic {
	at := func(offset int) diag.Position {
		line, column := diag.LineColumn(text, offset)
		return diag.Position{File: name, Line: line, Column: column}
	}
	if bytes.HasPrefix(raw, []byte("\xff\xfe")) || bytes.HasPrefix(raw, []byte("\xfe\xff")) {
		return []diag.Diagnostic{ruleEncoding.At(at(0), "the file is UTF-16").WithHint(utf8Hint)}
	}
	var problems []diag.Diagnostic
	if nul := bytes.IndexByte(text, 0); nul >= 0 {
		problems = append(problems, ruleEncoding.At(at(nul), "the file holds a NUL").
			WithHint("%s; a NUL is a sign of another encoding, or of a file that is no text", utf8Hint))
	}
	if utf8.Valid(text) {
		return problems
	}
	for bad := range string(text) {
		if r, size := utf8.DecodeRune(text[bad:]); r == utf8.RuneError && size == 1 {
			return append(problems, ruleEncoding.At(at(bad), "the byte 0x%02X is not UTF-8", text[bad]).WithHint(utf8Hint))
		}
	}
	return problems
}

// Hash returns a hash of a loaded text that tells whether a file has changed
// between two reads. It is the same on every machine.
func Hash(text []byte) uint64 { return xxhash.Sum64(text) }

// hashOfText returns a hash of a body that tells whether two pages have the same text. It
// is 0 for a body without one: lines of template markers alone are the same in all
// languages.
func hashOfText(body []byte) uint32 {
	body = bytes.TrimSpace(body)
	for line := range bytes.Lines(body) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '{' {
			return uint32(Hash(body)) | 1
		}
	}
	return 0
}
