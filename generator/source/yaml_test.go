package source

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// yamlProblems returns what parseYAML reports, one "line:column: message" each.
func yamlProblems(text string) (*field, bool, []string) {
	var problems []string
	root, ok := parseYAML([]byte(text), leniency{}, func(line, column int, message, hint string) {
		problems = append(problems, fmt.Sprintf("%d:%d: %s", line, column, message))
	})
	return root, ok, problems
}

func TestParseYAMLProblems(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"colon in a value", "a: b: c", []string{`1:5: the value contains ": "`}},
		{"key in a continued value", "a: b\n c: d", []string{`2:3: ":" cannot stand here`}},
		{"tab for indentation", "ä: \tx\n\ty: z", []string{"2:1: a tab indents this line"}},
		{"open list", "a: [1", []string{"1:4: the list that begins here does not end"}},
		{"open map", "b: 1\na: {b: c\n", []string{"2:4: the map that begins here does not end"}},
		{"open single quotes", "a: 'x", []string{"1:4: the quoted text that begins here does not end"}},
		{"open double quotes", "a: 1\nö: \"x\ny: z\n", []string{"2:4: the quoted text that begins here does not end"}},
		{"text after quotes", "a: 'b'c", []string{"1:7: text stands after the closing quote"}},
		{"no pair", "title: a\nb\n", []string{"2:1: this line is not a pair of key and value"}},
		{"escape", `a: "\q"`, []string{"1:5: a backslash in double quotes begins an escape that is not known"}},
		{"at sign", "a: @x", []string{"1:4: a value cannot begin with this character"}},
		{"list in a pair's line", "a: - b", []string{"1:4: a list item cannot stand here"}},
		{"text behind a bar", "a: | x\n", []string{`1:6: text stands behind the "|" or ">" that begins a block of text`}},
		{"undented", "  a: b\n c: d", []string{"2:2: this line does not belong to what stands above it"}},
		{"version", "%YAML 3.0\n---\na: b", []string{"1:1: a version of YAML that is not known"}},
		{"control character", "é: b\nöö: \x01", []string{"2:5: character U+0001 cannot stand in YAML"}},

		{"unknown alias", "é: *bold", []string{`1:4: alias "*bold": aliases are not understood`}},
		{"lone star", "a: *", []string{`1:5: "*" and "&" cannot begin a value`}},
		{"anchor and alias", "a: &x 1\nb: *x\n", []string{
			`1:4: anchor "&x": anchors are not understood`,
			`2:4: alias "*x": aliases are not understood`,
		}},
		{"anchor never used", "a: &x 1", []string{`1:4: anchor "&x": anchors are not understood`}},
		{"alias as key", "a: &x 1\n*x : 2\n", []string{
			`1:4: anchor "&x": anchors are not understood`,
			`2:1: alias "*x": aliases are not understood`,
		}},
		{"alias to itself", "a: &x [*x]", []string{
			`1:4: anchor "&x": anchors are not understood`,
			`1:8: alias "*x": aliases are not understood`,
		}},
		{"merge key", "<<: {a: b}", []string{`1:1: merge key "<<": merge keys are not understood`}},
		{"quoted << is a name", `"<<": b`, nil},
		{"duplicate key", "a: 1\nb: 2\n'a': 3\n", []string{`3:1: "a" is given twice, first in line 1`}},
		{"duplicate key inside", "a: {ä: 1, ä: 2}", []string{`1:11: "ä" is given twice, first in line 1`}},
		{"list as key", "? [a]\n: b\n", []string{"1:3: a key is a list or a map"}},
		{"empty key", ": b", []string{"1:1: a key is empty"}},
		{"binary tag", "a: !!binary eA==", []string{`1:4: tag "!!binary": tags are not understood`}},
		{"own tag", "a: !foo x", []string{`1:4: tag "!foo": tags are not understood`}},
		{"bare tag", "a: ! x", []string{`1:4: tag "!": tags are not understood`}},
		{"tag with an unknown handle", "a: !e!x y", []string{"1:4: tags are not understood"}},
		{"tag of a map", "a: !!map {b: c}", []string{`1:4: tag "!!map": tags are not understood`}},
		{"string tag", "a: !!str null", nil},
		{"second document", "a: 1\n---\nb: 2", []string{"2:1: a second document begins here"}},
		{"document after its end", "a: 1\n...\nb: 2", []string{"3:1: a second document begins here"}},
		{"deep lists", strings.Repeat("[", 70) + strings.Repeat("]", 70), []string{"1:65: " + depthMessage}},
		{"deep block", strings.Repeat("- ", 70) + "a", []string{"1:129: " + depthMessage}},

		{"other line ends", "a: \"x\u2028y\"\nb: \"x\u0085 y\rz\"\nc: *d", []string{`3:4: alias "*d": aliases are not understood`}},
		{"all in one run", "a: &x 1\nb: !y 2\na: 3\n<<: 4\n", []string{
			`1:4: anchor "&x": anchors are not understood`,
			`2:4: tag "!y": tags are not understood`,
			`3:1: "a" is given twice, first in line 1`,
			`4:1: merge key "<<": merge keys are not understood`,
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, ok, got := yamlProblems(test.text)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("problems of %q (-want +got):\n%s", test.text, diff)
			}
			if ok != (len(test.want) == 0) {
				t.Errorf("ok = %v with %d problems", ok, len(test.want))
			}
		})
	}
}

func TestParseYAMLEmpty(t *testing.T) {
	for _, text := range []string{"", "\n\n", "# only a comment\n"} {
		root, ok, problems := yamlProblems(text)
		if root != nil || !ok || problems != nil {
			t.Errorf("%q: root %v, ok %v, problems %v; want nothing and no problem", text, root, ok, problems)
		}
	}
}

func TestParseYAMLTakesBadPairsOut(t *testing.T) {
	root, _, _ := yamlProblems("a: 1\na: 2\n<<: {x: y}\n? [k]\n: v\nb: 3\n")
	var got []string
	for _, f := range root.items {
		got = append(got, f.name, f.value)
	}
	if diff := cmp.Diff([]string{"a", "1", "b", "3"}, got); diff != "" {
		t.Errorf("tree (-want +got):\n%s", diff)
	}
}

func TestParseYAMLManyKeys(t *testing.T) {
	var text strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&text, "k%d: v\n", i)
	}
	text.WriteString("k7: again\n")
	root, _, got := yamlProblems(text.String())
	if diff := cmp.Diff([]string{`1001:1: "k7" is given twice, first in line 8`}, got); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
	if len(root.items) != 1000 {
		t.Errorf("%d fields, want 1000", len(root.items))
	}
}

func TestYAMLValue(t *testing.T) {
	tests := []struct {
		text, value string
		null        bool
	}{
		{"no", "no", false},
		{"0012", "0012", false},
		{"1e3", "1e3", false},
		{"2019-05-06", "2019-05-06", false},
		{"0x1F", "0x1F", false},
		{"true", "true", false},
		{"", "", true},
		{"~", "", true},
		{"null", "", true},
		{"Null", "", true},
		{"NULL", "", true},
		{"nULL", "nULL", false},
		{`""`, "", false},
		{`"null"`, "null", false},
		{"'~'", "~", false},
		{"!!str null", "null", false},
		{"|\n  null", "null", false},
		{`"a\tb\u00e4"`, "a\tbä", false},
		{"'it''s'", "it's", false},
		{">\n  a\n  b\n\n  c\n", "a b\nc\n", false},
		{"a\n  b", "a b", false},
	}
	for _, test := range tests {
		root, ok, problems := yamlProblems("k: " + test.text)
		if !ok {
			t.Errorf("%q: %v", test.text, problems)
			continue
		}
		f := root.items[0]
		if f.value != test.value || (f.shape == null) != test.null || f.shape > null {
			t.Errorf("value of %q = %q, %v; want %q, null: %v", test.text, f.value, f.shape, test.value, test.null)
		}
	}
	root, _, _ := yamlProblems("k: [a]")
	if f := root.items[0]; f.shape != list {
		t.Errorf("a list is taken for %v", f.shape)
	}
}

func TestYAMLPositions(t *testing.T) {
	root, _, problems := yamlProblems("ä: x\u2028y\n") // a line of its own for the library
	if root != nil || len(problems) != 1 || problems[0] != "1:6: this line is not a pair of key and value" {
		t.Errorf("problems %q", problems)
	}
	root, ok, _ := yamlProblems("a: \"x\u2028y\" \r\nöö: ü\n")
	if !ok {
		t.Fatal("not read")
	}
	f := root.items[1]
	if f.line != 2 || f.column != 1 {
		t.Errorf("second key at %d:%d, want 2:1", f.line, f.column)
	}
	if f.valueLine != 2 || f.valueColumn != 5 {
		t.Errorf("second value at %d:%d, want 2:5", f.valueLine, f.valueColumn)
	}
}

func FuzzParseYAML(f *testing.F) {
	for _, seed := range []string{
		"", "title: a\nmeta:\n  b: [c, d]\n", "a: &x 1\nb: *x\n", "<<: {a: b}\n", "a: 1\n---\nb: 2\n",
		"? [a]\n: b\n", "a: |\n  x\n  y\n", "a: \"\\x41\u2028\"\r\nb: c", "%TAG ! x\n---\na: !b c", "[[[[{{{{", "\xff\xfea\x00", "- - - -", "a: !<tag:yaml.org,2002:str> b",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > MaxFrontMatterSize {
			return
		}
		lines := strings.Count(string(text), "\n") + 1
		problems := 0
		root, ok := parseYAML(text, leniency{}, func(line, column int, message, _ string) {
			problems++
			if line < 1 || line > lines || column < 1 {
				t.Errorf("%q: problem at %d:%d of %d lines: %s", text, line, column, lines, message)
			}
		})
		if ok != (problems == 0) {
			t.Errorf("%q: ok = %v with %d problems", text, ok, problems)
		}
		checkTree(t, root, 0)
	})
}

// checkTree fails where a tree holds what parseYAML promises to leave out.
func checkTree(t *testing.T, f *field, depth int) {
	if f == nil {
		return
	}
	if depth > maxYAMLDepth+1 {
		t.Fatalf("a tree of %d levels", depth)
	}
	seen := map[string]bool{}
	for i := range f.items {
		item := &f.items[i]
		if f.shape == table && (item.name == "" || seen[item.name]) {
			t.Errorf("key %q empty or twice", item.name)
		}
		seen[item.name] = true
		checkTree(t, item, depth+1)
	}
}

func BenchmarkParseYAML(b *testing.B) {
	text := []byte("title: Vuokra-asunto\nid: 6ba7b810-9dad-51d1-80b4-00c04fd430c8\nlanguage: fi\nkind: article\n" +
		"created: 2015-03-02T08:11:25.123456Z\nmodified: 2019-05-06T08:06:31.004512Z\n" +
		"description: \"Näin löydät vuokra-asunnon\"\nwindowtitle: Asunto\nimagebanner: null\nimagebanneralt: kuva\n")
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := parseYAML(text, leniency{}, nil); !ok {
			b.Fatal("not read")
		}
	}
}
