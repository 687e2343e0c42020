package verify

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
)

// Format is a way to print a report.
type Format struct {
	Name string

	// Print writes a report to w. With color, text has ANSI colors. The error is that of w.
	Print func(w io.Writer, r *Report, color bool) error
}

// Formats are all formats; the first is the default.
var Formats = []Format{
	{"text", printText}, // lines for people
	{"json", printJSON}, // one JSON object
}

// FormatNamed returns the format of that name.
func FormatNamed(name string) (Format, bool) {
	i := slices.IndexFunc(Formats, func(f Format) bool { return f.Name == name })
	if i < 0 {
		return Format{}, false
	}
	return Formats[i], true
}

const (
	bold   = "\x1b[1m"
	red    = "\x1b[31m"
	yellow = "\x1b[33m"
	reset  = "\x1b[0m"
)

// printText writes hints, which name the cause, and then findings rule by rule: those that
// fail, notes, and the exceptions of the host.
func printText(to io.Writer, r *Report, color bool) error {
	w := bufio.NewWriter(to)
	for _, hint := range r.Hints {
		fmt.Fprintf(w, "hint: %s\n", hint)
	}
	for _, g := range r.groups {
		if g.kind != excepted {
			g.printText(w, color)
			continue
		}
		fmt.Fprintf(w, "this host cannot: %s: %s (%s; %s)\n", g.rule.Name, g.findings[0].Reason, plural(g.total, "time"), g.rule.Section)
	}
	if r.Stopped != "" {
		fmt.Fprintf(w, "stopped: %s\n", r.Stopped)
	}
	return w.Flush()
}

func (g *group) printText(w *bufio.Writer, color bool) {
	label, paint := "not kept", red
	if g.kind == noted {
		label, paint = "note", yellow
	}
	name := g.rule.Name
	if color {
		label, name = paint+label+reset, bold+name+reset
	}
	fmt.Fprintf(w, "%s: %s: %s [%s]\n", label, name, g.rule.Doc, g.rule.Section)
	for _, f := range g.findings {
		where := f.Address
		if f.Request != "" {
			where += " (" + f.Request + ")"
		}
		fmt.Fprintf(w, "  %s\n    due:  %s\n    came: %s\n", where, f.Due, f.Came)
	}
	if more := g.total - len(g.findings); more > 0 {
		fmt.Fprintf(w, "  and %d more\n", more)
	}
}

// outcome says whether a finding fails the verification.
type outcome uint8

const (
	failed outcome = iota
	noted
	excepted
)

func (f Finding) outcome() outcome {
	switch {
	case f.Reason != "":
		return excepted
	case f.Note:
		return noted
	}
	return failed
}

// group is all findings of one rule and outcome. It has a limit of its own, so that notes
// do not displace what fails.
type group struct {
	rule     *Rule
	kind     outcome
	findings []Finding // sorted; the first maxFindings
	total    int       // also those that were not kept
}

// Totals returns how many findings there are, kept or not: those that fail, notes, and
// exceptions of the host.
func (r *Report) Totals() (findings, notes, exceptions int) {
	var n [3]int
	for _, g := range r.groups {
		n[g.kind] += g.total
	}
	return n[failed], n[noted], n[excepted]
}

// jsonReport and jsonFinding are the JSON format. Programs rely on the names.
type jsonReport struct {
	Base       string         `json:"base"`
	OK         bool           `json:"ok"`
	Count      *int           `json:"count"`
	Sample     int            `json:"sample"`
	Records    int            `json:"records"`
	Lists      int            `json:"list_pages"`
	Requests   int            `json:"requests"`
	Kept       int            `json:"kept"`
	Failures   int            `json:"failures"`
	Notes      int            `json:"notes"`
	Exceptions int            `json:"exceptions"`
	Stopped    string         `json:"stopped,omitzero"`
	Unfinished bool           `json:"unfinished,omitzero"`
	Hints      []string       `json:"hints"`
	Findings   []jsonFinding  `json:"findings"`
	More       map[string]int `json:"more"`
}

type jsonFinding struct {
	Rule    string `json:"rule"`
	Section string `json:"section"`
	Finding
}

func printJSON(w io.Writer, r *Report, _ bool) error {
	out := jsonReport{
		Base: r.Base, OK: !r.Failed(), Sample: r.Sample, Records: r.Records, Lists: r.Lists, Requests: r.Requests, Kept: r.Kept,
		Stopped: r.Stopped, Unfinished: r.Unfinished, Hints: r.Hints, Findings: []jsonFinding{}, More: r.More,
	}
	if r.Count >= 0 {
		out.Count = &r.Count
	}
	out.Failures, out.Notes, out.Exceptions = r.Totals()
	for _, f := range r.Findings {
		out.Findings = append(out.Findings, jsonFinding{f.Rule.Name, f.Rule.Section, f})
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(out)
}
