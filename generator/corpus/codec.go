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

// codec encodes values of the build cache, or decodes them: each method takes where a
// value is, and appends it to bytes, or sets it to what bytes begin with. Decoded texts do
// not share memory with the bytes. After anything that is never encoded the codec has
// failed.
type codec struct {
	bytes   []byte // encoded, or left to be decoded
	decodes bool
	failed  bool

	rules  map[string]*diag.Rule // for decoding
	paths  arena[byte]
	hashes arena[uint32]
	head   headResults // that are coded
	body   bodyResults
}

func (c *codec) fail() { c.bytes, c.failed = nil, true }

// number codes a number from 0 to max.
func number[T int | int32 | int64](c *codec, n *T, max T) {
	if !c.decodes {
		c.bytes = binary.AppendUvarint(c.bytes, uint64(*n))
		return
	}
	decoded, length := binary.Uvarint(c.bytes)
	if length <= 0 || decoded > uint64(max) {
		c.fail()
		*n = 0
		return
	}
	*n, c.bytes = T(decoded), c.bytes[length:]
}

// numbers codes numbers that are not negative.
func (c *codec) numbers(list ...*int32) {
	for _, n := range list {
		number(c, n, math.MaxInt32)
	}
}

// signed codes numbers that may be negative.
func (c *codec) signed(list ...*int64) {
	for _, n := range list {
		if !c.decodes {
			c.bytes = binary.AppendVarint(c.bytes, *n)
			continue
		}
		decoded, length := binary.Varint(c.bytes)
		if length <= 0 {
			c.fail()
			return
		}
		*n, c.bytes = decoded, c.bytes[length:]
	}
}

// count codes how many things follow, each of which takes so many bytes at least.
func (c *codec) count(n, least int) int {
	number(c, &n, math.MaxInt32)
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

func (c *codec) fixed32(n *uint32) {
	var b [4]byte
	binary.LittleEndian.PutUint32(b[:], *n)
	c.raw(b[:])
	*n = binary.LittleEndian.Uint32(b[:])
}

func (c *codec) fixed64(n *uint64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], *n)
	c.raw(b[:])
	*n = binary.LittleEndian.Uint64(b[:])
}

func (c *codec) texts(list ...*string) {
	for _, s := range list {
		if n := c.count(len(*s), 1); c.decodes {
			*s, c.bytes = string(c.bytes[:n]), c.bytes[n:]
		} else {
			c.bytes = append(c.bytes, *s...)
		}
	}
}

// within codes texts that mostly are parts of another one, which is known.
func (c *codec) within(whole string, list ...*string) {
	for _, s := range list {
		at, length := strings.Index(whole, *s)+1, len(*s)
		if number(c, &at, len(whole)+1); at == 0 {
			c.texts(s)
			continue
		}
		if number(c, &length, len(whole)-(at-1)); c.decodes && !c.failed {
			*s = whole[at-1 : at-1+length]
		}
	}
}

// list codes a list, each element of which takes so many bytes at least.
func list[T any](c *codec, elements *[]T, least int, element func(*T)) {
	n := c.count(len(*elements), least)
	if c.decodes && n > 0 {
		*elements = make([]T, n)
	}
	for i := range *elements {
		element(&(*elements)[i])
	}
}

func (c *codec) problems(problems *[]diag.Diagnostic) {
	const least = 8
	list(c, problems, least, func(d *diag.Diagnostic) {
		name := ""
		if !c.decodes {
			name = d.Rule.Name
		}
		c.texts(&name, &d.Pos.File)
		number(c, &d.Pos.Line, math.MaxInt32)
		number(c, &d.Pos.Column, math.MaxInt32)
		c.texts(&d.Message, &d.Hint, &d.Missing)
		number(c, &d.Shared, 1)
		if !c.decodes {
			return
		}
		if d.Rule = c.rules[name]; d.Rule == nil {
			c.fail()
			return
		}
		d.Severity = d.Rule.Severity
	})
}

func (c *codec) position(p *page.Position) { c.numbers(&p.Line, &p.Column) }

// source codes a source but for its path, and whether it is a page.
func (c *codec) source(s *Source, isPage *bool) {
	number(c, &s.Size, math.MaxInt64)
	c.signed(&s.ModTime, &s.ChangeTime)
	c.fixed64(&s.hash)
	c.fixed64(&s.gitDates)
	c.fixed64(&s.sitemap)
	hasHead := s.head != &noHead
	if c.flags(isPage, &hasHead); !hasHead {
		s.head = &noHead
		return
	}
	h := &c.head
	if *h = (headResults{}); !c.decodes {
		*h = *s.head
	}
	c.texts(&h.stub.Topic, &h.stub.Language, &h.redirect)
	c.signed((*int64)(&h.period.From), (*int64)(&h.period.Until))
	c.fixed64(&h.sidecar)
	list(c, &h.embeds, 1, func(e *page.Embed) { c.texts(&e.URI) })
	list(c, &h.removed, 2, func(s *source.Span) {
		number(c, &s.Start, math.MaxInt32)
		number(c, &s.End, math.MaxInt32)
	})
	c.problems(&h.problems)
	if c.decodes {
		s.head = apart(h, &noHead)
	}
}

// page codes a page but for its path.
func (c *codec) page(p *Page, s *Source) {
	hasBody := p.body != &noBody
	c.flags(&p.isValid, &p.Derived, &p.isBodiless, &p.isRendered, &p.isAhead, &hasBody)
	c.raw(p.ID[:])
	c.within(p.Path, &p.Language)
	kind := slices.Index(page.Kinds, p.Kind) + 1
	if number(c, &kind, len(page.Kinds)); kind > 0 {
		p.Kind = page.Kinds[kind-1]
	}
	c.within(p.Path, &p.Topic, &p.URL)
	list(c, &p.Aliases, 1, func(alias *string) { c.texts(alias) })
	c.signed((*int64)(&p.Created), (*int64)(&p.Modified))
	c.position(&p.IDPosition)
	c.position(&p.URLPosition)
	c.fixed32(&p.Text)
	c.fixed64(&p.ItemHash)
	c.numbers(&p.bodyStart, &p.bodyEnd, &p.dependencies)
	const hashSize = 4
	if n := c.count(len(p.hashes), hashSize); c.decodes {
		p.hashes = c.hashes.zeros(n)
	}
	for i := range p.hashes {
		c.fixed32(&p.hashes[i])
	}
	end, isOrdered := int(p.bodyStart), true
	for _, span := range s.head.removed {
		isOrdered = isOrdered && end <= span.Start && span.Start <= span.End && span.End <= int(p.bodyEnd)
		end = span.End
	}
	isValid := p.Created.IsValid() && p.Modified.IsValid() && p.bodyStart <= p.bodyEnd && int(p.dependencies) <= len(p.hashes) && isOrdered
	if c.decodes && !isValid {
		c.fail()
	}
	if !hasBody {
		p.body = &noBody
		return
	}
	c.bodyResults(p)
}

func (c *codec) bodyResults(p *Page) {
	b := &c.body
	if *b = (bodyResults{}); !c.decodes {
		*b = *p.body
	}
	number(c, &b.assets, math.MaxInt32)
	number(c, &b.looks, math.MaxInt32)
	c.markers(&b.markers)
	c.problems(&b.problems)
	const leastMedia = 3
	list(c, &b.media, leastMedia, func(l *MediaLink) {
		c.texts(&l.Path)
		c.position(&l.position)
	})
	const leastLink = 12
	list(c, &b.links, leastLink, func(l *anchorLink) {
		c.texts(&l.target)
		c.fixed64(&l.anchor)
		c.texts(&l.text)
		c.position(&l.position)
	})
	if c.decodes {
		p.body = apart(b, &noBody)
	}
}

// arena keeps many short lists in a few long ones, for a garbage collector that
// then has little to look at.
type arena[T any] struct {
	apart bool // each list gets memory of its own, as it may outlive the others
	chunk []T
}

// zeros returns a list of zeros, which is never nil.
func (a *arena[T]) zeros(n int) []T {
	if a.apart {
		return make([]T, n)
	}
	if n > cap(a.chunk)-len(a.chunk) || a.chunk == nil {
		const size = 32 << 10
		a.chunk = make([]T, 0, max(size, n))
	}
	start := len(a.chunk)
	a.chunk = a.chunk[:start+n]
	return slices.Clip(a.chunk[start:])
}

// keep returns a copy of a list. It is never nil.
func (a *arena[T]) keep(list []T) []T {
	kept := a.zeros(len(list))
	copy(kept, list)
	return kept
}

// keepText is keep for texts.
func keepText(a *arena[byte], text string) string {
	b := a.keep([]byte(text))
	return unsafe.String(unsafe.SliceData(b), len(b))
}
