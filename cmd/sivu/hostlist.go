package main

import (
	"fmt"
	"io"
	"strings"

	"example.org/sivu/generator/host"
)

// hostDescription is a host as printed; its names are part of what other programs
// rely on.
type hostDescription struct {
	Name   string          `json:"name"`
	Title  string          `json:"title"`
	Level  host.Level      `json:"level"`
	Links  []string        `json:"links"`
	Edge   bool            `json:"variants_edge"`
	Coding []string        `json:"precompressed"`
	Cannot []hostException `json:"cannot"`
	Limits hostLimits      `json:"limits"`
	Tried  string          `json:"tried"`
}

type hostException struct {
	Rule string `json:"rule"`
	Why  string `json:"why"`
}

// hostLimits leaves out what has no limit that matters.
type hostLimits struct {
	Files     int    `json:"files,omitempty"`
	FileBytes int64  `json:"file_bytes,omitempty"`
	Bytes     int64  `json:"bytes,omitempty"`
	InFolder  int    `json:"in_folder,omitempty"`
	Source    string `json:"source,omitempty"`
}

func describeHost(h *host.Host) hostDescription {
	d := hostDescription{
		Name: h.Name, Title: h.Title, Level: h.Level, Links: h.Styles, Edge: h.Edge,
		Coding: append([]string{}, h.Codings...), Cannot: []hostException{},
		Limits: hostLimits(h.Limits), Tried: h.TestedWith,
	}
	for _, exception := range h.Cannot {
		d.Cannot = append(d.Cannot, hostException(exception))
	}
	return d
}

func describeHosts() []hostDescription {
	var all []hostDescription
	for _, h := range host.Hosts {
		all = append(all, describeHost(h))
	}
	return all
}

// printHosts prints a table by levels, of so many columns. What a host cannot keep
// is given by the names of the rules of sivu verify.
func printHosts(w io.Writer, columns int) error {
	names, styles := 0, 0
	for _, h := range host.Hosts {
		names = max(names, len(h.Name))
		styles = max(styles, len(strings.Join(h.Styles, ", ")))
	}
	margin := names + 4
	if columns-margin < 2*minDescription {
		margin = hanging
	}
	var b strings.Builder
	for _, level := range []host.Level{host.Full, host.Routing, host.Walkable} {
		fmt.Fprintf(&b, "%s:\n", level)
		for _, h := range host.Hosts {
			if h.Level != level {
				continue
			}
			start := fmt.Sprintf("  %-*s  %-*s", names, h.Name, styles, strings.Join(h.Styles, ", "))
			if h.Edge {
				start += "  or variants at the edge"
			}
			b.WriteString(wrap(strings.TrimRight(start, " ")+"\n", columns))
			for _, line := range wrapWords("cannot: ", cannotNames(h), columns-margin) {
				b.WriteString(strings.Repeat(" ", margin) + line + "\n")
			}
		}
		b.WriteString("\n")
	}
	b.WriteString(wrap("sivu host NAME --base-url ADDRESS configures one of them.\n", columns))
	_, err := io.WriteString(w, b.String())
	return err
}

func cannotNames(h *host.Host) []string {
	var names []string
	for _, exception := range h.Cannot {
		names = append(names, exception.Rule)
	}
	return names
}

// wrapWords returns a list in lines of at most that many columns. Without words
// there is none.
func wrapWords(start string, words []string, columns int) []string {
	var lines []string
	line := start
	for i, word := range words {
		if i < len(words)-1 {
			word += ","
		}
		if len(line)+len(word) > columns && line != start {
			lines = append(lines, strings.TrimRight(line, " "))
			line = strings.Repeat(" ", len(start))
		}
		line += word + " "
	}
	if len(words) > 0 {
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return lines
}
