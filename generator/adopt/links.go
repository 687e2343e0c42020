package adopt

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// linkTarget matches the addresses that links of Markdown and HTML lead to.
var linkTarget = regexp.MustCompile(`(?m)(?:\]\(\s*<?|\bhref\s*=\s*["']?|^\[[^\]\n]+\]:\s*)([^\s"'()<>#?]+)`)

// addresses returns the language of each page by its address on the site, and sets the
// address of each.
func (s *survey) addresses(l *languages) map[string]string {
	all := make(map[string]string, len(s.pages))
	for i := range s.pages {
		p := &s.pages[i]
		folder, name := path.Split(p.rest)
		if name == "index" || name == "_index" {
			name = ""
		} else if f := p.field("slug", s.isHugo()); f != nil && f.IsText() {
			name = f.Value
		}
		p.address = path.Join("/", p.language, folder, name)
		if f := p.field("url", s.isHugo()); f != nil && f.IsText() {
			p.address = path.Join("/", f.Value)
		}
		all[p.address] = p.language
		if p.language == l.codes[0] { // a site may serve it without a prefix
			all[path.Join("/", folder, name)] = p.language
		}
	}
	return all
}

// findHost finds the host where the site is served as its own absolute links say: the one
// of most links, if most of these lead to addresses of pages.
func (s *survey) findHost(addresses map[string]string) (web, says string) {
	links, good := make(map[string]int), make(map[string]int)
	for i := range s.pages {
		for _, link := range s.pages[i].links {
			if scheme, rest, ok := strings.Cut(link, "://"); ok && strings.HasPrefix(scheme, "http") {
				host, address, _ := strings.Cut(rest, "/")
				links[host]++
				if _, isPage := addresses[path.Join("/", address)]; isPage {
					good[host]++
				}
			}
		}
	}
	for _, host := range slices.Sorted(maps.Keys(good)) {
		if n := links[host]; n >= 3 && 2*good[host] > n && n == slices.Max(slices.Collect(maps.Values(links))) {
			return "https://" + host, fmt.Sprintf("say its pages: %d of %s to it lead to addresses of pages", good[host], count(n, "link"))
		}
	}
	return "", ""
}

// linksFromPages reports whether relative links start at addresses of pages, not at their
// files: the way in which fewer lead nowhere or into another language.
func (s *survey) linksFromPages(addresses map[string]string) (fromPages bool, why string) {
	var lost, foreign [2]int
	all := 0
	for i := range s.pages {
		p := &s.pages[i]
		for _, link := range p.links {
			if strings.Contains(link, ":") || strings.HasPrefix(link, "/") || path.Ext(link) != "" {
				continue
			}
			all++
			for way, base := range []string{path.Join("/", p.language, path.Dir(p.rest)), p.address} {
				switch language, isPage := addresses[path.Join(base, link)]; {
				case !isPage:
					lost[way]++
				case language != p.language:
					foreign[way]++
				}
			}
		}
	}
	return lost[1]+foreign[1] < lost[0]+foreign[0],
		fmt.Sprintf("so %d of %d lead nowhere and %d into another language; from the pages' files it would be %d and %d", lost[1], all, foreign[1], lost[0], foreign[0])
}
