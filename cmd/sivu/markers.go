package main

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"example.org/sivu/generator"
	"example.org/sivu/generator/diag"
)

// listedMarker is a template marker as printed. Other programs rely on its names.
type listedMarker struct {
	Name      string        `json:"name"`
	Syntax    string        `json:"syntax"`
	Pages     int           `json:"pages"`
	Uses      int           `json:"uses"`
	Treatment string        `json:"treatment"`
	Example   markerExample `json:"example"`
}

type markerExample struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Text   string `json:"text"`
}

// printMarkers lists the template markers of a site.
func printMarkers(w io.Writer, markers []generator.Marker, format string) error {
	if format == "json" {
		list := make([]listedMarker, 0, len(markers))
		for _, m := range markers {
			at := m.Example
			list = append(list, listedMarker{m.Name, m.Syntax, m.Pages, m.Uses, m.Treatment, markerExample{at.File, at.Line, at.Column, m.Text}})
		}
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		return e.Encode(map[string]any{"markers": list})
	}
	if len(markers) == 0 {
		_, err := fmt.Fprintln(w, `no template markers; "generator" in site.yaml says which are looked for`)
		return err
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "MARKER\tSYNTAX\tPAGES\tUSES\tTREATMENT\tEXAMPLE")
	for _, m := range markers {
		fmt.Fprintf(table, "%s\t%s\t%d\t%d\t%s\t%s: %s\n", diag.Clean(m.Name), m.Syntax, m.Pages, m.Uses, m.Treatment, m.Example, diag.Clean(m.Text))
	}
	return table.Flush()
}
