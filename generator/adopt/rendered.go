package adopt

import (
	"bytes"
	"cmp"
	"fmt"
	"iter"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/source"
)

// sampleSize is how many pages of a rendered site are compared.
const sampleSize = 400

// sample is a rendered page that is compared with others.
type sample struct {
	language       string
	title, heading string // of <title>, and of the first <h1>
	root           *html.Node
	own            int     // bytes of text that most pages do not have
	parts          []*part // the elements that can be selected, in their order
}

// part is an element of a sample, with the bytes of its text, of that which most pages do
// not have, and of that in links.
type part struct {
	node            *html.Node
	selectors       []string
	all, own, links int
}

func (p *part) has(selectors []string) bool {
	return slices.ContainsFunc(p.selectors, func(s string) bool { return slices.Contains(selectors, s) })
}

// refresh matches what leads from a rendered page to another.
var refresh = regexp.MustCompile(`(?i)http-equiv=["']?refresh`)

var (
	canonicalLink = regexp.MustCompile(`(?i)<link\s[^>]*rel=["']?canonical[^>]*>|<meta\s[^>]*property=["']?og:url[^>]*>`)
	webAddress    = regexp.MustCompile(`https?://[^\s"'<>]+`)
)

// servedAt returns where the site is served, as a page of it has its own address, or "".
func servedAt(file string, text []byte) string {
	own := strings.TrimSuffix(webAddress.FindString(string(canonicalLink.Find(text[:min(len(text), 32<<10)]))), "/")
	address := strings.TrimSuffix("/"+strings.TrimSuffix(stem(file), "index"), "/")
	if site, ok := strings.CutSuffix(strings.TrimSuffix(own, ".html"), address); ok {
		return site
	}
	return ""
}

// addRendered proposes how the pages of a rendered site are read: by what they have in
// common.
func (p *proposal) addRendered() {
	pages := p.compare()
	if len(pages) == 0 {
		return
	}
	lines := []item{{"body", flow(bodies(pages)), "what holds most of the text in which pages differ, tried in order"}}
	equal, further, languages := 0, 0, map[string]bool{}
	titles, headings, suffixes := map[string]bool{}, map[string]bool{}, map[string]int{}
	for _, s := range pages {
		languages[s.language] = true
		suffixes[titleEnd.FindString(s.title)]++
		titles[s.language+s.title], headings[s.language+cmp.Or(s.heading, s.title)] = true, true
		if s.heading != "" && strings.HasPrefix(s.title, s.heading) {
			equal++
		}
		if h1 := slices.DeleteFunc(slices.Clone(s.parts), func(p *part) bool { return p.node.Data != "h1" }); len(h1) > 1 {
			further++
		}
	}
	remove, isTitle := around(pages), 2*equal >= len(pages)
	if isTitle && 20*further <= len(pages) { // further headings of level 1 would go, too
		remove = append([]string{"h1"}, remove...)
	}
	if len(remove) > 0 {
		lines = append(lines, item{"remove", flow(remove), "what is the same on many pages, or leads around the site"})
	}
	if isTitle && 20*len(headings) >= 19*len(titles) { // all pages of a guide may have its title as their heading
		lines = append(lines, item{"title", "h1", fmt.Sprintf("on %d of %d pages it is how <title> begins", equal, len(pages))})
	}
	maps.DeleteFunc(suffixes, func(suffix string, n int) bool { return suffix == "" || n < 3 || 4*n*len(languages) < len(pages) })
	if len(suffixes) > 0 {
		lines = append(lines, item{"title_suffix", flow(slices.Sorted(maps.Keys(suffixes))), "what titles end with, on many pages"})
	}
	p.addItems("rendered", fmt.Sprintf("the pages are HTML files that a generator wrote; %s were compared", diag.Plural(len(pages), "page")), lines)
}

// titleEnd matches what follows the title of a page in <title>.
var titleEnd = regexp.MustCompile(`\s+[-–—|·•:»]\s+[^-–—|·•»]+$`)

// compare reads a sample of the pages, and finds what each has that others do not.
func (p *proposal) compare() (samples []*sample) {
	pages := slices.DeleteFunc(slices.Clone(p.pages), func(page sourcePage) bool { return page.isRedirect })
	n := min(sampleSize, len(pages))
	folder, loader := os.DirFS(p.content), source.Loader{}
	uses, number := make(map[string]int), make(map[string]int) // of texts in a language, and pages
	for i := range n {
		page := &pages[i*len(pages)/n] // they are sorted by path, so that these are of all folders
		text, ok := loader.Load(folder, &source.File{Path: page.path}, ignore)
		root, err := shown(text)
		if !ok || err != nil {
			continue // the check tells
		}
		s := &sample{language: page.language, title: strings.TrimSpace(p.valueOf(page, "title")), root: root}
		samples = append(samples, s)
		number[s.language]++
		once := make(map[string]bool)
		for n := range texts(root) {
			if !once[n.Data] {
				uses[s.language+n.Data]++
			}
			once[n.Data] = true
		}
	}
	for _, s := range samples {
		s.measure(func(text string) bool {
			return uses[s.language+text] < 3 || 20*uses[s.language+text] < number[s.language]
		})
	}
	return samples
}

// shown returns a document without what people do not see, with each text in one line.
func shown(document []byte) (root *html.Node, err error) {
	if root, err = html.Parse(bytes.NewReader(document)); err != nil {
		return nil, err
	}
	for n := range root.Descendants() {
		n.Data = strings.Join(strings.Fields(n.Data), " ")
		for _, child := range slices.Collect(n.ChildNodes()) {
			if slices.Contains([]string{"head", "script", "style", "noscript", "template", "svg"}, child.Data) {
				n.RemoveChild(child)
			}
		}
	}
	return root, nil
}

// texts yields the texts in an element.
func texts(n *html.Node) iter.Seq[*html.Node] {
	return func(yield func(*html.Node) bool) {
		for n := range n.Descendants() {
			if n.Type == html.TextNode && n.Data != "" && !yield(n) {
				return
			}
		}
	}
}

// measure finds the parts of a page, given which texts are its own.
func (s *sample) measure(isOwn func(text string) bool) {
	parts := make(map[*html.Node]*part)
	for n := range s.root.Descendants() {
		if selectors := selectorsOf(n); len(selectors) > 0 {
			parts[n] = &part{node: n, selectors: selectors}
			s.parts = append(s.parts, parts[n])
		}
		if n.Data == "h1" && s.heading == "" {
			for text := range texts(n) {
				s.heading = strings.TrimSpace(s.heading + " " + text.Data)
			}
		}
	}
	for n := range texts(s.root) {
		add := part{all: len(n.Data)}
		if isOwn(n.Data) {
			add.own = add.all
			s.own += add.own
		}
		for above := range n.Ancestors() {
			if above.Data == "a" {
				add.links = add.all
			}
			if p := parts[above]; p != nil {
				p.add(&add)
			}
		}
	}
}

// add adds the text of another part.
func (p *part) add(other *part) {
	p.all, p.own, p.links = p.all+other.all, p.own+other.own, p.links+other.links
}

// below returns the parts in an element, but those that are selected, with all in them.
func (s *sample) below(top *html.Node, but []string) (parts []*part) {
	var without *html.Node
	for _, p := range s.parts {
		switch {
		case p.node == top || !isIn(p.node, top) || without != nil && isIn(p.node, without):
		case p.has(but):
			without = p.node
		default:
			parts = append(parts, p)
		}
	}
	return parts
}

func isIn(n, above *html.Node) bool {
	for n != nil && n != above {
		n = n.Parent
	}
	return n != nil
}

var (
	// plainName matches ids and classes that a selector needs no escapes for.
	plainName = regexp.MustCompile(`^[A-Za-z_][\w-]*$`)

	// contentName matches names that people give to the element of the text.
	contentName = regexp.MustCompile(`(?i)(^|[^a-z])(content|article|post|entry|body|main|prose|markdown)([^a-z]|$)`)

	// aroundName matches names of what leads around a site.
	aroundName = regexp.MustCompile(`(?i)breadcrumb|(^|[^a-z])toc([^a-z]|$)|table-of-contents|share|social|pager|pagination|prev-?next|related|sidebar|side-?nav|skip|subscribe|newsletter|edit-`)
)

// selectorsOf returns the selectors of an element: by its name, role, id and classes.
func selectorsOf(n *html.Node) (all []string) {
	switch n.Data {
	case "main", "article", "nav", "aside", "header", "footer", "form", "h1":
		all = append(all, n.Data)
	case "div", "section", "ul", "ol", "p", "table":
	default:
		return nil
	}
	for _, a := range n.Attr {
		names := strings.Fields(a.Val)
		for _, name := range names {
			// Of many classes most say how an element looks, not what it is.
			isNamed := len(names) <= 3 || strings.Contains(name, "__") || contentName.MatchString(name) || aroundName.MatchString(name)
			switch {
			case !plainName.MatchString(name):
			case a.Key == "role":
				all = append(all, "[role="+name+"]")
			case a.Key == "id":
				all = append(all, "#"+name)
			case a.Key == "class" && isNamed:
				all = append(all, "."+name)
			}
		}
	}
	return all
}

// rank orders selectors that are as good as each other: what is meant for it first.
func rank(selector string) float64 {
	switch {
	case slices.Contains([]string{"main", "article", "[role=main]"}, selector):
		return 0.06
	case contentName.MatchString(selector):
		return 0.04
	case strings.HasPrefix(selector, "#"):
		return 0.02
	}
	return 0
}

// bodies returns the selectors of the text of pages, and leaves each page the parts of its
// body: for pages that the first selector lacks, the second, and so on.
func bodies(left []*sample) (selectors []string) {
	const maxBodies, worst = 4, 0.4
	for len(left) > 0 && len(selectors) < maxBodies {
		scores, ranks := make(map[string]float64), make(map[string]float64)
		for _, s := range left {
			seen := make(map[string]bool)
			for _, p := range s.parts {
				if !slices.Contains([]string{"main", "article", "section", "div"}, p.node.Data) {
					continue // the text of a page is more than its heading or a list
				}
				for _, selector := range p.selectors {
					if p.own > 0 && !seen[selector] { // the mean of what is found of it, and what of it is the page's own
						scores[selector] += 2 * float64(p.own) / float64(s.own+p.all) / float64(len(left))
						ranks[selector] = scores[selector] + rank(selector)
					}
					seen[selector] = true
				}
			}
		}
		best := most(ranks)
		if scores[best] < worst {
			break
		}
		selectors = append(selectors, best)
		left = slices.DeleteFunc(slices.Clone(left), func(s *sample) bool {
			i := slices.IndexFunc(s.parts, func(p *part) bool { return slices.Contains(p.selectors, best) })
			if i >= 0 {
				s.parts = s.below(s.parts[i].node, nil)
			}
			return i >= 0
		})
	}
	return append(selectors, "body")
}

// around returns the selectors of parts of bodies that are no text of their own, those with
// most text first.
func around(pages []*sample) (selectors []string) {
	const maxAround = 20
	own := 0
	for _, s := range pages {
		own += s.own
	}
	for len(selectors) < maxAround {
		sums, on := make(map[string]*part), make(map[string]int)
		for _, s := range pages {
			seen := make(map[string]bool)
			for _, p := range s.below(s.root, selectors) {
				for _, selector := range p.selectors {
					if sums[selector] == nil {
						sums[selector] = new(part)
					}
					if sums[selector].add(p); !seen[selector] {
						on[selector]++
					}
					seen[selector] = true
				}
			}
		}
		same := make(map[string]int) // text of those that are none of their own
		for selector, p := range sums {
			isAround := selector == "nav" || selector == "[role=navigation]" || aroundName.MatchString(selector) && 10*p.links >= 6*p.all
			isSame := 20*p.own <= p.all && 20*on[selector] >= len(pages)
			if p.all > 0 && on[selector] > 1 && (isAround || isSame) && 3*p.own <= own {
				same[selector] = p.all
			}
		}
		best := most(same)
		if best == "" {
			break
		}
		selectors = append(selectors, best)
	}
	return selectors
}
