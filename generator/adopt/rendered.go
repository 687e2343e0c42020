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
	root     *html.Node
	language string
	body     *html.Node // what was chosen as its body
	title    string     // of <title>
}

// weight is what an element holds: bytes of text, those that most pages do not have, and
// those in links.
type weight struct{ all, own, links int }

// comparison finds what pages have in common.
type comparison struct {
	pages  []*sample
	common map[string]map[string]int // pages by language and text
	number map[string]int            // of pages of a language
	weigh  map[*html.Node]weight
}

// addRendered proposes how the pages of a rendered site are read: by what they have in
// common.
func (p *proposal) addRendered() {
	c := p.compare()
	if len(c.pages) == 0 {
		return
	}
	bodies := c.bodies()
	title, titleWhy := c.title()
	rendered := []item{{key: "body", value: flow(bodies), why: "what holds most of the text in which pages differ, tried in order"}}
	if remove := c.remove(title != ""); len(remove) > 0 {
		rendered = append(rendered, item{key: "remove", value: flow(remove), why: "what is the same on most pages, or leads around the site"})
	}
	if title != "" {
		rendered = append(rendered, item{key: "title", value: title, why: titleWhy})
	}
	if suffixes := c.suffixes(); len(suffixes) > 0 {
		rendered = append(rendered, item{key: "title_suffix", value: flow(suffixes), why: "what titles end with, on many pages"})
	}
	p.addItems("rendered", fmt.Sprintf("the pages are HTML files that a generator wrote; %s were compared", count(len(c.pages), "page")), rendered)
	p.bodies = bodies
}

// compare reads a sample of the pages, each language's in proportion.
func (p *proposal) compare() *comparison {
	c := &comparison{common: map[string]map[string]int{}, number: map[string]int{}, weigh: map[*html.Node]weight{}}
	var pages []*sourcePage
	for i := range p.pages {
		if !p.pages[i].isRedirect {
			pages = append(pages, &p.pages[i])
		}
	}
	// Pages are sorted by path: an even spread has pages of each folder.
	for i := range min(sampleSize, len(pages)) {
		page := pages[i*len(pages)/min(sampleSize, len(pages))]
		text, err := os.ReadFile(filepath.Join(p.content, filepath.FromSlash(page.path)))
		if err != nil {
			continue
		}
		root, err := html.Parse(bytes.NewReader(text))
		if err != nil {
			continue
		}
		s := &sample{root: root, language: p.languageOf(page)}
		if f := page.field("title", false); f != nil {
			s.title = strings.TrimSpace(f.Value)
		}
		c.pages = append(c.pages, s)
	}
	for _, s := range c.pages {
		c.number[s.language]++
		seen := c.common[s.language]
		if seen == nil {
			seen = map[string]int{}
			c.common[s.language] = seen
		}
		once := map[string]bool{}
		eachText(s.root, func(text string) { once[text] = true })
		for text := range once {
			seen[text]++
		}
	}
	for _, s := range c.pages {
		c.weighNode(s.root, s.language, false)
	}
	return c
}

// eachText calls f with the texts of a tree that people see.
func eachText(n *html.Node, f func(text string)) {
	if n.Type == html.TextNode {
		if text := strings.Join(strings.Fields(n.Data), " "); text != "" {
			f(text)
		}
	}
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		if !isHidden(child) {
			eachText(child, f)
		}
	}
}

func isHidden(n *html.Node) bool {
	return n.Type == html.ElementNode && slices.Contains([]string{"head", "script", "style", "noscript", "template", "svg"}, n.Data)
}

// weighNode finds the weights of an element and of all in it.
func (c *comparison) weighNode(n *html.Node, language string, inLink bool) (w weight) {
	if isHidden(n) {
		return w
	}
	if n.Type == html.TextNode {
		text := strings.Join(strings.Fields(n.Data), " ")
		w.all = len(text)
		if pages := c.common[language][text]; pages < 3 || 20*pages < c.number[language] {
			w.own = w.all
		}
		if inLink {
			w.links = w.all
		}
		return w
	}
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		below := c.weighNode(child, language, inLink || n.Data == "a")
		w = weight{w.all + below.all, w.own + below.own, w.links + below.links}
	}
	c.weigh[n] = w
	return w
}

// blocks are the elements that bodies, and parts that are removed, are made of.
var blocks = []string{"main", "article", "section", "div", "nav", "aside", "header", "footer", "ul", "ol", "form", "p", "table"}

// plainName matches ids and classes that a selector needs no escapes for. Others belong
// to frameworks.
var plainName = regexp.MustCompile(`^[A-Za-z_][\w-]*$`)

// selectorsOf returns the selectors of an element: by its name, role, id and classes.
func selectorsOf(n *html.Node) (all []string) {
	if !slices.Contains(blocks, n.Data) {
		return nil
	}
	if !slices.Contains([]string{"div", "section", "ul", "ol", "p", "table"}, n.Data) {
		all = append(all, n.Data)
	}
	for _, a := range n.Attr {
		switch a.Key {
		case "role":
			if plainName.MatchString(a.Val) {
				all = append(all, "[role="+a.Val+"]")
			}
		case "id":
			if plainName.MatchString(a.Val) {
				all = append(all, "#"+a.Val)
			}
		case "class":
			classes := strings.Fields(a.Val)
			for _, class := range classes {
				// Of many classes most say how an element looks, not what it is.
				isNamed := len(classes) <= 3 || strings.Contains(class, "__") || contentName.MatchString(class) || aroundName.MatchString(class)
				if plainName.MatchString(class) && isNamed {
					all = append(all, "."+class)
				}
			}
		}
	}
	return all
}

// elements calls f with the elements of a tree, in their order, unless f returns false for
// one that they are in.
func elements(n *html.Node, f func(*html.Node) bool) {
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		if child.Type == html.ElementNode && !isHidden(child) && f(child) {
			elements(child, f)
		}
	}
}

// contentName matches names that people give to the element of the text.
var contentName = regexp.MustCompile(`(?i)(^|[^a-z])(content|article|post|entry|body|main|prose|markdown)([^a-z]|$)`)

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

// bodies returns the selectors of the text of pages: for the pages that the first lacks, the
// second, and so on.
func (c *comparison) bodies() (bodies []string) {
	const most, worst = 4, 0.4
	left := c.pages
	for len(left) > 0 && len(bodies) < most {
		scores := make(map[string]float64)
		for _, s := range left {
			total, seen := c.weigh[s.root], map[string]bool{}
			elements(s.root, func(n *html.Node) bool {
				for _, selector := range selectorsOf(n) {
					if w := c.weigh[n]; !seen[selector] && w.own > 0 {
						recall, precision := float64(w.own)/float64(total.own), float64(w.own)/float64(w.all)
						scores[selector] += 2 * recall * precision / (recall + precision)
					}
					seen[selector] = true
				}
				return true
			})
		}
		best := slices.SortedFunc(maps.Keys(scores), func(a, b string) int {
			n := float64(len(left))
			return cmp.Or(cmp.Compare(scores[b]/n+rank(b), scores[a]/n+rank(a)), strings.Compare(a, b))
		})
		if len(best) == 0 || scores[best[0]] < worst*float64(len(left)) {
			break
		}
		bodies = append(bodies, best[0])
		left = slices.DeleteFunc(slices.Clone(left), func(s *sample) bool {
			s.body = find(s.root, best[0])
			return s.body != nil
		})
	}
	for _, s := range left {
		s.body = find(s.root, "body")
	}
	return append(bodies, "body")
}

// find returns the first element with a selector.
func find(root *html.Node, selector string) (found *html.Node) {
	elements(root, func(n *html.Node) bool {
		if found == nil && (n.Data == selector || slices.Contains(selectorsOf(n), selector)) {
			found = n
		}
		return found == nil
	})
	return found
}

// title returns the selector of the title, if the first heading of most pages is how their
// <title> begins.
func (c *comparison) title() (selector, why string) {
	good := 0
	for _, s := range c.pages {
		if h1 := find(s.root, "h1"); h1 != nil && strings.HasPrefix(s.title, textOf(h1)) && textOf(h1) != "" {
			good++
		}
	}
	if 2*good < len(c.pages) {
		return "", ""
	}
	return "h1", fmt.Sprintf("on %d of %d pages it is how <title> begins", good, len(c.pages))
}

func textOf(n *html.Node) string {
	var texts []string
	eachText(n, func(text string) { texts = append(texts, text) })
	return strings.Join(texts, " ")
}

// oneHeading reports whether nearly all bodies have at most one heading of level 1.
func (c *comparison) oneHeading() bool {
	several := 0
	for _, s := range c.pages {
		headings := 0
		if s.body != nil {
			elements(s.body, func(n *html.Node) bool {
				if n.Data == "h1" {
					headings++
				}
				return true
			})
		}
		if headings > 1 {
			several++
		}
	}
	return 20*several <= len(c.pages)
}

// aroundName matches names of what leads around the site. Such parts are removed where
// they are mostly links.
var aroundName = regexp.MustCompile(`(?i)breadcrumb|(^|[^a-z])toc([^a-z]|$)|table-of-contents|share|social|pager|pagination|prev-?next|related|sidebar|side-?nav|skip|subscribe|newsletter|edit-`)

// remove returns the selectors of parts of bodies that are no text of their own.
func (c *comparison) remove(hasTitle bool) (remove []string) {
	const most = 20
	if hasTitle && c.oneHeading() {
		remove = append(remove, "h1")
	}
	gone := make(map[*html.Node]bool)
	for len(remove) < most {
		total, pages, bodies := make(map[string]weight), make(map[string]int), 0
		for _, s := range c.pages {
			if s.body == nil {
				continue
			}
			bodies += c.weigh[s.body].own
			seen := make(map[string]bool)
			elements(s.body, func(n *html.Node) bool {
				if gone[n] {
					return false
				}
				w := c.weigh[n]
				for _, selector := range selectorsOf(n) {
					t := total[selector]
					total[selector] = weight{t.all + w.all, t.own + w.own, t.links + w.links}
					if !seen[selector] {
						seen[selector] = true
						pages[selector]++
					}
				}
				return true
			})
		}
		maps.DeleteFunc(total, func(selector string, w weight) bool {
			isAround := selector == "nav" || selector == "[role=navigation]" || aroundName.MatchString(selector) && 10*w.links >= 6*w.all
			isSame := 20*w.own <= w.all && 20*pages[selector] >= len(c.pages)
			return w.all == 0 || 20*pages[selector] < len(c.pages) && !isAround || pages[selector] < 2 || !isAround && !isSame || 3*w.own > bodies
		})
		best := slices.SortedFunc(maps.Keys(total), func(a, b string) int {
			return cmp.Or(cmp.Compare(total[b].all, total[a].all), strings.Compare(a, b))
		})
		if len(best) == 0 {
			break
		}
		remove = append(remove, best[0])
		for _, s := range c.pages {
			if s.body != nil {
				elements(s.body, func(n *html.Node) bool {
					if slices.Contains(selectorsOf(n), best[0]) {
						gone[n] = true
					}
					return !gone[n]
				})
			}
		}
	}
	return remove
}

// titleEnd matches what follows the title of a page in <title>.
var titleEnd = regexp.MustCompile(`\s+[-–—|·•:»]\s+[^-–—|·•»]+$`)

// suffixes returns what the titles of at least a twentieth of the pages of a language end
// with, if they are more than two.
func (c *comparison) suffixes() (suffixes []string) {
	pages := make(map[string]map[string]int)
	for _, s := range c.pages {
		if suffix := titleEnd.FindString(s.title); suffix != "" {
			if pages[suffix] == nil {
				pages[suffix] = map[string]int{}
			}
			pages[suffix][s.language]++
		}
	}
	for suffix, languages := range pages {
		for language, n := range languages {
			if n > 2 && 4*n >= c.number[language] && !slices.Contains(suffixes, suffix) {
				suffixes = append(suffixes, suffix)
			}
		}
	}
	slices.Sort(suffixes)
	return suffixes
}
