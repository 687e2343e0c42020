// Package page has the types of a record (contract.md 2): a page's metadata, its
// kind, its times, the syntax of its body. They are plain data, without knowledge of
// files, addresses or JSON.
package page

import (
	"slices"

	"github.com/google/uuid"
)

// Page is one topic in one language: everything of a record but its body.
type Page struct {
	Path     string // of the source, slash-separated, below the content folder
	ID       uuid.UUID
	Language string // BCP 47, as the site spells it
	Kind     *Kind
	Topic    string // the same for all translations of a page
	Meta     Meta
	Created  Time
	Modified Time
	Embeds   []Embed
}

// URL returns meta.url, or "" where the page has none (contract.md 2.3).
func (p *Page) URL() string {
	e := p.Meta.Get("url")
	if e == nil {
		return ""
	}
	return e.Value
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
}

// Get returns the entry of key, or nil.
func (m Meta) Get(key string) *Entry {
	i := slices.IndexFunc(m, func(e Entry) bool { return e.Key == key })
	if i < 0 {
		return nil
	}
	return &m[i]
}
