// Package diag has positions, rules and diagnostics of source pages, and the
// formats in which a report of them is printed.
//
// A problem in a page is data, not an error value. Each package that checks
// pages lists its rules as [Rule] values and hands [Diagnostic] values to a
// [Collector], which counts and sorts them and drops repeats. A Go error, by
// contrast, means that sivu could not run.
package diag

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"
	"sync"
)

// Position is a line and a column of a file, counted from 1. A column is a Unicode code
// point, not a byte. A Line of 0 means the file as a whole.
type Position struct {
	File   string
	Line   int
	Column int
}

// String returns the position as file:line:column, without the parts that are not known.
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

// Diagnostic is one problem at one position.
type Diagnostic struct {
	Pos      Position
	Rule     *Rule
	Severity Severity
	Message  string // one sentence, lower case, no full stop
	Hint     string // the cure, where there is one
	Missing  string // the path of a broken link; its hint is found once all pages are known

	// Shared is how many problems d stands for, where their cause is one of the whole
	// site, or 0: a report has one diagnostic of those that differ in position only.
	Shared int
}

// AsShared returns d as a problem whose cause is one of the whole site.
func (d Diagnostic) AsShared() Diagnostic {
	d.Shared = 1
	return d
}

// WithHint returns d with a hint.
func (d Diagnostic) WithHint(format string, args ...any) Diagnostic {
	d.Hint = fmt.Sprintf(format, args...)
	return d
}

// Compare orders diagnostics by file, line and column, then by rule and text.
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

// Report is the outcome of a run: the diagnostics in order, and how many there were of
// each severity.
type Report struct {
	Diagnostics []Diagnostic
	Errors      int
	Warnings    int
	Site        []string // files whose problems are those of the site as a whole, as site.yaml
}

// First returns a report that lists at most n diagnostics, errors first, and counts all.
func (r Report) First(n int) Report {
	if len(r.Diagnostics) <= n {
		return r
	}
	list := slices.Clone(r.Diagnostics)
	slices.SortStableFunc(list, func(a, b Diagnostic) int { return cmp.Compare(b.Severity, a.Severity) })
	r.Diagnostics = list[:n]
	return r
}

// More returns how many diagnostics are counted but not listed.
func (r Report) More() int { return r.Errors + r.Warnings - len(r.Diagnostics) }

// Collector gathers diagnostics from any number of goroutines. The zero value is ready
// to use. It keeps all of them: that a hostile page makes only so many is up to those who
// read it.
type Collector struct {
	mu         sync.Mutex
	severities map[string]Severity
	seen       map[uint64]struct{} // hashes of all that were added
	kept       []Diagnostic
	shared     map[uint64]int      // by their hashes without positions: indexes of kept
	failed     map[string]struct{} // files with errors
	count      [Error + 1]int      // by severity
}

// Override gives rules, by name, another severity than their own. It concerns
// diagnostics added from then on.
func (c *Collector) Override(severities map[string]Severity) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.severities = severities
}

var seed = maphash.MakeSeed()

// Add adds diagnostics. A diagnostic equal to an earlier one is dropped.
func (c *Collector) Add(diagnostics ...Diagnostic) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seen == nil {
		c.seen, c.failed, c.shared = make(map[uint64]struct{}), make(map[string]struct{}), make(map[uint64]int)
	}
	for _, d := range diagnostics {
		if s, ok := c.severities[d.Rule.Name]; ok {
			d.Severity = s
		}
		hash := hashOf(d.Pos, &d)
		if _, ok := c.seen[hash]; ok || d.Severity == Off {
			continue
		}
		c.seen[hash] = struct{}{}
		if d.Severity == Error {
			c.failed[d.Pos.File] = struct{}{}
		}
		if d.Shared > 0 {
			cause := hashOf(Position{}, &d)
			if i, ok := c.shared[cause]; ok {
				first := &c.kept[i]
				if first.Shared++; Compare(d, *first) < 0 {
					first.Pos = d.Pos
				}
				continue
			}
			c.shared[cause], d.Shared = len(c.kept), 1 // also one of another report, which says how many it stands for
		}
		c.count[d.Severity]++
		c.kept = append(c.kept, d)
	}
}

func hashOf(at Position, d *Diagnostic) uint64 {
	return maphash.Comparable(seed, struct {
		Position
		rule, message, hint string
	}{at, d.Rule.Name, d.Message, d.Hint})
}

// Count returns the numbers of errors and warnings added so far.
func (c *Collector) Count() (errors, warnings int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.count[Error], c.count[Warning]
}

// Failed reports whether an error in a file was added.
func (c *Collector) Failed(file string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, ok := c.failed[file]
	return ok
}

// Report returns the report of all diagnostics added so far.
func (c *Collector) Report() Report {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := slices.Clone(c.kept)
	for _, i := range c.shared {
		if d := &list[i]; d.Shared > 1 {
			d.Message = fmt.Sprintf("%s (%d pages)", d.Message, d.Shared)
		}
	}
	slices.SortFunc(list, Compare)
	return Report{Diagnostics: list, Errors: c.count[Error], Warnings: c.count[Warning]}
}
