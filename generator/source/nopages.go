package source

import (
	"fmt"
	"slices"
	"strings"

	"example.org/sivu/generator/diag"
)

// NoPages returns the problem of a content folder in which no page was found that
// can be published. The message says what was found: listing is the content of the
// folder, and leftOut the number of pages in it that are drafts or the like.
func NoPages(listing *Listing, leftOut int) diag.Diagnostic {
	var found []string
	add := func(n int, one, many string) {
		if n == 1 {
			found = append(found, "1 "+one)
		} else if n > 1 {
			found = append(found, fmt.Sprintf("%d %s", n, many))
		}
	}
	for _, files := range listing.Foreign {
		add(files.Count, files.Ending+" file (not read by sivu)", files.Ending+" files (not read by sivu)")
	}
	add(leftOut, "page that is a draft or under \"skip_if\"", "pages that are drafts or under \"skip_if\"")
	add(listing.Excluded, "file or folder under \"exclude\"", "files and folders under \"exclude\"")
	add(listing.Other, "other file", "other files")
	if len(found) == 0 {
		found = []string{"no files"}
	}
	var endings []string
	for _, format := range Formats {
		endings = append(endings, format.Endings...)
	}
	slices.Sort(endings)
	return ruleNoPages.At(diag.Position{}, "no pages; found %s", strings.Join(found, ", ")).
		WithHint("pages are files that end in %s; \"sivu build --allow-empty\" publishes a site without any", strings.Join(endings, ", "))
}
