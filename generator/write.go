package generator

import (
	"context"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/snapshot"
)

// writeLists stages all list pages, the bodies of errors and in-root files.
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
	return r.writeTop(pages)
}

type listWorker struct {
	run    *run
	order  []int32 // places of records, newest first
	writer *snapshot.Writer
	heads  []byte
	body   []byte
}

// write stages the variants of the list page after the first i. The first of
// all is there under two names: without a page parameter, and as page 1.
func (w *listWorker) write(i int) error {
	w.run.Progress.step()
	list, err := w.list(i + 1)
	if err != nil {
		return err
	}
	for _, v := range w.run.variants() {
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
func (w *listWorker) list(n int) (list api.List, err error) {
	c := &w.run.collection
	list, w.heads, err = c.list(w.run.heads, w.order, n, w.heads)
	return list, err
}

// writeTop stages the files beside the folder of answers.
func (r *run) writeTop(pages int) error {
	w := r.stage.NewWriter()
	err := w.WriteFile(api.NotFoundFile, []byte(api.NotFoundBody))
	if err == nil {
		err = w.WriteFile(api.MethodNotAllowedFile, []byte(api.MethodNotAllowedBody))
	}
	if err == nil {
		err = r.writeInRoot(w, pages)
	}
	if closeErr := w.Close(); err == nil {
		err = closeErr
	}
	return err
}
