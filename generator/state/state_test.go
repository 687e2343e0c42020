package state

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// write writes a state whole.
func write(t *testing.T, dir, meta string, values map[string]string) {
	t.Helper()
	w, err := Create(dir, []byte(meta))
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		w.Put(key, []byte(values[key]))
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// check loads a state and compares it with what it has to hold.
func check(t *testing.T, dir, meta string, values map[string]string) *State {
	t.Helper()
	s, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	if string(s.Meta()) != meta {
		t.Errorf("meta is %q, want %q", s.Meta(), meta)
	}
	t.Cleanup(func() { s.Close() })
	got, err := all(t, s)
	if err != nil || !maps.Equal(got, values) {
		t.Errorf("got %q, want %q: %v", got, values, err)
	}
	return s
}

// all reads all keys and values of a state.
func all(t *testing.T, s *State) (map[string]string, error) {
	t.Helper()
	got, last := map[string]string{}, ""
	for c := s.From(""); ; {
		key, value, ok := c.Next()
		if !ok {
			return got, c.Err()
		}
		if len(got) > 0 && key <= last {
			t.Errorf("%q comes after %q", key, last)
		}
		got[key], last = string(value), key
	}
}

// Whatever is put and removed, by whole states and by changes, is there when the
// state is loaded.
func TestAnyChanges(t *testing.T) {
	r := rand.New(rand.NewPCG(rand.Uint64(), 1))
	for range 30 {
		dir := t.TempDir()
		values := map[string]string{}
		random := func() string { return string(make([]byte, r.IntN(300))) + fmt.Sprint(r.IntN(1000)) }
		for range r.IntN(40) {
			values[fmt.Sprint(r.IntN(60))] = random()
		}
		write(t, dir, "0", values)
		s := check(t, dir, "0", values)
		for step := range 30 {
			meta := fmt.Sprint(step)
			var changes []Change
			for range r.IntN(6) {
				key := fmt.Sprint(r.IntN(60))
				if r.IntN(3) == 0 {
					changes = append(changes, Change{Key: key, Remove: true})
					delete(values, key)
					continue
				}
				values[key] = random()
				changes = append(changes, Change{Key: key, Value: []byte(values[key])})
			}
			ok, err := s.Append(dir, []byte(meta), changes)
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				write(t, dir, meta, values)
			}
			s = check(t, dir, meta, values)
		}
	}
}

func TestEmptyValuesStay(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "", map[string]string{"": "", "a": ""})
	s := check(t, dir, "", map[string]string{"": "", "a": ""})
	if ok, err := s.Append(dir, nil, []Change{{Key: "b", Value: []byte{}}, {Key: "a", Remove: true}}); !ok || err != nil {
		t.Fatal(ok, err)
	}
	check(t, dir, "", map[string]string{"": "", "b": ""})
}

// A long log asks for a new state: it never grows without end.
func TestLogEnds(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "", map[string]string{"a": "1"})
	for n := 0; ; n++ {
		s := check(t, dir, "", map[string]string{"a": "1"})
		ok, err := s.Append(dir, nil, []Change{{Key: "a", Value: []byte("1")}, {Key: "b", Value: make([]byte, 1000)}, {Key: "b", Remove: true}})
		if err != nil {
			t.Fatal(err)
		}
		if !ok && n > 50 {
			return
		}
		if !ok || n > 1000 {
			t.Fatalf("the log takes %d changes", n)
		}
	}
}

// A log of a state that was replaced is passed over.
// TestRoomInTheLog has a log with room at its end, or with nothing but that.
func TestRoomInTheLog(t *testing.T) {
	var base bytes.Buffer
	w := NewWriter(&base, []byte("old"))
	w.Put("a", []byte("1"))
	if err := w.Finish(); err != nil {
		t.Fatal(err)
	}
	open := func(log []byte) (*State, error) {
		return Open(bytes.NewReader(base.Bytes()), int64(base.Len()), log)
	}
	s, err := open(make([]byte, 100))
	if err != nil || string(s.Meta()) != "old" || s.LogSize() != 0 {
		t.Fatalf("with room alone: %v", err)
	}
	segment, _ := s.Segment([]byte("new"), []Change{{Key: "b", Value: []byte{0, 0, 0}}})
	s, err = open(append(bytes.Clone(segment), make([]byte, 50)...))
	if err != nil || string(s.Meta()) != "new" || s.LogSize() != int64(len(segment)) {
		t.Fatalf("with a segment and room: %v", err)
	}
	values, err := all(t, s)
	if err != nil || !maps.Equal(values, map[string]string{"a": "1", "b": "\x00\x00\x00"}) {
		t.Errorf("got %q, %v", values, err)
	}
	for n := len(segment) - 1; n > len(logMagic)+8; n-- {
		if _, err := open(append(bytes.Clone(segment[:n]), make([]byte, 50)...)); err == nil {
			t.Errorf("a segment that was cut off after %d of %d bytes was read", n, len(segment))
		}
	}
}

func TestLogOfAnotherState(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "1", map[string]string{"a": "1"})
	s := check(t, dir, "1", map[string]string{"a": "1"})
	if _, err := s.Append(dir, []byte("2"), []Change{{Key: "a", Value: []byte("2")}}); err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(filepath.Join(dir, logFile))
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "3", map[string]string{"a": "3"})
	if err := os.WriteFile(filepath.Join(dir, logFile), log, 0o600); err != nil {
		t.Fatal(err)
	}
	s = check(t, dir, "3", map[string]string{"a": "3"})
	if ok, err := s.Append(dir, []byte("4"), nil); !ok || err != nil {
		t.Fatal(ok, err)
	}
	check(t, dir, "4", map[string]string{"a": "3"})
}

// Whichever byte is damaged, and wherever a file is cut off, nothing is believed.
func TestDamage(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "meta", map[string]string{"a": "1", "b": "22"})
	s := check(t, dir, "meta", map[string]string{"a": "1", "b": "22"})
	if _, err := s.Append(dir, []byte("later"), []Change{{Key: "c", Value: []byte("333")}}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{stateFile, logFile} {
		whole, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		refuse := func(what string, data []byte) {
			t.Helper()
			if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
				t.Fatal(err)
			}
			s, err := Load(dir)
			if err == nil && string(s.Meta()) == "later" {
				_, err = all(t, s)
				s.Close()
			}
			if !errors.Is(err, ErrDamaged) && !(err == nil && string(s.Meta()) == "meta") {
				t.Errorf("%s, %s: %v", name, what, err)
			}
		}
		for i := range whole {
			broken := bytes.Clone(whole)
			broken[i] ^= 0x10
			refuse(fmt.Sprintf("byte %d is another", i), broken)
			if name == stateFile || i > 0 {
				refuse(fmt.Sprintf("cut off after %d", i), whole[:i])
			}
		}
		if err := os.WriteFile(filepath.Join(dir, name), whole, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	check(t, dir, "later", map[string]string{"a": "1", "b": "22", "c": "333"})
}

func TestNothingThere(t *testing.T) {
	dir := t.TempDir()
	if _, err := Load(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without a state: %v", err)
	}
}

// A state that could not be written whole leaves the one before.
func TestFailedWriteKeepsTheOld(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "old", map[string]string{"a": "1"})
	w, err := Create(dir, []byte("new"))
	if err != nil {
		t.Fatal(err)
	}
	w.Put("b", nil)
	w.Put("a", nil)
	if err := w.Close(); err == nil {
		t.Error("keys out of order were taken")
	}
	check(t, dir, "old", map[string]string{"a": "1"})
	if _, err := os.Stat(filepath.Join(dir, tempFile)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s is left: %v", tempFile, err)
	}
}

// Whichever key is asked for, a cursor over a state that is read in part finds
// what the whole state holds from there on.
func TestCursor(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for range 20 {
		dir, values := t.TempDir(), map[string]string{}
		for range r.IntN(2000) {
			values[fmt.Sprint(r.IntN(9000))] = string(make([]byte, r.IntN(100)))
		}
		write(t, dir, "meta", values)
		var changes []Change
		for n := range r.IntN(200) {
			key := fmt.Sprint(r.IntN(9000))
			if changes = append(changes, Change{Key: key, Remove: n%2 == 0, Value: []byte("new")}); n%2 == 0 {
				delete(values, key)
			} else {
				values[key] = "new"
			}
		}
		s, err := Load(dir)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Append(dir, []byte("meta"), changes); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(filepath.Join(dir, stateFile))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		info, _ := f.Stat()
		log, _ := os.ReadFile(filepath.Join(dir, logFile))
		if s, err = Open(f, info.Size(), log); err != nil {
			t.Fatal(err)
		}
		keys := slices.Sorted(maps.Keys(values))
		c, from := s.From(""), ""
		for range 50 {
			i, _ := slices.BinarySearch(keys, from)
			for range r.IntN(5) {
				key, value, ok := c.Next()
				if ok != (i < len(keys)) || ok && (key != keys[i] || string(value) != values[key]) {
					t.Fatalf("from %q: %q, %q, %v", from, key, value, ok)
				}
				if !ok {
					break
				}
				i++
			}
			if from = fmt.Sprint(r.IntN(9000)); i > 0 && from <= keys[i-1] {
				from = keys[i-1] + "0"
			}
			c.Seek(from)
		}
		if c.Err() != nil {
			t.Fatal(c.Err())
		}
	}
}

func FuzzLoad(f *testing.F) {
	f.Add([]byte("\x01a\x01b\x01c\x00"), []byte("\x08\x00\x00\x00\x00\x00\x00\x00\x01m\x01\x01ax12"), uint8(9), false)
	f.Fuzz(func(t *testing.T, blocks, log []byte, cut uint8, asIndex bool) {
		// The parts have sums that fit, for else the reading ends at once.
		n := min(int(cut), len(blocks))
		header := appendSum([]byte(magic + "12345678\x01m"))
		body := appendSum(slices.Clone(blocks[:n]))
		index := appendSum(slices.Clone(blocks[n:]))
		if !asIndex {
			index = appendSum(append(appendBytes(nil, blocks[min(1, n):min(2, n)]), byte(len(body))))
		}
		end := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
		end = binary.LittleEndian.AppendUint64(end, uint64(len(index)))
		end = appendSum(append(end, "12345678"...))
		data := slices.Concat(header, body, index, end)
		s, err := Open(bytes.NewReader(data), int64(len(data)), append([]byte(logMagic+"12345678"), log...))
		if err == nil {
			_, err = all(t, s)
		}
		if err != nil && !errors.Is(err, ErrDamaged) {
			t.Error(err)
		}
	})
}
