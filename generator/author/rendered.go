package author

import (
	"maps"
	"slices"

	"github.com/google/uuid"
)

// IDsText returns the text of an ids.yaml, given the ids of pages by meta.url.
func IDsText(ids map[string]uuid.UUID) []byte {
	text := []byte(`# The ids of the rendered pages, by meta.url. "sivu ids --write" adds new pages, and gives
# a page that a redirect leads to the id of the old address. Keep this file with the site:
# to readers of the API a page with another id is another page. Lines of pages that are
# gone stay, for the day when they come back.
`)
	for _, url := range slices.Sorted(maps.Keys(ids)) {
		text = append(text, yamlScalar(url)+": "+ids[url].String()+"\n"...)
	}
	return text
}
