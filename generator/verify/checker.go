package verify

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"
)

// mostFindings is how many findings of one rule are kept. Which they are does
// not depend on the order in which goroutines come by: the first by address.
const mostFindings = 20

// mostText is how many bytes of a text that somebody else wrote a finding holds.
const mostText = 600

// checker is one verification on its way.
type checker struct {
	Options

	base string // without a slash at its end

	// place returns what findings call an address: the path of its file in a
	// folder. nil leaves addresses as they are.
	place func(address string) string
	// shown is told how many records of the count the list pages of the plain variant
	// have shown. nil leaves it.
	shown func(records, count int)
	// answered judges what a walk got from an address that must be good, and
	// reports whether its body is one to read. nil leaves that to the walk.
	answered func(address string, a *answer) bool

	part  int           // of parts: what is checked at present
	large chan struct{} // taken by the task that reads a large record
	known atomic.Int64  // records of which something is kept

	mu     sync.Mutex
	found  map[kindOfFinding][]Finding // sorted, and at most so many of each
	report Report
	spoken languages // of the records
}

// kindOfFinding is what a limited number of findings is kept of. Notes do not
// push out what fails.
type kindOfFinding struct {
	rule *Rule
	note bool
}

// answer is what an address answered. In a folder, a file that is there has
// status 200 and no header, and one that is not has status 404.
type answer struct {
	Status int
	Header http.Header
	Body   []byte // how it begins, where not all of it was asked for
	Size   int64  // of the whole body
	Sum    digest // of the whole body
	Most   int64  // how many bytes of it were allowed
	Long   bool   // the body is longer than that, and cut there

	// Fault is why no whole answer came, such as a time-out. Status is 0 then.
	Fault string
}

// want is what an answer is asked for.
type want uint8

const (
	wantSum    want = iota // the hash of its body, and how that begins
	wantList               // a list page
	wantRecord             // a record
)

// most returns how many bytes of a body are read.
func (w want) most() int64 {
	if w == wantList {
		return mostList
	}
	return mostBody
}

// opener gets the answers to the addresses that a walk meets in next, previous
// and url. It is safe from any goroutine. An error ends the verification.
type opener interface {
	open(ctx context.Context, address string, w want) (*answer, error)
}

func newChecker(base string, o Options) *checker {
	if o.Links == "" {
		o.Links = LinksQuery
	}
	return &checker{
		Options: o, base: base, large: make(chan struct{}, 1), found: map[kindOfFinding][]Finding{},
		report: Report{Base: base, Count: -1, Sample: o.Sample, More: map[string]int{}, moreNotes: map[string]int{}},
	}
}

// find takes note of a sentence that was not kept. request is "" for a plain
// GET. It is safe from any goroutine.
func (c *checker) find(rule *Rule, address, request, due, came string) {
	c.findIn(rule, rule.Loose, address, request, due, came)
}

// findIn is find for a part of a rule that may be loose where the rest is not.
func (c *checker) findIn(rule *Rule, loose bool, address, request, due, came string) {
	if c.place != nil {
		address = c.place(address)
	}
	f := Finding{
		Rule: rule, Address: clip(address), Request: clip(request), Due: clip(due), Came: clip(came),
		Reason: c.Cannot[rule.Name], Note: c.Lenient && loose,
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	kind := kindOfFinding{rule, f.Note}
	list := c.found[kind]
	at, again := slices.BinarySearchFunc(list, f, compareFindings)
	switch {
	case again:
		return
	case len(list) >= mostFindings:
		c.report.More[rule.Name]++
		if f.Note {
			c.report.moreNotes[rule.Name]++
		}
		if at == len(list) {
			return
		}
		list = list[:len(list)-1]
	}
	c.found[kind] = slices.Insert(list, at, f)
}

// hint takes note of what to do about findings that have one cause.
func (c *checker) hint(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if text = clip(text); !slices.Contains(c.report.Hints, text) {
		c.report.Hints = append(c.report.Hints, text)
	}
}

// stop takes note of why a walk ended early. The first reason is kept.
func (c *checker) stop(why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.report.Stopped == "" {
		c.report.Stopped = clip(why)
	}
}

// advance tells of progress. A total of 0 is one that is not known.
func (c *checker) advance(stage string, done, total int) {
	if c.Progress != nil {
		c.Progress(stage, done, total)
	}
}

// finish returns the report.
func (c *checker) finish() *Report {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, list := range c.found {
		c.report.Findings = append(c.report.Findings, list...)
	}
	slices.SortFunc(c.report.Findings, compareFindings)
	slices.Sort(c.report.Hints)
	return &c.report
}

func compareFindings(a, b Finding) int {
	return cmp.Or(
		strings.Compare(a.Address, b.Address),
		strings.Compare(a.Request, b.Request),
		strings.Compare(a.Rule.Name, b.Rule.Name),
		strings.Compare(a.Due, b.Due),
		strings.Compare(a.Came, b.Came),
	)
}

// clip cuts a text that is longer than anybody reads, between two characters.
func clip(s string) string {
	if len(s) <= mostText {
		return s
	}
	end := mostText
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}
