package source

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/google/uuid"
	"golang.org/x/text/unicode/norm"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/page"
)

// findLanguage finds the page's language, and on the way its path and topic:
// the field, else <html lang>, else the path, else the site's default.
func (p *reading) findLanguage() {
	byPath, name, isFolder := p.site.place(p.file.Path)
	p.path, p.doc.Page.Topic = name, name
	if topic, ok := p.given(ownTopic); ok {
		if topic == "" {
			p.problem(ruleFieldType.At(p.at(p.own[ownTopic]), "%s is empty", diag.Quote(p.own[ownTopic].name)))
		} else {
			p.doc.Page.Topic = strings.Clone(topic) // kept longer than the front matter
		}
	}
	for _, f := range []*field{p.own[ownLanguage], &p.head.language} {
		if language := p.checkLanguage(f); language != "" {
			p.doc.Page.Language = language
			return
		}
	}
	p.doc.Page.Language = cmp.Or(byPath, p.site.DefaultLanguage)
	if (byPath == "" || isFolder) && p.hasOtherLanguage() {
		return
	}
	if p.doc.Page.Language == "" && !p.languageReported {
		p.reportNoLanguage()
	}
}

// LanguageOf returns the language that the path of a source gives by the site's
// layout, else the site's default, or "". The name is the path of the source in NFC,
// without the language and without its ending.
func (s *Site) LanguageOf(file string) (language, name string) {
	language, name, _ = s.place(file)
	return cmp.Or(language, s.DefaultLanguage), name
}

// place is LanguageOf without the site's default. It also reports whether the language
// is that of a folder. Without a layout, the language is that of the suffix, else of
// the first folder, and both go from the name.
func (s *Site) place(file string) (language, name string, isFolder bool) {
	if s.Rendered != nil {
		language, name = s.placeOf(addressOf(file))
		return language, name, false
	}
	name = norm.NFC.String(strings.TrimSuffix(file, path.Ext(file)))
	layouts := s.Layout
	if layouts == nil {
		if folder, rest := s.folderLanguage(name, 0); folder != "" {
			language, name, isFolder = folder, rest, true
		}
		layouts = []string{layoutSuffix}
	}
	for _, layout := range layouts {
		found, rest := "", ""
		switch layout {
		case layoutFolder:
			found, rest = s.folderLanguage(name, 0)
		case layoutSuffix:
			if dot := strings.LastIndexByte(name, '.'); dot > strings.LastIndexByte(name, '/')+1 {
				found, rest = s.language(name[dot+1:]), name[:dot]
			}
		case layoutDocusaurus:
			found, rest = s.docusaurusLanguage(name)
		case layoutInner:
			for at, c := range name {
				if c == '/' && found == "" {
					found, rest = s.folderLanguage(name, at+1)
				}
			}
		}
		if found != "" {
			return found, rest, layout != layoutSuffix
		}
	}
	return language, name, isFolder
}

// folderLanguage returns the language of the folder that begins at an offset of a name,
// and the name without that folder.
func (s *Site) folderLanguage(name string, at int) (language, rest string) {
	folder, below, ok := strings.Cut(name[at:], "/")
	if !ok {
		return "", ""
	}
	return s.language(folder), name[:at] + below
}

// hasOtherLanguage reports whether the page is in a folder that is named after a language
// which is not the page's. That is a problem.
func (p *reading) hasOtherLanguage() bool {
	for folder, rest, ok := strings.Cut(p.file.Path, "/"); ok; folder, rest, ok = strings.Cut(rest, "/") {
		if language := p.site.language(folder); language == "" || language == p.doc.Page.Language {
			continue
		}
		rule, otherwise := ruleLanguage, ""
		if p.doc.Page.Language != "" {
			rule, otherwise = ruleLanguageFolder, fmt.Sprintf(", or that this folder is none with \"rules: {%s: off}\"", ruleLanguageFolder.Name)
		}
		p.problem(rule.At(p.top(), "the folder %s is named after a language, and is not read as one", diag.Quote(folder)).
			WithHint("say where languages stand in site.yaml, as in \"layout: ['%s', '%s']\"%s", layoutFolder, layoutInner, otherwise).AsShared())
		return true
	}
	return false
}

// likeLanguage matches a name that looks like a language tag.
var likeLanguage = regexp.MustCompile(`^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$`)

// reportNoLanguage reports a page whose path gives no language.
func (p *reading) reportNoLanguage() {
	first, _, ok := strings.Cut(p.file.Path, "/")
	var d diag.Diagnostic
	switch {
	case !ok || !likeLanguage.MatchString(first) && !isKnownLanguage(first):
		d = ruleLanguage.At(p.top(), "the page's language is not known").
			WithHint("put the page into a folder named after its language, or give site.yaml a \"default_language\"")
	case p.site.Name == "":
		d = ruleLanguage.At(p.top(), "%s is not one of the site's languages", diag.Quote(first)).
			WithHint("write a site.yaml that lists them under \"languages\"")
	case strings.Contains(first, "_"):
		d = ruleLanguage.At(p.top(), "%s is not among the languages in site.yaml", diag.Quote(first)).
			WithHint("name its language, as in \"language_aliases: {%s: %s}\", or leave the folder out with %s under \"exclude\"",
				first, strings.ReplaceAll(first, "_", "-"), diag.Quote(first+"/**"))
	default:
		d = ruleLanguage.At(p.top(), "%s is not among the languages in site.yaml", diag.Quote(first)).
			WithHint("add it under \"languages\", or leave the folder out with %s under \"exclude\"", diag.Quote(first+"/**"))
	}
	p.problem(d.AsShared())
}

// checkLanguage returns the language that a field gives, as the site spells it.
func (p *reading) checkLanguage(f *field) string {
	if f == nil || f.line == 0 || f.shape != scalar {
		return ""
	}
	if language := p.site.language(f.value); language != "" {
		return language
	}
	p.languageReported = true
	d := ruleLanguage.At(p.at(f), "%s is not one of the site's languages", diag.Quote(f.value))
	d.Hint = diag.DidYouMean(f.value, p.site.Languages,
		"they are "+diag.JoinQuoted(p.site.Languages, "and")+"; others are added under \"languages\" in site.yaml")
	p.problem(d)
	return ""
}

// language returns the site's language of that tag or alias in the site's spelling, or
// "". Letter case does not matter in a language tag (RFC 5646, 2.1.1).
func (s *Site) language(tag string) string {
	i := slices.IndexFunc(s.Languages, func(l string) bool { return strings.EqualFold(l, tag) })
	if i >= 0 {
		return s.Languages[i]
	}
	if len(s.Aliases) == 0 {
		return ""
	}
	return s.Aliases[strings.ToLower(tag)]
}

// findID takes the id that the page gives, or derives it.
func (p *reading) findID() {
	f := p.own[ownID]
	if value, ok := p.given(ownID); ok {
		id, ok := parseID(value)
		if !ok {
			p.problem(ruleID.At(p.at(f), "%s is not a UUID", diag.Quote(value)).
				WithHint("write 32 hexadecimal digits in groups of 8-4-4-4-12, or leave it out"))
			return
		}
		p.doc.Page.ID = id
		if !f.beside {
			p.doc.Page.IDPosition = page.Position{Line: int32(f.line), Column: int32(f.column)}
		}
		return
	}
	if f != nil && f.shape != null || p.doc.Page.Language == "" {
		return
	}
	if id, ok := p.site.idOf(p.doc.Page.Language, p.path); ok {
		p.doc.Page.ID = id
		return
	}
	if p.site.Namespace == uuid.Nil {
		p.problem(ruleID.At(p.top(), "the page has no id, and the site no namespace to derive it from").
			WithHint("write \"namespace: %s\" into site.yaml, once and for all", freshNamespace()).AsShared())
		return
	}
	p.doc.Page.ID = DeriveID(p.site.Namespace, p.doc.Page.Language, p.path)
	p.doc.Derived = true
}

// freshNamespace is the namespace that hints offer, the same in a whole run.
var freshNamespace = sync.OnceValue(uuid.NewString)

// parseID reads a UUID in 8-4-4-4-12 form, in any letter case (contract.md
// 2.1). The nil UUID names nothing and is none.
func parseID(text string) (uuid.UUID, bool) {
	if len(text) != 36 {
		return uuid.Nil, false
	}
	id, err := uuid.Parse(text)
	return id, err == nil && id != uuid.Nil
}

// DeriveID returns the id of a page that gives none: the UUID of version 5
// (RFC 9562, 5.5) of the site's namespace and the UTF-8 bytes of
// "<language>/<path>". The path is the source's below its language folder, in
// NFC, without ending and language suffix; "index" is kept, and a slug does
// not count.
//
// Test vector: the namespace 6ba7b811-9dad-11d1-80b4-00c04fd430c8, the language
// "fi" and the path "asuminen" give 6eabcbd0-bbc8-50c3-b48e-e4e8d6e6f7f6.
func DeriveID(namespace uuid.UUID, language, path string) uuid.UUID {
	return uuid.NewSHA1(namespace, []byte(language+"/"+path))
}

// findURL checks the meta.url that the page gives, or derives it.
func (p *reading) findURL() {
	slug := p.slug()
	if e := p.doc.Page.Meta.Get("url"); e != nil {
		if slices.Contains(p.mistyped, "url") {
			return
		}
		if e.Null {
			p.problem(ruleURL.At(p.entry(e), "\"url\" is null; it is a path").
				WithHint("leave it out, and sivu makes it from the file's path"))
			return
		}
		e.Value = strings.Clone(e.Value) // kept longer than the front matter
		if p.site.Generator == page.Hugo {
			e.Value = p.hugoURL(e.Value)
		}
		p.checkURL(e.Value, p.entry(e), "")
		return
	}
	if p.doc.Page.Language == "" || p.doc.Page.Kind != nil && p.doc.Page.Kind.NoURL {
		return
	}
	url := p.permalink(slug)
	if url == "" {
		url = deriveURL(p.doc.Page.Language, p.path, slug)
	}
	if p.site.Generator == page.Hugo {
		url = p.doc.Page.Language + hugoPath(url[len(p.doc.Page.Language):])
	}
	p.checkURL(url, p.top(), "give the page a \"url\", or the file another name")
	p.keep(page.Entry{Key: "url", Value: url})
}

// slug returns the field "slug" where it can stand in a path, without slashes around it.
func (p *reading) slug() string {
	given, ok := p.given(ownSlug)
	slug := strings.Trim(given, "/")
	if !ok || slug == "" {
		return ""
	}
	if problem := urlProblem(slug); problem != "" {
		p.problem(ruleURL.At(p.at(p.own[ownSlug]), "the slug %s %s", diag.Quote(given), problem).
			WithHint("write a part of a path without \"?\" and \"#\", as in \"asuminen\""))
		return ""
	}
	return slug
}

// deriveURL returns the meta.url of a page that gives none. A last segment
// "index" or "_index" goes; then a slug, which may have several segments, replaces the
// last segment, but never that of the language.
func deriveURL(language, name, slug string) string {
	folder, last := path.Split(name)
	if last == "index" || last == "_index" {
		folder, last = path.Split(strings.TrimSuffix(folder, "/"))
	}
	if slug != "" {
		last = slug
	}
	return norm.NFC.String(strings.TrimSuffix(language+"/"+folder+last, "/"))
}

// checkURL reports a meta.url that the contract does not allow (contract.md
// 2.3).
func (p *reading) checkURL(url string, at diag.Position, hint string) {
	language := p.doc.Page.Language
	problem := urlProblem(url)
	if problem == "" && language != "" && url != language &&
		!strings.HasPrefix(url, language+"/") && !slices.Contains(p.site.Unprefixed, url) {
		problem = "does not begin with the page's language"
		hint = "begin it with " + diag.Quote(language+"/") + ", or name it under \"unprefixed\" in site.yaml"
	}
	if problem == "" {
		return
	}
	if hint == "" {
		hint = "write a path of the site, as in \"fi/asuminen\""
	}
	d := ruleURL.At(at, "meta.url %s %s", diag.Quote(url), problem)
	d.Hint = hint
	p.problem(d)
}

// urlProblem returns why a text is not a site-relative path, or "".
func urlProblem(url string) string {
	if _, found := controlCharacter(url); found || strings.ContainsAny(url, "\t\n") {
		return "holds a control character"
	}
	switch {
	case url == "":
		return "is empty"
	case !utf8.ValidString(url):
		return "is not UTF-8"
	case strings.HasPrefix(url, "/"):
		return "begins with a slash"
	case strings.HasSuffix(url, "/"):
		return "ends with a slash"
	case strings.ContainsRune(url, '?'):
		return "has a query"
	case strings.ContainsRune(url, '#'):
		return "has a fragment"
	case strings.ContainsRune(url, '\\'):
		return "holds a backslash"
	}
	for segment := range strings.SplitSeq(url, "/") {
		switch segment {
		case "":
			return "has an empty segment"
		case ".", "..":
			return "has a segment " + diag.Quote(segment)
		}
	}
	return ""
}
