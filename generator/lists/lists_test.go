package lists

import (
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/source"
	"example.org/sivu/generator/work"
)

// output is a snapshot in memory.
type output struct {
	mu      sync.Mutex
	files   map[string]string
	before  map[string]string // of the previous build
	removed []string
}

func (o *output) Block(int) error { return nil }
func (o *output) Close() error    { return nil }

func (o *output) WriteFile(path string, data []byte) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.files[path] = string(data)
	return nil
}

func (o *output) Replace(path string, data []byte) error { return o.WriteFile(path, data) }

func (o *output) AppendList(dst []byte, path string) ([]byte, error) {
	body, ok := o.before[path]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return append(dst, body...), nil
}

func (o *output) Remove(path string) error {
	delete(o.files, path)
	o.removed = append(o.removed, path)
	return nil
}

func item(id uuid.UUID, version int) []byte {
	return fmt.Appendf(nil, `{"language":"fi","n":"%x %d"`, id[:2], version)
}

// site is records by id, each with a version.
type site map[uuid.UUID]int

// records returns a site in the order of its lists. Those of which previous has the same
// version are not read.
func (s site) records(previous []Record) []Record {
	var list []Record
	for _, id := range slices.SortedFunc(maps.Keys(s), func(a, b uuid.UUID) int { return strings.Compare(a.String(), b.String()) }) {
		r := Record{ID: id, Hash: source.Hash(item(id, s[id])), Page: int32(len(list)), Previous: -1}
		for rank, old := range previous {
			if old.ID == id && old.Hash == r.Hash {
				r.Previous = int32(rank)
			}
		}
		list = append(list, r)
	}
	return list
}

func (s site) lists(o *output, records, previous []Record) *Lists {
	l := &Lists{
		Links: api.Links{Base: "https://api.example.org", Style: api.Styles[0]}, Variants: api.Variants[:], Records: records,
		AppendItem: func(dst []byte, page int32) ([]byte, error) {
			id := records[page].ID
			return append(dst, item(id, s[id])...), nil
		},
		NewWriter: func() Writer { return o }, Jobs: 2, Progress: new(work.Progress),
	}
	if previous != nil {
		o.before = maps.Clone(o.files)
		l.Previous, l.PreviousRecords = o, previous
	}
	return l
}

// The lists of an edited site are those of a site that is written whole, and the files
// of records that are gone are removed.
func TestUpdateEqualsWhole(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		s, o := site{}, &output{files: map[string]string{}}
		for i := range random.IntN(60) {
			s[uuid.UUID{byte(i), byte(random.IntN(4))}] = 0
		}
		records := s.records(nil)
		if err := s.lists(o, records, nil).Write(t.Context()); err != nil {
			t.Fatal(err)
		}
		before := maps.Clone(s)
		for id := range before {
			switch random.IntN(8) {
			case 0:
				delete(s, id)
			case 1:
				s[id]++
			case 2:
				s[uuid.UUID{byte(random.IntN(256)), 9}] = 0
			}
		}
		if len(before) == 0 {
			continue
		}
		if err := s.lists(o, s.records(records), records).Write(t.Context()); err != nil {
			t.Fatal(err)
		}
		whole := &output{files: map[string]string{}}
		if err := s.lists(whole, s.records(nil), nil).Write(t.Context()); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(whole.files, o.files); diff != "" {
			t.Fatalf("list pages (-whole +updated):\n%s", diff)
		}
		for id := range before {
			_, stays := s[id]
			if removed := slices.Contains(o.removed, api.RecordFolder(id)+"/"+api.IndexName(api.Plain)); removed == stays {
				t.Errorf("record %s stays: %v, removed: %v", id, stays, removed)
			}
		}
	}
}

// List pages of the previous build that are gone, or show something else than that
// build listed, are found.
func TestStaleLists(t *testing.T) {
	s, o := site{}, &output{files: map[string]string{}}
	for i := range 25 {
		s[uuid.UUID{byte(i)}] = 0
	}
	records := s.records(nil)
	if err := s.lists(o, records, nil).Write(t.Context()); err != nil {
		t.Fatal(err)
	}
	s[uuid.UUID{3}]++
	for name, change := range map[string]func(o *output){
		"gone": func(o *output) { delete(o.files, "pages/page-1.json") },
		"another item": func(o *output) {
			o.files["pages/page-1.json"] = strings.Replace(o.files["pages/page-1.json"], "0500 0", "0500 1", 1)
		},
		"another count": func(o *output) {
			o.files["pages/page-1.json"] = strings.Replace(o.files["pages/page-1.json"], ":25,", ":26,", 1)
		},
		"no JSON": func(o *output) { o.files["pages/page-1.json"] = "x" },
	} {
		t.Run(name, func(t *testing.T) {
			changed := &output{files: maps.Clone(o.files)}
			change(changed)
			if err := s.lists(changed, s.records(records), records).Write(t.Context()); err != ErrStale {
				t.Errorf("got %v, want %v", err, ErrStale)
			}
		})
	}
}
