package diag

import (
	"bufio"
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

	print func(w *bufio.Writer, r Report, color bool) error
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

// Print writes r to w. With color, text carries ANSI colors.
func (f Format) Print(w io.Writer, r Report, color bool) error {
	b := bufio.NewWriter(w)
	if err := f.print(b, r, color); err != nil {
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

func printText(w *bufio.Writer, r Report, color bool) error {
	for _, d := range r.Diagnostics {
		position, severity := d.Pos.String(), d.Severity.String()
		if color {
			position = bold + position + reset
			severity = severityColors[d.Severity] + severity + reset
		}
		fmt.Fprintf(w, "%s: %s: %s [%s]\n", position, severity, Clean(d.Message), d.Rule.Name)
		if d.Hint != "" {
			fmt.Fprintf(w, "    hint: %s\n", Clean(d.Hint))
		}
	}
	if more := r.More(); more > 0 {
		fmt.Fprintf(w, "and %d more\n", more)
	}
	return nil
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

// MarshalJSON returns the report as the json format prints it.
func (r Report) MarshalJSON() ([]byte, error) {
	list := make([]jsonDiagnostic, len(r.Diagnostics))
	for i, d := range r.Diagnostics {
		list[i] = jsonDiagnostic{
			File: printable(d.Pos.File), Line: d.Pos.Line, Column: d.Pos.Column,
			Severity: d.Severity.String(), Rule: d.Rule.Name, Message: Clean(d.Message), Hint: Clean(d.Hint),
		}
	}
	return json.Marshal(struct {
		Errors      int              `json:"errors"`
		Warnings    int              `json:"warnings"`
		More        int              `json:"more"`
		Diagnostics []jsonDiagnostic `json:"diagnostics"`
	}{r.Errors, r.Warnings, r.More(), list})
}

func printJSON(w *bufio.Writer, r Report, _ bool) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(r)
}

var (
	githubMessage  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// printGitHub writes workflow commands. Text from pages is escaped, so that it
// can neither end a command nor begin one.
func printGitHub(w *bufio.Writer, r Report, _ bool) error {
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
	if more := r.More(); more > 0 {
		fmt.Fprintf(w, "::notice::and %d more problems\n", more)
	}
	return nil
}
