// Package diag holds what sivu has to say about a site's pages: positions,
// rules, diagnostics, and the printers that bring them to people and to tools.
//
// A problem in a page is data, not an error value. The rooms of the house
// describe the rules they watch over as [Rule] values in a list of their own
// and hand [Diagnostic] values to a [Collector], which sorts them, keeps each
// once, and counts. A Go error, by contrast, means that sivu could not run.
package diag

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"
	"sync"
)

// Position is a place in a file. Line and Column count from 1; a column is a
// Unicode code point, not a byte. A Line of 0 means the file as a whole.
type Position struct {
	File   string
	Line   int
	Column int
}

// String returns the position as file:line:column, leaving out what is not known.
// The file is as [Name] has it.
func (p Position) String() string {
	switch {
	case p.Line == 0:
		return Name(p.File)
	case p.Column == 0:
		return fmt.Sprintf("%s:%d", Name(p.File), p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", Name(p.File), p.Line, p.Column)
}

// Severity says how much a problem weighs.
type Severity uint8

// The severities, lightest first. A problem that is Off is not reported, a
// Warning is reported, and with an Error nothing is written.
const (
	Off Severity = iota
	Warning
	Error
)

var severityNames = [...]string{Off: "off", Warning: "warning", Error: "error"}

// String returns the name that site.yaml and the printers use.
func (s Severity) String() string { return severityNames[s] }

// ParseSeverity returns the severity of that name.
func ParseSeverity(name string) (Severity, bool) {
	i := slices.Index(severityNames[:], name)
	return Severity(max(i, 0)), i >= 0
}

// Rule is one thing that pages are checked for.
type Rule struct {
	Name     string   // lower case words joined with "-", as printed in brackets
	Doc      string   // one sentence for people: what the rule asks for
	Severity Severity // unless site.yaml says otherwise under "rules"
	Contract bool     // the contract rests on it: site.yaml cannot lower it
}

// At returns a diagnostic of the rule. Text that comes from a page belongs in
// the arguments, through [Quote].
func (r *Rule) At(pos Position, format string, args ...any) Diagnostic {
	return Diagnostic{Pos: pos, Rule: r, Severity: r.Severity, Message: fmt.Sprintf(format, args...)}
}

// Diagnostic is one problem at one place.
type Diagnostic struct {
	Pos      Position
	Rule     *Rule
	Severity Severity
	Message  string // one sentence, lower case, no full stop
	Hint     string // the cure, where there is one
	Missing  string // the path in a broken link, for a hint that is found when all pages are known
}

// WithHint returns d with a hint.
func (d Diagnostic) WithHint(format string, args ...any) Diagnostic {
	d.Hint = fmt.Sprintf(format, args...)
	return d
}

// Compare orders diagnostics by file, line and column, then by what they say.
func Compare(a, b Diagnostic) int {
	return cmp.Or(
		strings.Compare(a.Pos.File, b.Pos.File),
		cmp.Compare(a.Pos.Line, b.Pos.Line),
		cmp.Compare(a.Pos.Column, b.Pos.Column),
		strings.Compare(a.Rule.Name, b.Rule.Name),
		strings.Compare(a.Message, b.Message),
		strings.Compare(a.Hint, b.Hint),
	)
}

// Limit is how many diagnostics a report holds; the rest is only counted.
const Limit = 1000

// Report is the outcome of a run: at most [Limit] diagnostics in order, and how
// many there were of each severity in all. Errors go before warnings where not
// all have room: a warning never hides what stops a build.
type Report struct {
	Diagnostics []Diagnostic
	Errors      int
	Warnings    int
}

// More returns how many diagnostics are counted but not listed.
func (r Report) More() int { return r.Errors + r.Warnings - len(r.Diagnostics) }

// Collector gathers diagnostics from any number of goroutines. The zero value
// is ready to use. Its memory does not grow with the text of the problems
// beyond [Limit], however many a hostile page makes.
type Collector struct {
	mu         sync.Mutex
	severities map[string]Severity
	seen       map[uint64]struct{}
	kept       []Diagnostic
	failed     map[string]struct{} // files with errors
	errors     int
	warnings   int
}

// Override gives rules, by name, another severity than their own. It concerns
// diagnostics added from then on.
func (c *Collector) Override(severities map[string]Severity) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.severities = severities
}

var seed = maphash.MakeSeed()

// Add takes diagnostics in. A diagnostic equal to an earlier one is dropped.
func (c *Collector) Add(diagnostics ...Diagnostic) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, d := range diagnostics {
		if s, ok := c.severities[d.Rule.Name]; ok {
			d.Severity = s
		}
		if d.Severity == Off || c.isRepeat(d) {
			continue
		}
		if d.Severity == Error {
			c.errors++
			if c.failed == nil {
				c.failed = make(map[string]struct{})
			}
			c.failed[d.Pos.File] = struct{}{}
		} else {
			c.warnings++
		}
		if c.kept = append(c.kept, d); len(c.kept) >= 4*Limit {
			c.cut()
		}
	}
}

func (c *Collector) isRepeat(d Diagnostic) bool {
	var h maphash.Hash
	h.SetSeed(seed)
	fmt.Fprintf(&h, "%q %d %d %q %q %q", d.Pos.File, d.Pos.Line, d.Pos.Column, d.Rule.Name, d.Message, d.Hint)
	sum := h.Sum64()
	if _, ok := c.seen[sum]; ok {
		return true
	}
	if c.seen == nil {
		c.seen = make(map[uint64]struct{})
	}
	c.seen[sum] = struct{}{}
	return false
}

// cut forgets what has no room in a report.
func (c *Collector) cut() {
	slices.SortFunc(c.kept, func(a, b Diagnostic) int {
		return cmp.Or(cmp.Compare(b.Severity, a.Severity), Compare(a, b))
	})
	if len(c.kept) > Limit {
		clear(c.kept[Limit:])
		c.kept = c.kept[:Limit]
	}
}

// Errors returns how many errors were added so far.
func (c *Collector) Errors() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.errors
}

// Failed reports whether an error in a file was added, also one that a report has
// no room for.
func (c *Collector) Failed(file string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, ok := c.failed[file]
	return ok
}

// Report returns what was gathered so far.
func (c *Collector) Report() Report {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cut()
	list := slices.Clone(c.kept)
	slices.SortFunc(list, Compare)
	return Report{Diagnostics: list, Errors: c.errors, Warnings: c.warnings}
}
