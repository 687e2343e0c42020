package generator

import (
	"path"
	"slices"
	"strings"
	"sync/atomic"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/lint"
	"example.org/sivu/generator/markup"
	"example.org/sivu/generator/page"
	"example.org/sivu/generator/source"
)

// recall is what a run knows of one before it.
type recall struct {
	*run // the run before

	// touched are the files and folders that may have changed since. Where it is
	// nil, the size and the time of a file tell, and if they differ its text.
	touched map[string]bool
	// racy is a time, in microseconds since 1970, from which on that of a file
	// proves nothing.
	racy    int64
	wasRacy atomic.Bool // a file had such a time, and its text was the same

	changes map[markup.Dependency]struct{} // what the index answers in another way now

	files []int32 // by file of this run: the file of the run before, or nowhere
	clean []bool  // by file of this run: nothing is known of it that was not known before
	moved []int32 // by place in the run before: the place in this one; nil where all are the same
}

// recallListing returns the listing of the run before, if it is known what was
// touched, and all of that were among its files and still are files. It returns
// nil where the content folder has to be walked.
func (r *run) recallListing() *source.Listing {
	if r.before == nil || r.before.touched == nil {
		return nil
	}
	listing := *r.before.listing
	listing.Files = slices.Clone(listing.Files)
	files := listing.Files
	for name := range r.before.touched {
		i, ok := slices.BinarySearchFunc(files, name, func(f source.File, name string) int {
			return strings.Compare(f.Path, name)
		})
		if !ok || !files[i].Refresh(r.fsys) {
			return nil
		}
	}
	r.trace.walked, r.trace.media = r.before.trace.walked, r.before.trace.media
	r.reportAll(r.trace.walked)
	return &listing
}

func (r *run) reportAll(list []diag.Diagnostic) {
	for _, d := range list {
		r.report(d)
	}
}

// recallReads takes over what the run before understood of the heads of files
// that did not change, and returns which are left to be read.
func (r *run) recallReads(files []source.File) []int32 {
	todo := make([]int32, 0, len(files))
	if r.before == nil {
		for i := range files {
			r.collection.records[i].earlier = nowhere
			todo = append(todo, int32(i))
		}
		return todo
	}
	b := r.before
	b.files, b.clean = make([]int32, len(files)), make([]bool, len(files))
	old := 0
	for i := range files {
		for old < len(b.trace.files) && b.trace.files[old].Path < files[i].Path {
			old++
		}
		b.files[i], r.collection.records[i].earlier = nowhere, nowhere
		if old < len(b.trace.files) && b.trace.files[old].Path == files[i].Path {
			b.files[i] = int32(old)
			files[i].Path = b.trace.files[old].Path // one of two equal texts is enough
		}
		if b.files[i] == nowhere || !b.isUntouched(&b.trace.files[old], &files[i]) || !r.hasSameDates(old) {
			todo = append(todo, int32(i))
			continue
		}
		r.takeOver(i, old)
		b.clean[i] = true
	}
	return todo
}

// isUntouched reports whether a file need not be looked at to know that it is the
// same.
func (b *recall) isUntouched(old, now *source.File) bool {
	if !isSameFile(old, now) {
		return false
	}
	if b.touched == nil {
		return now.ModTime < b.racy
	}
	for name := now.Path; name != "."; name = path.Dir(name) {
		if b.touched[name] {
			return false
		}
	}
	return true
}

func isSameFile(a, b *source.File) bool {
	return a.Size == b.Size && a.ModTime == b.ModTime && a.ChangeTime == b.ChangeTime
}

// recallText takes over what the run before understood of file i if its text is
// still the same. Where times of files are dates of pages, that is not enough.
func (r *run) recallText(i int, sum uint64) bool {
	if r.before == nil || r.before.files[i] == nowhere {
		return false
	}
	old := int(r.before.files[i])
	if r.before.trace.sums[old] != sum || r.usesDates(source.DatesMtime) || !r.hasSameDates(old) {
		return false
	}
	r.takeOver(i, old)
	if isSameFile(&r.before.trace.files[old], &r.trace.files[i]) {
		r.before.wasRacy.Store(true)
	}
	return true
}

// takeOver fills in place i of the collection from a file of the run before.
func (r *run) takeOver(i, old int) {
	b, t := r.before, r.trace
	t.outcomes[i], t.sums[i] = b.trace.outcomes[old], b.trace.sums[old]
	if t.dates != nil && b.trace.dates != nil {
		t.dates[i] = b.trace.dates[old]
	}
	if problems := b.trace.heads[int32(old)]; len(problems) > 0 {
		t.mu.Lock()
		t.heads[int32(i)] = problems
		t.mu.Unlock()
		r.reportAll(problems)
	}
	if t.outcomes[i] == leftOut {
		return
	}
	place := b.trace.places[old]
	from, to := &b.collection, &r.collection
	to.pages[i], to.records[i] = from.pages[place], from.records[place]
	to.records[i].earlier = place
	if embeds, ok := from.embeds[to.pages[i].Path]; ok {
		to.keepEmbeds(to.pages[i].Path, embeds)
	}
}

// reuseLint takes over what the rules found in the run before, if the collection
// is the same in all that they read.
func (r *run) reuseLint() bool {
	if r.before == nil || !lint.Same(r.lintCollection(), &lint.Collection{Pages: r.before.collection.pages, Languages: r.site.Languages}) {
		return false
	}
	r.trace.judged = r.before.trace.judged
	r.reportAll(r.trace.judged)
	return true
}

// reuseIndex finds out which links may lead elsewhere than in the run before. If
// none do, its index is used, where it has one; a run that renders nothing needs
// none.
func (r *run) reuseIndex() bool {
	b := r.before
	if b == nil {
		return false
	}
	before, now := &b.collection, &r.collection
	b.changes = markup.Changes(before.pages, now.pages, before.skipped, now.skipped, isSource)
	if len(b.changes) > 0 {
		return false
	}
	if b.index != nil {
		r.index = b.index.With(now.pages, now.skipped)
	}
	return true
}

// recallBodies takes over what the run before found in bodies of sources that
// did not change and whose links lead where they led, and returns the places of
// those that are left to be rendered.
func (r *run) recallBodies() []int32 {
	pages := len(r.collection.pages)
	if r.trace != nil {
		r.trace.beginBodies(pages)
	}
	todo := make([]int32, 0, pages)
	if r.before == nil {
		for i := range pages {
			todo = append(todo, int32(i))
		}
		return todo
	}
	changes := r.before.changes
	r.before.changes = nil
	if len(changes) > 0 {
		r.before.findMoved(r.collection.pages)
	}
	isChanged := func(question markup.Dependency) bool {
		_, ok := changes[question]
		return ok
	}
	for i := range pages {
		earlier := r.collection.records[i].earlier
		if earlier == nowhere || r.before.trace.asked[earlier] == nil || r.before.leadsNowhere(earlier) ||
			len(changes) > 0 && slices.ContainsFunc(r.before.trace.asked[earlier], isChanged) {
			todo = append(todo, int32(i))
			r.before.clean[r.collection.records[i].file] = false
			continue
		}
		r.recallBody(int32(i), earlier)
	}
	return todo
}

func (r *run) recallBody(i, earlier int32) {
	b, t := r.before, r.trace
	t.asked[i] = b.trace.asked[earlier]
	r.anchors.there[i] = b.anchors.there[earlier]
	if t.tails != nil {
		t.tails[i] = b.trace.tails[earlier]
	}
	if problems := b.trace.bodies[earlier]; len(problems) > 0 {
		t.bodies[i] = problems
		r.reportAll(problems)
	}
	if n := b.trace.assets[earlier]; n > 0 {
		t.assets[i] = n
		r.assets.Add(int64(n))
	}
	if links := b.trace.mediaLinks[earlier]; len(links) > 0 {
		t.mediaLinks[i] = links
	}
	links := b.trace.links[earlier]
	if len(links) == 0 {
		return
	}
	if b.moved != nil {
		links = slices.Clone(links)
		for k := range links {
			links[k].Target = int(b.moved[links[k].Target])
		}
	}
	t.links[i] = links
	r.anchors.links = append(r.anchors.links, links...)
}

// leadsNowhere reports whether a page had a link to an anchor of a page that is
// gone. Its questions tell that, too, but a state may be wrong.
func (b *recall) leadsNowhere(place int32) bool {
	return b.moved != nil && slices.ContainsFunc(b.trace.links[place], func(l anchorLink) bool { return b.moved[l.Target] == nowhere })
}

// findMoved finds the places in this collection of all pages of the run before.
func (b *recall) findMoved(now []page.Record) {
	before := b.collection.pages
	b.moved = make([]int32, len(before))
	i := 0
	for old := range before {
		for i < len(now) && now[i].Path < before[old].Path {
			i++
		}
		b.moved[old] = nowhere
		if i < len(now) && now[i].Path == before[old].Path {
			b.moved[old] = int32(i)
		}
	}
}
