package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v4"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/page"
	"example.org/sivu/generator/settings"
	"example.org/sivu/generator/source"
	"example.org/sivu/templates"
)

// schemaFile returns a schema as data.
func schemaFile(t *testing.T, name string) map[string]any {
	t.Helper()
	text, err := fs.ReadFile(templates.Schemas(), name+".json")
	if err != nil {
		t.Fatal(err)
	}
	var schema map[string]any
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return schema
}

// schemaNamed returns a schema that is held against its own draft, 2020-12.
func schemaNamed(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource(name+".json", schemaFile(t, name)); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile(name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// propertiesOf returns the names of the properties of a schema.
func propertiesOf(schema any, path ...string) []string {
	for _, name := range append(path, "properties") {
		schema = schema.(map[string]any)[name]
	}
	return slices.Sorted(maps.Keys(schema.(map[string]any)))
}

// validate holds JSON against a schema.
func validate(schema *jsonschema.Schema, text []byte) error {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	return schema.Validate(value)
}

// validateYAML holds a site.yaml against its schema.
func validateYAML(t *testing.T, schema *jsonschema.Schema, text string) error {
	t.Helper()
	var value any
	if err := yaml.Unmarshal([]byte(text), &value); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return validate(schema, data)
}

// siteProblems returns the problems that sivu finds in a site.yaml.
func siteProblems(text string) []string {
	var problems []string
	source.ReadSite([]byte(text), "site.yaml", settings.Rules(), func(d diag.Diagnostic) { problems = append(problems, d.Message) })
	return problems
}

// fieldNames returns the names that "fields" in site.yaml can have, as the hint of
// an unknown one lists them.
func fieldNames() (names []string) {
	source.ReadSite([]byte("fields: {\U0001F600: x}"), "site.yaml", nil, func(d diag.Diagnostic) {
		for _, m := range regexp.MustCompile(`"([a-z]+)"`).FindAllStringSubmatch(d.Hint, -1) {
			names = append(names, m[1])
		}
	})
	return names
}

// The schema of site.yaml names what sivu knows: all keys, fields, kinds and rules.
func TestSchemaSiteNames(t *testing.T) {
	schema := schemaFile(t, "site")
	for _, names := range []struct {
		what      string
		got, want []string
	}{
		{"keys", propertiesOf(schema), source.SiteKeys()},
		{"fields", propertiesOf(schema, "properties", "fields"), fieldNames()},
		{"kinds", propertiesOf(schema, "properties", "kinds"), page.KindNames()},
	} {
		slices.Sort(names.want)
		if want := slices.Compact(names.want); !slices.Equal(names.got, want) {
			t.Errorf("%s: the schema has %q, and sivu %q", names.what, names.got, want)
		}
	}
}

// The schema of site.yaml has all rules, with what site.yaml can make of them.
func TestSchemaSiteRules(t *testing.T) {
	const name = "../../templates/schema/site.json"
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	at := regexp.MustCompile(`(?s)"rules": \{.*?"properties": \{\n(.*?)\n      \}\n`).FindSubmatchIndex(text)
	if at == nil {
		t.Fatal("the schema has no rules")
	}
	var rows []string
	for _, rule := range settings.Rules() {
		can := `{ "$ref": "#/$defs/severity" }`
		if rule.Contract {
			can = `{ "const": "error" }`
		}
		rows = append(rows, fmt.Sprintf("        %q: %s", rule.Name, can))
	}
	slices.Sort(rows)
	due := strings.Join(slices.Compact(rows), ",\n")
	switch {
	case due == string(text[at[2]:at[3]]):
	case *update:
		if err := os.WriteFile(name, slices.Concat(text[:at[2]], []byte(due), text[at[3]:]), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("the rules of the schema are not those that are due; go test ./cmd/sivu -run TestSchema -update writes them:\n%s", due)
	}
}

// What only sivu can tell of a value: whether it fits other keys, or is one of many.
var beyondSchema = regexp.MustCompile(`is not one of the site's languages|timezone|is not a pattern|does not lie below|same language tag|` +
	`cannot be another name|^the path |would be both|is not a CSS selector|is slow on|says how sources are read|is not a language tag|is not an address|has an? `)

// Whatever stands under a key, sivu and the schema agree on whether it can.
func TestSchemaSiteAgrees(t *testing.T) {
	schema := schemaNamed(t, "site")
	values := strings.Split(`x|""|~|""|[]|[x]|[x, y]|[x, x]|[[x]]|[{a: b}]|[~]|[""]|{}|{x: y}|{x: ~}|{x: [y]}|{x: {}}|1|true|[1]|[true]|{x: 1}|fi|[fi, en]|[fi, fi]|`+
		`[git, mtime]|[fields]|git|path|heading|[title, heading, path]|[draft, build.render=never]|[a=]|[.a]|["=a"]|query|file|file+query|strict|trusted|page|reference|hugo|hogo|`+
		`"{language}/{path}"|["{language}/{path}", "{path}.{language}"]|"{path}"|["{path}"]|"{path}.json"|"{path}.toml"|"{path}/a.json"|{pt_BR: fi}|{a/b: fi}|{topics: ", "}|{note: drop}|{note: x}|`+
		`{news: "{year}/{slug}"}|{news: "{yaer}"}|https://www.example.org|ftp://www.example.org|bcf9f73f-8cb8-432a-8d4e-60ae318b4b8d|bcf9f73f|Europe/Helsinki|Europe/Helsingfors|`+
		`{body: main}|{body: [main, article]}|{body: []}|{bodies: main}|{body: ~}|{pages: "a/**", dates: [lastmod]}|`+
		`{article: {require: [x]}}|{article: {require: x}}|{article: ~}|{article: {x: [y]}}|{created: date}|{created: ~}|{created: [date]}|{create: date}`, "|")
	values = append(values, page.Generators...)
	values = append(values, strings.Split(`{note: unwrap}|{note: keep}|{"*": drop}|"{path}.{language}"|"{section}/{language}/{path}"|"i18n/{language}/docusaurus-plugin-content-{section}/{path}"|"{path}.yaml"|"{path}.yml"|mtime|[mtime]|file|`+
		`{news: "{year}/{month}/{day}"}|{news: "{path}"}|{news: "{name}/{title}"}|{body: main, remove: nav, title: h1, pages: [a], title_suffix: " - A", dates: [meta, json-ld]}|{dates: time}|{dates: [lastmod]}|{dates: [git]}`, "|")...)
	for _, name := range propertiesOf(schemaFile(t, "site"), "properties", "fields") {
		values = append(values, "{"+name+": their}", "{"+name+": ~}")
	}
	for _, rule := range settings.Rules() {
		for _, severity := range []string{"error", "warning", "off", "fatal"} {
			values = append(values, "{"+rule.Name+": "+severity+"}")
		}
	}
	refused := 0
	for _, key := range append(source.SiteKeys(), "base-url") {
		for _, value := range values {
			text := key + ": " + value + "\n"
			err, problems := validateYAML(t, schema, text), siteProblems(text)
			switch {
			case err != nil && problems == nil:
				t.Errorf("the schema refuses %sand sivu does not: %v", text, err)
			case err == nil && problems != nil && !beyondSchema.MatchString(problems[0]):
				t.Errorf("sivu refuses %sand the schema does not: %q", text, problems)
			case err != nil:
				refused++
			}
		}
	}
	if refused < 2000 {
		t.Errorf("only %d values were refused", refused)
	}
}

// Every site.yaml of the repository is one to its schema.
func TestSchemaSiteFiles(t *testing.T) {
	schema, found := schemaNamed(t, "site"), 0
	err := filepath.WalkDir("../..", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Name() != source.SiteFile {
			return err
		}
		text, err := os.ReadFile(name)
		found++
		if problem := validateYAML(t, schema, string(text)); problem != nil && siteProblems(string(text)) == nil {
			t.Errorf("%s: %v", name, problem)
		}
		return err
	})
	if err != nil || found < 2 {
		t.Errorf("%d files: %v", found, err)
	}
}

// What sivu init writes fits the schema.
func TestSchemaSiteInit(t *testing.T) {
	schema, sivu := schemaNamed(t, "site"), sivuProgram(t)
	for _, sample := range []string{"", "testdata/site/content"} {
		dir := t.TempDir()
		if sample != "" {
			if err := os.CopyFS(dir, os.DirFS(sample)); err != nil {
				t.Fatal(err)
			}
		}
		os.Remove(filepath.Join(dir, source.SiteFile))
		if out, err := exec.Command(sivu, "init", dir).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		name := filepath.Join(dir, source.SiteFile)
		if sample == "" {
			name = filepath.Join(dir, "content", source.SiteFile)
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := validateYAML(t, schema, string(text)); err != nil {
			t.Errorf("%v\n%s", err, text)
		}
	}
}

// Reports and diagnostics of real builds fit their schemas.
func TestSchemaReports(t *testing.T) {
	sivu, dir := sivuProgram(t), t.TempDir()
	reports, diagnostics := schemaNamed(t, "report"), schemaNamed(t, "diagnostics")
	if err := os.CopyFS(dir, os.DirFS("testdata/site")); err != nil {
		t.Fatal(err)
	}
	seen := make(map[string]bool)
	build := func(name, want string, flags ...string) {
		t.Helper()
		command := exec.Command(sivu, append([]string{"build", "--format", "json", "--report", "report.json"}, flags...)...)
		command.Dir = dir
		var problems bytes.Buffer
		command.Stdout = &problems
		command.Run() // with problems the status is 1
		report, err := os.ReadFile(filepath.Join(dir, "report.json"))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !bytes.Contains(report, []byte(want)) {
			t.Errorf("%s: the report has not %s: %s", name, want, report)
		}
		if err := validate(reports, report); err != nil {
			t.Errorf("%s: the report: %v", name, err)
		}
		if err := validate(diagnostics, problems.Bytes()); err != nil {
			t.Errorf("%s: the problems: %v\n%s", name, err, problems.Bytes())
		}
		var keys map[string]any
		json.Unmarshal(report, &keys)
		for key := range keys {
			seen[key] = true
		}
	}
	before := exec.Command(sivu, "build")
	before.Dir = dir
	if out, err := before.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	build("a first report", `"incomplete":true`)
	build("a dry run", `"dry_run":true`, "--dry-run", "--full")
	if err := os.WriteFile(filepath.Join(dir, "content/fi/wrong.md"), []byte("---\ntitle: [a]\nid: x\n---\n<blink>x</blink>\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	build("a build with errors", `"severity":"error"`)
	if err := os.Remove(filepath.Join(dir, "content/fi/wrong.md")); err != nil {
		t.Fatal(err)
	}
	later := "---\ntitle: Later\ncreated: 2020-01-01\npublish: 2999-01-01\n---\nx\n"
	if err := os.WriteFile(filepath.Join(dir, "content/fi/later.md"), []byte(later), 0o644); err != nil {
		t.Fatal(err)
	}
	build("a page to come", `"next_change":`)
	pages, err := filepath.Glob(filepath.Join(dir, "content/*/*.md"))
	if err != nil || len(pages) == 0 || os.Remove(pages[0]) != nil {
		t.Fatalf("no page to remove: %q, %v", pages, err)
	}
	build("a page less", `"kept_until":`, "--keep-removed", "1h")
	build("an archive", `"archive_bytes":`, "--archive", "public.tar")
	for _, key := range propertiesOf(schemaFile(t, "report")) {
		if !seen[key] && key != "leftover" { // of a disk that fails
			t.Errorf("no report had %q", key)
		}
	}
}

// The schema of the report has the keys of the type that is written, and its problems are
// those of the schema of diagnostics.
func TestSchemaReportNames(t *testing.T) {
	names := []string{"problems", "changes", "addresses"}
	for i := range reflect.TypeFor[report]().NumField() {
		name, _, _ := strings.Cut(reflect.TypeFor[report]().Field(i).Tag.Get("json"), ",")
		names = append(names, name)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	schema := schemaFile(t, "report")
	if got := propertiesOf(schema); !slices.Equal(got, names) {
		t.Errorf("the schema has %q, and the report %q", got, names)
	}
	alone := schemaFile(t, "diagnostics")
	delete(alone, "$schema")
	delete(alone, "title")
	if !reflect.DeepEqual(schema["$defs"].(map[string]any)["diagnostics"], any(alone)) {
		t.Error("the problems of a report have another schema than diagnostics")
	}
}
