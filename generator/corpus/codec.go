package corpus

import (
	"encoding/binary"
	"math"
	"strings"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/page"
)

// encoder appends numbers and texts to a value of the build cache.
type encoder struct {
	bytes []byte
}

func (e *encoder) uint(n uint64) { e.bytes = binary.AppendUvarint(e.bytes, n) }
func (e *encoder) int(n int64)   { e.bytes = binary.AppendVarint(e.bytes, n) }

func (e *encoder) flags(flags ...bool) {
	b := byte(0)
	for i, set := range flags {
		if set {
			b |= 1 << i
		}
	}
	e.bytes = append(e.bytes, b)
}

func (e *encoder) fixed32(n uint32) { e.bytes = binary.LittleEndian.AppendUint32(e.bytes, n) }
func (e *encoder) fixed64(n uint64) { e.bytes = binary.LittleEndian.AppendUint64(e.bytes, n) }

func (e *encoder) text(s string) {
	e.uint(uint64(len(s)))
	e.bytes = append(e.bytes, s...)
}

// within writes a text that mostly is a part of another one, which the decoder
// knows.
func (e *encoder) within(whole, s string) {
	if at := strings.Index(whole, s); at >= 0 {
		e.uint(uint64(at) + 1)
		e.uint(uint64(len(s)))
		return
	}
	e.uint(0)
	e.text(s)
}

func (e *encoder) place(p page.Place) {
	e.uint(uint64(p.Line))
	e.uint(uint64(p.Column))
}

func (e *encoder) problems(list []diag.Diagnostic) {
	e.uint(uint64(len(list)))
	for _, d := range list {
		e.text(d.Rule.Name)
		e.text(d.Pos.File)
		e.uint(uint64(d.Pos.Line))
		e.uint(uint64(d.Pos.Column))
		e.text(d.Message)
		e.text(d.Hint)
		e.text(d.Missing)
	}
}

// decoder reads what an encoder wrote. Bytes share their memory with what is
// read, texts do not. After anything that no encoder writes it has failed, and gives zeros.
type decoder struct {
	rest   []byte
	failed bool
	rules  map[string]*diag.Rule
}

func (d *decoder) fail() {
	d.rest, d.failed = nil, true
}

func (d *decoder) uint() uint64 {
	n, length := binary.Uvarint(d.rest)
	if length <= 0 {
		d.fail()
		return 0
	}
	d.rest = d.rest[length:]
	return n
}

func (d *decoder) int() int64 {
	n, length := binary.Varint(d.rest)
	if length <= 0 {
		d.fail()
		return 0
	}
	d.rest = d.rest[length:]
	return n
}

// int32 reads a number that is not negative.
func (d *decoder) int32() int32 {
	n := d.uint()
	if n > math.MaxInt32 {
		d.fail()
		return 0
	}
	return int32(n)
}

// size reads the size of a file.
func (d *decoder) size() int64 {
	n := d.uint()
	if n > math.MaxInt64 {
		d.fail()
		return 0
	}
	return int64(n)
}

func (d *decoder) time() page.Time {
	t := page.Time(d.int())
	if !t.IsValid() {
		d.fail()
	}
	return t
}

// count reads how many things follow, each of which takes so many bytes at least.
func (d *decoder) count(least int) int {
	n := d.uint()
	if n > uint64(len(d.rest)/least) {
		d.fail()
		return 0
	}
	return int(n)
}

func (d *decoder) take(n int) []byte {
	if n < 0 || n > len(d.rest) {
		d.fail()
		return nil
	}
	b := d.rest[:n]
	d.rest = d.rest[n:]
	return b
}

func (d *decoder) flags(flags ...*bool) {
	if b := d.take(1); b != nil {
		for i, set := range flags {
			*set = b[0]&(1<<i) != 0
		}
	}
}

func (d *decoder) fixed32() uint32 {
	if b := d.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (d *decoder) fixed64() uint64 {
	if b := d.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

func (d *decoder) bytes() []byte { return d.take(d.count(1)) }
func (d *decoder) text() string  { return string(d.bytes()) }

func (d *decoder) within(whole string) string {
	at := d.uint()
	if at == 0 {
		return d.text()
	}
	length := d.uint()
	if at > uint64(len(whole))+1 || length > uint64(len(whole))-(at-1) {
		d.fail()
		return ""
	}
	return whole[at-1 : at-1+length]
}

func (d *decoder) place() page.Place { return page.Place{Line: d.int32(), Column: d.int32()} }

func (d *decoder) problems() []diag.Diagnostic {
	const least = 7
	var list []diag.Diagnostic
	for range d.count(least) {
		rule := d.rules[string(d.bytes())]
		at := diag.Position{File: d.text(), Line: int(d.int32()), Column: int(d.int32())}
		message, hint, missing := d.text(), d.text(), d.text()
		if rule == nil {
			d.fail()
			return nil
		}
		list = append(list, diag.Diagnostic{Pos: at, Rule: rule, Severity: rule.Severity, Message: message, Hint: hint, Missing: missing})
	}
	return list
}
