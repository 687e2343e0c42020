package corpus

import (
	"strings"

	"example.org/sivu/generator/page"
	"example.org/sivu/generator/source"
)

// lintKey is the key of the lint results in the build cache. The keys of sources are
// their paths, and no path begins like that.
const lintKey = "\x00lint"

func isPath(key string) bool { return !strings.HasPrefix(key, "\x00") }

// encode returns all that is known of source i, as a value of the build cache.
func (c *Corpus) encode(dst []byte, i int) []byte {
	s := &c.Sources[i]
	e := encoder{dst[:0]}
	var found rare
	if s.rare != nil {
		found = *s.rare
	}
	e.flags(s.page != none)
	e.uint(uint64(s.Size))
	e.int(s.ModTime)
	e.int(s.ChangeTime)
	e.fixed64(s.hash)
	e.fixed64(s.gitDates)
	e.problems(found.head)
	if s.page != none {
		c.encodePage(&e, &c.Pages[s.page], &found)
	}
	return e.bytes
}

func (c *Corpus) encodePage(e *encoder, p *Page, found *rare) {
	e.flags(p.isValid, p.Derived, p.isBodiless, p.isRendered)
	e.bytes = append(e.bytes, p.ID[:]...)
	e.within(p.Path, p.Language)
	kind := ""
	if p.Kind != nil {
		kind = p.Kind.Name
	}
	e.text(kind)
	e.within(p.Path, p.Topic)
	e.within(p.Path, p.URL)
	e.int(int64(p.Created))
	e.int(int64(p.Modified))
	e.place(p.IDPlace)
	e.place(p.URLPlace)
	e.fixed64(p.ItemHash)
	e.uint(uint64(p.bodyStart))
	e.uint(uint64(p.bodyEnd))
	e.uint(uint64(len(p.hashes)))
	for _, hash := range p.hashes {
		e.fixed32(hash)
	}
	e.uint(uint64(p.dependencies))
	e.uint(uint64(len(found.embeds)))
	for _, embed := range found.embeds {
		e.text(embed.URI)
	}
	e.uint(uint64(found.assets))
	e.problems(found.body)
	e.uint(uint64(len(found.links)))
	for _, l := range found.links {
		e.text(l.target)
		e.fixed64(l.anchor)
		e.text(l.text)
		e.place(l.position)
	}
}

// decode adds a source, in the order of paths, given its value in the build cache. It
// reports whether that is one that encode returns.
func (d *corpusDecoder) decode(path string) bool {
	c, found := d.corpus, rare{}
	s := Source{previous: none, page: none}
	isPage := false
	d.flags(&isPage)
	s.File = source.File{Path: keepText(&d.paths, path), Size: d.size(), ModTime: d.int(), ChangeTime: d.int()}
	s.hash, s.gitDates = d.fixed64(), d.fixed64()
	found.head = d.problems()
	if isPage {
		s.page = int32(len(c.Pages))
		c.Pages = append(c.Pages, Page{Record: page.Record{Path: s.Path}, source: int32(len(c.Sources)), previous: none})
		d.decodePage(&c.Pages[s.page], &found)
	} else {
		c.LeftOut = append(c.LeftOut, s.Path)
	}
	s.rare = found.apart()
	c.Sources = append(c.Sources, s)
	return !d.failed && len(d.rest) == 0
}

// corpusDecoder makes a corpus of the values of a build cache.
type corpusDecoder struct {
	decoder

	corpus *Corpus
	paths  arena[byte]
	keep   arena[uint32]
	hashes []uint32 // of the page that is decoded
}

func (d *corpusDecoder) decodePage(p *Page, found *rare) {
	d.flags(&p.isValid, &p.Derived, &p.isBodiless, &p.isRendered)
	copy(p.ID[:], d.take(len(p.ID)))
	p.Language = d.within(p.Path)
	if kind := d.bytes(); len(kind) > 0 {
		if p.Kind = page.KindNamed(string(kind)); p.Kind == nil {
			d.fail()
		}
	}
	p.Topic, p.URL = d.within(p.Path), d.within(p.Path)
	p.Created, p.Modified = d.time(), d.time()
	p.IDPlace, p.URLPlace = d.place(), d.place()
	p.ItemHash = d.fixed64()
	if p.bodyStart, p.bodyEnd = d.int32(), d.int32(); p.bodyStart > p.bodyEnd {
		d.fail()
	}
	d.hashes = d.hashes[:0]
	for range d.count(4) {
		d.hashes = append(d.hashes, d.fixed32())
	}
	p.hashes = d.keep.keep(d.hashes)
	if p.dependencies = d.int32(); int(p.dependencies) > len(p.hashes) {
		p.dependencies = 0
		d.fail()
	}
	if n := d.count(1); n > 0 {
		found.embeds = make([]page.Embed, n)
		for k := range found.embeds {
			found.embeds[k].URI = d.text()
		}
	}
	found.assets = int(d.int32())
	found.body = d.problems()
	const leastLink = 12
	if n := d.count(leastLink); n > 0 {
		found.links = make([]anchorLink, n)
		for k := range found.links {
			found.links[k] = anchorLink{target: d.text(), anchor: d.fixed64(), text: d.text(), position: d.place()}
		}
	}
}
