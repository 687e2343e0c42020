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

// SnapshotLinks returns the base address and the style of the links of a snapshot, given
// its first list page. Both are "" where the page has no links, and the style is where
// it has too few to tell.
func SnapshotLinks(first []byte) (base, style string, err error) {
	var page firstPage
	if err := json.Unmarshal(first, &page); err != nil {
		return "", "", &Refusal{"the first list page of the snapshot cannot be read: " + err.Error(), "build the snapshot anew"}
	}
	if len(page.Results) == 0 {
		return "", "", nil
	}
	base, rest, ok := strings.Cut(page.Results[0].URL, "/pages/")
	switch {
	case !ok:
		base = page.Results[0].URL
	case strings.HasSuffix(rest, "/"):
		style = "query"
	case strings.HasSuffix(page.Next, ".json"):
		style = "file"
	case page.Next != "":
		style = "file+query"
	}
	return base, style, nil
}

// Fits reports whether a snapshot whose first list page is given, as bytes, leads
// to where the host will serve it: its links have the base address and the style
// of the configuration. The error is a [*Refusal]. The scripts look for the same.
func (h *Host) Fits(c *Config, first []byte) error {
	base, style, err := SnapshotLinks(first)
	if err != nil || base == "" {
		return err
	}
	build := "build it with --host " + h.Name + " --base-url " + c.Base.String()
	if base != c.Base.String() {
		return &Refusal{fmt.Sprintf("the snapshot is built for the base address %s, and %s is to serve it at %s", base, h.Name, c.Base), build}
	}
	if style == "" && c.Links == "query" {
		style = "file+query"
	}
	if style != "" && style != c.Links {
		return &Refusal{fmt.Sprintf("the snapshot has %s links, and the configuration is for %s", style, c.Links), build + " --links " + c.Links}
	}
	return nil
}
