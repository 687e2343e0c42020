package source

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.org/sivu/generator/diag"
)

// readBeside reads a page with a file beside it.
func readBeside(site *Site, path, text, name, beside string) (Document, []string) {
	r := NewReader(site, nil)
	r.Sidecar = func(asked string, _ func(diag.Diagnostic)) []byte {
		if asked != name {
			return nil
		}
		return []byte(beside)
	}
	return readWith(r, path, text)
}

func TestSidecar(t *testing.T) {
	site := testSite()
	site.Fields = map[string]string{"created": "date"}
	site.Join, site.Ignore, site.SkipIf = map[string]string{"tags": ","}, []string{"internal"}, []string{"hidden"}
	for _, test := range []struct {
		name, sidecar, front, beside string
		want                         []string
		problems                     []string
	}{
		{"JSON", "{path}.json", "name: N", "{\n  \"title\": \"J \\ud83d\\ude00 \\/\",\n\t\"date\" : \"2020-01-02\", \"n\": 1.50, \"tags\": [\"a\", \"b\"],\n \"internal\": {\"x\": [1]}, \"b\": true, \"z\": null}",
			[]string{"2:1 name=N", "2:3 title=J 😀 /", "3:25 n=1.50", "3:36 tags=a,b", "4:26 b=true", "4:37 z:null", "url=fi/a"}, nil},
		{"YAML", "{path}.meta.yaml", "name: N", "title: Y\ndate: 2020-01-02\ninternal: [&a {}]\n", []string{"2:1 name=N", "1:1 title=Y", "url=fi/a"}, nil},
		{"the page's own fields come first", "{path}.json", "title: T", `{"title": "J", "date": "2020-01-02"}`, []string{"2:1 title=T", "url=fi/a"}, nil},
		{"there is none", "{path}.other.json", "title: T", "", []string{"2:1 title=T", "url=fi/a"}, nil},
		{"positions of problems", "{path}.json", "title: T", "{\"kind\": \"x\",\n \"list\": [1], \"embeds\": [\n\"x\"]}", nil, []string{
			`fi/a.json:2:2: error: "list" is a list; a meta value is a string or null [meta-type] | name it under "ignore" in site.yaml`,
			`fi/a.json:1:2: error: "x" is not a kind of page [kind] | the kinds are "page", "front", "article", "feedback", "feedback-thanks" and "not-found"`,
			`fi/a.json:3:1: warning: the embed "x" is not an absolute https address, and is left out [embed-address] | write it as "https://…"`,
		}},
		{"broken JSON", "{path}.json", "kind: x", "{\"a\": 1,\n \"b\" 2}", nil, []string{"fi/a.json:2:6: error: JSON: invalid character '2' after object key [syntax]"}},
		{"JSON cut short", "{path}.json", "kind: x", "{\"a\": [1,", nil, []string{"fi/a.json:1:9: error: JSON: unexpected end of JSON input [syntax]"}},
		{"two values", "{path}.json", "kind: x", "{} {}", nil, []string{"fi/a.json:1:4: error: JSON: invalid character '{' after top-level value [syntax]"}},
		{"a list", "{path}.json", "kind: x", " [1]", nil, []string{"fi/a.json:1:2: error: the file holds a list; it is a map of fields [syntax]"}},
		{"broken YAML", "{path}.yaml", "kind: x", "a: b: c", nil, []string{"fi/a.yaml:1:5: error: the value contains \": \" [syntax] | put it in quotes: a: \"b: c\""}},
		{"deep JSON", "{path}.json", "kind: x", strings.Repeat("[", 1000) + strings.Repeat("]", 1000), nil, []string{"fi/a.json:1:65: error: " + depthMessage + " [syntax]"}},
		{"very deep JSON", "{path}.json", "kind: x", strings.Repeat("[", 100_000), nil, []string{"fi/a.json:1:10001: error: JSON: invalid character '[' exceeded max depth [syntax]"}},
		{"too long", "{path}.json", "kind: x", strings.Repeat(" ", maxSiteSize+1), nil, []string{"fi/a.json: error: the file has 1048577 bytes; at most 1048576 are read [file-size]"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			site.Sidecar = test.sidecar
			name := strings.Replace(test.sidecar, "{path}", "fi/a", 1)
			if test.beside == "" {
				name = ""
			}
			doc, problems := readBeside(site, "fi/a.md", front(test.front), name, test.beside)
			wantEqual(t, "problems", problems, test.problems)
			if test.want != nil {
				wantEqual(t, "meta", metaText(doc.Page.Meta), test.want)
			}
			if doc.Valid != (test.problems == nil) {
				t.Errorf("valid is %v", doc.Valid)
			}
		})
	}
	site.Sidecar = "{path}.json"
	doc, _ := readBeside(site, "fi/a.html", "<title>H</title>", "fi/a.json", `{"title": "J", "kind": "article", "topic": "t", "hidden": "yes"}`)
	wantEqual(t, "an HTML document", []string{doc.Page.Kind.Name, doc.Page.Topic, fmt.Sprint(doc.Skip)}, []string{"article", "t", "true"})
	wantEqual(t, "names", []string{site.SidecarOf("fi/a.b.md"), testSite().SidecarOf("fi/a.md")}, []string{"fi/a.b.json", ""})
	site.Exclude = []string{"**/*.b.json"}
	wantEqual(t, "one that is excluded", site.SidecarOf("fi/a.b.md"), "")
	site.Sidecar = "{path}.yaml"
	wantEqual(t, "site.yaml is no sidecar", site.SidecarOf("site.md"), "")
}

// FuzzJSON compares what is JSON with how the standard library reads it.
func FuzzJSON(f *testing.F) {
	for _, seed := range []string{
		`{"a": [1, {"b": null}], "c": "\ud83d\ude00"}`, `[]`, `"x"`, "{\"a\"\n:\ttrue}", ``, `{"a":1,"b":-2.50e3,"c":"null","d":"~","e":"- x: y # z"}`,
		`{"a": "\\ud83d\\ude00 \\\uD83D\uDE00 \" \/ \b\f\n\r\t\u00e9"}`, "{\n\t\"a\" : {\n\t\t\"b\": [\n1\n]\n\t}\n}",
	} {
		f.Add(seed)
	}
	// YAML has no lone surrogates, no empty keys and no tab before the first bracket, and
	// fewer raw characters and levels.
	other := regexp.MustCompile("^[ \\n\\r]*\\t|\\\\u[dD][89a-fA-F]|\"\"[ \t\r\n]*:|[^\t\r\n -~\u00a0-\u2027\u2030-\ud7ff]|[[{]([^[{]*[[{]){60}")
	f.Fuzz(func(t *testing.T, text string) {
		escaped := string(yamlOfJSON([]byte(text)))
		if !json.Valid([]byte(text)) || len(text) > 1000 || other.MatchString(escaped) {
			return
		}
		root, ok := parseYAML([]byte(escaped), leniency{}, func(line, column int, message, _ string) {
			if !strings.Contains(message, "given twice") {
				t.Errorf("%q: %d:%d %s", text, line, column, message)
			}
		})
		if !ok {
			return
		}
		decoder := json.NewDecoder(strings.NewReader(text))
		decoder.UseNumber()
		var want any
		if err := decoder.Decode(&want); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(asTexts(want), anyOf(root)); diff != "" {
			t.Fatalf("%q (-want +got):\n%s", text, diff)
		}
	})
}

// asTexts returns what encoding/json decoded with texts for scalars.
func asTexts(value any) any {
	switch v := value.(type) {
	case nil:
		return nil
	case []any:
		for i := range v {
			v[i] = asTexts(v[i])
		}
		return v
	case map[string]any:
		for key := range v {
			v[key] = asTexts(v[key])
		}
		return v
	}
	return fmt.Sprint(value)
}

// anyOf returns what encoding/json makes of a field, but that all scalars are texts.
func anyOf(f *field) any {
	switch f.shape {
	case null:
		return nil
	case list:
		all := []any{}
		for i := range f.items {
			all = append(all, anyOf(&f.items[i]))
		}
		return all
	case table:
		all := map[string]any{}
		for i := range f.items {
			all[f.items[i].name] = anyOf(&f.items[i])
		}
		return all
	}
	return f.value
}
