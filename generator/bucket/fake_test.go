package bucket

import (
	"bytes"
	"context"
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/tree"
)

// fake is a bucket in memory. What a real store does on its own it can be told to do:
// to fail, to lose answers, to know no conditions.
type fake struct {
	mu      sync.Mutex
	objects map[string]fakeObject
	skew    time.Duration // is added to the age of every object
	requests

	noConditions bool // they are ignored
	refuses      bool // they are answered with 501
	etags        func(data []byte) string
	onRequest    func(n int, method, key string) // before the request, without the lock
}

type fakeObject struct {
	data    []byte
	etag    string
	headers Headers
	written time.Time
}

// requests are those that a client of a fake made.
type requests struct{ all []string }

func newFake() *fake { return &fake{objects: map[string]fakeObject{}, etags: md5ETag} }

func md5ETag(data []byte) string {
	sum := md5.Sum(data)
	return hex.EncodeToString(sum[:])
}

// client is one publisher's connection to a fake. It ends like a process that is killed
// or cut off: before a request, or after the request and before its answer.
type client struct {
	*fake
	mu       sync.Mutex
	made     int
	dieAt    int  // the number of the request, from 1; 0: never
	answered bool // the request at dieAt is carried out
	lose     int  // the number of a conditional PUT whose answer is lost and which is repeated
	put      int
}

var errDead = errors.New("the connection is gone")

// do carries out one request, unless the client is dead.
func (c *client) do(ctx context.Context, method, key string, request func() error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	c.mu.Lock()
	c.made++
	n := c.made
	c.mu.Unlock()
	if c.dieAt > 0 && (n > c.dieAt || n == c.dieAt && !c.answered) {
		return errDead
	}
	if c.onRequest != nil {
		c.onRequest(n, method, key)
	}
	c.fake.mu.Lock()
	defer c.fake.mu.Unlock()
	c.all = append(c.all, method+" "+key)
	err := request()
	if n == c.dieAt {
		return errDead
	}
	return err
}

func (c *client) Get(ctx context.Context, key string, limit int64) (object *Object, err error) {
	err = c.do(ctx, "GET", key, func() error {
		o, ok := c.objects[key]
		switch {
		case !ok:
			return fmt.Errorf("%s: %w", key, fs.ErrNotExist)
		case int64(len(o.data)) > limit:
			return ErrTooLarge
		}
		object = &Object{o.data, o.etag, o.headers, time.Since(o.written) + c.skew}
		return nil
	})
	return object, err
}

func (c *client) Put(ctx context.Context, key string, data []byte, h Headers, when Condition) (etag string, err error) {
	put := func() error {
		o, ok := c.objects[key]
		switch {
		case c.refuses && when != Condition{}:
			return ErrUnsupported
		case c.noConditions:
		case when.None && ok || when.Match != "" && (!ok || o.etag != when.Match):
			return fmt.Errorf("%s: %w", key, ErrCondition)
		}
		etag = c.etags(data)
		c.objects[key] = fakeObject{bytes.Clone(data), etag, h, time.Now()}
		return nil
	}
	err = c.do(ctx, "PUT", key, put)
	if err == nil && when != (Condition{}) {
		if c.put++; c.put == c.lose {
			err = c.do(ctx, "PUT", key, put)
		}
	}
	return etag, err
}

func (c *client) List(ctx context.Context, prefix string) iter.Seq2[Listed, error] {
	return func(yield func(Listed, error) bool) {
		var list []Listed
		err := c.do(ctx, "LIST", prefix, func() error {
			for key, o := range c.objects {
				if strings.HasPrefix(key, prefix) {
					list = append(list, Listed{key, o.etag})
				}
			}
			slices.SortFunc(list, func(a, b Listed) int { return strings.Compare(a.Key, b.Key) })
			return nil
		})
		for _, o := range list {
			if !yield(o, nil) {
				return
			}
		}
		if err != nil {
			yield(Listed{}, err)
		}
	}
}

func (c *client) Delete(ctx context.Context, key string) error {
	return c.do(ctx, "DELETE", key, func() error {
		delete(c.objects, key)
		return nil
	})
}

// counted returns how many requests of each method were made, and forgets them.
func (f *fake) counted() map[string]int {
	counts := map[string]int{}
	for _, r := range f.all {
		method, _, _ := strings.Cut(r, " ")
		counts[method]++
	}
	f.all = nil
	return counts
}

// site is a snapshot in memory.
type site map[string]string

func (s site) All() iter.Seq[tree.Entry] {
	return func(yield func(tree.Entry) bool) {
		for _, name := range slices.Sorted(maps.Keys(s)) {
			p, ok := api.ParsePath(name)
			if !ok {
				panic(name)
			}
			if !yield(tree.Entry{Path: p, Sum: tree.SumOf([]byte(s[name]))}) {
				return
			}
		}
	}
}

func (s site) Read(p api.Path) ([]byte, error) { return []byte(s[p.String()]), nil }

func record(id int) string {
	sum := sha256.Sum256(fmt.Append(nil, id))
	h := hex.EncodeToString(sum[:16])
	return "pages/" + h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:] + "/index.json"
}

// inList is how many records a list page of a site has.
const inList = 4

// newSite returns a site of records, each with a version. A list page names the next one,
// and its records, one path a line.
func newSite(records ...int) site {
	s := site{"404.json": "not found", "405.json": "not allowed"}
	for n := 1; n == 1 || (n-1)*inList < len(records); n++ {
		page := fmt.Sprintf("count %d\n", len(records))
		if n*inList < len(records) {
			page += fmt.Sprintf("pages/page-%d.json\n", n+1)
		}
		for _, r := range records[(n-1)*inList : min(n*inList, len(records))] {
			page += record(r) + "\n"
		}
		s[fmt.Sprintf("pages/page-%d.json", n)] = page
		if n == 1 {
			s["pages/index.json"] = page
		}
	}
	for _, r := range records {
		s[record(r)] = fmt.Sprintf("record %d", r)
	}
	return s
}

// walk follows all links from the first list page, and returns what leads nowhere.
func (f *fake) walk(prefix string) (dead []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	seen := map[string]bool{}
	todo := []string{"pages/index.json"}
	if _, ok := f.objects[prefix+todo[0]]; !ok {
		return nil // nothing is published yet
	}
	for len(todo) > 0 {
		name := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[name] {
			continue
		}
		seen[name] = true
		o, ok := f.objects[prefix+name]
		if !ok {
			dead = append(dead, name)
		}
		for line := range strings.Lines(string(o.data)) {
			if strings.HasPrefix(line, "pages/") {
				todo = append(todo, strings.TrimSpace(line))
			}
		}
	}
	return dead
}

// check wants the files of the site in the bucket, with their headers, and beside the
// state no other objects than those that are allowed to be there.
func (f *fake) check(t *testing.T, s site, prefix string, others ...string) {
	t.Helper()
	for name, text := range s {
		o := f.objects[prefix+name]
		if string(o.data) != text {
			t.Errorf("%s is %q, want %q", name, o.data, text)
		}
		want := Headers{"application/json", "max-age=60"}
		if strings.HasPrefix(name, "40") {
			want.CacheControl = "max-age=10"
		}
		if o.headers != want {
			t.Errorf("%s has %v", name, o.headers)
		}
	}
	for key := range f.objects {
		name := strings.TrimPrefix(key, prefix)
		if _, ok := s[name]; !ok && !strings.HasPrefix(name, ".sivu/") && !slices.Contains(others, name) {
			t.Errorf("%s is still there", name)
		}
	}
}

var testHeaders = []NamedHeaders{
	{"404.json", Headers{"application/json", "max-age=10"}}, {"405.json", Headers{"application/json", "max-age=10"}},
	{".json", Headers{"application/json", "max-age=60"}},
}

// options are those of a publisher of its own.
func (f *fake) options(prefix string) (Options, *client) {
	c := &client{fake: f}
	return Options{
		Store: c, At: Address{"b", strings.Trim(prefix, "/")}, State: c, StateAt: Address{"b", prefix + ".sivu"},
		Headers: testHeaders, By: "test", Lease: time.Second,
	}, c
}

func (f *fake) publish(t *testing.T, s site, change ...func(*Options)) *Result {
	t.Helper()
	o, _ := f.options("")
	for _, c := range change {
		c(&o)
	}
	r, err := Publish(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
