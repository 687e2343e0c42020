package adopt

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// sampleSize is how many pages of a rendered site are compared.
const sampleSize = 400

// sample is a rendered page that is compared with others.
type sample struct {
	root            *html.Node
	language        string
	title, heading  string // of <title>, and of the first <h1>
	parts           []part // the elements that can be selected, in their order
	own             int    // bytes of text that most pages do not have
	bodyAt, bodyEnd int    // the parts of its body
}

// part is an element of a sample.
type part struct {
	selectors       []string
	all, own, links int // bytes of its text, of those that most pages do not have, and of those in links
	end             int // the first part after those in it
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
	titles, headings, number := 0, 0, map[string]int{}
	distinct := [2]map[string]bool{{}, {}} // texts of <title> and of <h1>
	suffixes := make(map[string]int)
	for _, s := range pages {
		number[s.language]++
		suffixes[titleEnd.FindString(s.title)]++
		distinct[0][s.language+s.title], distinct[1][s.language+cmp.Or(s.heading, s.title)] = true, true
		if s.heading != "" && strings.HasPrefix(s.title, s.heading) {
			titles++
		}
		if n := s.count("h1"); n > 1 {
			headings++
		}
	}
	isTitle := 2*titles >= len(pages)
	remove := around(pages)
	if isTitle && 20*headings <= len(pages) { // further headings of level 1 would go, too
		remove = append([]string{"h1"}, remove...)
	}
	if len(remove) > 0 {
		lines = append(lines, item{"remove", flow(remove), "what is the same on many pages, or leads around the site"})
	}
	if isTitle && 20*len(distinct[1]) >= 19*len(distinct[0]) { // all pages of a guide may have its title as their heading
		lines = append(lines, item{"title", "h1", fmt.Sprintf("on %d of %d pages it is how <title> begins", titles, len(pages))})
	}
	maps.DeleteFunc(suffixes, func(suffix string, n int) bool { return suffix == "" || n < 3 || 4*n*len(number) < len(pages) })
	if len(suffixes) > 0 {
		lines = append(lines, item{"title_suffix", flow(slices.Sorted(maps.Keys(suffixes))), "what titles end with, on many pages"})
	}
	p.addItems("rendered", fmt.Sprintf("the pages are HTML files that a generator wrote; %s were compared", count(len(pages), "page")), lines)
}

// titleEnd matches what follows the title of a page in <title>.
var titleEnd = regexp.MustCompile(`\s+[-–—|·•:»]\s+[^-–—|·•»]+$`)

// compare reads a sample of the pages, and finds what each has that others do not.
func (p *proposal) compare() (samples []*sample) {
	var pages []*sourcePage
	for i := range p.pages {
		if !p.pages[i].isRedirect {
			pages = append(pages, &p.pages[i])
		}
	}
	n := min(sampleSize, len(pages))
	uses, number := make(map[string]map[string]int), make(map[string]int) // of texts and pages, by language
	for i := range n {
		page := pages[i*len(pages)/n] // they are sorted by path, so that these are of all folders
		text, err := os.ReadFile(filepath.Join(p.content, filepath.FromSlash(page.path)))
		root, parsing := html.Parse(bytes.NewReader(text))
		if err != nil || parsing != nil {
			continue // the check tells
		}
		s := &sample{root: root, language: page.language, title: strings.TrimSpace(p.valueOf(page, "title"))}
		samples = append(samples, s)
		number[s.language]++
		if uses[s.language] == nil {
			uses[s.language] = make(map[string]int)
		}
		once := make(map[string]bool)
		for _, text := range textsOf(root) {
			if !once[text] {
				uses[s.language][text]++
			}
			once[text] = true
		}
	}
	for _, s := range samples {
		s.own = s.read(s.root, false, func(text string) bool {
			return uses[s.language][text] < 3 || 20*uses[s.language][text] < number[s.language]
		}).own
		s.bodyEnd = len(s.parts)
	}
	return samples
}

// textsOf returns the texts of an element that people see.
func textsOf(n *html.Node) (texts []string) {
	if text := strings.Join(strings.Fields(n.Data), " "); n.Type == html.TextNode && text != "" {
		return []string{text}
	}
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		if !isHidden(child) {
			texts = append(texts, textsOf(child)...)
		}
	}
	return texts
}

func isHidden(n *html.Node) bool {
	return n.Type == html.ElementNode && slices.Contains([]string{"head", "script", "style", "noscript", "template", "svg"}, n.Data)
}

// read finds the parts of an element, given which texts are a page's own, and returns the
// element as one.
func (s *sample) read(n *html.Node, inLink bool, isOwn func(text string) bool) (whole part) {
	if n.Type == html.TextNode {
		for _, text := range textsOf(n) {
			whole.all = len(text)
			if isOwn(text) {
				whole.own = len(text)
			}
			if inLink {
				whole.links = len(text)
			}
		}
		return whole
	}
	whole.selectors = selectorsOf(n)
	at := len(s.parts)
	if len(whole.selectors) > 0 {
		s.parts = append(s.parts, part{})
	}
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		if !isHidden(child) {
			below := s.read(child, inLink || n.Data == "a", isOwn)
			whole.all, whole.own, whole.links = whole.all+below.all, whole.own+below.own, whole.links+below.links
		}
	}
	if n.Data == "h1" && s.heading == "" {
		s.heading = strings.Join(textsOf(n), " ")
	}
	if whole.end = len(s.parts); len(whole.selectors) > 0 {
		s.parts[at] = whole
	}
	return whole
}

// count returns how many elements of the body have a selector.
func (s *sample) count(selector string) (n int) {
	for _, p := range s.parts[s.bodyAt:s.bodyEnd] {
		if slices.Contains(p.selectors, selector) {
			n++
		}
	}
	return n
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

// bodies returns the selectors of the text of pages, and finds the body of each: for pages
// that the first selector lacks, the second, and so on.
func bodies(left []*sample) (selectors []string) {
	const maxBodies, worst = 4, 0.4
	for len(left) > 0 && len(selectors) < maxBodies {
		scores, ranks := make(map[string]float64), make(map[string]float64)
		for _, s := range left {
			seen := make(map[string]bool)
			for _, p := range s.parts {
				for _, selector := range p.selectors {
					if p.own > 0 && !seen[selector] { // the mean of what is found of it, and what of it is the page's own
						scores[selector] += 2 * float64(p.own) / float64(s.own+p.all) / float64(len(left))
					}
					seen[selector] = true
				}
			}
		}
		for selector, score := range scores {
			ranks[selector] = score + rank(selector)
		}
		best := most(ranks)
		if scores[best] < worst {
			break
		}
		selectors = append(selectors, best)
		left = slices.DeleteFunc(slices.Clone(left), func(s *sample) bool {
			i := slices.IndexFunc(s.parts, func(p part) bool { return slices.Contains(p.selectors, best) })
			if i >= 0 {
				s.bodyAt, s.bodyEnd = i+1, s.parts[i].end
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
	for len(selectors) < maxAround {
		sums, on, own := make(map[string]part), make(map[string]int), 0
		for _, s := range pages {
			seen := make(map[string]bool)
			for i := s.bodyAt; i < s.bodyEnd; i++ {
				p := &s.parts[i]
				if slices.ContainsFunc(p.selectors, func(selector string) bool { return slices.Contains(selectors, selector) }) {
					i = p.end - 1
					continue
				}
				for _, selector := range p.selectors {
					sum := sums[selector]
					sums[selector] = part{all: sum.all + p.all, own: sum.own + p.own, links: sum.links + p.links}
					if !seen[selector] {
						on[selector]++
					}
					seen[selector] = true
				}
			}
			own += s.own
		}
		texts := make(map[string]int) // of those that are none of their own
		for selector, p := range sums {
			isAround := selector == "nav" || selector == "[role=navigation]" || aroundName.MatchString(selector) && 10*p.links >= 6*p.all
			isSame := 20*p.own <= p.all && 20*on[selector] >= len(pages)
			if p.all > 0 && on[selector] > 1 && (isAround || isSame) && 3*p.own <= own {
				texts[selector] = p.all
			}
		}
		best := most(texts)
		if best == "" {
			break
		}
		selectors = append(selectors, best)
	}
	return selectors
}
