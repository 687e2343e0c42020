package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/folder"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// entry is a file of an archive, as those see it who unpack it.
type entry struct {
	Name, Data string
	Time       int64
}

// unpack reads an archive with other programs than those that wrote it.
func unpack(t testing.TB, name string, data []byte) []entry {
	t.Helper()
	if strings.HasSuffix(name, ".zip") {
		return unpackZip(t, data)
	}
	var read io.Reader = bytes.NewReader(data)
	if strings.HasSuffix(name, ".zst") {
		z, err := zstd.NewReader(read)
		must(t, err)
		defer z.Close()
		read = z
	}
	var list []entry
	for archive := tar.NewReader(read); ; {
		h, err := archive.Next()
		if err == io.EOF {
			break
		}
		must(t, err)
		text, err := io.ReadAll(archive)
		must(t, err)
		list = append(list, entry{h.Name, string(text), h.ModTime.Unix()})
		h.ModTime, h.Name, h.Size = time.Time{}, "", 0
		if diff := cmp.Diff(&tar.Header{Typeflag: tar.TypeReg, Mode: 0o644, Format: tar.FormatUSTAR}, h); diff != "" {
			t.Errorf("%s: header (-want +got):\n%s", list[len(list)-1].Name, diff)
		}
	}
	rest, err := io.ReadAll(read)
	must(t, err)
	if len(rest) > 0 {
		t.Errorf("%d bytes follow the end of the tar", len(rest))
	}
	return list
}

func unpackZip(t testing.TB, data []byte) []entry {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	must(t, err)
	var list []entry
	for _, f := range archive.File {
		r, err := f.Open()
		must(t, err)
		text, err := io.ReadAll(r)
		must(t, err)
		list = append(list, entry{f.Name, string(text), f.Modified.Unix()})
		if f.Mode() != 0o644 {
			t.Errorf("%s has mode %v", f.Name, f.Mode())
		}
		if dos := f.ModTime().Unix(); dos != f.Modified.Unix() {
			t.Errorf("%s is of %d by one time and of %d by the other", f.Name, f.Modified.Unix(), dos)
		}
	}
	return list
}

// site is the work of a build: n records in blocks of two, then files of the
// folder itself, then lists.
type site struct {
	records int
	body    func(record int) string
}

func record(i int) string { return fmt.Sprintf("pages/00000000-0000-4000-8000-%012d", i) }

const inBlock = 2

func (s site) files() []entry {
	var list []entry
	for i := range s.records {
		list = append(list, entry{Name: record(i) + "/index.json", Data: s.body(i)}, entry{Name: record(i) + "/index.api.json", Data: "api " + s.body(i)})
	}
	return append(list, entry{Name: "_headers", Data: "/*\n"}, entry{Name: "pages/index.json", Data: "{}"}, entry{Name: "404.json", Data: "404"})
}

// fill has so many writers write the site, blocks in any order.
func (s site) fill(t testing.TB, a *Archive, writers int) error {
	t.Helper()
	var blocks []func(w *Writer) error
	for first := 0; first < s.records; first += inBlock {
		blocks = append(blocks, func(w *Writer) error {
			err := w.Block(first / inBlock)
			for i := first; i < min(first+inBlock, s.records) && err == nil; i++ {
				err = errors.Join(w.Block(first/inBlock), w.WriteFolder(record(i),
					api.File{Name: "index.json", Data: []byte(s.body(i))}, api.File{Name: "index.api.json", Data: []byte("api " + s.body(i))}))
			}
			return err
		})
	}
	for i, f := range s.files()[2*s.records:] {
		blocks = append(blocks, func(w *Writer) error {
			return errors.Join(w.Block(s.records+i), w.WriteFile(f.Name, []byte(f.Data)))
		})
	}
	rand.Shuffle(len(blocks), func(i, j int) { blocks[i], blocks[j] = blocks[j], blocks[i] })
	work := make(chan func(*Writer) error)
	var all sync.WaitGroup
	var mu sync.Mutex
	var failed error
	for range writers {
		w := a.NewWriter()
		all.Go(func() {
			var err error
			for block := range work {
				if err == nil {
					err = block(w)
				}
			}
			mu.Lock()
			failed = errors.Join(failed, err, w.Close())
			mu.Unlock()
		})
	}
	for _, block := range blocks {
		work <- block
	}
	close(work)
	all.Wait()
	return failed
}

// write makes an archive of the site and returns its bytes.
func (s site) write(t testing.TB, name string, o Options, writers int) []byte {
	t.Helper()
	a, err := Create(name, o)
	must(t, err)
	must(t, s.fill(t, a, writers))
	_, err = a.Commit(t.Context())
	must(t, err)
	data, err := os.ReadFile(name)
	must(t, err)
	if a.Size() != int64(len(data)) {
		t.Errorf("the size of %s is said to be %d, and is %d", name, a.Size(), len(data))
	}
	return data
}

func bodies(i int) string { return strings.Repeat(fmt.Sprintf("body %d ", i), i*i) }

// Whatever unpacks an archive finds the files, in the order of the blocks.
func TestUnpack(t *testing.T) {
	for _, f := range Formats {
		t.Run(f.Ending, func(t *testing.T) {
			s := site{records: 41, body: bodies}
			name := filepath.Join(t.TempDir(), "public"+f.Ending)
			got := unpack(t, name, s.write(t, name, Options{}, 3))
			byTime := map[int64]string{}
			for i, e := range got {
				if other, ok := byTime[e.Time]; ok && other != e.Data {
					t.Errorf("%q and %q have one time", other, e.Data)
				}
				byTime[e.Time] = e.Data
				if e.Time%2 != 0 || e.Time < 1577836800 || e.Time > 1577836800+2<<26 {
					t.Errorf("%s has the time %d", e.Name, e.Time)
				}
				got[i].Time = 0
			}
			if diff := cmp.Diff(s.files(), got); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
			names, err := os.ReadDir(filepath.Dir(name))
			must(t, err)
			if len(names) != 1 {
				t.Errorf("beside the archive there are other files: %v", names)
			}
		})
	}
}

// The bytes depend on the files alone.
func TestSameBytes(t *testing.T) {
	packer := func() folder.Encoder {
		return func(dst, data []byte) ([]byte, error) { return append(dst, data[:len(data)/2]...), nil }
	}
	for _, f := range Formats {
		t.Run(f.Ending, func(t *testing.T) {
			s := site{records: 41, body: bodies}
			o := Options{Codings: []folder.Coding{{Name: "gz", NewEncoder: packer}}}
			want := s.write(t, filepath.Join(t.TempDir(), "a"+f.Ending), o, 1)
			for _, writers := range []int{1, 2, 8, 8} {
				got := s.write(t, filepath.Join(t.TempDir(), "a"+f.Ending), o, writers)
				if !bytes.Equal(got, want) {
					t.Errorf("%d writers make other bytes than one", writers)
				}
			}
		})
	}
}

// Large blocks go through the spool in many pieces.
func TestLargeBlocks(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 3*pieceSize)
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	for _, f := range Formats {
		s := site{records: 9, body: func(i int) string { return string(noise[i:]) }}
		name := filepath.Join(t.TempDir(), "a"+f.Ending)
		var got []string
		for _, e := range unpack(t, name, s.write(t, name, Options{}, 4)) {
			got = append(got, e.Data)
		}
		for i, e := range s.files() {
			if i >= len(got) || got[i] != e.Data {
				t.Errorf("%s: %s is missing or has other bytes", f.Ending, e.Name)
			}
		}
	}
}

// A writer adds precompressed variants before their answer, as far as they are smaller,
// of answers only. Counts are of all files.
func TestSiblings(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.tar")
	half := func() folder.Encoder {
		return func(dst, data []byte) ([]byte, error) { return append(dst, data[:min(3, len(data))]...), nil }
	}
	a, err := Create(name, Options{Codings: []folder.Coding{{Name: "br", NewEncoder: half}, {Name: "gz", NewEncoder: half}}})
	must(t, err)
	w := a.NewWriter()
	must(t, errors.Join(w.Block(0), w.WriteFolder(record(0), api.File{Name: "index.json", Data: []byte("long")}, api.File{Name: "index.api.json", Data: []byte("api")})))
	must(t, errors.Join(w.Block(1), w.WriteFile("404.json", []byte("not found")), w.WriteFile("pages/page-1.json", []byte("list 1")), w.Close()))
	c, err := a.Review(t.Context())
	must(t, err)
	data, err := os.ReadFile(name)
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("before the commit there is an archive: %v, %d bytes", err, len(data))
	}
	done, err := a.Commit(t.Context())
	must(t, err)
	want := &folder.Changes{Files: 8, Bytes: 4 + 3 + 3 + 3 + 9 + 6 + 3 + 3, Largest: 9, LargestFile: "404.json", InFolder: 4}
	for _, c := range []*folder.Changes{c, done} {
		if fmt.Sprint(*c) != fmt.Sprint(*want) {
			t.Errorf("got %+v, want %+v", c, want)
		}
	}
	data, err = os.ReadFile(name)
	must(t, err)
	var names []string
	for _, e := range unpack(t, name, data) {
		names = append(names, strings.TrimPrefix(e.Name, record(0)+"/"))
	}
	if diff := cmp.Diff([]string{"index.json.br", "index.json.gz", "index.json", "index.api.json", "404.json", "pages/page-1.json.br", "pages/page-1.json.gz", "pages/page-1.json"}, names); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}

// More than 65,535 entries, and more than 4 GiB before the directory, need
// zip64. The numbers are checked where an archive of that size is not worth it.
func TestZip64(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.zip")
	a, err := Create(name, Options{})
	must(t, err)
	const n = 66_000
	w := a.NewWriter()
	for i := range n {
		must(t, errors.Join(w.Block(i/1000), w.WriteFile(fmt.Sprintf("pages/page-%d.json", i+1), nil)))
	}
	must(t, w.Close())
	_, err = a.Commit(t.Context())
	must(t, err)
	data, err := os.ReadFile(name)
	must(t, err)
	if got := len(unpackZip(t, data)); got != n {
		t.Errorf("there are %d entries, want %d", got, n)
	}

	// A block of two small files, said to begin far behind.
	e := newZip()
	var block bytes.Buffer
	e.begin(&block)
	must(t, errors.Join(e.add("a", []byte("one"), 1600000000), e.add("b", []byte("two"), 1600000000)))
	for _, start := range []int64{0, zipMax32 - 45, zipMax32 + 1, 5 << 40} {
		var directory bytes.Buffer
		count, size, err := writeZipDirectory(&directory, bytes.NewReader(block.Bytes()), start)
		must(t, err)
		if size != int64(directory.Len()) {
			t.Errorf("the directory has %d bytes, and is said to have %d", directory.Len(), size)
		}
		second := start + int64(zipLocalSize+1+zipTimeSize+3)
		end := start + int64(block.Len())
		// What a reader sees is all that lies before, and it is sparse.
		b := appendZipEnd(directory.Bytes(), count, uint64(end), uint64(end+size))
		archive, err := zip.NewReader(&sparse{at: end, data: b}, end+int64(len(b)))
		must(t, err)
		for i, want := range []int64{start, second} {
			if got := headerOf(t, archive.File[i]); got != want {
				t.Errorf("entry %d lies at %d, want %d", i, got, want)
			}
		}
	}
}

// sparse is a file that has data at one place, and everywhere the local header
// of an empty name, so that a reader finds where each entry's data begins.
type sparse struct {
	at   int64
	data []byte
}

func (s *sparse) ReadAt(b []byte, off int64) (int, error) {
	clear(b)
	if off < s.at {
		copy(b, "PK\x03\x04")
	}
	end := s.at + int64(len(s.data))
	if from := max(off, s.at); from < min(off+int64(len(b)), end) {
		copy(b[from-off:], s.data[from-s.at:])
	}
	if off+int64(len(b)) > end {
		return int(max(end-off, 0)), io.EOF
	}
	return len(b), nil
}

func headerOf(t *testing.T, f *zip.File) int64 {
	t.Helper()
	offset, err := f.DataOffset()
	must(t, err)
	return offset - zipLocalSize
}

// BenchmarkFormats compares the formats.
func BenchmarkFormats(b *testing.B) {
	text := answer()
	for _, f := range Formats {
		b.Run(strings.TrimPrefix(f.Ending, "."), func(b *testing.B) {
			b.SetBytes(int64(2 * len(text)))
			a, err := Create(filepath.Join(b.TempDir(), "a"+f.Ending), Options{})
			must(b, err)
			w := a.NewWriter()
			i := 0
			for b.Loop() {
				// No two answers are alike, nor are the variants of one.
				copy(text, fmt.Sprintf("%08d", i))
				one := api.File{Name: "index.json", Data: text}
				must(b, errors.Join(w.Block(i/64), w.WriteFolder(record(i), one)))
				copy(text, "variant ")
				must(b, w.WriteFolder(record(i), one))
				i++
			}
			must(b, w.Close())
			_, err = a.Commit(context.Background())
			must(b, err)
			b.ReportMetric(float64(a.Size())/float64(i), "size/op")
		})
	}
}

// answer is text with about the entropy of a page.
func answer() []byte {
	random := rand.New(rand.NewPCG(3, 4))
	words := make([]string, 400)
	for i := range words {
		words[i] = strings.Repeat(string(rune('a'+random.IntN(26))), 1+random.IntN(3)) + fmt.Sprint(random.IntN(100))
	}
	var b []byte
	for len(b) < 5900 {
		b = append(b, words[random.IntN(len(words))]...)
		b = append(b, ' ')
	}
	return b
}
