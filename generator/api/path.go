package api

import (
	"bytes"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
)

// Path is the path of a file of a snapshot, below its root: packed, comparable
// and without a pointer. Paths order as their texts do, byte by byte. The zero
// value is no path.
//
// Its bytes are the class; a name of nameSize bytes, in the form of the class; and
// the index of the ending in endings.
type Path [1 + nameSize + 1]byte

const (
	nameSize = 32 // an id needs 16, a SHA-256 as a name all of them
	endingAt = nameSize + 1
)

// Class is the kind of file that a path names.
type Class byte

// The classes, in the order of their paths.
const (
	ClassRoot      Class = iota + 2 // a file in the root of the snapshot before pages: 404.json, _headers
	ClassRecord                     // pages/<uuid>/index.json
	ClassFirstList                  // pages/index.json
	ClassList                       // pages/page-N.json
	ClassRootAfter                  // a file in the root after pages: staticwebapp.config.json
)

// classes is the grammar of paths. A new class is one line here, in the order of paths.
// Where names in the root lie on both sides of it, the root has a line on each side.
var classes = [...]struct {
	prefix string // before the name
	form   form
	stem   string // between the name and the ending
	stored int    // bytes of the name that files keep
}{
	ClassRoot:      {form: rootName},
	ClassRecord:    {prefix: Folder + "/", form: idName, stem: "/index", stored: 16},
	ClassFirstList: {prefix: Folder + "/index", form: noName, stored: 16},
	ClassList:      {prefix: Folder + "/page-", form: numberName, stored: 16},
	ClassRootAfter: {form: rootName},
}

// form is the form of the name in a path.
type form byte

const (
	noName     form = iota // the prefix says it all
	rootName               // the index of one of RootFiles
	idName                 // a UUID, in lower case
	numberName             // [1-9][0-9]{0,8}, as digits
)

// LastPath orders after every path.
var LastPath = Path{0: 0xff}

// NotFoundFile and MethodNotAllowedFile are the files that every snapshot has and
// no request names.
const (
	NotFoundFile         = "404.json"
	MethodNotAllowedFile = "405.json"
)

// ErrorFiles are the files in the root of every snapshot.
var ErrorFiles = []string{NotFoundFile, MethodNotAllowedFile}

// HostFiles are the names that a host's files may have in the root, in order.
// People write files of such names, too.
var HostFiles = []string{
	".assetsignore",            // Cloudflare Workers: files that are not uploaded
	".htaccess",                // Apache
	".nojekyll",                // GitHub Pages: no Jekyll
	"404.html",                 // the answer of hosts for addresses without a file
	"_headers",                 // Netlify
	"_redirects",               // Netlify
	"_routes.json",             // Cloudflare Pages: which addresses run _worker.js
	"_worker.js",               // Cloudflare Pages
	"index.html",               // Azure Static Web Apps: its client looks for it
	"staticwebapp.config.json", // Azure Static Web Apps
}

// RootFiles are all names of files in the root, in order.
var RootFiles = slices.Sorted(slices.Values(slices.Concat(ErrorFiles, HostFiles)))

// Codings are the content codings (RFC 9110, 8.4.1) of precompressed variants,
// by the ending of their files without its dot, in order.
var Codings = []string{"br", "gz", "zst"}

// File is a file to write. Its name is a path below the root of the snapshot, or one in a
// folder that is named beside it.
type File struct {
	Name string
	Data []byte
}

// endings of answers, in the order of the paths. The two low bits of an index are
// the coding: 0 is none, others count Codings from 1. The next bit is set for the
// plain variant.
var endings = [...]string{
	".api.json", ".api.json.br", ".api.json.gz", ".api.json.zst",
	".json", ".json.br", ".json.gz", ".json.zst",
}

const (
	codingMask  = 3
	plainEnding = 4
)

func ending(v Variant) byte {
	if v == API {
		return 0
	}
	return plainEnding
}

// ParsePath returns the path of a file that a snapshot may hold. It accepts the
// one spelling of each, and so nothing that leads out of the snapshot.
func ParsePath(text string) (Path, bool) {
	for i, ending := range endings {
		stem, ok := strings.CutSuffix(text, ending)
		if !ok {
			continue
		}
		for c := range classes {
			class := &classes[c]
			name, hasPrefix := strings.CutPrefix(stem, class.prefix)
			name, hasStem := strings.CutSuffix(name, class.stem)
			if class.prefix == "" || !hasPrefix || !hasStem {
				continue
			}
			if p := (Path{0: byte(c), endingAt: byte(i)}); p.setName(name) {
				return p, true
			}
		}
		break
	}
	return RootPath(text)
}

// ParseAnswer is ParsePath for files that are the answer to a request as they are: no
// files in the root, and no precompressed variants.
func ParseAnswer(text string) (Path, bool) {
	p, ok := ParsePath(text)
	return p, ok && !p.InRoot() && p.Coding() == 0
}

// RootPath returns the path of a file in the root.
func RootPath(name string) (Path, bool) {
	i, ok := slices.BinarySearch(RootFiles, name)
	if !ok {
		return Path{}, false
	}
	p := Path{1: byte(i)}
	for c, class := range classes {
		if class.form == rootName {
			p[0] = byte(c)
		} else if class.prefix > name {
			break
		}
	}
	return p, true
}

// ParseRecordFolder returns the group of the record whose folder in [Folder] has
// that name.
func ParseRecordFolder(name string) (Path, bool) {
	p := Path{0: byte(ClassRecord)}
	ok := p.setName(name)
	return p, ok
}

// setName sets the name, and reports whether it is one of the form of the class. Files
// in the root have other paths: see RootPath.
func (p *Path) setName(text string) bool {
	switch classes[p[0]].form {
	case idName:
		if len(text) != 36 || strings.ContainsAny(text, "ABCDEF") {
			return false
		}
		id, err := uuid.Parse(text)
		copy(p[1:], id[:])
		return err == nil
	case numberName:
		copy(p[1:], text)
		return text != "" && len(text) <= 9 && text[0] != '0' && strings.Trim(text, "0123456789") == ""
	case noName:
		return text == ""
	}
	return false
}

// RecordPath returns the path of a record in detail.
func RecordPath(id uuid.UUID, v Variant) Path {
	p := Path{0: byte(ClassRecord), endingAt: ending(v)}
	copy(p[1:], id[:])
	return p
}

// ListPath returns the path of list page n under its number, from 1.
func ListPath(n int, v Variant) Path {
	p := Path{0: byte(ClassList), endingAt: ending(v)}
	strconv.AppendInt(p[1:1:endingAt], int64(n), 10)
	return p
}

// FirstListPath returns the path of the first list page without its number.
func FirstListPath(v Variant) Path { return Path{0: byte(ClassFirstList), endingAt: ending(v)} }

// String returns the path as text, slash-separated.
func (p Path) String() string { return string(p.append(make([]byte, 0, 64))) }

func (p *Path) append(dst []byte) []byte {
	class := &classes[p[0]]
	dst = append(dst, class.prefix...)
	switch class.form {
	case rootName:
		return append(dst, RootFiles[p[1]]...)
	case idName:
		dst = appendUUID(dst, p.ID())
	case numberName:
		dst = append(dst, p.digits()...)
	}
	return append(append(dst, class.stem...), endings[p[endingAt]]...)
}

// Class returns the class of the path.
func (p Path) Class() Class { return Class(p[0]) }

// Compare orders paths as their texts are ordered.
func (p Path) Compare(other Path) int { return bytes.Compare(p[:], other[:]) }

// Group returns the first path that a file of the same record, or of the same list page,
// can have.
func (p Path) Group() Path {
	p[endingAt] = 0
	return p
}

// Variants returns the paths that a group can have, in order.
func (p Path) Variants() []Path {
	all := make([]Path, len(endings))
	for i := range all {
		all[i] = p
		all[i][endingAt] = byte(i)
	}
	return all
}

// Folder returns the folder that the file lies in, "." for the root.
func (p Path) Folder() string { return path.Dir(p.String()) }

// ID returns the id of a record.
func (p Path) ID() uuid.UUID { return uuid.UUID(p[1:17]) }

// Number returns the number of a list page under its number, and 0 for any other
// file.
func (p Path) Number() int {
	if p.Class() != ClassList {
		return 0
	}
	n, _ := strconv.Atoi(string(p.digits()))
	return n
}

// digits returns the name of a list page.
func (p *Path) digits() []byte { return p[1 : 1+bytes.IndexByte(p[1:endingAt], 0)] }

// Variant returns the variant of an answer.
func (p Path) Variant() Variant {
	if p[endingAt]&plainEnding == 0 {
		return API
	}
	return Plain
}

// InRoot reports whether the file lies in the root.
func (p Path) InRoot() bool { return classes[p[0]].form == rootName }

// IsHostFile reports whether the file is one of HostFiles.
func (p Path) IsHostFile() bool { return p.InRoot() && !slices.Contains(ErrorFiles, RootFiles[p[1]]) }

// IsList reports whether the file is a list page.
func (p Path) IsList() bool { return p.Class() == ClassFirstList || p.Class() == ClassList }

// Coding returns 0 for a file as it is, and for a precompressed variant its index
// in Codings, from 1.
func (p Path) Coding() int { return int(p[endingAt] & codingMask) }

// WithCoding returns the path of an answer's precompressed variant; 0 is the
// answer itself.
func (p Path) WithCoding(coding int) Path {
	if !p.InRoot() {
		p[endingAt] = p[endingAt]&^codingMask | byte(coding)
	}
	return p
}

// Stored returns the path as files keep it: short, and ordered as paths are. A file
// in the root is its class and its name, so that a new name does not shift the
// others.
func (p Path) Stored() string {
	if p.InRoot() {
		return string(p[:1]) + RootFiles[p[1]]
	}
	var b [len(p)]byte
	end := copy(b[:], p[:1+classes[p[0]].stored])
	b[end] = p[endingAt]
	return string(b[:end+1])
}

// ParseStored returns the path that was stored so. It accepts only paths that
// ParsePath accepts.
func ParseStored(s string) (p Path, ok bool) {
	if s == "" || int(s[0]) >= len(classes) {
		return Path{}, false
	}
	class, end := &classes[s[0]], len(s)-1
	switch {
	case class.form == rootName:
		p, ok = RootPath(s[1:])
		return p, ok && p[0] == s[0]
	case class.stored == 0 || end != 1+class.stored || int(s[end]) >= len(endings):
		return Path{}, false
	}
	copy(p[:], s[:end])
	p[endingAt] = s[end]
	again := Path{0: p[0], endingAt: p[endingAt]}
	return p, class.form == idName || again.setName(string(p.digits())) && again == p
}

func appendUUID(dst []byte, id uuid.UUID) []byte {
	text, _ := id.MarshalText()
	return append(dst, text...)
}
