package generator

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/page"
)

// listedRun returns a live run of so many pages, all of them whole, with random ids.
func listedRun(pages int) *run {
	random := rand.New(rand.NewPCG(1, 2))
	r := &run{trace: newTrace(true), heads: &heads{}}
	for i := range pages {
		p := page.Record{Path: fmt.Sprintf("fi/%08d.md", i)}
		binary.BigEndian.PutUint64(p.ID[:], random.Uint64())
		r.collection.pages = append(r.collection.pages, p)
		r.collection.records = append(r.collection.records, record{head: head{length: 1}})
		r.trace.tails = append(r.trace.tails, head{length: 1})
	}
	return r
}

// BenchmarkView measures what every saved file costs in a site of 200,000 records:
// the view of them.
func BenchmarkView(b *testing.B) {
	r := listedRun(200_000)
	for b.Loop() {
		newView(r, nil, nil)
	}
}

// BenchmarkKeepLeftOut measures what it costs that 20,000 pages become drafts while
// the content folder has an error.
func BenchmarkKeepLeftOut(b *testing.B) {
	before, r := listedRun(20_000), &run{trace: newTrace(true)}
	for i := range before.collection.pages {
		r.collection.skipped = append(r.collection.skipped, before.collection.pages[i].Path)
	}
	r.trace.walked = []diag.Diagnostic{{}}
	r.diagnostics.Add((&diag.Rule{Name: "x", Severity: diag.Error}).At(diag.Position{}, "x"))
	r.heads = before.heads
	l := &Live{view: newView(before, nil, nil)}
	for b.Loop() {
		if kept, err := l.keep(r, nil); err != nil || len(kept) > 0 {
			b.Fatal(kept, err)
		}
	}
}
