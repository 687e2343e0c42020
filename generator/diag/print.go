package diag

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Format is a way to print a report.
type Format struct {
	Name string
	Doc  string

	// FromRoot says that files are to be named from the root of the repository, for
	// a reader that does not know in which folder sivu ran.
	FromRoot bool

	print func(w *bufio.Writer, r Report, s Style) error
}

// Style says how text is printed.
type Style struct {
	Color bool // with ANSI colors

	// Rest says where all problems can be read. With it, those that have one cause are
	// printed as a group with its first problems only. Without it, all are printed.
	Rest string
}

// Formats are all formats; the first is the default. A new format is one new
// file and one line here.
var Formats = []Format{
	{Name: "text", Doc: "lines for people", print: printText},
	{Name: "json", Doc: "one JSON object", print: printJSON},
	{Name: "github", Doc: "annotations of a GitHub workflow", FromRoot: true, print: printGitHub},
}

// FormatNamed returns the format of that name.
func FormatNamed(name string) (Format, bool) {
	for _, f := range Formats {
		if f.Name == name {
			return f, true
		}
	}
	return Format{}, false
}

// Print writes r to w.
func (f Format) Print(w io.Writer, r Report, s Style) error {
	b := bufio.NewWriter(w)
	if err := f.print(b, r, s); err != nil {
		return err
	}
	return b.Flush()
}

const (
	bold   = "\x1b[1m"
	red    = "\x1b[31m"
	yellow = "\x1b[33m"
	reset  = "\x1b[0m"
)

var severityColors = [...]string{Off: "", Warning: yellow, Error: red}

func printText(w *bufio.Writer, r Report, s Style) error {
	list := make([]*Diagnostic, len(r.Diagnostics))
	for i := range list {
		list[i] = &r.Diagnostics[i]
	}
	if s.Rest == "" {
		printAll(w, list, s.Color)
	} else if hidden := printGroups(w, list, r.Site, s.Color); hidden > 0 {
		fmt.Fprintf(w, "\n%s like these; %s\n", Plural(hidden, "more problem"), s.Rest)
	}
	return nil
}

// printAll prints problems with the cure of each.
func printAll(w *bufio.Writer, list []*Diagnostic, color bool) {
	for _, d := range list {
		printProblem(w, d, color)
		printHint(w, d)
	}
}

func printProblem(w *bufio.Writer, d *Diagnostic, color bool) {
	position, severity := d.Pos.String(), d.Severity.String()
	if color {
		position = bold + position + reset
		severity = severityColors[d.Severity] + severity + reset
	}
	fmt.Fprintf(w, "%s: %s: %s [%s]\n", position, severity, Clean(d.Message), d.Rule.Name)
}

func printHint(w *bufio.Writer, d *Diagnostic) {
	if d.Hint != "" {
		fmt.Fprintf(w, "    hint: %s\n", Clean(d.Hint))
	}
}

// jsonDiagnostic is a diagnostic as printed. Other programs rely on its names.
type jsonDiagnostic struct {
	File     string `json:"file"`
	Line     int    `json:"line,omitzero"`
	Column   int    `json:"column,omitzero"`
	Severity string `json:"severity"`
	Rule     string `json:"rule"`
	Message  string `json:"message"`
	Hint     string `json:"hint,omitzero"`
}

// MarshalJSON returns the diagnostic as the json format prints it.
func (d Diagnostic) MarshalJSON() ([]byte, error) {
	return json.Marshal(jsonDiagnostic{
		File: printable(d.Pos.File), Line: d.Pos.Line, Column: d.Pos.Column,
		Severity: d.Severity.String(), Rule: d.Rule.Name, Message: Clean(d.Message), Hint: Clean(d.Hint),
	})
}

// MarshalJSON returns the report as the json format prints it.
func (r Report) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	err := r.WriteJSON(&b)
	return b.Bytes(), err
}

// WriteJSON writes the report as the json format prints it, a line for each diagnostic:
// there may be hundreds of thousands.
func (r Report) WriteJSON(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, `{"errors": %d, "warnings": %d, "more": %d, "diagnostics": [`, r.Errors, r.Warnings, r.More())
	separator := "\n"
	for _, d := range r.Diagnostics {
		line, _ := d.MarshalJSON() // texts always have a JSON form
		b.WriteString(separator)
		b.Write(line)
		separator = ",\n"
	}
	b.WriteString("]}\n")
	return b.Flush()
}

func printJSON(w *bufio.Writer, r Report, _ Style) error { return r.WriteJSON(w) }

var (
	githubMessage  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// printGitHub writes workflow commands. Text from pages is escaped, so that it
// can neither end a command nor begin one.
func printGitHub(w *bufio.Writer, r Report, _ Style) error {
	for _, d := range r.Diagnostics {
		fmt.Fprintf(w, "::%s file=%s", d.Severity, githubProperty.Replace(printable(d.Pos.File)))
		if d.Pos.Line > 0 {
			fmt.Fprintf(w, ",line=%d", d.Pos.Line)
		}
		if d.Pos.Column > 0 {
			fmt.Fprintf(w, ",col=%d", d.Pos.Column)
		}
		message := Clean(d.Message)
		if d.Hint != "" {
			message += "\nhint: " + Clean(d.Hint)
		}
		fmt.Fprintf(w, ",title=%s::%s\n", githubProperty.Replace(d.Rule.Name), githubMessage.Replace(message))
	}
	return nil
}
