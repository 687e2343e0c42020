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
	Name   string           `json:"name"`
	Title  string           `json:"title"`
	Level  host.Level       `json:"level"`
	Links  []string         `json:"links"`
	Edge   bool             `json:"variants_edge"`
	Coding []string         `json:"precompressed"`
	Cannot []host.Exception `json:"cannot"`
	Limits host.Limits      `json:"limits"`
	Tried  string           `json:"tried"`
}

// describeHost returns lists, not null, where a host has none.
func describeHost(h *host.Host) hostDescription {
	return hostDescription{
		Name: h.Name, Title: h.Title, Level: h.Level, Links: h.Styles, Edge: h.Edge,
		Coding: append([]string{}, h.Codings...), Cannot: append([]host.Exception{}, h.Cannot...),
		Limits: h.Limits, Tried: h.TestedWith,
	}
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
			if len(h.Cannot) > 0 {
				const cannot = "cannot: "
				rules := mapped(h.Cannot, func(e host.Exception) string { return e.Rule })
				wrapLine(&b, strings.Repeat(" ", margin)+cannot, strings.Join(rules, ", "), margin+len(cannot), columns, "")
				b.WriteByte('\n')
			}
		}
		b.WriteString("\n")
	}
	b.WriteString(wrap("sivu host NAME --base-url ADDRESS configures one of them.\n", columns))
	_, err := io.WriteString(w, b.String())
	return err
}
