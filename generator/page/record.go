package page

import "github.com/google/uuid"

// Record is what is kept of every page while a site is built: enough to find
// it, to order it and to judge the collection as a whole.
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

// Place is a place in a source, both from 1; its zero value is none.
type Place struct {
	Line, Column int32
}
