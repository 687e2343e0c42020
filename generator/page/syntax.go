package page

// Syntax is what a body is written in. A format of sources names one; package
// markup renders it.
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
)
