// Package page has the types of a record (contract.md 2): a page's metadata, its
// kind, its times, the syntax of its body. They are plain data, without knowledge of
// files, addresses or JSON.
package page

import (
	"slices"
	"time"

	"github.com/google/uuid"
)

// Page is one topic in one language: everything of a record but its body.
type Page struct {
	Record
	Meta   Meta
	Embeds []Embed
}

// Embed is an embedded item: an absolute https address.
type Embed struct {
	URI string
}

// Meta is the meta object of a record, in the order of its keys.
type Meta []Entry

// Entry is one key of a record's meta object.
type Entry struct {
	Key    string
	Value  string
	Null   bool // the value is null, and Value is empty
	Line   int  // where the key stands in the source, from 1; 0 where sivu derived it
	Column int
	Beside bool // it stands in the file beside the source
}

// Get returns the entry of key, or nil.
func (m Meta) Get(key string) *Entry {
	i := slices.IndexFunc(m, func(e Entry) bool { return e.Key == key })
	if i < 0 {
		return nil
	}
	return &m[i]
}

// Record is the part of every page that is kept in memory while a site is built:
// enough to find it, to order it and to check all pages together.
type Record struct {
	Path     string // of the source, slash-separated, below the content folder
	ID       uuid.UUID
	Language string // BCP 47, as the site spells it
	Kind     *Kind
	Topic    string   // the same for all translations of a page
	URL      string   // meta.url, or "" where the page has none (contract.md 2.3)
	Aliases  []string // further addresses on the site that lead to the page, as meta.url is written
	Created  Time
	Modified Time
	Text     uint32 // hash of the body's text; 0 where it has none

	IDPosition  Position // where the source gives the id
	URLPosition Position // where the source gives meta.url
}

// Position is a line and a column in a source, both from 1. Its zero value is none.
type Position struct {
	Line, Column int32
}

// Time is an instant in microseconds since 1970-01-01T00:00:00Z, the precision
// of the contract (contract.md 2.1). Years run from 0001 to 9999.
type Time int64

const (
	minTime Time = -62135596800_000000 // 0001-01-01T00:00:00.000000Z
	maxTime Time = 253402300799_999999 // 9999-12-31T23:59:59.999999Z
)

// TimeOf returns t in UTC with digits finer than a microsecond cut. It reports
// false for a year outside 0001 to 9999.
func TimeOf(t time.Time) (Time, bool) {
	seconds := Time(t.Unix())
	if seconds < minTime/1_000_000 || seconds > maxTime/1_000_000 {
		return 0, false
	}
	return seconds*1_000_000 + Time(t.Nanosecond()/1000), true
}

// IsValid reports whether t is of a year from 0001 to 9999.
func (t Time) IsValid() bool { return minTime <= t && t <= maxTime }

// Std returns t as a time.Time in UTC.
func (t Time) Std() time.Time { return time.UnixMicro(int64(t)).UTC() }

// AppendTimestamp appends the contract's timestamp: six digits and "Z".
func (t Time) AppendTimestamp(dst []byte) []byte {
	return t.Std().AppendFormat(dst, "2006-01-02T15:04:05.000000Z")
}

// AppendSeconds appends the timestamp of a content's comment, in UTC without a
// zone (contract.md 2.2).
func (t Time) AppendSeconds(dst []byte) []byte {
	return t.Std().AppendFormat(dst, "2006-01-02T15:04:05")
}

// String returns the contract's timestamp.
func (t Time) String() string { return string(t.AppendTimestamp(nil)) }

// Syntax is the language that a body is written in. Each format of sources has one;
// package markup renders it.
type Syntax struct {
	Name string

	// ToHTML returns the HTML of a body, which markup cleans, and a function from
	// offsets in the HTML to the offsets in the body that it came from. It is nil
	// for Markdown and HTML, which markup reads itself.
	ToHTML func(body []byte) (html []byte, origin func(offset int) int)
}

// The syntaxes that markup reads itself.
var (
	Markdown = &Syntax{Name: "markdown"} // CommonMark with extensions and raw HTML
	HTML     = &Syntax{Name: "html"}
	MDX      = &Syntax{Name: "mdx"} // Markdown with imports, exports and JSX
)
