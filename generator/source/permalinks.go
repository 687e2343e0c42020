package source

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"example.org/sivu/generator/diag"
)

// permalinkTokens are what a pattern of "permalinks" may hold.
var permalinkTokens = []string{"{year}", "{month}", "{day}", "{slug}", "{title}", "{name}", "{path}"}

var anyToken = regexp.MustCompile(`\{[^{}]*\}?|\}`)

func checkPermalink(name, text string) (message, hint string) {
	if problem := urlProblem(text); problem != "" {
		return name + " " + problem, "write it as in \"{year}/{month}/{slug}\", below the language"
	}
	for _, token := range anyToken.FindAllString(text, -1) {
		if !slices.Contains(permalinkTokens, token) {
			return name + " holds " + diag.Quote(token), diag.DidYouMean(token, permalinkTokens, "known are "+diag.JoinQuoted(permalinkTokens, "and"))
		}
	}
	return "", ""
}

// permalink returns the meta.url that "permalinks" gives the page, as Hugo's setting of
// that name does, or "". The page of a folder itself has none. Year, month and day are
// those of the date as it is written, and "{slug}" is the title where there is no slug.
func (p *reading) permalink(slug string) string {
	if len(p.site.Permalinks) == 0 || p.created.IsZero() {
		return ""
	}
	name := strings.TrimSuffix(p.path, "/index")
	folder := path.Dir(name)
	for folder != "." && p.site.Permalinks[folder] == "" {
		folder = path.Dir(folder)
	}
	pattern := p.site.Permalinks[folder]
	if pattern == "" || path.Base(name) == "_index" {
		return ""
	}
	title := ""
	if e := p.doc.Page.Meta.Get("title"); e != nil {
		title = urlPart(e.Value)
	}
	below := deriveURL("", strings.TrimPrefix(p.path, folder), slug)
	return norm.NFC.String(p.doc.Page.Language + "/" + strings.NewReplacer(
		"{year}", p.created.Format("2006"), "{month}", p.created.Format("01"), "{day}", p.created.Format("02"),
		"{slug}", cmp.Or(slug, title), "{title}", title, "{name}", path.Base(name), "{path}", strings.Trim(below, "/"),
	).Replace(pattern))
}

// hugoPath returns a path as Hugo makes an address of it: in lower case, with hyphens for
// spaces, and without characters that addresses would have to escape.
func hugoPath(path string) string {
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		segments[i] = urlPart(segment)
	}
	return strings.Join(segments, "/")
}

// urlPart returns a text as a part of an address, as Hugo makes one of a title.
func urlPart(text string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(text) {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r), strings.ContainsRune("._+~-@", r):
			b.WriteRune(r)
		case unicode.IsSpace(r) && b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	return strings.TrimSuffix(b.String(), "-")
}
