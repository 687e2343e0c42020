package page

import "github.com/google/uuid"

// Record is the part of every page that is kept in memory while a site is built:
// enough to find it, to order it and to check all pages together.
type Record struct {
	Path     string // of the source, below the content folder
	ID       uuid.UUID
	Language string
	Kind     *Kind
	Topic    string
	URL      string // meta.url, or ""
	Created  Time
	Modified Time

	IDPlace  Place // where the source gives the id
	URLPlace Place // where the source gives meta.url
}

// Place is a line and a column in a source, both from 1. Its zero value is none.
type Place struct {
	Line, Column int32
}
