package main

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	eastasian "golang.org/x/text/width"
)

func TestWrap(t *testing.T) {
	for _, test := range []struct {
		name    string
		columns int
		text    string
		want    []string
	}{
		{"short lines stay", 40, "a.md:1:1: error: x [y]\n    hint: z\n", []string{"a.md:1:1: error: x [y]", "    hint: z", ""}},
		{"a problem and its hint", 40,
			"content/fi/a.md:4:1: error: \"reviewers\" is a list; a meta value is a string or null [meta-type]\n" +
				"    hint: name it under \"ignore\" in site.yaml, or write it as one string\n",
			[]string{
				"content/fi/a.md:4:1: error: \"reviewers\"",
				"    is a list; a meta value is a string",
				"    or null [meta-type]",
				"    hint: name it under \"ignore\" in",
				"        site.yaml, or write it as one",
				"        string",
				"",
			}},
		{"the place of a problem is not broken", 20, "content/fi/a name with spaces.md:4:1: error: the page has no title",
			[]string{"content/fi/a name with spaces.md:4:1: error:", "    the page has no", "    title"}},
		{"colors take no columns", 30, "\x1b[1ma b c.md:1:1\x1b[0m: \x1b[31merror\x1b[0m: one two three four",
			[]string{"\x1b[1ma b c.md:1:1\x1b[0m: \x1b[31merror\x1b[0m: one two", "    three four"}},
		{"wide letters", 20, "a.md:1:1: error: \"租房指南和入住须知\" x",
			[]string{"a.md:1:1: error: \"租", "    房指南和入住须", "    知\" x"}},
		{"letters with marks", 12, "sivu: é́ é́ می‌شود می‌شود x", []string{"sivu: é́ é́", "    می‌شود", "    می‌شود x"}},
		{"emoji", 12, "sivu: 👩‍👩‍👧 👩‍👩‍👧 👩‍👩‍👧", []string{"sivu: 👩‍👩‍👧 👩‍👩‍👧", "    👩‍👩‍👧"}},
		{"an address is not broken", 20, "sivu: ask https://api.example.org/pages/index.json again",
			[]string{"sivu: ask", "    https://api.example.org/pages/index.json", "    again"}},
		{"one column", 1, "sivu: a b", []string{"sivu: a", "b"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := strings.Split(wrap(test.text, test.columns), "\n"); strings.Join(got, "\n") != strings.Join(test.want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		})
	}
}

// TestWrapKeepsText draws texts: whatever the width, nothing is lost but spaces,
// lines fit unless they are one word, and the place of a problem stays in the
// first line.
func TestWrapKeepsText(t *testing.T) {
	words := strings.Fields(`a bb ccc dddd eeeeeeeeee "reviewers" https://api.example.org/pages/ 租房指南和入住须知 한국어 ääkköset дом [meta-type]`)
	first := regexp.MustCompile(`^content/fi/a b\.md:12:3: error: `)
	for range 5_000 {
		var picked []string
		for range rand.IntN(30) {
			picked = append(picked, words[rand.IntN(len(words))])
		}
		line := "content/fi/a b.md:12:3: error: " + strings.Join(picked, " ")
		columns := 1 + rand.IntN(100)
		got := wrap(line, columns)
		if without(got) != without(line) {
			t.Fatalf("%q at %d columns became %q", line, columns, got)
		}
		lines := strings.Split(got, "\n")
		if !first.MatchString(lines[0] + " ") {
			t.Fatalf("%q at %d columns begins with %q", line, columns, lines[0])
		}
		for i, l := range lines {
			if l = strings.TrimLeft(l, " "); i > 0 && measured(lines[i]) > columns && (strings.Contains(l, " ") || measured(l) > columns && isWide(l)) {
				t.Fatalf("at %d columns %q has %d", columns, lines[i], measured(lines[i]))
			}
		}
	}
}

func without(s string) string { return strings.Join(strings.Fields(s), "") }

// measured counts columns by another table than uniseg's.
func measured(s string) int {
	n := 0
	for _, r := range s {
		if k := eastasian.LookupRune(r).Kind(); k == eastasian.EastAsianWide || k == eastasian.EastAsianFullwidth {
			n++
		}
		n++
	}
	return n
}

// isWide reports whether a text has two wide letters, between which it can be
// broken.
func isWide(s string) bool {
	return measured(s) >= len([]rune(s))+2 && measured(s) > 4 && !strings.Contains(s, "한")
}

// Help is no wider than a terminal, and its examples can be copied.
func TestHelpWraps(t *testing.T) {
	root := newRoot()
	for _, command := range append(root.Commands(), root) {
		text := command.Long + "\n\n" + command.UsageString()
		if got := wrapHelp(text, helpColumns); without(strings.ReplaceAll(got, " \\\n", "\n")) != without(text) {
			t.Errorf("%s: help has another text at %d columns:\n%s", command.Name(), helpColumns, got)
		}
		for _, columns := range []int{30, 40, 60, 80} {
			got := wrapHelp(text, columns)
			for line := range strings.Lines(got) {
				line = strings.TrimRight(line, "\n")
				if measured(line) > columns && strings.Contains(strings.TrimSuffix(strings.TrimSpace(line), ` \`), " ") && !strings.Contains(line, "'") {
					t.Errorf("%s: wider than %d columns: %s", command.Name(), columns, line)
				}
			}
			_, examples, _ := strings.Cut(got, "Examples:\n")
			examples, _, _ = strings.Cut(strings.TrimRight(examples, "\n"), "\n\n")
			if unwrapped := regexp.MustCompile(` \\\n +`).ReplaceAllString(examples, " "); unwrapped != command.Example {
				t.Errorf("%s: at %d columns the examples are\n%s\nwant\n%s", command.Name(), columns, unwrapped, command.Example)
			}
		}
	}
}
