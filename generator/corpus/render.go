package corpus

import (
	"bytes"
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/markup"
	"example.org/sivu/generator/page"
	"example.org/sivu/generator/source"
	"example.org/sivu/generator/work"
)

// ErrStale means that the build cache does not fit the sources, or the output folder:
// the site has to be built without it.
var ErrStale = errors.New("the output folder is not as the last build left it")

// Writer takes the files of records. One goroutine uses it.
type Writer interface {
	// Block says which block the files that follow are in, where their order counts:
	// an archive holds them in the order of blocks. Files of one block come one after
	// the other.
	Block(n int) error

	WriteFolder(dir string, files ...api.File) error
	Close() error
}

// Output is where the files of records go.
type Output struct {
	NewWriter func() Writer
	ByID      bool // in the order of ids, so that the names of sources have no influence
}

// Render reads every page again that cannot be reused, renders its body and writes the
// files of its record. Links to anchors are checked at the end. Where there are
// errors, or no output, nothing is written. A source that changed since [Scan] is a
// problem, or, where the build cache has its hash, ErrStale.
func (c *Corpus) Render(ctx context.Context, out *Output) error {
	c.CheckEmpty()
	c.reportMoved()
	todo := c.reuseBodies()
	isPartial := len(c.settings.Only) > 0
	if isPartial {
		var err error
		if todo, err = c.only(); err != nil {
			return err
		}
	}
	if c.index == nil && len(todo) > 0 {
		c.index = c.newIndex(c.Records())
	}
	c.Rendered = len(todo)
	c.settings.Progress.Begin("rendering", len(todo))
	if c.Failed() {
		out = nil
	}
	if out != nil && out.ByID {
		slices.SortFunc(todo, func(a, b int32) int { return bytes.Compare(c.Pages[a].ID[:], c.Pages[b].ID[:]) })
	}
	if err := c.renderBodies(ctx, todo, out); err != nil {
		return err
	}
	c.reportCounts()
	c.reportMarkers()
	c.checkMedia()
	if isPartial {
		if err := c.renderBodies(ctx, c.anchorTargets(todo), nil); err != nil {
			return err
		}
	}
	c.checkAnchors()
	c.changes, c.history.ask = nil, nil
	if c.options.Live {
		c.previous = nil // there will be no lists
	} else {
		c.index = nil
	}
	return nil
}

func (c *Corpus) renderBodies(ctx context.Context, todo []int32, out *Output) error {
	return work.Parallel(ctx, c.settings.Jobs, len(todo), func() (func(int) error, func() error) {
		b := c.newBodyRenderer(out)
		return func(k int) error {
			c.settings.Progress.Step()
			if b.writer != nil {
				if err := b.writer.Block(k / work.Batch); err != nil {
					return err
				}
			}
			return b.render(todo[k])
		}, b.end
	})
}

// bodyRenderer renders bodies for one goroutine.
type bodyRenderer struct {
	corpus   *Corpus
	loader   source.Loader
	renderer *markup.Renderer
	writer   Writer   // nil where nothing is written
	spooler  *Spooler // nil where whole records are not kept
	keep     arena[uint32]
	heads    *headReader

	// Buffers.
	results bodyResults
	hashes  []uint32
	item    []byte
	cut     []byte // a body without parts that are left out
	content []byte
	suffix  []byte
	details [len(api.Variants)][]byte
}

func (c *Corpus) newBodyRenderer(out *Output) *bodyRenderer {
	site := c.settings.Site
	b := &bodyRenderer{corpus: c, heads: c.newHeadReader(), renderer: markup.NewRenderer(markup.Options{
		Trusted: site.TrustHTML, Assets: site.Assets, Generator: site.Generator, Markers: site.Markers,
	}, c.index)}
	if c.options.Live {
		b.spooler, b.keep.apart = &Spooler{Spool: c.options.Spool}, c.previous != nil
	} else if out != nil {
		b.writer = out.NewWriter()
	}
	return b
}

func (b *bodyRenderer) end() error {
	if b.spooler != nil {
		return b.spooler.Flush()
	}
	if b.writer == nil {
		return nil
	}
	return b.writer.Close()
}

func (b *bodyRenderer) render(index int32) error {
	c := b.corpus
	p := &c.Pages[index]
	s := &c.Sources[p.source]
	p.rendered = unrendered
	if p.isBodiless {
		return nil
	}
	text, ok := b.loader.Reload(c.settings.Files, &s.File, s.hash, c.Add)
	if !ok && c.stored != nil && p.previous != none {
		return ErrStale // only the build cache says which text it has
	}
	if !ok {
		return nil // a problem was reported
	}
	if int(p.bodyEnd) > len(text) {
		return ErrStale
	}
	result := b.renderer.Render(int(index), c.settings.Site.FormatOf(s.Path).Syntax, b.body(p, s, text))
	b.keepBody(p, s, text, result)
	switch {
	case !p.isValid:
		return nil
	case b.spooler != nil:
		b.makeSuffix(p, s, result)
		var err error
		p.Suffix, err = b.spooler.Write(b.suffix)
		return err
	case b.writer != nil:
		return b.write(p, s, text, result)
	}
	return nil
}

// keepBody keeps the dependencies, anchors and links of a body, and reports its problems.
func (b *bodyRenderer) keepBody(p *Page, s *Source, text []byte, result *markup.Result) {
	b.hashes = b.hashes[:0]
	for _, dependency := range result.Deps {
		b.hashes = append(b.hashes, uint32(dependency))
	}
	p.isRendered, p.dependencies = true, int32(len(b.hashes))
	for _, hash := range result.Anchors {
		b.hashes = append(b.hashes, uint32(hash)) // half of it: see checkAnchors
	}
	p.hashes = b.keep.keep(b.hashes)
	if result.IsEmpty() && p.isValid && len(result.Problems)+len(s.head.embeds) == 0 && !p.Kind.NoBody && !isSection(p.Path) {
		result.Problems = append(result.Problems, markup.Problem{
			Rule: markup.EmptyBody, Message: "the page has no body: its content is empty",
			Hint: "write one, or leave the page out with \"draft: true\"",
		})
	}
	if len(result.Problems)+len(result.Links)+len(result.Files)+len(result.Markers)+result.Assets+result.Cosmetic == 0 {
		return
	}
	found := &b.results
	*found = bodyResults{assets: result.Assets, looks: result.Cosmetic}
	locator := diag.NewLocator(text)
	position := func(offset int) page.Position {
		line, column := locator.LineColumn(int(p.bodyStart) + offset)
		return page.Position{Line: int32(line), Column: int32(column)}
	}
	slices.SortFunc(result.Problems, func(a, b markup.Problem) int { return a.Offset - b.Offset })
	for _, problem := range result.Problems {
		d := diagnostic(problem, p.at(position(problem.Offset)))
		found.problems = append(found.problems, d)
		b.corpus.Add(d)
	}
	for _, m := range result.Markers {
		found.markers = append(found.markers, bodyMarker{m, position(m.Offset)})
	}
	for _, f := range result.Files {
		if name := mediaName(f); name != "" {
			found.media = append(found.media, MediaLink{name, position(f.Offset)})
		}
	}
	for _, l := range result.Links {
		found.links = append(found.links, anchorLink{
			target: b.corpus.Pages[l.Target].Path, anchor: l.Anchor, text: l.Text,
			position: position(l.Offset),
		})
	}
	p.body = apart(found, &noBody)
}

// isSection reports whether a source is that of a folder, on Hugo, which shows what is in
// the folder.
func isSection(name string) bool { return strings.HasPrefix(path.Base(name), "_index.") }

// write writes the variants of the detail record.
func (b *bodyRenderer) write(p *Page, s *Source, text []byte, result *markup.Result) (err error) {
	c := b.corpus
	if p.Item != (Ref{}) {
		if b.item, err = c.options.Spool.Append(b.item[:0], p.Item); err != nil {
			return err
		}
	} else { // the head was reused, and a page that the body links to moved
		if b.item, err = b.heads.itemAgain(b.item[:0], s, text); err != nil {
			return err
		}
	}
	b.makeSuffix(p, s, result)
	var files [len(api.Variants)]api.File
	for k, v := range c.settings.Variants {
		b.details[k] = c.settings.API.AppendDetail(b.details[k][:0], b.item, b.suffix, p.ID, v)
		files[k] = api.File{Name: api.IndexName(v), Data: b.details[k]}
	}
	return b.writer.WriteFolder(api.RecordFolder(p.ID), files[:len(c.settings.Variants)]...)
}

func (b *bodyRenderer) makeSuffix(p *Page, s *Source, result *markup.Result) {
	embeds := result.Embeds
	if len(s.head.embeds) > 0 {
		// Those of front matter, and then those of the body, each once.
		embeds = slices.Clip(s.head.embeds)
		for _, e := range result.Embeds {
			if !slices.Contains(embeds, e) {
				embeds = append(embeds, e)
			}
		}
	}
	b.content = markup.AppendContent(b.content[:0], p.Modified, result.Content)
	b.suffix = api.AppendSuffix(b.suffix[:0], embeds, b.content)
}
