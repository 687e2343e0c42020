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
		writer := r.stage.NewWriter()
		var buffer []byte
		return func(i int) error {
			r.Progress.step()
			var err error
			buffer, err = r.writeList(writer, r.collection.listed(order, i+1), buffer)
			return err
		}, writer.Close
	})
	if err != nil {
		return err
	}
	return r.writeErrorBodies()
}

// writeList stages both variants of one list page. The first is there under
// two names: without a page parameter, and as page 1.
func (r *run) writeList(w *snapshot.Writer, list api.List, buffer []byte) ([]byte, error) {
	for _, v := range api.Variants {
		buffer = r.links.AppendEnvelope(buffer[:0], list, v)
		names := []string{api.ListName(list.Number, v)}
		if list.Number == 1 {
			names = append(names, api.IndexName(v))
		}
		for _, name := range names {
			if err := w.WriteFile(api.Folder+"/"+name, buffer); err != nil {
				return buffer, err
			}
		}
	}
	return buffer, nil
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
