package main

import (
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"example.org/sivu/templates"
)

// topicNames returns the names of all topics of the reference: Markdown files of
// templates/help. A new topic is one new file.
func topicNames() []string {
	files, _ := fs.Glob(templates.Help(), "*.md") // the pattern is good
	return mapped(files, func(file string) string { return strings.TrimSuffix(file, ".md") })
}

// topicNamed returns the text of the topic of that name.
func topicNamed(name string) (text string, ok bool) {
	b, err := fs.ReadFile(templates.Help(), name+".md")
	return string(b), err == nil
}

// listTopics returns the topics as the help of the program lists them.
func listTopics() string {
	var b strings.Builder
	b.WriteString("\nTopics of sivu help:\n")
	for _, name := range topicNames() {
		text, _ := topicNamed(name)
		title, _, _ := strings.Cut(strings.TrimPrefix(text, "# "), "\n")
		fmt.Fprintf(&b, "  %-11s %s\n", name, title)
	}
	return b.String()
}

// printTopic prints a topic: on a terminal as wide as that, else the Markdown.
func printTopic(command *cobra.Command, text string) error {
	out := command.OutOrStdout()
	if isTerminal(out) {
		text = wrapHelp(plainMarkdown(text, hasColor(out)), min(width(out), helpColumns))
		text = strings.ReplaceAll(text, noBreak, " ")
	}
	_, err := io.WriteString(out, text)
	return err
}

var (
	markdownItem  = regexp.MustCompile(`^(-|\d+\.) +`)
	tableDivision = regexp.MustCompile(`^\|[-|]+\|$`)
)

// plainMarkdown returns Markdown as the plain text that [wrapHelp] reads. It knows
// what topics are made of: headings, paragraphs, lists, tables and code in fences.
func plainMarkdown(text string, color bool) string {
	var b strings.Builder
	var header []string // of the table that the line is in
	isCode := false
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		item := markdownItem.FindString(line)
		switch {
		case strings.HasPrefix(line, "```"):
			isCode = !isCode
			continue
		case isCode:
			line = "    " + strings.ReplaceAll(line, " ", noBreak) // stays whole, to be copied
		case strings.HasPrefix(line, "#") && color:
			line = "\x1b[1m" + strings.TrimLeft(line, "# ") + "\x1b[0m"
		case tableDivision.MatchString(line):
			continue
		case strings.HasPrefix(line, "|"):
			if cells := tableCells(line); header == nil {
				header = cells
				continue
			} else {
				line = plainRow(header, cells)
			}
		case item != "":
			for ; i+1 < len(lines) && strings.HasPrefix(lines[i+1], "  "); i++ {
				line += " " + strings.TrimLeft(lines[i+1], " ")
			}
			line = "  " + strings.TrimRight(item, " ") + "  " + line[len(item):]
		case line == "":
			header = nil
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

// tableCells returns the cells of a row.
func tableCells(row string) []string {
	const pipe = "\x00" // stands for one that is part of a cell
	cells := strings.Split(strings.Trim(strings.ReplaceAll(row, `\|`, pipe), "|"), "|")
	return mapped(cells, func(cell string) string { return strings.ReplaceAll(strings.TrimSpace(cell), pipe, "|") })
}

// plainRow returns a row as the first cell, and beside it the second one, or below it all
// others that are not empty.
func plainRow(header, cells []string) string {
	const nameColumns, longName = 16, 32
	name := strings.ReplaceAll(cells[0], "`", "")
	switch {
	case len(cells) == 2 && columnsOf(name) > longName:
		return "  " + name + "\n      " + cells[1]
	case len(cells) == 2:
		return fmt.Sprintf("  %-*s  %s", nameColumns, name, cells[1])
	}
	row := "  " + name
	for i, cell := range cells[1:] {
		if cell != "" && cell != "–" {
			row += "\n      " + header[i+1] + ": " + cell
		}
	}
	return row
}
