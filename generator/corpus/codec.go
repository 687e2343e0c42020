package corpus

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"unsafe"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/page"
	"example.org/sivu/generator/source"
)

// codec encodes values of the build cache, or decodes them. Each method takes what is
// to be encoded and returns it; when decoding, it returns what was decoded. Decoded
// texts do not share memory with the bytes. After anything that is never encoded the
// codec has failed, and gives zeros.
type codec struct {
	bytes   []byte // encoded, or left to be decoded
	decodes bool
	failed  bool

	rules  map[string]*diag.Rule // for decoding
	paths  arena[byte]
	hashes arena[uint32]
	buffer []uint32
}

func (c *codec) fail() { c.bytes, c.failed = nil, true }

// uint codes a number that is at most max.
func (c *codec) uint(n, max uint64) uint64 {
	if !c.decodes {
		c.bytes = binary.AppendUvarint(c.bytes, n)
		return n
	}
	n, length := binary.Uvarint(c.bytes)
	if length <= 0 || n > max {
		c.fail()
		return 0
	}
	c.bytes = c.bytes[length:]
	return n
}

func (c *codec) int32(n int32) int32 { return int32(c.uint(uint64(n), math.MaxInt32)) }

func (c *codec) int(n int64) int64 {
	if !c.decodes {
		c.bytes = binary.AppendVarint(c.bytes, n)
		return n
	}
	n, length := binary.Varint(c.bytes)
	if length <= 0 {
		c.fail()
		return 0
	}
	c.bytes = c.bytes[length:]
	return n
}

func (c *codec) time(t page.Time) page.Time {
	if t = page.Time(c.int(int64(t))); c.decodes && !t.IsValid() {
		c.fail()
	}
	return t
}

// count codes how many things follow, each of which takes so many bytes at least.
func (c *codec) count(n, least int) int {
	n = int(c.uint(uint64(n), math.MaxInt32))
	if c.decodes && n > len(c.bytes)/least {
		c.fail()
		return 0
	}
	return n
}

// raw codes bytes in place.
func (c *codec) raw(b []byte) {
	if !c.decodes {
		c.bytes = append(c.bytes, b...)
	} else if len(b) > len(c.bytes) {
		c.fail()
	} else {
		c.bytes = c.bytes[copy(b, c.bytes):]
	}
}

func (c *codec) flags(flags ...*bool) {
	b := [1]byte{}
	for i, set := range flags {
		if *set {
			b[0] |= 1 << i
		}
	}
	c.raw(b[:])
	for i, set := range flags {
		*set = b[0]&(1<<i) != 0
	}
}

func (c *codec) fixed32(n uint32) uint32 {
	var b [4]byte
	binary.LittleEndian.PutUint32(b[:], n)
	c.raw(b[:])
	return binary.LittleEndian.Uint32(b[:])
}

func (c *codec) fixed64(n uint64) uint64 {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], n)
	c.raw(b[:])
	return binary.LittleEndian.Uint64(b[:])
}

func (c *codec) text(s string) string {
	n := c.count(len(s), 1)
	if !c.decodes {
		c.bytes = append(c.bytes, s...)
		return s
	}
	s, c.bytes = string(c.bytes[:n]), c.bytes[n:]
	return s
}

// within codes a text that mostly is a part of another one, which is known.
func (c *codec) within(whole, s string) string {
	at := int(c.uint(uint64(strings.Index(whole, s)+1), uint64(len(whole)+1)))
	if at == 0 {
		return c.text(s)
	}
	length := int(c.uint(uint64(len(s)), uint64(len(whole)-(at-1))))
	if c.failed {
		return ""
	}
	return whole[at-1 : at-1+length]
}

func (c *codec) place(p page.Position) page.Position {
	return page.Position{Line: c.int32(p.Line), Column: c.int32(p.Column)}
}

// list codes a list, each element of which takes so many bytes at least.
func list[T any](c *codec, elements []T, least int, element func(T) T) []T {
	n := c.count(len(elements), least)
	if c.decodes && n > 0 {
		elements = make([]T, n)
	}
	for i := range elements {
		if e := element(elements[i]); c.decodes {
			elements[i] = e
		}
	}
	return elements
}

func (c *codec) problems(problems []diag.Diagnostic) []diag.Diagnostic {
	const least = 7
	return list(c, problems, least, func(d diag.Diagnostic) diag.Diagnostic {
		name := ""
		if !c.decodes {
			name = d.Rule.Name
		}
		name = c.text(name)
		d.Pos.File = c.text(d.Pos.File)
		d.Pos.Line, d.Pos.Column = int(c.int32(int32(d.Pos.Line))), int(c.int32(int32(d.Pos.Column)))
		d.Message, d.Hint, d.Missing = c.text(d.Message), c.text(d.Hint), c.text(d.Missing)
		if !c.decodes {
			return d
		}
		if d.Rule = c.rules[name]; d.Rule == nil {
			c.fail()
			return diag.Diagnostic{}
		}
		d.Severity = d.Rule.Severity
		return d
	})
}

// source codes a source but for its path, and whether it is a page.
func (c *codec) source(s *Source, isPage *bool, found *rare) {
	c.flags(isPage)
	s.File = source.File{Path: s.Path, Size: int64(c.uint(uint64(s.Size), math.MaxInt64)), ModTime: c.int(s.ModTime), ChangeTime: c.int(s.ChangeTime)}
	s.hash, s.gitDates = c.fixed64(s.hash), c.fixed64(s.gitDates)
	found.head = c.problems(found.head)
}

// page codes a page but for its path.
func (c *codec) page(p *Page, found *rare) {
	c.flags(&p.isValid, &p.Derived, &p.isBodiless, &p.isRendered)
	c.raw(p.ID[:])
	p.Language = c.within(p.Path, p.Language)
	if kind := c.uint(uint64(slices.Index(page.Kinds, p.Kind)+1), uint64(len(page.Kinds))); kind > 0 {
		p.Kind = page.Kinds[kind-1]
	}
	p.Topic, p.URL = c.within(p.Path, p.Topic), c.within(p.Path, p.URL)
	p.Created, p.Modified = c.time(p.Created), c.time(p.Modified)
	p.IDPosition, p.URLPosition = c.place(p.IDPosition), c.place(p.URLPosition)
	p.ItemHash = c.fixed64(p.ItemHash)
	p.bodyStart, p.bodyEnd = c.int32(p.bodyStart), c.int32(p.bodyEnd)
	c.pageHashes(p)
	found.embeds = list(c, found.embeds, 1, func(e page.Embed) page.Embed { return page.Embed{URI: c.text(e.URI)} })
	found.assets = int(c.int32(int32(found.assets)))
	found.body = c.problems(found.body)
	const leastLink = 12
	found.links = list(c, found.links, leastLink, func(l anchorLink) anchorLink {
		return anchorLink{target: c.text(l.target), anchor: c.fixed64(l.anchor), text: c.text(l.text), position: c.place(l.position)}
	})
	if p.bodyStart > p.bodyEnd || int(p.dependencies) > len(p.hashes) {
		c.fail()
	}
}

func (c *codec) pageHashes(p *Page) {
	p.dependencies = c.int32(p.dependencies)
	const size = 4
	n := c.count(len(p.hashes), size)
	if !c.decodes {
		for _, hash := range p.hashes {
			c.fixed32(hash)
		}
		return
	}
	c.buffer = c.buffer[:0]
	for range n {
		c.buffer = append(c.buffer, c.fixed32(0))
	}
	p.hashes = c.hashes.keep(c.buffer)
}

// arena keeps many short lists in a few long ones, for a garbage collector that
// then has little to look at.
type arena[T any] struct {
	apart bool // each list gets memory of its own, as it may outlive the others
	chunk []T
}

// keep returns a copy of a list. It is never nil.
func (a *arena[T]) keep(list []T) []T {
	if a.apart {
		return append(make([]T, 0, len(list)), list...)
	}
	if len(list) > cap(a.chunk)-len(a.chunk) || a.chunk == nil {
		const size = 32 << 10
		a.chunk = make([]T, 0, max(size, len(list)))
	}
	start := len(a.chunk)
	a.chunk = append(a.chunk, list...)
	return slices.Clip(a.chunk[start:])
}

// keepText is keep for texts.
func keepText(a *arena[byte], text string) string {
	b := a.keep([]byte(text))
	return unsafe.String(unsafe.SliceData(b), len(b))
}
