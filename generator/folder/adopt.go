package folder

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"example.org/sivu/generator/api"
)

// unfit is why a folder is not adopted.
type unfit string

func (u unfit) Error() string { return string(u) }

func unfitf(format string, args ...any) error { return unfit(fmt.Sprintf(format, args...)) }

// checkShape returns an unfit unless the folder holds a snapshot and nothing else,
// judged by names, and by the bytes of the error bodies: these; the first list page
// under both names, and every one up to the last; the answer in each folder of a
// record, unless that is empty; precompressed variants only beside their answers; host files;
// and .sivu.
func checkShape(root *disk, bodies []api.File) error {
	err := checkFolder(root, ".", api.ErrorFiles, func(d fs.DirEntry) (api.Path, bool) {
		if d.IsDir() {
			return api.Path{}, slices.Contains([]string{stateDir, pagesDir, lostAndFound}, d.Name())
		}
		return api.RootPath(d.Name())
	})
	if err == nil {
		err = checkBodies(root, bodies)
	}
	if err != nil {
		return err
	}
	var records []string
	err = checkFolder(root, pagesDir, []string{"index.json", "page-1.json"}, func(d fs.DirEntry) (api.Path, bool) {
		if !d.IsDir() {
			return api.ParsePath(pagesDir + "/" + d.Name())
		}
		records = append(records, d.Name())
		return api.ParseRecordFolder(d.Name())
	})
	for _, id := range records {
		if err == nil {
			err = checkFolder(root, pagesDir+"/"+id, []string{"index.json"}, func(d fs.DirEntry) (api.Path, bool) {
				k, ok := api.ParsePath(pagesDir + "/" + id + "/" + d.Name())
				return k, ok && !d.IsDir()
			})
		}
	}
	return err
}

// checkBodies returns an unfit unless the files hold just these bytes.
func checkBodies(root *disk, bodies []api.File) error {
	for _, f := range bodies {
		data, err := root.readUpTo(f.Name, int64(len(f.Data)))
		if err != nil && !errors.Is(err, ErrDamaged) {
			return problem("read", f.Name, err)
		}
		if !bytes.Equal(data, f.Data) {
			return unfitf("%q does not hold the body of an error of sivu", f.Name)
		}
	}
	return nil
}

// Claim has f called where no usable manifest tells which files are sivu's. It returns the
// host files that a build wrote beside a snapshot of so many list pages. One that
// holds just these bytes is sivu's.
func (s *Stage) Claim(f func(lists int) []api.File) { s.claims = f }

// claimed returns the host files that are claimed. keys are those of the other files.
func (s *Stage) claimed(keys []api.Path) ([]api.Path, error) {
	lists := 0
	for i := range keys {
		lists = max(lists, keys[i].Number())
	}
	if s.claims == nil || lists == 0 {
		return nil, nil
	}
	var claimed []api.Path
	var buffer []byte
	for _, f := range s.claims(lists) {
		k, ok := api.ParsePath(f.Name)
		if !ok || !k.IsHostFile() {
			continue
		}
		_, same, _, err := s.root.compare(f.Name, f.Data, &buffer, false)
		if err != nil && !errors.Is(err, errNotRegular) {
			return nil, problem("compare", f.Name, err)
		}
		if same {
			claimed = append(claimed, k)
		}
	}
	return claimed, nil
}

// checkFolder checks what lies in one folder of a snapshot, and that some files do.
func checkFolder(root *disk, dir string, least []string, keyOf func(fs.DirEntry) (api.Path, bool)) error {
	entries, err := fs.ReadDir(root.root.FS(), dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return unfitf("it has no folder %q", dir)
	case err != nil:
		return problem("read", dir, err)
	case len(entries) == 0 && dir != "." && dir != pagesDir:
		return nil
	}
	var keys []api.Path
	for _, d := range entries {
		k, ok := keyOf(d)
		if !ok || !d.IsDir() && !d.Type().IsRegular() {
			return unfitf("%q is no file of a snapshot", strings.TrimPrefix(dir+"/"+d.Name(), "./"))
		}
		if !d.IsDir() {
			keys = append(keys, k)
		}
	}
	due := make([]api.Path, 0, len(least))
	for _, name := range least {
		k, _ := api.ParsePath(strings.TrimPrefix(dir+"/"+name, "./"))
		due = append(due, k)
	}
	for _, k := range keys {
		due = append(due, k.WithCoding(0))
		if k.Number() > 1 {
			due = append(due, api.ListPath(k.Number()-1, api.Plain))
		}
	}
	slices.SortFunc(keys, api.Path.Compare)
	for _, k := range due {
		if _, ok := slices.BinarySearchFunc(keys, k, api.Path.Compare); !ok {
			return unfitf("it has no file %q", k.String())
		}
	}
	return nil
}

// refuseRest refuses to adopt a folder with host files that are not due: nobody
// knows whose they are.
func (p *planner) refuseRest() error {
	var rest []string
	for _, name := range api.RootFiles {
		k, _ := api.RootPath(name)
		if !k.IsHostFile() || p.stage.runs.Has(k) || slices.Contains(p.removed, k) {
			continue
		}
		isThere, err := p.stage.isFile(k)
		if err != nil {
			return err
		}
		if isThere {
			rest = append(rest, fmt.Sprintf("%q", name))
		}
	}
	if len(rest) == 0 {
		return nil
	}
	return fmt.Errorf("the output folder %q holds a snapshot without a manifest, and beside it what this build does not write: %s; move that away, or build for the host that it is of",
		p.stage.name, strings.Join(rest, ", "))
}
