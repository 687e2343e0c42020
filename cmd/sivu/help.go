package main

import (
	"cmp"
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
	out, text := command.OutOrStdout(), cmp.Or(command.Long, command.Short)+"\n\n"+command.UsageString()
	if !command.HasParent() {
		text += listTopics()
	}
	io.WriteString(out, wrapHelp(text, min(width(out), helpColumns)))
}

// described is a line of a list: a name, and its description in a column.
var described = regexp.MustCompile(`^( +\S.*?  +)(\S.*)$`)

// wrapHelp returns help in lines of at most that many columns. Paragraphs are filled
// anew.
func wrapHelp(text string, columns int) string {
	var b strings.Builder
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	isText := func(i int) bool { return i < len(lines) && lines[i] != "" && lines[i][0] != ' ' }
	isExamples := false
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		switch m := described.FindStringSubmatch(line); {
		case isText(i):
			for ; isText(i + 1); i++ {
				line += " " + lines[i+1]
			}
			isExamples = line == "Examples:"
			line = wrapLine("", line, 0, columns, "")
		case isExamples:
			line = wrapExample(line, columns)
		case m != nil && columns-columnsOf(m[1]) < minDescription:
			const indent = 2 * hanging
			line = strings.TrimRight(m[1], " ") + "\n" + wrapLine(strings.Repeat(" ", indent), m[2], indent, columns, "")
		case m != nil:
			line = wrapLine(m[1], m[2], columnsOf(m[1]), columns, "")
		default:
			line = wrap(line, columns)
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

// inQuotes finds quoted text, which is one word to a shell.
var inQuotes = regexp.MustCompile(`'[^']*'|"[^"]*"`)

// wrapExample keeps a command one that can be copied: lines end with a backslash,
// and nothing is broken between quotes.
func wrapExample(line string, columns int) string {
	quoted := inQuotes.ReplaceAllStringFunc(line, func(s string) string {
		return strings.ReplaceAll(s, " ", noBreak)
	})
	indent := len(line) - len(strings.TrimLeft(line, " "))
	return strings.ReplaceAll(wrapLine("", quoted, indent+hanging, columns, ` \`), noBreak, " ")
}
