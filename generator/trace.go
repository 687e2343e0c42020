package generator

import (
	"slices"
	"sync"
	"unsafe"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/markup"
	"example.org/sivu/generator/source"
)

// trace is what a run found of each source by itself. A run after it uses that
// again for every source that did not change in between, and so comes to the same
// end as one that reads all of them. What few sources have is kept apart: a large
// site has hundreds of thousands.
type trace struct {
	files    []source.File
	outcomes []outcome
	sums     []uint64              // of texts, by file
	places   []int32               // in the collection, by file, or nowhere
	dates    []gitDates            // by file; nil where dates are not from git
	asked    [][]markup.Dependency // by place in the collection; nil where no body was rendered
	tails    []head                // of api.AppendTail, by place; nil unless a view needs them
	walked   []diag.Diagnostic     // problems of the content folder
	judged   []diag.Diagnostic     // problems of the collection
	media    *media                // nil unless a view needs them

	mu     sync.Mutex
	heads  map[int32][]diag.Diagnostic // problems of heads, by file
	bodies map[int32][]diag.Diagnostic // problems of bodies, by place
	links  map[int32][]anchorLink      // by place
	assets map[int32]int               // relative addresses of assets, by place

	mediaLinks map[int32][]mediaLink // by place; nil unless a view needs them
}

// nowhere stands for a source that is no page of the collection.
const nowhere = -1

func newTrace(isLive bool) *trace {
	t := &trace{
		heads: map[int32][]diag.Diagnostic{}, bodies: map[int32][]diag.Diagnostic{},
		links: map[int32][]anchorLink{}, assets: map[int32]int{},
	}
	if isLive {
		t.tails, t.mediaLinks = []head{}, map[int32][]mediaLink{}
	}
	return t
}

// isLive reports whether a view needs the trace.
func (t *trace) isLive() bool { return t.tails != nil }

// begin makes room for files, before any is read.
func (t *trace) begin(files []source.File, outcomes []outcome, usesGit bool) {
	t.files, t.outcomes = files, outcomes
	t.sums = make([]uint64, len(files))
	t.places = make([]int32, len(files))
	if usesGit {
		t.dates = make([]gitDates, len(files))
	}
}

// beginBodies makes room for the pages of the collection.
func (t *trace) beginBodies(pages int) {
	t.asked = make([][]markup.Dependency, pages)
	if t.tails != nil {
		t.tails = make([]head, pages)
	}
}

// reporter returns where problems of the head of file i go.
func (r *run) reporter(i int) func(diag.Diagnostic) {
	return r.tracing(i, func(t *trace) map[int32][]diag.Diagnostic { return t.heads })
}

// bodyReporter returns where problems of the body in place i go.
func (r *run) bodyReporter(i int) func(diag.Diagnostic) {
	return r.tracing(i, func(t *trace) map[int32][]diag.Diagnostic { return t.bodies })
}

func (r *run) tracing(i int, of func(t *trace) map[int32][]diag.Diagnostic) func(diag.Diagnostic) {
	if r.trace == nil {
		return r.report
	}
	return func(d diag.Diagnostic) {
		r.trace.mu.Lock()
		list := of(r.trace)
		list[int32(i)] = append(list[int32(i)], d)
		r.trace.mu.Unlock()
		r.report(d)
	}
}

// keepBody keeps what was found of the body in place i, which asked something.
func (t *trace) keepBody(i int, result *markup.Result, links []anchorLink, asked []markup.Dependency) {
	t.asked[i] = asked
	if len(links) == 0 && result.Assets == 0 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(links) > 0 {
		t.links[int32(i)] = links
	}
	if result.Assets > 0 {
		t.assets[int32(i)] = result.Assets
	}
}

// keepMedia keeps what the body in place i shows.
func (t *trace) keepMedia(i int, links []mediaLink) {
	if len(links) > 0 {
		t.mu.Lock()
		t.mediaLinks[int32(i)] = links
		t.mu.Unlock()
	}
}

// arena keeps many short lists in a few long ones, for a garbage collector that
// then has little to look at.
type arena[T any] struct {
	apart bool // each list gets memory of its own, as it may outlive the others
	chunk []T
}

// keep returns a copy of a list. It is never nil.
func (a *arena[T]) keep(list []T) []T {
	if a.apart {
		return append(make([]T, 0, len(list)), list...)
	}
	if len(list) > cap(a.chunk)-len(a.chunk) || a.chunk == nil {
		const size = 32 << 10
		a.chunk = make([]T, 0, max(size, len(list)))
	}
	start := len(a.chunk)
	a.chunk = append(a.chunk, list...)
	return slices.Clip(a.chunk[start:])
}

// keepText is keep for texts.
func keepText(a *arena[byte], text string) string {
	b := a.keep([]byte(text))
	return unsafe.String(unsafe.SliceData(b), len(b))
}
