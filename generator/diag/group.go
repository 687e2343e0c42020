package diag

import (
	"bufio"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
)

const (
	maxShown  = 3  // problems of a group that are printed
	maxGroups = 10 // of one rule and severity
)

// printGroups prints problems by cause: of each group how many there are, the first few
// and their cure. A group of at most maxShown problems is no more than their lines. The
// site's problems come first, then errors, then warnings; of each the largest group first,
// and at the end single problems in the order of files. It returns how many problems are not
// printed.
func printGroups(w *bufio.Writer, list []*Diagnostic, site []string, color bool) (hidden int) {
	rank := func(d *Diagnostic) int {
		if d.Shared > 1 || slices.Contains(site, d.Pos.File) {
			return int(Error - d.Severity)
		}
		return int(2*Error - d.Severity)
	}
	var groups [][]*Diagnostic
	for _, rule := range partition(list, func(d *Diagnostic) string { return d.Rule.Name + strconv.Itoa(rank(d)) }, len(list)) {
		for _, g := range split(rule) {
			if len(g) > maxShown {
				groups = append(groups, g)
				continue
			}
			for i := range g {
				groups = append(groups, g[i:i+1])
			}
		}
	}
	slices.SortStableFunc(groups, func(a, b []*Diagnostic) int {
		return cmp.Or(cmp.Compare(rank(a[0]), rank(b[0])), cmp.Compare(len(b), len(a)), Compare(*a[0], *b[0]))
	})
	for i, g := range groups {
		if i > 0 && len(groups[i-1])+len(g) > 2 {
			w.WriteByte('\n')
		}
		if len(g) == 1 {
			printAll(w, g, color)
			continue
		}
		printGroup(w, g, color)
		hidden += len(g) - maxShown
	}
	return hidden
}

func printGroup(w *bufio.Writer, g []*Diagnostic, color bool) {
	count := Plural(len(g), g[0].Severity.String())
	if color {
		count = severityColors[g[0].Severity] + count + reset
	}
	fmt.Fprintf(w, "%s [%s], such as\n", count, g[0].Rule.Name)
	if slices.ContainsFunc(g, func(d *Diagnostic) bool { return d.Hint != g[0].Hint }) {
		printAll(w, g[:maxShown], color)
		return
	}
	for _, d := range g[:maxShown] {
		printProblem(w, d, color)
	}
	printHint(w, g[0])
}

// split splits the problems of a rule by cause, as finely as maxGroups allows: those with
// the same message and hint are one, else those that differ in names and numbers only, else
// those with such hints. Many without a hint have no cure for each name.
func split(list []*Diagnostic) [][]*Diagnostic {
	hint := func(d *Diagnostic) string { return d.Hint }
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
		parts := partition(list, key, maxGroups)
		if len(parts) == len(list) && list[0].Hint != "" && len(partition(list, hint, len(list))) == 1 {
			continue // one cure for all, which would stand below each
		}
		if parts != nil {
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
