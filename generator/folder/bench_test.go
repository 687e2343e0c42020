//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package folder

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"example.org/sivu/generator/api"
)

// The benchmarks write to TMPDIR; name a tmpfs there to measure sivu and not
// the disk. One operation is one record of two files.
const benchSize = 5500

func benchData(b *testing.B) []byte {
	b.SetBytes(2 * benchSize)
	data := make([]byte, benchSize)
	random := rand.New(rand.NewPCG(1, 1))
	for i := range data {
		data[i] = byte('a' + random.IntN(26))
	}
	return data
}

// randomID makes the n-th of ids that come in no order, as real ones do.
func randomID(n int) string {
	h := uint64(n+1) * 0x9e3779b97f4a7c15
	return fmt.Sprintf("%08x-%04x-%04x-80b4-%012x", uint32(h>>32), uint16(h>>16), uint16(h), n)
}

// inParallel calls write for each n below count from four goroutines.
func inParallel(count int, worker func() (write func(n int), end func())) {
	const workers = 4
	var wait sync.WaitGroup
	for part := range workers {
		wait.Go(func() {
			write, end := worker()
			defer end()
			for n := part; n < count; n += workers {
				write(n)
			}
		})
	}
	wait.Wait()
}

func benchBuild(b *testing.B, out string, count int, data []byte) {
	benchBuildWith(b, out, Options{}, count, data)
}

func benchBuildWith(b *testing.B, out string, opts Options, count int, data []byte) {
	s, err := Open(out, opts)
	must(b, err)
	inParallel(count, func() (func(int), func()) {
		w := s.NewWriter()
		return func(n int) {
			if err := w.WriteFolder("pages/"+randomID(n), api.File{Name: "index.json", Data: data}, api.File{Name: "index.api.json", Data: data}); err != nil {
				b.Error(err)
			}
		}, func() { w.Close() }
	})
	_, err = s.Commit(context.Background())
	must(b, err)
}

// measure runs f, and reports the processor time that it takes beside the
// time on the clock, which other work on the machine disturbs.
func measure(b *testing.B, f func()) {
	used := func() (ns int64) {
		var r unix.Rusage
		must(b, unix.Getrusage(unix.RUSAGE_SELF, &r))
		return r.Utime.Nano() + r.Stime.Nano()
	}
	b.ReportAllocs()
	b.ResetTimer()
	before := used()
	f()
	b.ReportMetric(float64(used()-before)/float64(b.N), "cpu-ns/op")
}

// benchDir is a folder that is removed while the clock stands.
func benchDir(b *testing.B) string {
	dir, err := os.MkdirTemp("", "bench")
	must(b, err)
	b.Cleanup(func() { os.RemoveAll(dir) })
	return filepath.Join(dir, "public")
}

func BenchmarkFirstBuild(b *testing.B) {
	data, out := benchData(b), benchDir(b)
	measure(b, func() { benchBuild(b, out, b.N, data) })
}

// BenchmarkRawWrite is the floor of BenchmarkFirstBuild: the same folders and
// files, with no stage, hash or manifest.
func BenchmarkRawWrite(b *testing.B) {
	data, out := benchData(b), benchDir(b)
	must(b, os.MkdirAll(out, 0o755))
	parent, err := openDisk(filepath.Dir(out), nil)
	must(b, err)
	defer parent.Close()
	root, err := parent.subDir(filepath.Base(out))
	must(b, err)
	defer root.Close()
	measure(b, func() {
		inParallel(b.N, func() (func(int), func()) {
			return func(n int) {
				id := randomID(n)
				if root.createFolder(id) != nil || root.create(id+"/index.json", data, time.Time{}) != nil || root.create(id+"/index.api.json", data, time.Time{}) != nil {
					b.Error("cannot write")
				}
			}, func() {}
		})
	})
}

func BenchmarkRebuildUnchanged(b *testing.B) {
	data, out := benchData(b), benchDir(b)
	benchBuild(b, out, b.N, data)
	measure(b, func() { benchBuild(b, out, b.N, data) })
}

func BenchmarkRebuildChanged(b *testing.B) {
	data, out := benchData(b), benchDir(b)
	benchBuild(b, out, b.N, data)
	data[0] = '!'
	measure(b, func() { benchBuild(b, out, b.N, data) })
}

// BenchmarkFlush reports what flushing to the disk costs: a first build of 12,000
// records, one that changes all of them, and one that changes a single one.
func BenchmarkFlush(b *testing.B) {
	const count = 12_000
	for _, unflushed := range []bool{true, false} {
		b.Run(fmt.Sprint("flushed=", !unflushed), func(b *testing.B) {
			opts := Options{unflushed: unflushed}
			for b.Loop() {
				data, out := benchData(b), benchDir(b)
				took := func(what string, build func()) {
					start := time.Now()
					build()
					b.ReportMetric(float64(time.Since(start).Microseconds())/1000, what+"-ms")
				}
				took("first", func() { benchBuildWith(b, out, opts, count, data) })
				took("none", func() { benchBuildWith(b, out, opts, count, data) })
				data[0] = '!'
				took("all", func() { benchBuildWith(b, out, opts, count, data) })
				took("one", func() {
					s, err := Open(out, opts)
					must(b, err)
					s.Incremental()
					w := s.NewWriter()
					must(b, w.WriteFolder("pages/"+randomID(7), api.File{Name: "index.json", Data: []byte("1")}, api.File{Name: "index.api.json", Data: []byte("2")}))
					w.Close()
					_, err = s.Commit(context.Background())
					must(b, err)
				})
			}
		})
	}
}

// BenchmarkMemory reports what a stage of 220,000 files holds on to.
func BenchmarkMemory(b *testing.B) {
	const count = 110_000
	for b.Loop() {
		s, err := Open(filepath.Join(b.TempDir(), "public"), Options{DryRun: true})
		must(b, err)
		heap := func() uint64 {
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			return m.HeapAlloc
		}
		before := heap()
		inParallel(count, func() (func(int), func()) {
			w := s.NewWriter()
			return func(n int) {
				w.WriteFolder("pages/"+randomID(n), api.File{Name: "index.json", Data: nil}, api.File{Name: "index.api.json", Data: nil})
			}, func() { w.Close() }
		})
		changes, err := s.Commit(context.Background())
		must(b, err)
		b.ReportMetric(float64(heap()-before)/1e6, "MB")
		runtime.KeepAlive(changes)
	}
}

// BenchmarkEncoders compresses an answer of words, and reports what is left of it.
func BenchmarkEncoders(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 1))
	var words []byte
	for len(words) < benchSize {
		words = fmt.Appendf(words, "<p>sana%d</p> ", random.IntN(1000))
	}
	for _, c := range Codings {
		b.Run(c.Name, func(b *testing.B) {
			pack := c.NewEncoder()
			var packed []byte
			b.SetBytes(int64(len(words)))
			for b.Loop() {
				var err error
				if packed, err = pack(packed[:0], words); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(100*float64(len(packed))/float64(len(words)), "%left")
		})
	}
}
