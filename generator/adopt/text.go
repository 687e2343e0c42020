package adopt

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// setting is one key of site.yaml with its reason.
type setting struct {
	key, value, why string // the value is YAML in one line; "" where there are items
	items           []item
}

// item is a line below a key: of a map, or of a list where it has no key.
type item struct{ key, value, why string }

// add adds a key with a value of YAML.
func (p *proposal) add(key, value, why string) {
	p.settings = append(p.settings, setting{key: key, value: value, why: why})
}

// addItems adds a key with lines below it, where there are any.
func (p *proposal) addItems(key, why string, items []item) {
	if len(items) > 0 {
		p.settings = append(p.settings, setting{key: key, why: why, items: items})
	}
}

// text returns the text of site.yaml. Each line is explained.
func (p *proposal) text() string {
	var b strings.Builder
	b.WriteString("# Written by \"sivu init\". Each setting says why it is here; change what is not so.\n# All keys: sivu help site\n")
	all := slices.Clone(p.settings)
	if len(p.dates) > 0 {
		all = append(all, p.dateSetting())
	}
	if len(p.exclude) > 0 {
		exclude := setting{key: "exclude", why: "files that are no pages of this site, or that cannot be read as they are", items: slices.Clone(p.exclude)}
		for i := range exclude.items {
			exclude.items[i].value = quoted(exclude.items[i].value)
		}
		all = append(all, exclude)
	}
	for _, s := range all {
		b.WriteString("\n")
		for _, line := range wrapped(s.why, 96) {
			fmt.Fprintf(&b, "# %s\n", line)
		}
		fmt.Fprintf(&b, "%s:", s.key)
		if s.value != "" {
			b.WriteString(" " + s.value)
		}
		b.WriteString("\n")
		for _, i := range s.items {
			switch {
			case i.key != "":
				fmt.Fprintf(&b, "  %s: %s", i.key, i.value)
			default:
				fmt.Fprintf(&b, "  - %s", i.value)
			}
			fmt.Fprintf(&b, "  # %s\n", oneLine(i.why))
		}
	}
	return b.String()
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
	words := []string{"true", "false", "yes", "no", "on", "off", "null", "y", "n"}
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

// count returns a number with its noun.
func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprint(n, " ", noun)
}
