package host

import (
	"encoding/json"
	"fmt"
	"strings"
)

// firstPage is what the first list page of a snapshot says about its links.
type firstPage struct {
	Next    string `json:"next"`
	Results []struct {
		URL string `json:"url"`
	} `json:"results"`
}

// Fits reports whether a snapshot whose first list page is given, as bytes, leads
// to where the host will serve it: its links have the base address and the style
// of the configuration. The error is a [*Refusal]. The scripts look for the same.
func (h *Host) Fits(c *Config, first []byte) error {
	var page firstPage
	if err := json.Unmarshal(first, &page); err != nil {
		return &Refusal{"the first list page of the snapshot cannot be read: " + err.Error(), "build the snapshot anew"}
	}
	if len(page.Results) == 0 {
		return nil
	}
	came, rest, ok := strings.Cut(page.Results[0].URL, "/pages/")
	build := "build it with --host " + h.Name + " --base-url " + c.Base.String()
	if !ok || came != c.Base.String() {
		return &Refusal{fmt.Sprintf("the snapshot is built for the base address %s, and %s is to serve it at %s", came, h.Name, c.Base), build}
	}
	style := "query"
	switch {
	case strings.HasSuffix(rest, "/"):
	case strings.HasSuffix(page.Next, ".json"):
		style = "file"
	case page.Next == "" && c.Links != "query":
		style = c.Links // one list page has the same links in both styles
	default:
		style = "file+query"
	}
	if style != c.Links {
		return &Refusal{fmt.Sprintf("the snapshot has %s links, and the configuration is for %s", style, c.Links), build + " --links " + c.Links}
	}
	return nil
}
