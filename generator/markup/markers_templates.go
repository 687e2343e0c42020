package markup

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// How markers look, for people.
const (
	hugoAngle    = "{{< >}}"
	hugoPercent  = "{{% %}}"
	liquidTag    = "{% %}"
	liquidOutput = "{{ }}"
	directive    = ":::"
	admonition   = "!!!"
	component    = "<>"
	expression   = "{}"
)

// hugo finds the shortcodes of Hugo: {{< name >}} and {{% name %}}. Written as
// {{</* name */>}} they are text.
func (m *markers) hugo() {
	for at := m.next("{{", 0); at >= 0; {
		start := at
		at = m.next("{{", start+1)
		if start+2 == len(m.src) || !isIn(m.src[start+2], "<%") {
			continue
		}
		begin, closer, syntax := start+3, ">}}", hugoAngle
		if m.src[start+2] == '%' {
			closer, syntax = "%}}", hugoPercent
		}
		if bytes.HasPrefix(m.src[begin:], []byte("/*")) {
			if end := m.next("*/"+closer, begin+2); end >= 0 {
				text := string(m.src[start:begin]) + string(m.src[begin+2:end]) + closer
				m.add(token{start: start, end: end + 2 + len(closer), kind: literal, insert: text})
				at = m.next("{{", end+2+len(closer))
			}
			continue
		}
		end := m.closer(begin, closer)
		if end < 0 {
			continue
		}
		t := token{start: start, end: end + len(closer), kind: opening, syntax: syntax}
		inner := strings.TrimSpace(string(m.src[begin:end]))
		if rest, ok := strings.CutPrefix(inner, "/"); ok {
			t.kind, inner = closing, strings.TrimSpace(rest)
		} else if rest, ok := strings.CutSuffix(inner, "/"); ok {
			t.kind, inner = single, strings.TrimSpace(rest)
		}
		var rest string
		t.name, rest = cutName(inner)
		t.key = t.name
		t.args = parseArgs(rest)
		m.add(t)
		at = m.next("{{", t.end)
	}
}

var (
	endRaw     = regexp.MustCompile(`\{%-?\s*endraw\s*-?%\}`)
	quotedPath = regexp.MustCompile(`^(?:'([^']*)'|"([^"]*)")\s*\|\s*(?:relative_url|absolute_url|url)\s*$`)
)

// liquid finds the tags and outputs of Liquid and of Nunjucks: {% name %} and {{ name }}.
func (m *markers) liquid() {
	for at := m.next("{", 0); at >= 0; {
		start := at
		at = m.next("{", start+1)
		begin := start + 2
		if begin >= len(m.src) {
			return
		}
		closer, syntax := "", liquidTag
		switch m.src[start+1] {
		case '%':
			closer = "%}"
		case '{':
			closer, syntax = "}}", liquidOutput
		default:
			continue
		}
		end := m.closer(begin, closer)
		if end < 0 {
			continue
		}
		t := token{start: start, end: end + len(closer), syntax: syntax}
		inner := strings.TrimSpace(strings.Trim(string(m.src[begin:end]), "-"))
		if syntax == liquidOutput {
			t.name = inner
			if p := quotedPath.FindStringSubmatch(inner); p != nil {
				t.kind, t.insert = literal, escapeAddress(p[1]+p[2])
			} else if name, _, _ := strings.Cut(inner, "|"); strings.TrimSpace(name) == "site.baseurl" || strings.TrimSpace(name) == "site.url" {
				t.kind = literal // addresses of the site begin at its root
			}
		} else {
			var rest string
			t.name, rest = cutName(inner)
			t.args, t.kind = parseArgs(rest), opening
			if name, ok := strings.CutPrefix(t.name, "end"); ok {
				t.name, t.kind = name, closing
			}
			t.key = t.name
		}
		if t.name == "raw" && t.kind == opening {
			if t.end = m.raw(&t); t.end < 0 {
				continue
			}
		} else {
			m.add(t)
		}
		at = m.next("{", t.end)
	}
}

// raw adds the two tags around a text that holds no markers, and returns their end, or -1.
func (m *markers) raw(t *token) int {
	if m.steps < 0 {
		return -1
	}
	end := endRaw.FindIndex(m.src[t.end:])
	if end == nil {
		m.steps -= len(m.src) - t.end
		return -1
	}
	m.add(token{start: t.start, end: t.end, kind: literal})
	m.add(token{start: t.end + end[0], end: t.end + end[1], kind: literal})
	return t.end + end[1]
}

// next returns the offset of the next s from offset at on, or -1. What is not there is
// looked for once.
func (m *markers) next(s string, at int) int {
	if slices.Contains(m.absent, s) {
		return -1
	}
	i := bytes.Index(m.src[at:], []byte(s))
	if i < 0 {
		m.absent = append(m.absent, s)
		return -1
	}
	return at + i
}

// closer returns the offset of the text that ends a marker whose inside begins at offset
// at, or -1. In quotes it does not count, if these are closed.
func (m *markers) closer(at int, s string) int {
	plain := m.next(s, at)
	if plain < 0 || bytes.IndexAny(m.src[at:plain], "\"'`") < 0 {
		return plain
	}
	isLiquid := len(s) == len("}}")
	for i := at; i < len(m.src) && m.steps > 0; i++ {
		m.steps--
		switch c := m.src[i]; {
		case bytes.HasPrefix(m.src[i:], []byte(s)):
			m.steps += i - at + 1
			return i
		case c == '"' || c == '`' || c == '\'' && isLiquid:
			n := bytes.IndexByte(m.src[i+1:min(len(m.src), i+1+m.steps)], c)
			if n < 0 || c != '`' && bytes.IndexByte(m.src[i+1:i+1+n], '\n') >= 0 {
				m.steps -= max(n, 0)
				return plain
			}
			m.steps -= n
			i += n + 1
		}
	}
	return plain
}

// cutName cuts the name of a marker off its inside.
func cutName(s string) (name, rest string) {
	end := strings.IndexAny(s, whitespace+"\"'`=")
	if end < 0 {
		end = len(s)
	}
	return s[:end], s[end:]
}

// argPattern matches an argument: name="value", name: value, "value" or value.
var argPattern = regexp.MustCompile("(?:([A-Za-z_][-\\w.]*)(?:\\s*=\\s*|:\\s+))?(?:\"((?:[^\"\\\\]|\\\\.)*)\"|`([^`]*)`|'([^']*)'|([^\\s\"'`,]+))")

func parseArgs(s string) []markerArg {
	var args []markerArg
	for _, p := range argPattern.FindAllStringSubmatch(s, -1) {
		value := p[3] + p[4] + p[5]
		if p[2] != "" {
			value = strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(p[2])
		}
		args = append(args, markerArg{p[1], value})
	}
	return args
}
