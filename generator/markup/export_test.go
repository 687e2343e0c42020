package markup

// NewWholeRenderer returns a renderer that cleans every body as a whole, and with
// the tokenizer, as others do where something is left open or is not plain.
func NewWholeRenderer(opts Options, index *Index) *Renderer {
	r := NewRenderer(opts, index)
	r.cleaner.whole = true
	return r
}
