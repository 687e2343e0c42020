package generator

import (
	"path"
	"slices"
	"strings"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/markup"
	"example.org/sivu/generator/page"
	"example.org/sivu/generator/source"
)

// trace is what a run found of each source by itself. A run after it uses that
// again for every source that was not touched in between, and so comes to the
// same end as one that reads all of them.
type trace struct {
	files    []source.File
	outcomes []outcome           // by file
	heads    [][]diag.Diagnostic // problems of a head, by file
	bodies   []body              // by place in the collection
	walked   []diag.Diagnostic   // problems of the content folder
	judged   []diag.Diagnostic   // problems of the collection
	read     int                 // how many heads were not taken over
	rendered int                 // how many bodies were not

	touched map[string]bool // files and folders that may have changed since the run before
	earlier []int32         // places in the collection of the run before, by file and later by place; -1 for none
}

// body is what was found of a page's body.
type body struct {
	done     bool
	tail     head // of api.AppendTail; none where the page's head has errors
	problems []diag.Diagnostic
	links    []anchorLink
	asked    []markup.Question // see markup.Changes
	assets   int
}

// reporter returns where problems of the head of file i go.
func (r *run) reporter(i int) func(diag.Diagnostic) {
	if r.trace == nil {
		return r.report
	}
	return func(d diag.Diagnostic) {
		r.trace.heads[i] = append(r.trace.heads[i], d)
		r.report(d)
	}
}

// bodyReporter returns where problems of the body in place i go.
func (r *run) bodyReporter(i int) func(diag.Diagnostic) {
	if r.trace == nil {
		return r.report
	}
	return func(d diag.Diagnostic) {
		r.trace.bodies[i].problems = append(r.trace.bodies[i].problems, d)
		r.report(d)
	}
}

func (t *trace) keepBody(i int, result *markup.Result, links []anchorLink) {
	b := &t.bodies[i]
	b.done, b.links, b.assets = true, links, result.Assets
	b.asked = slices.Clone(result.Asked)
}

// recallFiles returns the files of the run before, if all that were touched
// were among them and still are files. It returns nil where the content folder
// has to be walked.
func (r *run) recallFiles() []source.File {
	if r.before == nil {
		return nil
	}
	t := r.before.trace
	files := slices.Clone(t.files)
	for name := range r.trace.touched {
		i, ok := slices.BinarySearchFunc(files, name, func(f source.File, name string) int {
			return strings.Compare(f.Path, name)
		})
		if !ok || !files[i].Refresh(r.fsys) {
			return nil
		}
	}
	r.trace.walked = t.walked
	r.reportAll(t.walked)
	return files
}

func (r *run) reportAll(list []diag.Diagnostic) {
	for _, d := range list {
		r.report(d)
	}
}

// recallReads takes over what the run before understood of the heads of files
// that were not touched, and returns which are left to be read.
func (r *run) recallReads(files []source.File, outcomes []outcome) []int32 {
	todo := make([]int32, 0, len(files))
	if r.trace != nil {
		r.trace.heads = make([][]diag.Diagnostic, len(files))
		r.trace.earlier = make([]int32, len(files))
	}
	var recall func(i int) bool
	if r.before != nil {
		recall = r.recaller(files, outcomes)
	}
	for i := range files {
		if recall != nil && recall(i) {
			continue
		}
		if r.trace != nil {
			r.trace.earlier[i] = -1
		}
		todo = append(todo, int32(i))
	}
	if r.trace != nil {
		r.trace.read = len(todo)
	}
	return todo
}

// recaller returns a function that takes over one file, and must be called for
// all of them in order.
func (r *run) recaller(files []source.File, outcomes []outcome) func(i int) bool {
	before := r.before.trace
	old, place := 0, int32(0) // of the next file of the run before
	return func(i int) bool {
		name := files[i].Path
		for old < len(before.files) && before.files[old].Path < name {
			if before.outcomes[old] == found {
				place++
			}
			old++
		}
		if old == len(before.files) || !isSameFile(&before.files[old], &files[i]) || r.trace.isTouched(name) {
			return false
		}
		outcomes[i] = before.outcomes[old]
		r.trace.heads[i] = before.heads[old]
		r.reportAll(before.heads[old])
		if outcomes[i] == found {
			r.takeOver(i, place)
		}
		return true
	}
}

func isSameFile(a, b *source.File) bool {
	return a.Path == b.Path && a.Size == b.Size && a.ModTime.Equal(b.ModTime)
}

// isTouched reports whether a file, or a folder that it lies in, was touched.
func (t *trace) isTouched(name string) bool {
	for ; name != "."; name = path.Dir(name) {
		if t.touched[name] {
			return true
		}
	}
	return false
}

// takeOver fills in place i of the collection from that of the run before.
func (r *run) takeOver(i int, place int32) {
	from, to := &r.before.collection, &r.collection
	to.pages[i], to.records[i] = from.pages[place], from.records[place]
	if embeds, ok := from.embeds[to.pages[i].Path]; ok {
		to.keepEmbeds(to.pages[i].Path, embeds)
	}
	r.trace.earlier[i] = place
}

// recallJudgement takes over the judgement of the run before, if the collection
// is the same in all that rules and links ask for.
func (r *run) recallJudgement() bool {
	if r.before == nil || !slices.Equal(r.collection.skipped, r.before.collection.skipped) ||
		!slices.EqualFunc(r.collection.pages, r.before.collection.pages, isSameButDates) {
		return false
	}
	r.index = r.before.index
	r.trace.judged = r.before.trace.judged
	r.reportAll(r.trace.judged)
	return true
}

func isSameButDates(a, b page.Record) bool {
	a.Created, a.Modified = b.Created, b.Modified
	return a == b
}

// recallBodies takes over what the run before found in bodies of sources that
// were not touched and whose links lead where they led, and returns the places
// of those that are left to be rendered.
func (r *run) recallBodies() []int32 {
	todo := make([]int32, 0, len(r.collection.pages))
	if r.trace != nil {
		r.trace.bodies = make([]body, len(r.collection.pages))
	}
	var changes map[markup.Question]struct{}
	var moved []int32
	if r.before != nil && r.index != r.before.index {
		before, now := &r.before.collection, &r.collection
		changes = markup.Changes(before.pages, now.pages, before.skipped, now.skipped)
		moved = r.moved()
	}
	isChanged := func(question markup.Question) bool {
		_, ok := changes[question]
		return ok
	}
	for i := range r.collection.pages {
		if r.before == nil || r.trace.earlier[i] < 0 {
			todo = append(todo, int32(i))
			continue
		}
		b := &r.before.trace.bodies[r.trace.earlier[i]]
		if !b.done || len(changes) > 0 && slices.ContainsFunc(b.asked, isChanged) {
			todo = append(todo, int32(i))
			continue
		}
		r.recallBody(i, b, moved)
	}
	if r.trace != nil {
		r.trace.rendered = len(todo)
	}
	return todo
}

func (r *run) recallBody(i int, b *body, moved []int32) {
	kept := *b
	if moved != nil && len(b.links) > 0 {
		kept.links = slices.Clone(b.links)
		for k := range kept.links {
			kept.links[k].Target = int(moved[kept.links[k].Target])
		}
	}
	r.trace.bodies[i] = kept
	r.anchors.there[i] = r.before.anchors.there[r.trace.earlier[i]]
	r.anchors.links = append(r.anchors.links, kept.links...)
	r.reportAll(kept.problems)
	r.assets.Add(int64(kept.assets))
}

// moved returns the places in this collection of all pages of the run before,
// -1 for those that are gone. No link that is taken over leads to such a page.
func (r *run) moved() []int32 {
	before, now := r.before.collection.pages, r.collection.pages
	places := make([]int32, len(before))
	i := 0
	for old := range before {
		for i < len(now) && now[i].Path < before[old].Path {
			i++
		}
		places[old] = -1
		if i < len(now) && now[i].Path == before[old].Path {
			places[old] = int32(i)
		}
	}
	return places
}
