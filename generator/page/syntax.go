package page

// Syntax is what a body is written in. Its zero value is none, which nobody
// renders.
type Syntax uint8

// The syntaxes of a body.
const (
	Markdown Syntax = iota + 1 // CommonMark with extensions and raw HTML
	HTML
)
