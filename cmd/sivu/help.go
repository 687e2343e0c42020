package main

import (
	"io"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
)

// helpColumns is how wide help is where there is room: lines of text are not read
// well if they are longer.
const helpColumns = 80

// minDescription is how many columns the descriptions of commands and flags need
// beside their names; where there are fewer they stand below them.
const minDescription = 24

// printHelp prints the help of a command, as wide as the terminal.
func printHelp(command *cobra.Command, _ []string) {
	text := command.Long
	if text == "" {
		text = command.Short
	}
	out := command.OutOrStdout()
	io.WriteString(out, wrapHelp(text+"\n\n"+command.UsageString(), min(width(out), helpColumns)))
}

// described is a line of a list: a name, and its description in a column.
var described = regexp.MustCompile(`^( +\S.*?)  +(\S.*)$`)

// wrapHelp returns help in lines of at most that many columns. Paragraphs that
// are wider are filled anew.
func wrapHelp(text string, columns int) string {
	var b strings.Builder
	heading := ""
	for block := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n\n") {
		lines := strings.Split(block, "\n")
		for len(lines) > 0 {
			n := 0 // lines of a paragraph
			for n < len(lines) && lines[n] != "" && lines[n][0] != ' ' {
				n++
			}
			if n > 0 {
				heading = lines[n-1]
				wrapParagraph(&b, lines[:n], columns)
				lines = lines[n:]
				continue
			}
			switch m := described.FindStringSubmatchIndex(lines[0]); {
			case heading == "Examples:":
				wrapExample(&b, lines[0], columns)
			case m != nil:
				wrapDescribed(&b, lines[0][:m[4]], lines[0][m[4]:], columns)
			default:
				b.WriteString(wrap(lines[0], columns))
			}
			b.WriteByte('\n')
			lines = lines[1:]
		}
		b.WriteByte('\n')
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

func wrapParagraph(b *strings.Builder, lines []string, columns int) {
	fits := true
	for _, line := range lines {
		fits = fits && columnsOf(line) <= columns
	}
	if fits {
		b.WriteString(strings.Join(lines, "\n") + "\n")
		return
	}
	wrapLine(b, "", strings.Join(lines, " "), 0, columns, "")
	b.WriteByte('\n')
}

func wrapDescribed(b *strings.Builder, name, description string, columns int) {
	indent := columnsOf(name)
	if columns-indent < minDescription {
		b.WriteString(strings.TrimRight(name, " ") + "\n")
		indent = 2 * hanging
		name = strings.Repeat(" ", indent)
	}
	wrapLine(b, name, description, indent, columns, "")
}

// inQuotes finds what is one word to a shell.
var inQuotes = regexp.MustCompile(`'[^']*'|"[^"]*"`)

// wrapExample keeps a command one that can be copied: lines end with a backslash,
// and nothing is broken between quotes.
func wrapExample(b *strings.Builder, line string, columns int) {
	quoted := inQuotes.ReplaceAllStringFunc(line, func(s string) string {
		return strings.ReplaceAll(s, " ", noBreak)
	})
	indent := len(line) - len(strings.TrimLeft(line, " "))
	var wrapped strings.Builder
	wrapLine(&wrapped, "", quoted, indent+hanging, columns, ` \`)
	b.WriteString(strings.ReplaceAll(wrapped.String(), noBreak, " "))
}
