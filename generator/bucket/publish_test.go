package bucket

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.org/sivu/generator/api"
)

func numbers(from, to int) (list []int) {
	for i := from; i < to; i++ {
		list = append(list, i)
	}
	return list
}

// Whatever changes, only that is sent, and the requests are as few as promised.
func TestRequests(t *testing.T) {
	f := newFake()
	s := newSite(numbers(0, 20)...)
	if r := f.publish(t, s); r.Added != len(s) || r.Rebuilt == "" || r.Changed != 0 {
		t.Errorf("first publication: %+v", r)
	}
	f.check(t, s, "")
	f.counted()

	r := f.publish(t, s)
	if counts := f.counted(); !maps.Equal(counts, map[string]int{"GET": 1}) || r.Unchanged != len(s) || r.Requests != 1 {
		t.Errorf("nothing changed: %v, %+v", counts, r)
	}

	for i := range 40 { // past the point where segments are put together
		s[record(3)] = fmt.Sprintf("RECORD %2d", i)
		r = f.publish(t, s)
		if counts := f.counted(); counts["PUT"] != 1+4 || counts["LIST"] > 0 || r.Changed != 1 || r.Unchanged != len(s)-1 {
			t.Fatalf("one record changed: %v, %+v", counts, r)
		}
		f.check(t, s, "")
	}
	trees := 0
	for key := range f.objects {
		if strings.HasPrefix(key, ".sivu/tree/") {
			trees++
		}
	}
	if trees > 1+maxSegments {
		t.Errorf("%d objects of the state are left", trees)
	}

	changed := slices.Clone(testHeaders)
	changed[2].CacheControl = "max-age=5"
	r = f.publish(t, s, func(o *Options) { o.Headers = changed })
	if r.Changed != len(s) || f.objects[record(1)].headers.CacheControl != "max-age=5" {
		t.Errorf("other headers: %+v", r)
	}
	r = f.publish(t, s)
	f.check(t, s, "")
	if r.Changed != len(s) {
		t.Errorf("the headers of before: %+v", r)
	}
}

// A dry run sends nothing, and says what the run would do, whatever the bucket holds.
func TestDryRun(t *testing.T) {
	s := newSite(numbers(0, 10)...)
	s[record(0)] = "other"
	for name, prepare := range map[string]func(f *fake){
		"an empty bucket": func(*fake) {},
		"a few changes":   func(f *fake) { f.publish(t, newSite(numbers(0, 9)...)) },
		"nothing changed": func(f *fake) { f.publish(t, s) },
		"a lost state": func(f *fake) {
			f.publish(t, s)
			maps.DeleteFunc(f.objects, func(key string, _ fakeObject) bool { return strings.HasPrefix(key, ".sivu/") })
		},
		"a killed first publication": func(f *fake) {
			o, c := f.options("")
			c.dieAt = 12
			Publish(t.Context(), s, o)
			f.skew = time.Minute
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake()
			prepare(f)
			before := maps.Clone(f.objects)
			f.counted()
			dry := f.publish(t, s, func(o *Options) { o.DryRun = true })
			if counts := f.counted(); counts["PUT"]+counts["DELETE"] > 0 || len(before) != len(f.objects) {
				t.Errorf("a dry run made %v", counts)
			}
			if real := f.publish(t, s); *dry != *real {
				t.Errorf("the dry run said %+v, and it was %+v", dry, real)
			}
		})
	}
}

// Where the state is lost, objects that a list shows to be as they are due are unchanged.
// A cache may hold others all the same, as the purge of them may have failed.
func TestLostStateUnchanged(t *testing.T) {
	f := newFake()
	s := newSite(numbers(0, 20)...)
	f.publish(t, s)
	delete(f.objects, ".sivu/head")
	f.set(record(3), "damaged by somebody")
	delete(f.objects, record(5))
	var told []api.Path
	f.counted()
	r := f.publish(t, s, func(o *Options) {
		o.OnPublished = func(_ context.Context, changed, _ []api.Path) error { told = changed; return nil }
	})
	if puts := f.counted()["PUT"]; r.Added != 1 || r.Changed != 1 || r.Unchanged != len(s)-2 || puts != 2+5 || len(told) != len(s)-1 {
		t.Errorf("%d objects of %d were sent, %d told, %+v", puts, len(s), len(told), r)
	}
	f.check(t, s, "")
}

// A removed file stays for a while, the next run after that removes it, and one that
// comes back in between is there.
func TestKeepRemoved(t *testing.T) {
	f := newFake()
	now := time.Now()
	keep := func(o *Options) { o.KeepRemoved, o.Now = 10*time.Minute, func() time.Time { return now } }
	more, less := newSite(numbers(0, 20)...), newSite(numbers(0, 8)...)
	f.publish(t, more, keep)
	r := f.publish(t, less, keep)
	if r.Left != 12+3 || r.Kept != 15 || r.Removed != 0 || len(f.walk("")) > 0 {
		t.Errorf("%+v", r)
	}
	f.counted()
	now = now.Add(9 * time.Minute)
	if f.publish(t, less, keep); f.counted()["GET"] != 1 {
		t.Error("more than one request before a removal is due")
	}
	back := newSite(numbers(0, 10)...)
	back[record(9)] = "it came back"
	r = f.publish(t, back, keep)
	if r.Kept != 15-2-1 || r.Removed != 0 {
		t.Errorf("some came back: %+v", r)
	}
	now = now.Add(2 * time.Minute)
	r = f.publish(t, back, keep)
	if r.Removed != 12 || r.Kept != 0 {
		t.Errorf("a removal is due: %+v", r)
	}
	f.check(t, back, "")
	f.publish(t, newSite(), func(o *Options) { o.KeepRemoved = 0 })
	f.check(t, newSite(), "")
}

// Objects of others stay, whatever happens to the state.
func TestForeignObjects(t *testing.T) {
	foreign := []string{"robots.txt", "pages/photo.jpg", "pages/page-0.json", "index.html", "404.html", "pages/" + strings.ToUpper(record(1)[6:]), "other/pages/page-9.json"}
	f := newFake()
	for _, name := range foreign {
		f.objects["v1/"+name] = fakeObject{data: []byte("mine"), etag: "x"}
	}
	f.objects["v2/pages/page-7.json"] = fakeObject{data: []byte("mine")}
	in := func(o *Options) {
		o.At, o.StateAt = Address{"b", "v1"}, Address{"b", "v1/.sivu"}
	}
	for _, s := range []site{newSite(numbers(0, 9)...), newSite(1)} {
		f.publish(t, s, in)
		delete(f.objects, "v1/.sivu/head")
	}
	f.publish(t, newSite(1), in)
	delete(f.objects, "v2/pages/page-7.json")
	f.check(t, newSite(1), "v1/", foreign...)
	for _, name := range foreign {
		if string(f.objects["v1/"+name].data) != "mine" {
			t.Errorf("%s was written over", name)
		}
	}

	s := newSite(1)
	s["404.html"] = "ours"
	o, _ := f.options("v1/")
	if _, err := Publish(t.Context(), s, o); err == nil || !strings.Contains(err.Error(), "v1/404.html is there already") {
		t.Errorf("a foreign file in the way: %v", err)
	}
}

// Without a state, or with one that does not fit, what is there is found by a list, and
// is believed only where the ETag is an MD5.
func TestRebuild(t *testing.T) {
	damages := map[string]func(f *fake){
		"no head":       func(f *fake) { delete(f.objects, ".sivu/head") },
		"no JSON":       func(f *fake) { f.set(".sivu/head", "{") },
		"another's":     func(f *fake) { f.set(".sivu/head", `{"format":1,"tree":{"base":"../../x"}}`) },
		"no tree":       func(f *fake) { f.eachTree(func(key string) { delete(f.objects, key) }) },
		"another tree":  func(f *fake) { f.eachTree(func(key string) { f.set(key, "sivu state 1\n") }) },
		"an empty tree": func(f *fake) { f.eachTree(func(key string) { f.set(key, "") }) },
	}
	for name, damage := range damages {
		t.Run(name, func(t *testing.T) {
			f := newFake()
			f.publish(t, newSite(numbers(0, 20)...))
			f.set(record(2), "damaged by somebody")
			o := f.objects[record(4)]
			o.etag += "-2"
			f.objects[record(4)] = o
			damage(f)
			f.counted()
			s := newSite(numbers(0, 16)...)
			r := f.publish(t, s)
			f.check(t, s, "")
			if r.Rebuilt == "" {
				t.Error("nothing is said about it")
			}
			// Both that are not as listed, the lists that changed, and the bodies of errors.
			if puts := f.counted()["PUT"]; puts > 2+5+2+6 {
				t.Errorf("%d objects were sent", puts)
			}
		})
	}
	t.Run("other ETags", func(t *testing.T) {
		f := newFake()
		f.etags = func([]byte) string { return "an-etag" }
		f.publish(t, newSite(1, 2))
		delete(f.objects, ".sivu/head")
		f.set(record(1), "damaged")
		f.publish(t, newSite(1, 2))
		f.check(t, newSite(1, 2), "")
	})
	t.Run("other headers", func(t *testing.T) {
		f := newFake()
		f.publish(t, newSite(numbers(0, 9)...))
		delete(f.objects, ".sivu/head")
		for key, o := range f.objects {
			o.headers = Headers{"binary/octet-stream", ""}
			f.objects[key] = o
		}
		f.publish(t, newSite(numbers(0, 9)...))
		f.check(t, newSite(numbers(0, 9)...), "")
	})
}

func (f *fake) set(key, text string) {
	f.objects[key] = fakeObject{[]byte(text), f.etags([]byte(text)), f.objects[key].headers, time.Now()}
}

func (f *fake) eachTree(do func(key string)) {
	for key := range maps.Clone(f.objects) {
		if strings.HasPrefix(key, ".sivu/tree/") {
			do(key)
		}
	}
}

// At no moment does a link lead nowhere, whether records come or go.
func TestOrder(t *testing.T) {
	f := newFake()
	sites := []site{newSite(numbers(10, 30)...), newSite(numbers(0, 30)...), newSite(numbers(20, 30)...), newSite(numbers(5, 60)...), newSite(7)}
	f.onRequest = func(_ int, method, key string) {
		if dead := f.walk(""); len(dead) > 0 {
			t.Errorf("before %s %s: %q lead nowhere", method, key, dead)
		}
	}
	for _, s := range sites {
		f.publish(t, s)
		f.check(t, s, "")
	}
}

// A publisher dies at each of its requests, before or after the store carries it out.
// No client meets a link that leads nowhere, and the next publisher, of another tree,
// ends with just that.
func TestDeaths(t *testing.T) {
	t.Parallel()
	old, next := newSite(numbers(0, 13)...), newSite(numbers(4, 18)...)
	next[record(6)] = "RECORD 6"
	for _, end := range []site{next, old, newSite(numbers(2, 9)...)} {
		for _, answered := range []bool{false, true} {
			for at := 1; ; at++ {
				f := newFake()
				f.publish(t, old)
				o, c := f.options("")
				c.dieAt, c.answered = at, answered
				_, err := Publish(t.Context(), next, o)
				if err == nil {
					if at < 20 {
						t.Fatalf("there were only %d requests", at)
					}
					break
				}
				if dead := f.walk(""); len(dead) > 0 {
					t.Fatalf("died at %d: %q lead nowhere", at, dead)
				}
				f.skew = time.Minute // the lease is over
				f.onRequest = func(_ int, method, key string) {
					if dead := f.walk(""); len(dead) > 0 {
						t.Errorf("died at %d, then before %s %s: %q lead nowhere", at, method, key, dead)
					}
				}
				r := f.publish(t, end)
				f.check(t, end, "")
				if f.objects[".sivu/head"].data == nil || strings.Contains(string(f.objects[".sivu/head"].data), `"nonce"`) {
					t.Fatalf("died at %d: head is %s", at, f.objects[".sivu/head"].data)
				}
				if t.Failed() {
					t.Fatalf("died at %d, answered %v: %+v", at, answered, r)
				}
			}
		}
	}
}

// Publishers die one after the other, at random, of many trees. What they left is never
// taken for what it is not.
func TestManyDeaths(t *testing.T) {
	t.Parallel()
	f := newFake()
	f.publish(t, newSite(numbers(0, 9)...))
	f.skew = time.Minute
	for i := range 300 {
		s := newSite(numbers(i%7, i%7+3+i*5%11)...)
		s[record(i%7)] = fmt.Sprintf("version %d", i)
		o, c := f.options("")
		c.dieAt, c.answered = 1+i*13%37, i%2 == 0
		if i%29 == 0 {
			c.dieAt = 0
		}
		_, err := Publish(t.Context(), s, o)
		if dead := f.walk(""); len(dead) > 0 {
			t.Fatalf("run %d: %q lead nowhere", i, dead)
		}
		if err == nil {
			f.check(t, s, "")
		}
		if t.Failed() {
			t.Fatalf("run %d", i)
		}
	}
}

// A publisher dies while it sends everything with other headers. The next one has the old
// ones again, and so has every object.
func TestDeathWithOtherHeaders(t *testing.T) {
	s, other := newSite(numbers(0, 9)...), slices.Clone(testHeaders)
	other[2].CacheControl = "max-age=5"
	for at := 5; at < 40; at++ {
		f := newFake()
		f.publish(t, s)
		f.skew = time.Minute
		o, c := f.options("")
		o.Headers, c.dieAt, c.answered = other, at, true
		Publish(t.Context(), s, o)
		f.publish(t, s)
		if f.check(t, s, ""); t.Failed() {
			t.Fatalf("died at %d", at)
		}
	}
}

// Where the state is lost, the headers of all objects are due again as soon as a sample
// has other ones.
func TestOtherHeadersWithoutState(t *testing.T) {
	s, other := newSite(numbers(0, 9)...), slices.Clone(testHeaders)
	other[2].CacheControl = "max-age=5"
	f := newFake()
	o, _ := f.options("")
	o.Headers = other
	if _, err := Publish(t.Context(), s, o); err != nil {
		t.Fatal(err)
	}
	delete(f.objects, ".sivu/head")
	f.publish(t, s)
	f.check(t, s, "")
}

// However many publishers die before their end, head stays one that can be read, and the
// plans in it do not grow without end.
func TestPlansEnd(t *testing.T) {
	f := newFake()
	f.publish(t, newSite(1, 2))
	f.skew = time.Minute
	for i := range 3 * maxUnfinished {
		o, _ := f.options("")
		o.OnPublished = func(context.Context, []api.Path, []api.Path) error { return errDead }
		if _, err := Publish(t.Context(), newSite(2, 3+i), o); !errors.Is(err, errDead) {
			t.Fatal(err)
		}
		h, err := decodeHead(f.objects[".sivu/head"].data)
		if err != nil || h.Lock == nil || len(h.Lock.Plans) == 0 {
			t.Fatalf("after %d plans head is %v, %v", i+1, h, err)
		}
	}
	f.publish(t, newSite(2, 3))
	f.check(t, newSite(2, 3), "")
}

// Of two publishers that meet, one waits or is refused, and no tree is a mixture.
func TestTwoPublishers(t *testing.T) {
	t.Parallel()
	f := newFake()
	f.publish(t, newSite(numbers(0, 9)...))
	a, b := newSite(numbers(0, 12)...), newSite(numbers(3, 9)...)
	inside := make(chan struct{})
	resume := make(chan struct{})
	var once sync.Once
	o, _ := f.options("")
	o.Lease = 4 * time.Second
	o.OnPublished = func(ctx context.Context, _, _ []api.Path) error {
		once.Do(func() { close(inside) })
		<-resume
		return nil
	}
	first := make(chan error)
	go func() { _, err := Publish(t.Context(), a, o); first <- err }()
	<-inside
	second, _ := f.options("")
	_, err := Publish(t.Context(), b, second)
	var busy *BusyError
	if !errors.As(err, &busy) || busy.By != "test" || time.Until(busy.Until) < 2*time.Second {
		t.Errorf("the second publisher: %v", err)
	}
	waited := make(chan *BusyError, 1)
	second.OnWait = func(e *BusyError) { waited <- e; close(resume) }
	if _, err := Publish(t.Context(), b, second); err != nil || len(waited) != 1 {
		t.Errorf("one that waits: %v", err)
	}
	if err := <-first; err != nil {
		t.Error(err)
	}
	f.check(t, b, "")
}

// Many publishers at once all come to their end, and the last tree is one of theirs.
func TestCrowd(t *testing.T) {
	t.Parallel()
	f := newFake()
	f.onRequest = func(int, string, string) { time.Sleep(time.Millisecond) }
	var all sync.WaitGroup
	sites := map[string]site{}
	for i := range 6 {
		s := newSite(numbers(i, 2*i+5)...)
		s["404.json"] = fmt.Sprint(i)
		sites[s["404.json"]] = s
		all.Go(func() {
			o, _ := f.options("")
			o.OnWait = func(*BusyError) {}
			if _, err := Publish(t.Context(), s, o); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	f.check(t, sites[string(f.objects["404.json"].data)], "")
}

// One who lost the lock stops, and does not write head again.
func TestLostLock(t *testing.T) {
	t.Parallel()
	f := newFake()
	f.publish(t, newSite(1, 2, 3))
	next := newSite(1, 2, 3, 4, 5)
	o, _ := f.options("")
	stolen := false
	o.OnPublished = func(ctx context.Context, _, _ []api.Path) error {
		f.mu.Lock()
		f.set(".sivu/head", strings.Replace(string(f.objects[".sivu/head"].data), `"by":"test"`, `"by":"thief"`, 1))
		stolen = true
		f.mu.Unlock()
		<-ctx.Done()
		return ctx.Err()
	}
	if _, err := Publish(t.Context(), next, o); !errors.Is(err, ErrLost) || !stolen {
		t.Errorf("got error %v", err)
	}
	if !strings.Contains(string(f.objects[".sivu/head"].data), "thief") {
		t.Error("head was written over")
	}
}

// A publisher at work keeps its lock longer than a lease, also where answers are lost.
func TestRenewal(t *testing.T) {
	for lose := range 4 {
		t.Run(fmt.Sprint(lose), func(t *testing.T) {
			t.Parallel()
			f := newFake()
			f.publish(t, newSite(1, 2, 3))
			o, c := f.options("")
			c.lose = lose
			o.OnPublished = func(ctx context.Context, _, _ []api.Path) error {
				time.Sleep(1200 * time.Millisecond)
				return ctx.Err()
			}
			s := newSite(3, 2, 1)
			if _, err := Publish(t.Context(), s, o); err != nil {
				t.Errorf("answer %d is lost: %v", lose, err)
			}
			f.check(t, s, "")
		})
	}
}

// After a failure the next publisher need not wait, sends again what is not known, and
// tells again what changed.
func TestFailureGivesUp(t *testing.T) {
	f := newFake()
	f.publish(t, newSite(1, 2, 3))
	s := newSite(1, 2, 4)
	failed := errors.New("the purge failed")
	var told [][]api.Path
	purge := func(err error) func(*Options) {
		return func(o *Options) {
			o.OnPublished = func(_ context.Context, changed, removed []api.Path) error {
				told = append(told, changed, removed)
				return err
			}
		}
	}
	o, _ := f.options("")
	purge(failed)(&o)
	if _, err := Publish(t.Context(), s, o); !errors.Is(err, failed) {
		t.Errorf("got error %v", err)
	}
	r := f.publish(t, s, purge(nil))
	if r.TookOver != "test" || len(told) != 4 || !slices.Equal(told[1], told[3]) || len(told[2]) < len(told[0]) {
		t.Errorf("told %v, %+v", told, r)
	}
	f.check(t, s, "")
}

// A store that refuses head each time is named, with what to do.
func TestRefusedHead(t *testing.T) {
	f := newFake()
	s := newSite(1, 2)
	f.publish(t, s)
	f.onRequest = func(_ int, method, key string) {
		if o := f.objects[key]; method == "PUT" && key == ".sivu/head" {
			o.etag += "x"
			f.objects[key] = o
		}
	}
	o, _ := f.options("")
	var refused *Error
	if _, err := Publish(t.Context(), newSite(1), o); !errors.As(err, &refused) || !strings.Contains(refused.Message, "to write s3://b/.sivu/head") || !strings.Contains(refused.Hint, "--state") {
		t.Errorf("got error %v", err)
	}
	f.check(t, s, "")
}

// A store without conditions is found out, and works.
func TestNoConditions(t *testing.T) {
	t.Parallel()
	for name, set := range map[string]func(*fake){"ignored": func(f *fake) { f.noConditions = true }, "refused": func(f *fake) { f.refuses = true }} {
		f := newFake()
		set(f)
		for _, s := range []site{newSite(1, 2, 3), newSite(1, 3)} {
			if r := f.publish(t, s); !r.Unconditional {
				t.Errorf("%s: %+v", name, r)
			}
			f.check(t, s, "")
		}
	}
}

func TestStateElsewhere(t *testing.T) {
	f, other := newFake(), newFake()
	o, _ := f.options("v1/")
	o.State = &client{fake: other}
	o.StateAt = Address{"other", "x"}
	s := newSite(1, 2)
	if _, err := Publish(t.Context(), s, o); err != nil {
		t.Fatal(err)
	}
	f.check(t, s, "v1/")
	for key := range f.objects {
		if strings.Contains(key, ".sivu") {
			t.Errorf("%s is in the bucket", key)
		}
	}
	if other.objects["x/head"].data == nil {
		t.Error("there is no state")
	}
}

func TestPartOfASnapshot(t *testing.T) {
	f := newFake()
	for _, name := range []string{"404.json", "405.json", "pages/index.json"} {
		s := newSite(1)
		delete(s, name)
		o, _ := f.options("")
		if _, err := Publish(t.Context(), s, o); err == nil || !strings.Contains(err.Error(), name+" is missing") {
			t.Errorf("without %s: %v", name, err)
		}
	}
	s := changing{newSite(1)}
	o, _ := f.options("")
	if _, err := Publish(t.Context(), s, o); err == nil || !strings.Contains(err.Error(), "is not as it was built") {
		t.Errorf("a snapshot that changes: %v", err)
	}
	if len(f.all) == 0 || f.objects["pages/index.json"].data != nil {
		t.Error("something was published")
	}
}

// changing is a site whose files are other ones when they are read.
type changing struct{ site }

func (c changing) Read(p api.Path) ([]byte, error) {
	data, err := c.site.Read(p)
	return append(data, 'x'), err
}

func TestParseAddress(t *testing.T) {
	for text, want := range map[string]Address{
		"s3://bucket": {"bucket", ""}, "s3://bucket/": {"bucket", ""}, "s3://b.b-1/a/b": {"b.b-1", "a/b"}, "s3://bucket/a/": {"bucket", "a"},
	} {
		if got, err := ParseAddress(text); got != want || err != nil {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "bucket", "https://bucket", "s3://", "s3:///a", "s3://B/a", "s3://ab", "s3://bucket//a", "s3://bucket/a/../b", "s3://bucket/.", "s3://bucket/a?b", "s3://bucket/\x00", "s3://bucket/" + strings.Repeat("a", 600)} {
		if _, err := ParseAddress(text); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}

// FuzzHead looks for a head that is read and says something else when it is written.
func FuzzHead(f *testing.F) {
	h := head{Format: headFormat, Content: hashOf(nil), Headers: hashOf(nil), Tree: &treeRef{hashOf(nil), []string{hashOf(nil)}}}
	f.Add(h.encode())
	h.Lock = &lock{Nonce: "n", By: "me", Since: time.Unix(0, 0).UTC(), Lease: 60, Plans: []*treeRef{h.Tree}}
	f.Add(h.encode())
	f.Add([]byte(`{"format":1,"tree":{}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		h, err := decodeHead(data)
		if err != nil {
			return
		}
		again, err := decodeHead(h.encode())
		if err != nil || string(again.encode()) != string(h.encode()) {
			t.Errorf("%s is read, and %v", h.encode(), err)
		}
		for _, name := range named(h) {
			if !isSum(name) {
				t.Errorf("an object is named %q", name)
			}
		}
	})
}
