package main

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// doors are the sources and the rendered pages of one site.
type doors struct {
	sources, rendered string
	address           func(p *sitePage) string // of the rendered page, as in meta.url

	layouts map[string]string // pages, by the end of their path, that the site shows in another way: what it shows
}

// twoDoors are the sites whose sources and rendered pages are both in the corpora.
var twoDoors = []doors{
	{
		sources: "letsencrypt", rendered: "letsencrypt-rendered", address: servedByLetsEncrypt,
		layouts: map[string]string{"docs/glossary.md": "entries in the order of their names"},
	},
	{
		sources: "digitalgov", rendered: "digitalgov-rendered", address: servedWithLanguage,
		layouts: map[string]string{
			"resources/_index.md":                         "a list of topics in place of the text",
			"guides/hcd/_index.md":                        "a button in place of the first heading",
			"_archived/common-questions-about-dap-faq.md": "a link that its author left without an end, as it stands there",
		},
	},
}

// servedWithLanguage returns the address of a page on its site, below its language.
func servedWithLanguage(p *sitePage) string {
	address := strings.Trim(p.address, "/")
	if address == p.language || strings.HasPrefix(address, p.language+"/") {
		return address
	}
	return strings.TrimSuffix(p.language+"/"+address, "/")
}

var postName = regexp.MustCompile(`^en/post/(\d+)-(\d+)-(\d+)-(.*)\.[a-z]+$`)

// servedByLetsEncrypt knows the addresses of posts, which a configuration sets that is
// not in the corpus.
func servedByLetsEncrypt(p *sitePage) string {
	if m := postName.FindStringSubmatch(p.file); m != nil {
		return strings.ToLower(fmt.Sprintf("en/%s/%s/%s/%s", p.created[0:4], p.created[5:7], p.created[8:10], strings.Trim(filepath.Base(p.address), "/")))
	}
	return servedWithLanguage(p)
}

// anyMarker matches a template marker in a source.
var anyMarker = regexp.MustCompile(`\{\{`)

// compare holds the texts of a site by either door against each other: they are the same
// but for what a marker or the layout explains.
func (d *doors) compare(t *testing.T, from, to *built) {
	t.Helper()
	counts, unexplained := map[string]int{}, []string(nil)
	for _, p := range from.pages {
		a, b := from.records[derivedID(t, from.text("namespace"), p)], to.byURL[d.address(p)]
		if a == nil || b == nil {
			if a != nil {
				counts["only a source"]++
				if os.Getenv("SIVU_DOORS") != "" {
					t.Logf("only a source: %s %s", p.file, d.address(p))
				}
			}
			continue
		}
		counts["pages in both"]++
		if a.Meta["title"] != b.Meta["title"] {
			counts["titles differ"]++
		}
		edits := wordEdits(plainWords(a.text), plainWords(b.text))
		if len(edits) == 0 {
			counts["texts are equal"]++
		}
		layout := ""
		for end, shows := range d.layouts {
			if strings.HasSuffix(p.file, end) {
				layout = "the site shows " + shows
			}
		}
		for _, e := range edits {
			reason := cmp.Or(layout, e.reason(p.body))
			if reason == "" {
				unexplained = append(unexplained, fmt.Sprintf("%s: %.100q, rendered %.100q", p.file, e.old, e.new))
				continue
			}
			counts["differences: "+reason]++
		}
	}
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%s: %d", name, counts[name])
	}
	if len(unexplained) > 0 {
		t.Errorf("%d differences are not explained:\n\t%s", len(unexplained), strings.Join(unexplained[:min(len(unexplained), 60)], "\n\t"))
	}
}

// typographer undoes what the typographer of a generator changes.
var typographer = strings.NewReplacer("’", "'", "‘", "'", "“", `"`, "”", `"`, "«", `"`, "»", `"`, "–", "-", "—", "-", "…", "...", "---", "-", "--", "-")

// plainWords returns words without what the typographer of a generator changes.
func plainWords(words []string) []string { return mapped(words, typographer.Replace) }

// wordEdit is a run of words in the place of another.
type wordEdit struct {
	old, new string
	isEdge   bool // near the beginning or the end of the text
}

var emojiName = regexp.MustCompile(`^(:[a-z0-9_+-]+:\s*)+$`)

// letters returns the letters and digits of a text, in lower case.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

// shownTexts matches the texts of images that markers give, which stand in the place of
// images that are not there.
var shownTexts = regexp.MustCompile(`(?s)(?:alt|caption|text) ?= ?["“](.*?)["”]`)

// reason returns why an edit of a body is none that a reader would miss, or "".
func (e wordEdit) reason(body string) string {
	hasMarker, shown := anyMarker.MatchString(body), ""
	for _, m := range shownTexts.FindAllStringSubmatch(body, -1) {
		shown += letters(m[1])
	}
	switch {
	case emojiName.MatchString(e.old):
		return "the name of an emoji"
	case letters(e.old) == letters(e.new):
		return "signs without letters"
	case hasMarker && strings.Contains(letters(e.new), letters(e.old)):
		return "what a marker stands for"
	case hasMarker && !slices.ContainsFunc(strings.Fields(e.old), func(word string) bool { return !strings.Contains(shown, letters(word)) }):
		return "the text of an image that a marker stands for"
	case e.isEdge && strings.Contains(letters(e.new), letters(e.old)):
		return "words of the layout around the text"
	}
	return ""
}

// wordEdits returns the least edits that lead from one list of words to another
// (Myers, An O(ND) Difference Algorithm, 1986).
func wordEdits(a, b []string) (edits []wordEdit) {
	n, m := len(a), len(b)
	reach := map[int]int{1: 0} // the farthest word of a on a diagonal
	var trace []map[int]int
	for d := 0; ; d++ {
		trace = append(trace, maps.Clone(reach))
		for k := -d; k <= d; k += 2 {
			x := reach[k-1] + 1
			if k == -d || k != d && reach[k-1] < reach[k+1] {
				x = reach[k+1]
			}
			for y := x - k; x < n && y < m && a[x] == b[y]; y++ {
				x++
			}
			if reach[k] = x; x >= n && x-k >= m {
				return editsOf(a, b, trace)
			}
		}
	}
}

// edge is how many words of a text may be found by chance in what a layout writes around it.
const edge = 12

// editsOf follows a trace back, and joins edits of neighbouring words.
func editsOf(a, b []string, trace []map[int]int) (edits []wordEdit) {
	x, y := len(a), len(b)
	endX, endY := -1, -1 // of the run of edits that is followed
	flush := func() {
		if endX >= 0 {
			edits = append(edits, wordEdit{strings.Join(a[x:endX], " "), strings.Join(b[y:endY], " "), x <= edge || endX >= len(a)-edge})
			endX, endY = -1, -1
		}
	}
	for d := len(trace) - 1; d >= 0; d-- {
		k, reach := x-y, trace[d]
		before := k - 1
		if k == -d || k != d && reach[k-1] < reach[k+1] {
			before = k + 1
		}
		fromX := reach[before]
		fromY := fromX - before
		for x > fromX && y > fromY {
			flush()
			x, y = x-1, y-1
		}
		if d == 0 {
			break
		}
		if endX < 0 {
			endX, endY = x, y
		}
		x, y = fromX, fromY
	}
	flush()
	slices.Reverse(edits)
	return edits
}
