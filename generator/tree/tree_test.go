package tree

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.org/sivu/generator/api"
)

func path(t testing.TB, text string) api.Path {
	t.Helper()
	p, ok := api.ParsePath(text)
	if !ok {
		t.Fatalf("%q is no path of a snapshot", text)
	}
	return p
}

func record(n int, ending string) string {
	return fmt.Sprintf("pages/%08x-1dad-51d1-80b4-00c04fd430c8/index%s", n, ending)
}

// tree returns a tree of files, each given as its path, "=" and what it holds.
func tree(t testing.TB, files ...string) []Entry {
	t.Helper()
	var list []Entry
	for _, f := range files {
		name, data, _ := strings.Cut(f, "=")
		list = append(list, Entry{Path: path(t, name), Sum: SumOf([]byte(data))})
	}
	SortRun(list)
	return list
}

func TestPublicationOrder(t *testing.T) {
	old := tree(t, "404.json=e", "_headers=1", "_redirects=1", "pages/index.json=1", "pages/index.json.gz=1", "pages/page-1.json=1", "pages/page-2.json=1", "pages/page-9.json=x", "pages/page-10.json=x", "pages/page-10.json.br=x", record(1, ".json")+"=1", record(3, ".json")+"=x", record(3, ".json.gz")+"=x", record(4, ".json")+"=1", record(4, ".json.br")+"=1", "405.json=x")
	due := tree(t, "404.json=E", "_headers=2", "index.html=1", "pages/index.json=2", "pages/index.json.gz=2", "pages/page-1.json=2", "pages/page-2.json=2", "pages/page-2.json.zst=2", "pages/page-3.json=1", "pages/page-11.json=1", "pages/page-11.json.br=1", record(1, ".json")+"=1", record(2, ".json")+"=1", record(2, ".json.br")+"=1", record(4, ".json")+"=2")
	steps := slices.Collect(Compare(slices.Values(old), slices.Values(due)))
	slices.SortFunc(steps, func(a, b Step) int { return Order(&a, &b) })
	var got []string
	for _, s := range steps {
		got = append(got, fmt.Sprintf("%d %s %v", s.Op, s.Path, s.Fresh))
	}
	want := []string{
		fmt.Sprint(AddFolder, " ", record(2, ".json.br"), " true"),
		fmt.Sprint(AddFolder, " ", record(2, ".json"), " true"),
		fmt.Sprint(RemoveVariant, " ", record(4, ".json.br"), " false"),
		fmt.Sprint(Change, " ", record(4, ".json"), " false"),
		fmt.Sprint(Add, " pages/page-11.json.br true"),
		fmt.Sprint(Add, " pages/page-11.json true"),
		fmt.Sprint(Add, " pages/page-3.json true"),
		fmt.Sprint(Change, " _headers false"),
		fmt.Sprint(Add, " index.html true"),
		fmt.Sprint(Add, " pages/page-2.json.zst false"),
		fmt.Sprint(Change, " pages/page-2.json false"),
		fmt.Sprint(Change, " pages/page-1.json false"),
		fmt.Sprint(Change, " pages/index.json.gz false"),
		fmt.Sprint(Change, " pages/index.json false"),
		fmt.Sprint(Change, " 404.json false"),
		fmt.Sprint(Remove, " pages/page-10.json.br false"),
		fmt.Sprint(Remove, " pages/page-10.json false"),
		fmt.Sprint(Remove, " pages/page-9.json false"),
		fmt.Sprint(Remove, " ", record(3, ".json.gz"), " false"),
		fmt.Sprint(Remove, " ", record(3, ".json"), " false"),
		fmt.Sprint(Remove, " 405.json false"),
		fmt.Sprint(Remove, " _redirects false"),
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestCompare applies the steps between random trees, and has to come to the new one.
func TestCompare(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	some := func() []Entry {
		var files []string
		for n := range 8 {
			for _, name := range []string{record(n, ".json"), record(n, ".json.gz"), record(n, ".api.json"), fmt.Sprintf("pages/page-%d.json", n+1), api.RootFiles[n]} {
				if random.IntN(3) > 0 {
					files = append(files, fmt.Sprint(name, "=", random.IntN(2)))
				}
			}
		}
		return tree(t, files...)
	}
	for range 200 {
		old, due := some(), some()
		now := map[api.Path]Sum{}
		for _, e := range old {
			now[e.Path] = e.Sum
		}
		last := api.Path{}
		for s := range Compare(slices.Values(old), slices.Values(due)) {
			if s.Path.Compare(last) <= 0 {
				t.Fatalf("%s follows %s", s.Path, last)
			}
			last = s.Path
			was, isThere := now[s.Path]
			if isThere == s.Op.IsAdd() || was != s.Old {
				t.Fatalf("%s: operation %d with %v", s.Path, s.Op, was)
			}
			if now[s.Path] = s.New; s.Op.IsRemove() {
				delete(now, s.Path)
			}
		}
		if len(now) != len(due) || slices.ContainsFunc(due, func(e Entry) bool { return now[e.Path] != e.Sum }) {
			t.Fatal("the steps do not lead to the new tree")
		}
	}
}

func TestRuns(t *testing.T) {
	var runs Runs
	all := tree(t, "404.json", "_headers", "pages/index.json", "pages/page-1.json", "pages/page-2.json", record(1, ".json"), record(2, ".json"), "staticwebapp.config.json")
	for i := range 3 {
		var run []Entry
		for n, e := range all {
			if n%3 == i && i < 2 || i == 2 && n%3 == 2 {
				run = append(run, e)
			}
		}
		runs = append(runs, run, nil)
	}
	var got []Entry
	for e := range runs.All() {
		got = append(got, *e)
	}
	if !slices.Equal(got, all) {
		t.Errorf("got %v", got)
	}
	if !runs.Has(path(t, "pages/page-2.json")) || runs.Has(path(t, "pages/page-3.json")) || !runs.HasGroup(path(t, record(2, ".json.gz"))) || runs.HasGroup(path(t, record(3, ".json"))) {
		t.Error("files are not found")
	}
}

// TestBytes holds the format down: a change of it needs another version.
func TestBytes(t *testing.T) {
	zeros := strings.Repeat("00", 14)
	s := Sum{0x01020304, sha256.Sum256([]byte("a"))}
	if got := hex.EncodeToString(s.Append(nil)); got != "04030201"+"ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb" {
		t.Errorf("a sum is %s", got)
	}
	all := Totals{[16]byte{1, 15: 2}, 1, 300, 3, 4, path(t, "404.json"), 5, 6}
	meta := all.encode()
	if got := hex.EncodeToString(meta); got != "03"+"01"+zeros+"02"+"01"+"ac02"+"03"+"04"+"05"+"06"+"02"+hex.EncodeToString([]byte("404.json")) {
		t.Errorf("the totals are %s", got)
	}
	if again, err := decodeTotals(meta); err != nil || again != all {
		t.Errorf("the totals are read as %v, %v", again, err)
	}
}

func encode(t testing.TB, totals Totals, files []Entry, retained ...Retained) []byte {
	t.Helper()
	var b bytes.Buffer
	w := NewWriter(&b, totals)
	for i := range files {
		w.Put(&files[i])
	}
	if err := w.Finish(retained); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func open(data, log []byte) (*Tree, error) {
	tr, err := Open(bytes.NewReader(data), int64(len(data)), log)
	if err == nil {
		err = tr.Check()
	}
	return tr, err
}

func TestEncoded(t *testing.T) {
	files := tree(t, "404.json=e", "pages/index.json=1", record(1, ".json")+"=one", record(2, ".json")+"=two")
	kept := Retained{path(t, record(3, ".json")), 1234567890}
	totals := Totals{Files: 4, Bytes: 8, Largest: -1, Retained: 1}
	data := encode(t, totals, files, kept)
	tr, err := open(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := slices.Collect(tr.All()); !slices.Equal(got, files) {
		t.Errorf("got %v", got)
	}
	if list, err := tr.RetainedFiles(); err != nil || !slices.Equal(list, []Retained{kept}) {
		t.Errorf("retained are %v, %v", list, err)
	}
	c := tr.Cursor()
	c.Seek(path(t, record(2, ".json")).Group())
	if e, err := c.Peek(); err != nil || *e != files[2] {
		t.Errorf("sought %v, %v", e, err)
	}

	next := totals
	next.Generation[0], next.Retained, next.Bytes = 1, 0, 5
	segment, ok := tr.Segment(next, []Edit{Delete(files[2].Path), Put(path(t, "pages/page-1.json"), SumOf(nil)), Forget(kept)})
	if !ok {
		t.Fatal("a log of two changes is too long")
	}
	if tr, err = open(data, segment); err != nil || tr.Generation != next.Generation || tr.LogSize() != int64(len(segment)) {
		t.Fatalf("with its log the tree is %v, %v", tr, err)
	}
	want := tree(t, "404.json=e", "pages/index.json=1", "pages/page-1.json=", record(1, ".json")+"=one")
	if got := slices.Collect(tr.All()); cmp.Compare(len(got), len(want)) != 0 || slices.ContainsFunc(want, func(e Entry) bool { return !slices.Contains(got, e) }) {
		t.Errorf("with its log the tree has %v", got)
	}
	if list, err := tr.RetainedFiles(); len(list) > 0 || err != nil {
		t.Errorf("a file is kept that came back: %v, %v", list, err)
	}
}

func FuzzOpen(f *testing.F) {
	files := tree(f, "404.json=e", record(1, ".json")+"=one")
	f.Add(encode(f, Totals{Files: 2, Bytes: 4, Largest: -1}, files), []byte(nil))
	f.Add([]byte(nil), []byte("sivu log 1\n"))
	f.Fuzz(func(t *testing.T, data, log []byte) {
		tr, err := open(data, log)
		if err != nil {
			if !errors.Is(err, ErrDamaged) {
				t.Errorf("got error %v", err)
			}
			return
		}
		last := ""
		for e := range tr.All() {
			if text := e.Path.String(); text <= last {
				t.Errorf("%q follows %q", text, last)
			} else {
				last = text
			}
		}
	})
}
