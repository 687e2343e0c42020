package diag

import (
	"bufio"
	"cmp"
	"fmt"
	"regexp"
	"slices"
)

const (
	maxShown  = 3  // problems of a group that are printed
	maxGroups = 10 // of one rule and severity
)

// printGroups prints problems by cause: of each group how many there are, the first few
// and their cure. A group of at most maxShown problems is no more than its lines. Problems
// of the site as a whole come first, then errors, then warnings; in each the largest group
// first, and at the end those of small groups, in the order of files. It returns how many
// problems are not printed.
func printGroups(w *bufio.Writer, list []*Diagnostic, site []string, color bool) (hidden int) {
	var parts [3][]*Diagnostic // of the site, errors, warnings
	for _, d := range list {
		part := 1 + int(Error-d.Severity)
		if slices.Contains(site, d.Pos.File) {
			part = 0
		}
		parts[part] = append(parts[part], d)
	}
	isFirst, afterGroup := true, false
	for _, part := range parts {
		large, small := groups(part)
		for _, g := range large {
			if !isFirst {
				w.WriteByte('\n')
			}
			hidden += printGroup(w, g, color)
			isFirst, afterGroup = false, true
		}
		if len(small) > 0 && afterGroup {
			w.WriteByte('\n')
		}
		if printAll(w, small, color); len(small) > 0 {
			isFirst, afterGroup = false, false
		}
	}
	return hidden
}

func printGroup(w *bufio.Writer, g []*Diagnostic, color bool) (hidden int) {
	shown := examples(g)
	count := Plural(len(g), g[0].Severity.String())
	if color {
		count = severityColors[g[0].Severity] + count + reset
	}
	fmt.Fprintf(w, "%s [%s], such as\n", count, g[0].Rule.Name)
	if slices.ContainsFunc(g, func(d *Diagnostic) bool { return d.Hint != g[0].Hint }) {
		printAll(w, shown, color)
		return len(g) - len(shown)
	}
	for _, d := range shown {
		printProblem(w, d, color)
	}
	printHint(w, g[0])
	return len(g) - len(shown)
}

// examples returns maxShown problems of a group: the first ones with different messages,
// then the first of the others.
func examples(g []*Diagnostic) []*Diagnostic {
	shown := make([]*Diagnostic, 0, maxShown)
	for _, again := range []bool{false, true} {
		for _, d := range g {
			known := slices.ContainsFunc(shown, func(s *Diagnostic) bool { return s == d || !again && s.Message == d.Message })
			if !known && len(shown) < maxShown {
				shown = append(shown, d)
			}
		}
	}
	slices.SortFunc(shown, func(a, b *Diagnostic) int { return Compare(*a, *b) })
	return shown
}

// groups returns the groups of more than maxShown problems, the largest first, and the
// problems of all other groups, in the order of files.
func groups(list []*Diagnostic) (large [][]*Diagnostic, small []*Diagnostic) {
	ofRule := func(d *Diagnostic) string { return d.Severity.String() + d.Rule.Name }
	for _, rule := range partition(list, ofRule, len(list)) {
		for _, g := range split(rule) {
			if len(g) > maxShown {
				large = append(large, g)
			} else {
				small = append(small, g...)
			}
		}
	}
	slices.SortStableFunc(large, func(a, b []*Diagnostic) int {
		return cmp.Or(cmp.Compare(b[0].Severity, a[0].Severity), cmp.Compare(len(b), len(a)))
	})
	slices.SortFunc(small, func(a, b *Diagnostic) int { return cmp.Or(cmp.Compare(b.Severity, a.Severity), Compare(*a, *b)) })
	return large, small
}

// split splits the problems of a rule by cause, as finely as maxGroups allows: those with
// the same message and hint are one, else those that differ in names and numbers only, else
// those with such hints. Many without a hint have no cure for each name.
func split(list []*Diagnostic) [][]*Diagnostic {
	shapes := func(d *Diagnostic) string { return shape(d.Message) + "\n" + shape(d.Hint) }
	for _, key := range []func(d *Diagnostic) string{
		func(d *Diagnostic) string {
			if d.Hint == "" && len(list) > maxGroups {
				return shapes(d)
			}
			return d.Message + "\n" + d.Hint
		},
		shapes,
		func(d *Diagnostic) string { return shape(d.Hint) },
	} {
		if parts := partition(list, key, maxGroups); parts != nil {
			return parts
		}
	}
	return [][]*Diagnostic{list}
}

// partition returns the parts of a list with the same key, in the order of the first of
// each, or nil where there are more than most.
func partition(list []*Diagnostic, key func(d *Diagnostic) string, most int) (parts [][]*Diagnostic) {
	index := map[string]int{}
	for _, d := range list {
		k := key(d)
		i, ok := index[k]
		if !ok {
			if len(parts) == most {
				return nil
			}
			i, parts = len(parts), append(parts, nil)
			index[k] = i
		}
		parts[i] = append(parts[i], d)
	}
	return parts
}

// names matches what differs in the messages of one cause: numbers, and names as [Quote] and
// [JoinQuoted] write them.
var names = regexp.MustCompile(`[0-9]+|` + quotedName + `(?:(?:, | and | or )` + quotedName + `)*`)

const quotedName = `"(?:[^"\\]|\\.)*"…?`

// shape returns a message without the names and numbers in it.
func shape(text string) string { return names.ReplaceAllLiteralString(text, `""`) }
