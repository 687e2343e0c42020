package generator

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/markup"
)

// anchors is what is known of anchors between pages: the hashes of those that
// are there, page by page, and the links that want one on another page.
type anchors struct {
	there [][]uint32 // by page; each worker writes only those of its own pages

	mu    sync.Mutex
	links []anchorLink
}

// anchorLink is a link to an anchor on another page.
type anchorLink struct {
	markup.Link

	position diag.Position
}

func newAnchors(pages int) *anchors {
	return &anchors{there: make([][]uint32, pages)}
}

func (a *anchors) add(links []anchorLink) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.links = append(a.links, links...)
}

// judge reports the links whose anchor is not there, once all pages are read.
func (a *anchors) judge(r *run) {
	for _, l := range a.links {
		if !slices.Contains(a.there[l.Target], uint32(l.Anchor)) && !r.collection.records[l.Target].bodiless {
			r.report(diagnostic(l.Broken(r.collection.pages[l.Target].Path), l.position))
		}
	}
}

// diagnostic returns a problem of a body as one of its file.
func diagnostic(p markup.Problem, at diag.Position) diag.Diagnostic {
	d := p.Rule.At(at, "%s", p.Message)
	d.Hint, d.Missing = p.Hint, p.Missing
	return d
}

// maxSuggestions is for how many broken links a report says what was meant. Each is
// compared with all pages of a folder.
const maxSuggestions = 50

// reported returns the problems of the run. Hints that depend on all pages are
// found here and not where a body is rendered, as a build may use that of the
// build before.
func (r *run) reported() diag.Report {
	report := r.diagnostics.Report()
	content := strings.TrimSuffix(r.shown("x"), "x")
	var links []markup.MissingLink
	places := map[[2]string]int{} // in links, by folder and link
	asking := map[int]int{}       // the same, by the place of the diagnostic
	for i, d := range report.Diagnostics {
		if d.Missing == "" {
			continue
		}
		from := strings.TrimPrefix(d.Pos.File, content)
		inFolder := [2]string{path.Dir(from), d.Missing}
		place, ok := places[inFolder]
		if !ok && len(links) == maxSuggestions {
			continue
		}
		if !ok {
			place = len(links)
			places[inFolder] = place
			links = append(links, markup.MissingLink{From: from, Link: d.Missing})
		}
		asking[i] = place
	}
	if len(links) == 0 {
		return report
	}
	near := markup.Suggest(r.collection.listed(), isSource, links)
	for i, place := range asking {
		if near[place] != "" {
			report.Diagnostics[i].Hint = fmt.Sprintf("did you mean %s?", diag.Quote(near[place]))
		}
	}
	return report
}

// halves returns half of each hash, which is enough: that one of a page's few
// anchors passes for another by chance is one in a billion.
func halves(dst []uint32, hashes []uint64) []uint32 {
	for _, hash := range hashes {
		dst = append(dst, uint32(hash))
	}
	return dst
}

// reportAssets warns once about all addresses of assets that stay relative.
func (r *run) reportAssets() {
	if n := r.assets.Load(); n > 0 {
		what := "1 relative address of an image or another asset stays"
		if n > 1 {
			what = fmt.Sprintf("%d relative addresses of images and other assets stay", n)
		}
		r.report(markup.AssetAddress.At(diag.Position{}, "%s relative; sivu publishes no assets", what).
			WithHint(`name the address where they are served under "assets" in site.yaml`))
	}
}
