//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// killsVariable is the environment variable that says how many builds the test
// kills.
const killsVariable = "SIVU_KILLS"

const killBase = "https://api.example.org/v1"

// pagesOf writes a content folder of n pages. Which of them there are, and what
// they say, depends on the version.
func pagesOf(t *testing.T, dir string, n, version int) {
	t.Helper()
	for i := range n {
		if i%(7+version) == 0 {
			continue // not in this version
		}
		body := i
		if i%3 == version%3 {
			body += version
		}
		text := fmt.Sprintf("---\nid: %08x-1dad-41d1-80b4-00c04fd430c8\ntitle: Page %d\ncreated: 2020-01-%02dT00:00:00Z\n---\nText %d of a page.\n",
			i*0x01234567&0xffffffff, i, 1+i%28, body)
		name := filepath.Join(dir, "en", fmt.Sprintf("page%d.md", i))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "site.yaml"), []byte("languages: [en]\nlinks: file\nbase_url: "+killBase+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// walked is what a client met in a folder.
type walked struct {
	lists, records int
	gone           int // 404 of what a list led to
}

// walkAsClient follows next from the first list page, in both variants, and opens
// every record. Whatever is there must be whole. What is missing is counted, and is
// an error unless it may go.
func walkAsClient(t testing.TB, dir string, mayGo func(name string) bool) (w walked) {
	t.Helper()
	open := func(address string, to any) bool {
		name := strings.TrimPrefix(address, killBase+"/")
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			if w.gone++; !os.IsNotExist(err) || !mayGo(name) {
				t.Errorf("a list leads to %s: %v", name, err)
			}
			return false
		}
		if err := json.Unmarshal(data, to); err != nil {
			t.Errorf("%s is torn: %v", name, err)
		}
		return true
	}
	for _, first := range []string{"index.json", "index.api.json"} {
		for next := killBase + "/pages/" + first; next != ""; {
			var list struct {
				Count   int
				Next    *string
				Results []struct{ URL string }
			}
			if !open(next, &list) {
				if strings.HasSuffix(next, "/"+first) {
					t.Errorf("the first list page %s is missing", first)
				}
				break
			}
			w.lists++
			for _, r := range list.Results {
				var record struct{ URL, Content string }
				if open(r.URL, &record) {
					w.records++
					if record.Content == "" || record.URL != r.URL {
						t.Errorf("%s holds another record", r.URL)
					}
				}
			}
			if next = ""; list.Next != nil {
				next = *list.Next
			}
		}
	}
	return w
}

// snapshotOf returns the files of a snapshot.
func snapshotOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == ".sivu" {
			return fs.SkipDir
		}
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		rel, _ := filepath.Rel(dir, name)
		files[rel] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// killed is a folder into which builds of several versions are made.
type killed struct {
	t        *testing.T
	sivu     string
	out      string
	contents []string
	flags    []string // of all builds
	want     []map[string]string
}

func newKilled(t *testing.T, pages, versions int, flags ...string) *killed {
	t.Helper()
	dir := t.TempDir()
	k := &killed{t: t, sivu: filepath.Join(dir, "sivu"), out: filepath.Join(dir, "public"), flags: flags}
	if text, err := exec.Command("go", "build", "-o", k.sivu, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for version := range versions {
		content := filepath.Join(dir, "content"+strconv.Itoa(version))
		pagesOf(t, content, pages, version)
		k.contents = append(k.contents, content)
		reference := filepath.Join(dir, "reference"+strconv.Itoa(version))
		k.run(k.args(version, reference)...)
		k.want = append(k.want, snapshotOf(t, reference))
	}
	return k
}

func (k *killed) run(args ...string) {
	k.t.Helper()
	if text, err := exec.Command(k.sivu, args...).CombinedOutput(); err != nil {
		k.t.Fatalf("sivu %s: %v\n%s", strings.Join(args, " "), err, text)
	}
}

// args are the arguments of a build.
func (k *killed) args(version int, out string) []string {
	return append([]string{"build", "--quiet", "--content", k.contents[version], "--out", out}, k.flags...)
}

func (k *killed) build(version int) {
	k.t.Helper()
	k.run(k.args(version, k.out)...)
}

// recoverCutOff runs recover, and ends it with kill -9 so many times before.
func (k *killed) recoverCutOff(times int) {
	k.t.Helper()
	for range times {
		runAndKill("", time.Duration(rand.Int64N(int64(20*time.Millisecond))), k.sivu, "recover", "--out", k.out)
		walkAsClient(k.t, k.out, nothing)
	}
	// A git that a killed build was about to start holds the lock until it runs.
	k.run("recover", "--wait", "--out", k.out)
}

// nothing may go: no build is at work.
func nothing(string) bool { return false }

// isRemoved reports whether a build may have removed a file: a record or list page
// that some version does not have.
func (k *killed) isRemoved(name string) bool {
	return slices.ContainsFunc(k.want, func(version map[string]string) bool {
		_, ok := version[name]
		return !ok
	})
}

// equals returns which versions the folder holds exactly.
func (k *killed) equals() (versions []int) {
	got := snapshotOf(k.t, k.out)
	for version, want := range k.want {
		if maps.Equal(got, want) {
			versions = append(versions, version)
		}
	}
	return versions
}

// runAndKill runs a command and ends it with kill -9, so long after a file or folder
// has come up, or after the start.
func runAndKill(after string, moment time.Duration, name string, args ...string) error {
	command := exec.Command(name, args...)
	if err := command.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	for after != "" {
		if _, err := os.Lstat(after); err == nil {
			break
		}
		select {
		case err := <-ended:
			return err
		default:
		}
	}
	select {
	case err := <-ended:
		return err
	case <-time.After(moment):
	}
	command.Process.Kill()
	return <-ended
}

// TestKilledBuilds kills builds at random moments. After each, a client finds every
// list and record whole, and recover, which is killed now and then, too, or a build
// makes the folder exactly what it was or was to be.
func TestKilledBuilds(t *testing.T) {
	t.Parallel()
	kills := 40
	if text := os.Getenv(killsVariable); text != "" {
		kills, _ = strconv.Atoi(text)
	}
	for _, flags := range []string{"", "--host apache --precompress gz"} {
		t.Run("build "+flags, func(t *testing.T) {
			killBuilds(newKilled(t, 150, 2, strings.Fields(flags)...), kills/2)
		})
	}
}

func killBuilds(k *killed, kills int) {
	t := k.t
	k.build(0)
	start := time.Now()
	k.build(1)
	k.build(0)
	longest := time.Since(start) / 2
	old, seen := 0, map[string]int{}
	for n := range kills {
		next := 1 - old
		if n%3 == 2 { // a whole build
			os.Remove(filepath.Join(k.out, ".sivu", "state"))
		}
		moment := time.Duration(rand.Int64N(int64(longest)))
		after := ""
		if n%2 == 1 { // within the commit, which takes a small part of the time
			moment, after = moment/8, filepath.Join(k.out, ".sivu", "commit")
		}
		if err := runAndKill(after, moment, k.sivu, k.args(next, k.out)...); err == nil {
			seen["came to their end"]++
		}
		walkAsClient(t, k.out, nothing)
		was := k.equals()
		if len(was) == 0 {
			seen["left files of both"]++
		}
		if n%4 < 2 {
			k.recoverCutOff(n % 3)
			if was = k.equals(); len(was) != 1 {
				t.Errorf("recover after %v left neither the old nor the new snapshot", moment)
			} else {
				seen[[]string{"recovered to the new", "recovered to the old"}[(was[0]+next)%2]]++
			}
			walkAsClient(t, k.out, nothing)
		}
		if n%8 > 1 {
			k.build(next)
			old = next
		} else if len(was) == 1 {
			old = was[0]
		}
		if now := k.equals(); !slices.Equal(now, []int{old}) {
			t.Errorf("after a kill at %v and a build the folder holds %v, not %d", moment, now, old)
		}
		if t.Failed() {
			t.FailNow()
		}
	}
	t.Logf("of %d builds killed within %v: %v", kills, longest, seen)
}

// TestWalkDuringRebuilds walks the folder over and over while it is built anew, a hundred
// times where make kills runs it. A client meets nothing but whole answers, and 404 only for what a list that it
// read before led to.
func TestWalkDuringRebuilds(t *testing.T) {
	t.Parallel()
	rebuilds := 15
	if os.Getenv(killsVariable) != "" {
		rebuilds = 100
	}
	for _, keep := range []string{"0s", "1h"} {
		t.Run("keep-removed "+keep, func(t *testing.T) {
			k := newKilled(t, 120, 3)
			k.build(0)
			done := make(chan struct{})
			go func() {
				defer close(done)
				for n := range rebuilds {
					command := exec.Command(k.sivu, "build", "--quiet", "--content", k.contents[(n+1)%3], "--out", k.out, "--keep-removed", keep)
					if text, err := command.CombinedOutput(); err != nil {
						t.Errorf("%v\n%s", err, text)
						return
					}
				}
			}()
			var all walked
			walks := 0
			for building := true; building; walks++ {
				select {
				case <-done:
					building = false
				default:
				}
				w := walkAsClient(t, k.out, k.isRemoved)
				all.lists, all.records, all.gone = all.lists+w.lists, all.records+w.records, all.gone+w.gone
			}
			t.Logf("%d walks during %d rebuilds met %d list pages, %d records, and 404 for %d that were removed", walks, rebuilds, all.lists, all.records, all.gone)
			if keep != "0s" && all.gone > 0 {
				t.Errorf("%d answers were missing though removed ones are kept", all.gone)
			}
		})
	}
}
