package verify

import (
	"cmp"
	"context"
	"fmt"
	"hash/maphash"
	"iter"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"example.org/sivu/generator/diag"
)

const (
	maxFindings = 20  // of one rule: the first by address, whichever goroutine finds them
	maxText     = 600 // bytes of a text of the service in a finding
)

// checker is the state of one verification.
type checker struct {
	Options

	base   string // without a slash at its end
	opener opener
	fail   context.CancelCauseFunc // ends the verification with an error

	// nameOf returns the path of the file at an address, for findings; nil for a service.
	nameOf func(address string) string
	// shown is called with the records of the count that plain list pages have shown;
	// may be nil.
	shown func(records, count int)
	// isGood reports whether the response to a GET of a good address has a body to
	// read. Where it has none, that is a finding.
	isGood func(address string, a *answer) bool

	part  int          // index in parts: the present step
	large sync.Mutex   // held by the task that reads a large record
	known atomic.Int64 // records of which something is kept

	mu        sync.Mutex
	found     map[groupKey]*group
	report    Report
	languages map[string]bool // of the records, and those that the contract names
	prefixes  []prefix        // of paths, which may be other languages
}

type groupKey struct {
	rule *Rule
	kind outcome
}

// answer is the response at an address. For a folder, the status is 200 where the file
// exists and else 404, and there is no header.
type answer struct {
	Status int
	Header http.Header
	Body   []byte // its beginning, if not all of it was asked for
	Size   int64  // of the whole body
	Sum    digest // of the whole body
	Most   int64  // limit of the body
	Long   bool   // the body is longer than Most, and cut there
	Fault  string // why no whole response came, such as a time-out; Status is 0 then
}

// want is the use of an answer: it decides how much of the body is kept.
type want uint8

const (
	wantSum    want = iota // the hash of the body, and its beginning
	wantList               // a list page
	wantRecord             // a record
)

func (w want) most() int64 {
	if w == wantList {
		return maxList
	}
	return maxBody
}

// opener gets an address that a client meets in next, previous or url. r limits what a
// record of a service may take; it may be nil. open is safe for concurrent use. An
// error ends the verification.
type opener interface {
	open(ctx context.Context, address string, w want, r *room) (*answer, error)
}

// digest is the hash of a body or a text. 0 is an unknown one.
type digest uint64

var hashSeed = maphash.MakeSeed()

func digestOf(text []byte) digest { return digest(maphash.Bytes(hashSeed, text)) }

// newChecker returns a checker, and its context, which ends when the checker fails.
func newChecker(ctx context.Context, base string, o Options) (*checker, context.Context) {
	o.Links = cmp.Or(o.Links, LinksQuery)
	c := &checker{
		Options: o, base: base, found: map[groupKey]*group{}, languages: map[string]bool{},
		report: Report{Base: diag.Clean(base), Count: -1, Sample: o.Sample, Hints: []string{}, More: map[string]int{}},
	}
	c.isGood = c.isFile
	if o.Progress == nil {
		c.Progress = func(string, int, int) {}
	}
	for _, tag := range strings.Fields(observedLanguages) {
		c.languages[tag] = true
	}
	ctx, c.fail = context.WithCancelCause(ctx)
	return c, ctx
}

// open returns the answer at an address, or nil where the verification has ended.
func (c *checker) open(ctx context.Context, address string, w want, r *room) *answer {
	a, err := c.opener.open(ctx, address, w, r)
	if err != nil {
		c.fail(err)
		return nil
	}
	return a
}

func (c *checker) isFile(address string, a *answer) bool {
	if a.Status != http.StatusOK {
		c.find(ruleLinkTarget, address, "an answer", "nothing is there")
	}
	return a.Status == http.StatusOK
}

// each calls do for all items, c.Jobs at once, until ctx ends.
func each[T any](ctx context.Context, c *checker, items iter.Seq[T], do func(T)) {
	var group errgroup.Group
	group.SetLimit(c.Jobs)
	for item := range items {
		if ctx.Err() != nil {
			break
		}
		group.Go(func() error {
			do(item)
			return nil
		})
	}
	group.Wait()
}

// find adds a finding about a plain GET. It is safe for concurrent use, as are findIn,
// hint and stop.
func (c *checker) find(rule *Rule, address, due, came string) {
	c.findIn(rule, request{address: address}, due, came)
}

// require is findIn unless ok is true.
func (c *checker) require(ok bool, rule *Rule, r request, due, came string) {
	if !ok {
		c.findIn(rule, r, due, came)
	}
}

func (c *checker) findIn(rule *Rule, r request, due, came string) {
	address := r.address
	if c.nameOf != nil {
		address = c.nameOf(address)
	}
	f := Finding{
		Rule: rule, Address: clip(address), Request: clip(r.label()), Due: clip(due), Came: clip(came),
		Reason: clip(c.Cannot[rule.Name]), Note: c.Lenient && (rule.Loose || r.loose),
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	key := groupKey{rule, f.outcome()}
	g := c.found[key]
	if g == nil {
		g = &group{rule: rule, kind: key.kind}
		c.found[key] = g
	}
	at, again := slices.BinarySearchFunc(g.findings, f, compareFindings)
	if again {
		return
	}
	g.total++
	g.findings = slices.Insert(g.findings, at, f)
	g.findings = g.findings[:min(len(g.findings), maxFindings)]
}

func (c *checker) hint(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if text := clip(fmt.Sprintf(format, args...)); !slices.Contains(c.report.Hints, text) {
		c.report.Hints = append(c.report.Hints, text)
	}
}

// stop sets why a walk ended early. The first reason is kept.
func (c *checker) stop(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.report.Stopped = cmp.Or(c.report.Stopped, clip(fmt.Sprintf(format, args...)))
}

func (c *checker) finish() *Report {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := &c.report
	for _, kind := range []outcome{failed, noted, excepted} {
		for _, rule := range Rules {
			if g := c.found[groupKey{rule, kind}]; g != nil {
				r.groups = append(r.groups, g)
				r.Findings = append(r.Findings, g.findings...)
				if more := g.total - len(g.findings); more > 0 {
					r.More[rule.Name] += more
				}
			}
		}
	}
	slices.SortFunc(r.Findings, compareFindings)
	slices.Sort(r.Hints)
	return r
}

func compareFindings(a, b Finding) int {
	return cmp.Or(
		strings.Compare(a.Address, b.Address), strings.Compare(a.Request, b.Request),
		strings.Compare(a.Rule.Name, b.Rule.Name), strings.Compare(a.Due, b.Due), strings.Compare(a.Came, b.Came),
	)
}
