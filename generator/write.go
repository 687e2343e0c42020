package generator

import (
	"context"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/folder"
)

// writeLists stages all list pages, the bodies of errors and in-root files.
func (r *run) writeLists(ctx context.Context) error {
	if r.before != nil {
		return r.relist(ctx)
	}
	order := r.collection.newestFirst()
	pages := api.ListPages(len(order))
	r.begin("listing", pages)
	err := parallel(ctx, r.Jobs, pages, func() (func(int) error, func() error) {
		writer := r.newWriter()
		w := &listWorker{run: r, order: order, put: writer.WriteFile}
		next := func(k int) error {
			if err := intoBlock(writer, r.listBlock(k)); err != nil {
				return err
			}
			return w.write(pages - 1 - k) // the last one first
		}
		return next, writer.Close
	})
	if err != nil {
		return err
	}
	return r.writeTop(pages)
}

type listWorker struct {
	run   *run
	order []int32 // places of records, newest first
	put   func(path string, data []byte) error
	old   oldLists // of an incremental build
	heads []byte
	body  []byte
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
		if err := w.put(api.Folder+"/"+api.ListName(list.Number, v), w.body); err != nil {
			return err
		}
		if list.Number > 1 {
			continue
		}
		if err := w.put(api.Folder+"/"+api.IndexName(v), w.body); err != nil {
			return err
		}
	}
	return nil
}

// list returns list page n with the records that it shows.
func (w *listWorker) list(n int) (list api.List, err error) {
	list, w.heads, err = w.run.collection.list(w.order, n, w.heads, w.appendHead)
	return list, err
}

func (w *listWorker) appendHead(dst []byte, place int32) ([]byte, error) {
	record := &w.run.collection.records[place]
	if record.head != (head{}) {
		return w.run.heads.append(dst, record.head)
	}
	old, err := w.old.head(record.earlier)
	return append(dst, old...), err
}

// errorBodies returns the files that hold the bodies of errors.
func errorBodies() []folder.File {
	return []folder.File{
		{Name: api.NotFoundFile, Data: []byte(api.NotFoundBody)},
		{Name: api.MethodNotAllowedFile, Data: []byte(api.MethodNotAllowedBody)},
	}
}

// writeTop stages the files beside the folder of answers.
func (r *run) writeTop(pages int) error {
	w := r.newWriter()
	err := intoBlock(w, r.errorsBlock())
	for _, f := range errorBodies() {
		if err == nil {
			err = w.WriteFile(f.Name, f.Data)
		}
	}
	if err == nil {
		err = intoBlock(w, r.inRootBlock())
	}
	if err == nil {
		err = r.writeInRoot(w, pages)
	}
	if closeErr := w.Close(); err == nil {
		err = closeErr
	}
	return err
}
