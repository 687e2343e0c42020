package main

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/rivo/uniseg"
	"golang.org/x/term"
)

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// isScreen reports whether w is a terminal that can erase lines.
func isScreen(w io.Writer) bool { return isTerminal(w) && os.Getenv("TERM") != "dumb" }

func hasColor(w io.Writer) bool { return isScreen(w) && os.Getenv("NO_COLOR") == "" }

// width returns the number of columns to fill: those that COLUMNS says a terminal
// has, else those that it has.
func width(w io.Writer) int {
	const usual = 80
	f, ok := w.(*os.File)
	if !ok {
		return usual
	}
	if columns, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && columns > 0 && isTerminal(w) {
		return columns
	}
	columns, _, err := term.GetSize(int(f.Fd()))
	if err != nil || columns <= 0 {
		return usual
	}
	return columns
}

// noBreak stands for a space where wrapLine shall not break a line.
const noBreak = "\u00a0"

// hanging is by how many columns the rest of a line is indented that is wrapped.
const hanging = 4

// toPeople has print write lines for people. Where w is a terminal, they are
// wrapped to its width.
func toPeople(w io.Writer, print func(w io.Writer) error) error {
	if !isTerminal(w) {
		return print(w)
	}
	var b strings.Builder
	if err := print(&b); err != nil {
		return err
	}
	_, err := io.WriteString(w, wrap(b.String(), width(w)))
	return err
}

// say writes a line for people.
func say(w io.Writer, format string, args ...any) {
	toPeople(w, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, format+"\n", args...)
		return err
	})
}

// wrap returns a text with lines of at most that many columns, as far as its
// words are not longer. What stands before the first ": " of a line that is not
// indented stays in one piece: it may be the position of a problem.
func wrap(text string, columns int) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line, end := strings.CutSuffix(line, "\n")
		indent := len(line) - len(strings.TrimLeft(line, " "))
		start := 0
		if indent == 0 {
			start = strings.Index(line, ": ") + 1
		}
		b.WriteString(wrapLine(line[:start], line[start:], indent+hanging, columns, ""))
		if end {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// wordPattern finds words with the spaces before them.
var wordPattern = regexp.MustCompile(` *[^ ]+| +`)

// wrapLine returns a line of which the start stays as it is and the rest is broken, so
// that no line has more columns: at spaces, and between the letters of scripts that
// have no spaces. The further lines are indented; each line but the last gets an end.
func wrapLine(start, rest string, indent, columns int, end string) string {
	if columnsOf(start+rest) <= columns {
		return start + rest
	}
	var b strings.Builder
	b.WriteString(start)
	indent = min(indent, columns/2)
	used, begins := columnsOf(start), true
	for _, word := range wordPattern.FindAllString(rest, -1) {
		gap := word[:len(word)-len(strings.TrimLeft(word, " "))]
		for _, piece := range piecesOf(word[len(gap):], columns-indent-len(end)) {
			size := columnsOf(piece)
			if !begins && used+len(gap)+size+len(end) > columns {
				b.WriteString(end + "\n" + strings.Repeat(" ", indent))
				used = indent
			} else {
				b.WriteString(gap)
				used += len(gap)
			}
			b.WriteString(piece)
			used += size
			gap, begins = "", false
		}
	}
	return b.String()
}

// piecesOf splits a word that is too long for a line, where a line may end
// between two letters without a space (UAX #14) and one of them is wide. Others
// stay whole: an address or the name of a file is copied from the screen.
func piecesOf(word string, columns int) []string {
	if columnsOf(word) <= columns {
		return []string{word}
	}
	var pieces []string
	piece, wide, state := "", false, -1
	for word != "" {
		var segment string
		segment, word, _, state = uniseg.FirstLineSegmentInString(word, state)
		isWide := uniseg.StringWidth(segment) > uniseg.GraphemeClusterCount(segment)
		if piece != "" && (wide || isWide) {
			pieces = append(pieces, piece)
			piece = ""
		}
		piece, wide = piece+segment, isWide
	}
	return append(pieces, piece)
}

var colorCode = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// columnsOf returns how many columns of a terminal a text takes.
func columnsOf(text string) int {
	return uniseg.StringWidth(colorCode.ReplaceAllString(text, ""))
}
