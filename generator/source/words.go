package source

import (
	"strings"

	"example.org/sivu/generator/diag"
)

// enumerate returns names in quotes, joined for people: "a", "b" and "c".
func enumerate(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = diag.Quote(name)
	}
	if len(quoted) < 2 {
		return strings.Join(quoted, "")
	}
	last := len(quoted) - 1
	return strings.Join(quoted[:last], ", ") + " and " + quoted[last]
}
