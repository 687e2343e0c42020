package diff

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"example.org/sivu/generator/diag"
)

// Format is a way to print a report.
type Format struct {
	Name string
	Doc  string

	print func(w *bufio.Writer, r *Report) error
}

// Formats are all formats; the first is the default.
var Formats = []Format{
	{Name: "text", Doc: "lines for people", print: printText},
	{Name: "json", Doc: "one JSON object, with path, size and SHA-256 of every file that differs", print: printJSON},
	{Name: "markdown", Doc: "a comment on a pull request", print: printMarkdown},
}

// Print prints the report in the format of that name, which must be one of Formats.
func (r *Report) Print(w io.Writer, format string) error {
	b := bufio.NewWriter(w)
	i := slices.IndexFunc(Formats, func(f Format) bool { return f.Name == format })
	if err := Formats[i].print(b, r); err != nil {
		return err
	}
	return b.Flush()
}

// summary is the first line of a report for people.
func (r *Report) summary() string {
	if len(r.Files) == 0 {
		return fmt.Sprintf("no difference: %s, %s", diag.Plural(r.New.Records, "record"), diag.Plural(r.Unchanged, "file"))
	}
	records, files := map[Operation]int{}, map[Operation]int{}
	for _, record := range r.Records {
		records[record.Operation]++
	}
	for _, f := range r.Files {
		files[f.Operation]++
	}
	var parts []string
	for _, op := range []Operation{Added, Removed, Moved, Changed} {
		if n := records[op]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, op))
		}
	}
	if len(parts) == 0 {
		parts = []string{"no record differs"}
	}
	return fmt.Sprintf("records: %s (%d before, %d now); files: %d added, %d changed, %d removed, %d unchanged",
		strings.Join(parts, ", "), r.Old.Records, r.New.Records, files[Added], files[Changed], files[Removed], r.Unchanged)
}

// otherLinks says that all addresses differ.
func (r *Report) otherLinks() string {
	if r.New.Base == r.Old.Base {
		return fmt.Sprintf("the link style is %s; it was %s, so every address differs", r.New.Links, r.Old.Links)
	}
	return fmt.Sprintf("the base address is %s (links: %s); it was %s (links: %s), so every address differs", r.New.Base, r.New.Links, r.Old.Base, r.Old.Links)
}

func printText(w *bufio.Writer, r *Report) error {
	fmt.Fprintln(w, r.summary())
	if r.HasOtherLinks() {
		fmt.Fprintln(w, r.otherLinks())
	}
	for _, record := range r.Records {
		fmt.Fprintf(w, "%-7s  %s  %s  %s\n", record.Operation, record.Language, record.ID, diag.Quote(record.Title))
		for _, line := range record.details(diag.Clean) {
			fmt.Fprintf(w, "         %s\n", line)
		}
	}
	if len(r.Dead) > 0 {
		fmt.Fprintf(w, "addresses without an answer: %d\n", len(r.Dead))
		for _, address := range r.Dead {
			fmt.Fprintf(w, "  %s\n", address)
		}
	}
	return nil
}

// details returns lines about a record, beside its title.
func (r *Record) details(clean func(string) string) []string {
	var lines []string
	switch {
	case r.OldPath != "" && r.OldPath != r.Path:
		lines = append(lines, "path: "+clean(r.OldPath)+" → "+clean(r.Path))
	case r.Path != "":
		lines = append(lines, "path: "+clean(r.Path))
	}
	if r.OldID != "" {
		lines = append(lines, "id: "+r.OldID+" → "+r.ID)
	}
	if len(r.Parts) > 0 {
		lines = append(lines, "differs: "+clean(strings.Join(r.Parts, ", ")))
	}
	return lines
}

// printJSON writes lists, not null, where there is nothing.
func printJSON(w *bufio.Writer, r *Report) error {
	out := *r
	out.Records, out.Dead, out.Files = append([]Record{}, r.Records...), append([]string{}, r.Dead...), append([]File{}, r.Files...)
	for i := range out.Records {
		out.Records[i].Parts = append([]string{}, out.Records[i].Parts...)
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(out)
}

// maxRows bounds each table of the Markdown form: forges cut or refuse comments of
// more than 65,536 characters.
const maxRows = 100

func printMarkdown(w *bufio.Writer, r *Report) error {
	fmt.Fprintf(w, "### Snapshot: %s → %s\n\n%s\n", escapeMarkdown(r.Old.Name), escapeMarkdown(r.New.Name), r.summary())
	if r.HasOtherLinks() {
		fmt.Fprintf(w, "\n**%s**\n", escapeMarkdown(r.otherLinks()))
	}
	if len(r.Records) > 0 {
		fmt.Fprint(w, "\n| | Language | Title | Details |\n|---|---|---|---|\n")
	}
	for i, record := range r.Records {
		if i == maxRows {
			fmt.Fprintf(w, "\n… and %s\n", diag.Plural(len(r.Records)-i, "more record"))
			break
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s |\n", record.Operation, escapeMarkdown(record.Language),
			escapeMarkdown(shortened(record.Title)), strings.Join(record.details(func(s string) string { return escapeMarkdown(shortened(s)) }), "<br>"))
	}
	if len(r.Dead) == 0 {
		return nil
	}
	fmt.Fprintf(w, "\n<details><summary>Addresses without an answer: %d</summary>\n\n", len(r.Dead))
	for i, address := range r.Dead {
		if i == maxRows {
			fmt.Fprintf(w, "- … and %d more\n", len(r.Dead)-i)
			break
		}
		fmt.Fprintf(w, "- %s\n", escapeMarkdown(address))
	}
	fmt.Fprint(w, "\n</details>\n")
	return nil
}

// shortened cuts a text that would make a table unreadable.
func shortened(s string) string {
	const most = 120
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return s
}

// escapeMarkdown returns text that CommonMark and its tables show as it is: titles come
// from authors, and a comment must not get links, mentions or markup of theirs.
func escapeMarkdown(s string) string {
	var b strings.Builder
	for _, r := range diag.Clean(s) {
		switch {
		case r == '@' || r == '#' || r == ':':
			fmt.Fprintf(&b, "&#%d;", r) // forges make links of mentions, references and bare addresses, also behind a backslash
		case strings.ContainsRune("\\`*_{}[]()<>+!|~&\"'$^=", r):
			b.WriteString("\\" + string(r))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
