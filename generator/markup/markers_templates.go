package markup

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"example.org/sivu/generator/page"
)

// A templateForm is how markers of a template language begin and end, and how they look,
// for people.
type templateForm struct{ open, close, syntax string }

var (
	hugoForms    = []templateForm{{"{{<", ">}}", "{{< >}}"}, {"{{%", "%}}", "{{% %}}"}}
	liquidForms  = []templateForm{{"{%", "%}", liquidTag}, {"{{", "}}", liquidOutput}}
	liquidTag    = "{% %}"
	liquidOutput = "{{ }}"
)

// templates are the forms of markers by the generator that bodies were written for. They
// are read in code, too, as these generators do.
var templates = map[string][]templateForm{
	page.Hugo:     hugoForms,
	page.Jekyll:   liquidForms,
	page.Eleventy: liquidForms,
}

// findTemplates finds markers of those forms.
func (m *markers) findTemplates(forms []templateForm) {
	for at := m.next("{", 0); at >= 0; at = m.next("{", at) {
		i := slices.IndexFunc(forms, func(f templateForm) bool { return bytes.HasPrefix(m.src[at:], []byte(f.open)) })
		inside, end := at, none
		if i >= 0 {
			inside += len(forms[i].open)
			end = m.closer(inside, forms[i].close)
		}
		if end < 0 {
			at++
			continue
		}
		t := token{start: at, end: end + len(forms[i].close), syntax: forms[i].syntax}
		t.read(forms[i], strings.TrimSpace(string(m.src[inside:end])))
		at = t.end
		if t.name == "raw" && t.syntax == liquidTag { // up to {% endraw %} markers are text
			if end := m.next("endraw", at); t.kind == opening && end >= 0 {
				at += max(bytes.LastIndex(m.src[at:end], []byte(forms[i].open)), 0)
			} else if t.kind == opening {
				at = len(m.src)
			}
			t.kind, t.syntax = literal, ""
		}
		m.add(t)
	}
}

var quotedPath = regexp.MustCompile(`^(?:'([^']*)'|"([^"]*)")\s*\|\s*(?:relative_url|absolute_url|url)$`)

// read reads what a marker says from the text in it.
func (t *token) read(form templateForm, inner string) {
	isLiquid := t.syntax == liquidTag || t.syntax == liquidOutput
	if isLiquid {
		inner = strings.TrimSpace(strings.Trim(inner, "-"))
	}
	switch {
	case !isLiquid && strings.HasPrefix(inner, "/*") && strings.HasSuffix(inner, "*/") && len(inner) > len("/*/"):
		// It shows what a marker looks like.
		t.kind, t.syntax, t.insert = literal, "", form.open+inner[2:len(inner)-2]+form.close
		return
	case t.syntax == liquidOutput:
		t.kind, t.name = single, inner
		if p := quotedPath.FindStringSubmatch(inner); p != nil {
			t.kind, t.syntax, t.insert = literal, "", escapeAddress(p[1]+p[2])
		} else if name, _, _ := strings.Cut(inner, "|"); strings.TrimSpace(name) == "site.baseurl" || strings.TrimSpace(name) == "site.url" {
			t.kind, t.syntax = literal, "" // addresses of the site begin at its root
		}
		return
	}
	t.kind = opening
	if rest, ok := strings.CutPrefix(inner, "/"); ok {
		t.kind, inner = closing, rest
	} else if rest, ok := strings.CutPrefix(inner, "end"); ok && isLiquid {
		t.kind, inner = closing, rest
	} else if rest, ok := strings.CutSuffix(inner, "/"); ok {
		t.kind, inner = single, rest
	}
	t.name = strings.TrimSpace(inner)
	if end := strings.IndexAny(t.name, whitespace+"\"'`="); end >= 0 {
		t.args = parseArgs(t.name[end:], templateEscapes.Replace)
		t.name = t.name[:end]
	}
}

// next returns the offset of the next s from offset at on, or -1. What is not there is
// looked for once.
func (m *markers) next(s string, at int) int {
	if slices.Contains(m.absent, s) {
		return none
	}
	i := bytes.Index(m.src[at:], []byte(s))
	if i < 0 {
		m.absent = append(m.absent, s)
		return none
	}
	return at + i
}

// closer returns the offset of the text that ends a marker whose inside begins at offset
// at, or -1. In quotes it does not count, if these are closed.
func (m *markers) closer(at int, s string) int {
	const most, longest = 8, 4096 // so that time grows with the length only
	first := m.next(s, at)
	for end, n := first, 0; first >= 0 && n < most; n++ {
		inside := m.src[at:end]
		quotes := bytes.Count(inside, []byte(`"`)) - bytes.Count(inside, []byte(`\"`))
		if quotes%2 == 0 && bytes.Count(inside, []byte("`"))%2 == 0 {
			return end
		}
		more := bytes.Index(m.src[end+1:min(end+longest, len(m.src))], []byte(s))
		if more < 0 {
			break
		}
		end += 1 + more
	}
	return first
}

// A markerArg is an argument of a marker.
type markerArg struct {
	name, value string // a name of "" is that of a positional one
}

// argPattern matches an argument: name="value", name: value, "value", value, or as
// components have it, name={script}.
var argPattern = regexp.MustCompile("(?:([A-Za-z_@][-\\w.:@]*)(?:\\s*=\\s*|:\\s+))?" +
	"(?:\"((?:[^\"\\\\]|\\\\.)*)\"|'([^']*)'|`([^`]*)`|(" + scriptBraces + ")|([^\\s\"'`,{}]+))")

var templateEscapes = strings.NewReplacer(`\"`, `"`, `\\`, `\`)

// parseArgs returns the arguments of a marker. Unescape returns what a quoted text means.
func parseArgs(s string, unescape func(string) string) []markerArg {
	var args []markerArg
	for _, p := range argPattern.FindAllStringSubmatch(s, -1) {
		value := unescape(p[2]+p[3]) + p[4] + p[6]
		if script := p[5]; script != "" {
			value, _ = literalText(strings.TrimSpace(script[1 : len(script)-1]))
		}
		args = append(args, markerArg{p[1], value})
	}
	return args
}

// arg returns the first argument of those names that is not empty. "" names the first
// positional one.
func (t *token) arg(names ...string) string {
	for _, name := range names {
		for _, a := range t.args {
			if a.name == name && a.value != "" {
				return a.value
			}
		}
	}
	return ""
}
