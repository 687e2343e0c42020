package source

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"

	"example.org/sivu/generator/diag"
)

// Loader reads files into one buffer that it uses again and again. It is for
// one goroutine. The zero value is ready to use.
type Loader struct {
	opener opener
	buffer []byte
}

var byteOrderMark = []byte("\xef\xbb\xbf")

// keptBuffer is the size up to which a buffer is kept for the next file.
const keptBuffer = 1 << 20

// Close closes what the loader keeps open between files.
func (l *Loader) Close() { l.opener.close() }

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
	if problem != nil {
		report(*problem)
		return nil, false
	}
	text := normalize(raw)
	if Hash(text) != hash {
		report(ruleChanged.At(diag.Position{File: file.Path}, "the file changed while sivu was at work").WithHint("run sivu again"))
		return nil, false
	}
	return text, true
}

// read returns the bytes of a file.
func (l *Loader) read(fsys fs.FS, file *File) ([]byte, *diag.Diagnostic) {
	at := diag.Position{File: file.Path}
	f, err := l.opener.open(fsys, file.Path)
	var info fs.FileInfo
	if err == nil {
		defer f.Close()
		info, err = f.Stat()
	}
	var raw []byte
	var d diag.Diagnostic
	if err == nil && info.Mode().IsRegular() && info.Size() <= MaxFileSize {
		raw, err = l.readAll(f, int(info.Size()))
	}
	switch {
	case err != nil:
		d = ruleUnreadable.At(at, "the file cannot be read: %s", diag.Clean(cause(err).Error()))
	case !info.Mode().IsRegular():
		d = ruleFileKind.At(at, "this is %s, not a file", kindOfFile(info.Mode()))
	case info.Size() > MaxFileSize || len(raw) > MaxFileSize:
		d = ruleFileSize.At(at, "the file is larger than 16 MiB").
			WithHint("cut it into several pages, or name it under \"exclude\" in site.yaml")
	default:
		return raw, nil
	}
	return nil, &d
}

// readAll reads to the end of a file that is said to have size bytes, or one
// byte beyond [MaxFileSize] where it has more.
func (l *Loader) readAll(f io.Reader, size int) ([]byte, error) {
	if cap(l.buffer) < size+1 || cap(l.buffer) > keptBuffer && size < keptBuffer {
		l.buffer = make([]byte, 0, max(size+1, 64<<10))
	}
	raw := l.buffer[:0]
	for len(raw) <= MaxFileSize {
		if len(raw) == cap(raw) { // the file grows while it is read
			raw = append(raw, 0)[:len(raw)]
			l.buffer = raw
		}
		n, err := f.Read(raw[len(raw):min(cap(raw), MaxFileSize+1)])
		raw = raw[:len(raw)+n]
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	return raw, nil
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
	if bad := invalidUTF8(text); bad >= 0 {
		problems = append(problems, ruleEncoding.At(at(bad), "the byte 0x%02X is not UTF-8", text[bad]).WithHint(utf8Hint))
	}
	return problems
}

// invalidUTF8 returns the offset of the first byte that is not UTF-8, or -1.
func invalidUTF8(text []byte) int {
	if utf8.Valid(text) {
		return -1
	}
	at := 0
	for {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size <= 1 {
			return at
		}
		at += size
	}
}

// Hash returns a hash of a loaded text that tells whether a file has changed
// between two reads. It is the same on every machine.
func Hash(text []byte) uint64 { return xxhash.Sum64(text) }
