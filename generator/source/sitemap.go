package source

import (
	"cmp"
	"encoding/xml"
	"errors"
	"io/fs"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"example.org/sivu/generator/diag"
)

// Sitemap is what the sitemaps of a rendered site say about its pages, by address.
type Sitemap map[string]SitemapEntry

// SitemapEntry is what a sitemap says about one page.
type SitemapEntry struct {
	Modified  string // <lastmod>
	Alternate string // address of the translation in the first of the site's languages that has one
	Rank      int    // of that language, from 1; 0 where no translation is named
}

// Of returns the entry of a page by the path of its file.
func (m Sitemap) Of(path string) SitemapEntry { return m[cmp.Or(addressOf(path), "index")] }

// Hash returns a hash of the entry, which is never 0.
func (e SitemapEntry) Hash() uint64 {
	return Hash([]byte(e.Modified+"\x00"+e.Alternate+"\x00"+strconv.Itoa(e.Rank))) | 1
}

// sitemapNames are the names of a site's first sitemap, which may name others.
var sitemapNames = []string{"sitemap.xml", "sitemap_index.xml", "sitemap-index.xml"}

// maxSitemaps is how many sitemaps are read. Each may be as large as a page.
const maxSitemaps = 1000

// ReadSitemap reads the sitemaps of a rendered site: the first in the top folder, and
// those that it names. It is nil where the site is not rendered. A file that cannot be
// read is reported.
func ReadSitemap(fsys fs.FS, site *Site, report func(diag.Diagnostic)) Sitemap {
	if site.Rendered == nil {
		return nil
	}
	m := make(Sitemap)
	files := slices.Clone(sitemapNames)
	for i := 0; i < len(files) && i < maxSitemaps; i++ {
		name := files[i]
		if _, err := fs.Stat(fsys, name); errors.Is(err, fs.ErrNotExist) || !fs.ValidPath(name) {
			continue
		}
		var loader Loader
		text, ok := loader.Load(fsys, &File{Path: name}, report)
		if !ok {
			continue
		}
		others, err := m.read(site, text)
		if err != nil {
			report(ruleSitemap.At(diag.Position{File: name}, "the sitemap cannot be read: %s", diag.Clean(err.Error())).
				WithHint("write it anew with the generator of the site; until then its dates and translations are not known"))
		}
		for _, other := range others {
			if len(files) < maxSitemaps && !slices.Contains(files, other) {
				files = append(files, other)
			}
		}
	}
	return m
}

// sitemapFile is a sitemap, or one that names others (sitemaps.org).
type sitemapFile struct {
	URLs []struct {
		Loc     string `xml:"loc"`
		LastMod string `xml:"lastmod"`
		Links   []struct {
			Language string `xml:"hreflang,attr"`
			Address  string `xml:"href,attr"`
		} `xml:"link"`
	} `xml:"url"`
	Others []struct {
		Loc string `xml:"loc"`
	} `xml:"sitemap"`
}

// read adds the entries of a sitemap, and returns the paths of those that it names.
func (m Sitemap) read(site *Site, text []byte) (others []string, err error) {
	var file sitemapFile
	err = xml.Unmarshal(text, &file)
	for _, u := range file.URLs {
		translations := renderedHead{alternateRank: -1}
		for _, link := range u.Links {
			if link.Language != "" {
				translations.offerAlternate(site, link.Language, "", link.Address)
			}
		}
		m[site.addressOfLink("", u.Loc)] = SitemapEntry{strings.TrimSpace(u.LastMod), translations.alternate, translations.alternateRank + 1}
	}
	for _, other := range file.Others {
		others = append(others, site.addressOfLink("", other.Loc))
	}
	return others, err
}

// addressOfLink returns the address on a rendered site of a link on the page at another
// one: see addressOf. It is "" for a link to another site, and "index" for the front page.
// Where site.yaml does not say where the site is served, any host is its own.
func (s *Site) addressOfLink(from, link string) string {
	u, err := url.Parse(strings.TrimSpace(link))
	if err != nil || link == "" {
		return ""
	}
	name := u.Path
	if !strings.HasPrefix(name, "/") && u.Host == "" {
		name = path.Join("/", path.Dir(from), name)
	}
	if web, err := url.Parse(s.Web); err == nil && s.Web != "" {
		if u.Host != "" && !strings.EqualFold(u.Host, web.Host) {
			return ""
		}
		name = strings.TrimPrefix(name, strings.TrimSuffix(web.Path, "/"))
	}
	return cmp.Or(addressOf(path.Clean("/"+name)), "index")
}

// languageLike returns the site's language of a tag or of its beginning, as en of en-US;
// or "".
func (s *Site) languageLike(tag string) string {
	for tag != "" {
		if language := s.language(tag); language != "" {
			return language
		}
		tag = tag[:max(strings.LastIndexAny(tag, "-_"), 0)]
	}
	return ""
}
