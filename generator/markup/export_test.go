package markup

// NewWholeRenderer returns a renderer that cleans every body as a whole, as one
// that renders block by block must do where a block leaves something open.
func NewWholeRenderer(opts Options, index *Index) *Renderer {
	r := NewRenderer(opts, index)
	r.whole = true
	return r
}
