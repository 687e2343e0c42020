package diag

import "strings"

// Closest returns the name with the smallest edit distance from a text, or "".
// The distance is at most a third of the text's length, or 2 for a text of at
// least 4 bytes (two letters that changed places). Else a name that begins with
// the text is returned.
func Closest(text string, names []string) string {
	best, distance := "", len(text)/3+1
	if len(text) >= 4 {
		distance = max(distance, 3)
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

// DidYouMean returns a hint that names the [Closest] name, or otherwise where
// there is none.
func DidYouMean(text string, names []string, otherwise string) string {
	if near := Closest(text, names); near != "" {
		return "did you mean " + Quote(near) + "?"
	}
	return otherwise
}

// Distance returns the Levenshtein distance of two texts, in bytes.
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
