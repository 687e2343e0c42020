package generator

import (
	"context"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/snapshot"
)

// writeLists stages all list pages and the bodies of errors.
func (r *run) writeLists(ctx context.Context) error {
	order := r.collection.newestFirst()
	pages := api.ListPages(len(order))
	r.begin("listing", pages)
	err := parallel(ctx, r.Jobs, pages, func() (func(int) error, func() error) {
		w := &listWorker{run: r, order: order, writer: r.stage.NewWriter()}
		return w.write, w.writer.Close
	})
	if err != nil {
		return err
	}
	return r.writeErrorBodies()
}

type listWorker struct {
	run    *run
	order  []int32 // places of records, newest first
	writer *snapshot.Writer
	heads  []byte
	body   []byte
}

// write stages both variants of the list page after the first i. The first of
// all is there under two names: without a page parameter, and as page 1.
func (w *listWorker) write(i int) error {
	w.run.Progress.step()
	list, err := w.list(i + 1)
	if err != nil {
		return err
	}
	for _, v := range api.Variants {
		w.body = w.run.links.AppendEnvelope(w.body[:0], list, v)
		if err := w.writer.WriteFile(api.Folder+"/"+api.ListName(list.Number, v), w.body); err != nil {
			return err
		}
		if list.Number > 1 {
			continue
		}
		if err := w.writer.WriteFile(api.Folder+"/"+api.IndexName(v), w.body); err != nil {
			return err
		}
	}
	return nil
}

// list returns list page n with the records that it shows.
func (w *listWorker) list(n int) (api.List, error) {
	c := &w.run.collection
	start := (n - 1) * api.PageSize
	shown := w.order[start:min(start+api.PageSize, len(w.order))]
	var ends [api.PageSize]int
	w.heads = w.heads[:0]
	for i, place := range shown {
		var err error
		if w.heads, err = w.run.heads.append(w.heads, c.records[place].head); err != nil {
			return api.List{}, err
		}
		ends[i] = len(w.heads)
	}
	return api.List{Count: len(w.order), Number: n, Results: func(i int) api.Record {
		begin := 0
		if i > 0 {
			begin = ends[i-1]
		}
		return api.Record{ID: c.pages[shown[i]].ID, Head: w.heads[begin:ends[i]]}
	}}, nil
}

func (r *run) writeErrorBodies() error {
	w := r.stage.NewWriter()
	err := w.WriteFile(api.NotFoundFile, []byte(api.NotFoundBody))
	if err == nil {
		err = w.WriteFile(api.MethodNotAllowedFile, []byte(api.MethodNotAllowedBody))
	}
	if closeErr := w.Close(); err == nil {
		err = closeErr
	}
	return err
}
