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

// closest returns the name that a text most likely means: the one that takes
// the fewest changed letters, and at most a third of the text's; else "".
func closest(text string, names []string) string {
	best, distance := "", len(text)/3+1
	for _, name := range names {
		// A longer text is no misspelt name, and is not worth comparing.
		if len(text) > 2*len(name)+2 {
			continue
		}
		if d := editDistance(strings.ToLower(text), strings.ToLower(name)); d < distance {
			best, distance = name, d
		}
	}
	return best
}

// editDistance returns how many bytes must be changed, added or taken away to
// make b of a (Levenshtein).
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
