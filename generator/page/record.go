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
}
