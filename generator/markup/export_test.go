package markup

import "example.org/sivu/generator/page"

// NewWholeRenderer returns a renderer that cleans every body as a whole, and with
// the tokenizer, as others do where something is left open or is not plain.
func NewWholeRenderer(opts Options, index *Index) *Renderer {
	r := NewRenderer(opts, index)
	r.cleaner.whole = true
	return r
}

// Expand finds the markers of a body, and reports how long the text without them is.
func (r *Renderer) Expand(syntax *page.Syntax, body []byte) int {
	text, _ := r.markers.expand(&r.cleaner.opts, syntax, body)
	return len(text)
}
