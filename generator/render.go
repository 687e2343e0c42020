package generator

import (
	"context"
	"slices"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/folder"
	"example.org/sivu/generator/markup"
	"example.org/sivu/generator/page"
	"example.org/sivu/generator/source"
)

// renderPages is the second pass: it reads every page again, renders its body
// and stages the files of the record. Links between pages are judged at the
// end. Once there are errors it stages nothing, but goes on to find them all.
func (r *run) renderPages(ctx context.Context) error {
	r.anchors = newAnchors(len(r.collection.records))
	todo := r.recallBodies()
	if r.index == nil && len(todo) > 0 {
		c := &r.collection
		r.index = markup.NewIndex(c.pages, r.site.Languages, r.site.DefaultLanguage, c.skipped, isSource)
	}
	r.rendered = len(todo)
	if err := r.readHeads(ctx, todo); err != nil {
		return err
	}
	r.begin("rendering", len(todo))
	writing := r.writes() && !r.failed()
	r.arrange(todo)
	err := parallel(ctx, r.Jobs, len(todo), func() (func(int) error, func() error) {
		w := r.newRenderWorker(writing)
		return func(k int) error { return w.renderNext(k, todo[k]) }, w.end
	})
	if err != nil {
		return err
	}
	r.anchors.judge(r)
	if r.trace != nil && r.trace.isLive() {
		r.judgeMedia()
	}
	r.reportAssets()
	return nil
}

// readHeads reads the heads of pages that were not read, and are rendered because
// a page that they link to moved.
func (r *run) readHeads(ctx context.Context, todo []int32) error {
	if r.before == nil || r.heads == nil {
		return nil
	}
	places := slices.DeleteFunc(slices.Clone(todo), func(place int32) bool {
		record := &r.collection.records[place]
		return !record.whole || record.head != (head{})
	})
	return parallel(ctx, r.Jobs, len(places), func() (func(int) error, func() error) {
		w := r.newReadWorker()
		return func(k int) error { return w.again(int(places[k])) }, w.end
	})
}

type renderWorker struct {
	run      *run
	anchors  arena[uint32]
	asked    arena[markup.Question]
	halves   []uint32
	loader   source.Loader
	renderer *markup.Renderer
	writer   fileWriter  // nil where nothing is staged
	tails    *headWriter // nil where they are not kept
	assets   int
	head     []byte
	content  []byte
	tail     []byte
	details  [len(api.Variants)][]byte
}

func (r *run) newRenderWorker(writing bool) *renderWorker {
	options := markup.Options{Trusted: r.site.TrustHTML, Assets: r.site.Assets}
	w := &renderWorker{
		run:      r,
		renderer: markup.NewRenderer(options, r.index),
	}
	if writing {
		w.writer = r.newWriter()
	}
	if r.trace != nil && r.trace.tails != nil {
		w.tails = &headWriter{heads: r.heads}
		w.anchors.apart, w.asked.apart = r.before != nil, r.before != nil
	}
	return w
}

func (w *renderWorker) end() error {
	w.run.assets.Add(int64(w.assets))
	w.loader.Close()
	if w.tails != nil {
		return w.tails.flush()
	}
	if w.writer == nil {
		return nil
	}
	return w.writer.Close()
}

func (w *renderWorker) render(i int) error {
	r := w.run
	r.Progress.step()
	record := &r.collection.records[i]
	if record.bodiless {
		return nil
	}
	name := r.collection.pages[i].Path
	file := &source.File{Path: name}
	text, ok := w.loader.Reload(r.fsys, file, record.sum, r.report)
	if !ok {
		return r.staleText(record)
	}
	if int(record.bodyEnd) > len(text) {
		return errStale
	}
	result := w.renderer.Render(i, file.Format().Syntax, text[record.bodyStart:record.bodyEnd])
	w.assets += result.Assets
	links := w.take(i, text, result)
	if r.trace != nil {
		r.trace.keepBody(i, result, links, w.asked.keep(result.Asked))
	}
	switch {
	case !record.whole:
	case w.tails != nil:
		return w.keepTail(i, result)
	case w.writer != nil:
		return w.stage(i, result)
	}
	return nil
}

// keepTail sets aside what the record in detail has beyond the list record.
func (w *renderWorker) keepTail(i int, result *markup.Result) (err error) {
	w.makeTail(i, result)
	w.run.trace.tails[i], err = w.tails.keep(w.tail)
	return err
}

// take keeps what is judged at the end of the run and reports the rest. It
// returns the links to anchors of other pages.
func (w *renderWorker) take(i int, text []byte, result *markup.Result) []anchorLink {
	w.halves = halves(w.halves[:0], result.Anchors)
	w.run.anchors.there[i] = w.anchors.keep(w.halves)
	record := &w.run.collection.records[i]
	name := w.run.collection.pages[i].Path
	if len(result.Problems)+len(result.Links)+len(result.Files) == 0 {
		return nil
	}
	locator := diag.NewLocator(text)
	position := func(offset int) diag.Position {
		line, column := locator.LineColumn(int(record.bodyStart) + offset)
		return diag.Position{File: name, Line: line, Column: column}
	}
	slices.SortFunc(result.Problems, func(a, b markup.Problem) int { return a.Offset - b.Offset })
	report := w.run.bodyReporter(i)
	for _, p := range result.Problems {
		report(diagnostic(p, position(p.Offset)))
	}
	if w.tails != nil {
		w.run.trace.keepMedia(i, mediaLinks(result.Files, position))
	}
	links := make([]anchorLink, len(result.Links))
	for k, l := range result.Links {
		links[k] = anchorLink{l, position(l.Offset)}
	}
	w.run.anchors.add(links)
	return links
}

// stage writes the variants of the record in detail.
func (w *renderWorker) stage(i int, result *markup.Result) error {
	c := &w.run.collection
	p := &c.pages[i]
	var err error
	if w.head, err = w.run.heads.append(w.head[:0], c.records[i].head); err != nil {
		return err
	}
	w.makeTail(i, result)
	var files [len(api.Variants)]folder.File
	variants := w.run.variants()
	for k, v := range variants {
		w.details[k] = w.run.links.AppendDetail(w.details[k][:0], w.head, w.tail, p.ID, v)
		files[k] = folder.File{Name: api.IndexName(v), Data: w.details[k]}
	}
	return w.writer.WriteFolder(api.RecordFolder(p.ID), files[:len(variants)]...)
}

func (w *renderWorker) makeTail(i int, result *markup.Result) {
	p := &w.run.collection.pages[i]
	w.content = markup.AppendContent(w.content[:0], p.Modified, result.Content)
	w.tail = api.AppendTail(w.tail[:0], w.embeds(p.Path, result.Embeds), w.content)
}

// embeds returns those of a page's front matter and then those of its body,
// each once.
func (w *renderWorker) embeds(name string, inBody []page.Embed) []page.Embed {
	given := w.run.collection.embeds[name]
	if len(given) == 0 {
		return inBody
	}
	all := slices.Clip(given)
	for _, e := range inBody {
		if !slices.Contains(all, e) {
			all = append(all, e)
		}
	}
	return all
}
