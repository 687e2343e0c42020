package adopt

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"example.org/sivu/generator/diag"
)

// setting is one key of site.yaml with its reason.
type setting struct {
	key, value, why string // the value is YAML in one line; "" where there are items
	items           []item
}

// item is a line below a key, in YAML: of a map, or of a list where it has no key.
type item struct{ key, value, why string }

// add adds a key with a value of YAML.
func (p *proposal) add(key, value, why string) {
	p.settings = append(p.settings, setting{key, value, why, nil})
}

// addItems adds a key with lines below it, where there are any.
func (p *proposal) addItems(key, why string, items []item) {
	if len(items) > 0 {
		p.settings = append(p.settings, setting{key, "", why, items})
	}
}

// text returns the text of site.yaml. Each line is explained.
func (p *proposal) text() string {
	q := proposal{settings: slices.Clone(p.settings)}
	if len(p.dates) > 0 {
		q.add("dates", flow(p.dates), p.whyDates())
	}
	if slices.Sort(p.unprefixed); len(p.unprefixed) > 0 {
		q.add("unprefixed", flow(slices.Compact(p.unprefixed)), "addresses that pages give themselves and that do not begin with a language")
	}
	q.addItems("exclude", "files that are no pages of this site, or that cannot be read as they are", p.exclude)
	b := new(strings.Builder)
	q.write(b)
	p.writeMarkers(b)
	return b.String()
}

// writeMarkers writes the template markers as comments: a rule for a name would silence
// what sivu says of its loss.
func (p *proposal) writeMarkers(b *strings.Builder) {
	if len(p.markers) == 0 {
		return
	}
	const why = "template markers, which sivu does not run: the texts in them are kept, and the rest is lost, which sivu check tells. " +
		"To decide for a name whether to drop, unwrap or keep it, write it as in:"
	fmt.Fprintf(b, "\n# %s\n# markers:\n", strings.Join(wrapped(why, 96), "\n# "))
	for _, m := range p.markers {
		fmt.Fprintf(b, "#   %s: %s  # %s on %s\n", oneLine(quoted(m.Name)), m.Treatment, diag.Plural(m.Uses, "use"), diag.Plural(m.Pages, "page"))
	}
}

// write writes the settings.
func (p *proposal) write(b *strings.Builder) {
	b.WriteString("# Written by \"sivu init\". Each setting says why it is here; change what is not so.\n# All keys: sivu help site\n")
	for _, s := range p.settings {
		fmt.Fprintf(b, "\n# %s\n%s:%s\n", strings.Join(wrapped(s.why, 96), "\n# "), s.key, strings.TrimSuffix(" "+s.value, " "))
		for _, i := range s.items {
			before := "- "
			if i.key != "" {
				before = i.key + ": "
			}
			fmt.Fprintf(b, "  %s%s  # %s\n", before, i.value, oneLine(i.why))
		}
	}
}

// oneLine returns a text as a comment of one line: it may hold what a page says.
func oneLine(text string) string {
	return strings.Trim(strings.Join(strings.Fields(strings.Map(func(c rune) rune {
		if strconv.IsPrint(c) {
			return c
		}
		return ' '
	}, text)), " "), " ")
}

// plainText matches texts that mean themselves in YAML.
var plainText = regexp.MustCompile(`^[A-Za-z_/][\w./-]*( [\w./-]+)*$`)

// quoted returns a text as a scalar of YAML, and "" as it is.
func quoted(text string) string {
	words := strings.Fields("true false yes no on off null y n")
	if text == "" || plainText.MatchString(text) && !slices.Contains(words, strings.ToLower(text)) {
		return text
	}
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.Encode(text) // a string of JSON is one of YAML; it cannot fail
	return strings.TrimSpace(b.String())
}

// flow returns a list in one line.
func flow(texts []string) string {
	var items []string
	for _, text := range texts {
		items = append(items, quoted(text))
	}
	return "[" + strings.Join(items, ", ") + "]"
}

// wrapped cuts a text into lines of at most so many bytes, between words.
func wrapped(text string, most int) (lines []string) {
	line := ""
	for word := range strings.FieldsSeq(oneLine(text)) {
		if line != "" && len(line)+1+len(word) > most {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	return append(lines, line)
}

// ranked returns the keys of a map, those with the highest values first.
func ranked[N int | float64](values map[string]N) []string {
	return slices.SortedFunc(maps.Keys(values), func(a, b string) int {
		return cmp.Or(cmp.Compare(values[b], values[a]), strings.Compare(a, b))
	})
}

// most returns the key with the highest value, or "".
func most[N int | float64](values map[string]N) string { return cmp.Or(append(ranked(values), "")...) }

// some returns the first few of a list.
func some(list []string, first int) string {
	if len(list) <= first+1 {
		return strings.Join(list, ", ")
	}
	return strings.Join(list[:first], ", ") + fmt.Sprintf(" and %d more", len(list)-first)
}
