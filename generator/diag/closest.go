package diag

import "strings"

// Closest returns the name that a text most likely means: the one that takes
// the fewest changed bytes; else "". These are at most a third of the text's, or
// two of at least four, as two letters that changed places are. A name that the
// text begins is near enough too.
func Closest(text string, names []string) string {
	best, distance := "", len(text)/3+1
	if len(text) >= 4 {
		distance = max(distance, 2+1)
	}
	for _, name := range names {
		// Each byte that one of them has more is a change.
		if max(len(text)-len(name), len(name)-len(text)) >= distance {
			continue
		}
		if d := Distance(strings.ToLower(text), strings.ToLower(name)); d < distance {
			best, distance = name, d
		}
	}
	for _, name := range names {
		if best == "" && text != "" && strings.HasPrefix(name, strings.ToLower(text)) {
			best = name
		}
	}
	return best
}

// Distance returns how many bytes must be changed, added or taken away to make b
// of a (Levenshtein).
func Distance(a, b string) int {
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
