package adopt

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"example.org/sivu/generator/diag"
)

// linkTarget matches the addresses that links of Markdown and HTML lead to.
var linkTarget = regexp.MustCompile(`(?m)(?:\]\(\s*<?|\bhref\s*=\s*["']?|^\[[^\]\n]+\]:\s*)([^\s"'()<>#?]+)`)

// addresses finds the address of each page on the site, and returns their languages by
// address.
func (p *proposal) addresses() map[string]string {
	all := make(map[string]string, len(p.pages))
	for i := range p.pages {
		page := &p.pages[i]
		folder, name := path.Split(page.rest)
		if name = cmp.Or(p.valueOf(page, "slug"), name); path.Base(page.rest) == "index" || path.Base(page.rest) == "_index" {
			name = ""
		}
		page.address = path.Join("/", page.language, folder, name)
		if own := p.valueOf(page, "url"); own != "" {
			page.address = path.Join("/", own)
		}
		all[page.address] = page.language
		if page.language == p.found.codes[0] { // a site may serve it without a prefix
			all[path.Join("/", folder, name)] = page.language
		}
	}
	return all
}

// findHost finds the host where the site is served as its own absolute links say: the one
// of most links, if most of these lead to addresses of pages, and not always to the same.
// Links to home pages tell nothing.
func (p *proposal) findHost(addresses map[string]string) (web, says string) {
	links, number := make(map[string][]string), make(map[string]int)
	for i := range p.pages {
		for _, link := range p.pages[i].links {
			scheme, rest, _ := strings.Cut(link, "://")
			host, address, _ := strings.Cut(strings.TrimSuffix(rest, "/"), "/")
			if address != "" && (scheme == "http" || scheme == "https") {
				links[host] = append(links[host], path.Join("/", address))
				number[host]++
			}
		}
	}
	host := most(number)
	good := slices.DeleteFunc(links[host], func(address string) bool { return addresses[address] == "" })
	slices.Sort(good)
	if 2*len(good) <= number[host] || len(slices.Compact(slices.Clone(good))) < 3 {
		return "", ""
	}
	return "https://" + host, fmt.Sprintf("say its pages: %d of %s to it lead to addresses of pages", len(good), diag.Plural(number[host], "link"))
}

// linksFromPages reports whether relative links start at addresses of pages, not at their
// files: the way in which fewer lead nowhere or into another language.
func (p *proposal) linksFromPages(addresses map[string]string) (fromPages bool, why string) {
	var lost, foreign [2]int
	all := 0
	for i := range p.pages {
		page := &p.pages[i]
		for _, link := range page.links {
			if strings.Contains(link, ":") || strings.HasPrefix(link, "/") || path.Ext(link) != "" {
				continue
			}
			all++
			for way, base := range []string{path.Join("/", page.language, path.Dir(page.rest)), page.address} {
				if language := addresses[path.Join(base, link)]; language == "" {
					lost[way]++
				} else if language != page.language {
					foreign[way]++
				}
			}
		}
	}
	return lost[1]+foreign[1] < lost[0]+foreign[0],
		fmt.Sprintf("so %d of %d lead nowhere and %d into another language; from the pages' files it would be %d and %d", lost[1], all, foreign[1], lost[0], foreign[0])
}
