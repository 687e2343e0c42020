package main

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.org/sivu/generator"
	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/host"
	"example.org/sivu/generator/page"
	"example.org/sivu/generator/settings"
	"example.org/sivu/generator/source"
	"example.org/sivu/generator/verify"
)

// topicFile is the file of a topic, which -update may have changed.
func topicFile(name string) string { return "../../templates/help/" + name + ".md" }

func readTopic(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(topicFile(name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// sectionOf returns where the section of a heading begins and ends, its heading apart.
func sectionOf(t *testing.T, text, heading string) (start, end int) {
	t.Helper()
	before, after, ok := strings.Cut(text, "\n"+heading+"\n")
	if !ok {
		t.Fatalf("there is no section %q", heading)
	}
	start = len(before) + len(heading) + 2
	level, _, _ := strings.Cut(heading, " ")
	if next := regexp.MustCompile(`(?m)^#{1,` + fmt.Sprint(len(level)) + `} `).FindStringIndex(outsideCode(after)); next != nil {
		return start, start + next[0]
	}
	return start, len(text)
}

// outsideCode returns a text with spaces in place of code in fences.
func outsideCode(text string) string {
	return regexp.MustCompile("(?s)```.*?```").ReplaceAllStringFunc(text, func(s string) string { return strings.Repeat(" ", len(s)) })
}

// holdTable fails unless the first table of a section of a topic has these rows. Make gets
// the last cell of each row that is there by the first one, as people write it. With
// -update it writes the rows.
func holdTable(t *testing.T, topic, heading string, make func(last map[string]string) []string) {
	t.Helper()
	text := readTopic(t, topic)
	start, end := sectionOf(t, text, heading)
	table := regexp.MustCompile(`(?m)^\|[-|]+\|\n((?:\|.*\n)*)`).FindStringSubmatchIndex(text[start:end])
	if table == nil {
		t.Fatalf("%s, %s has no table", topic, heading)
	}
	from, to := start+table[2], start+table[3]
	last := map[string]string{}
	for row := range strings.Lines(text[from:to]) {
		cells := tableCells(strings.TrimSuffix(row, "\n"))
		last[strings.Trim(cells[0], "`")] = cells[len(cells)-1]
	}
	due := strings.Join(make(last), "\n") + "\n"
	if due == text[from:to] {
		return
	}
	if *update {
		if err := os.WriteFile(topicFile(topic), []byte(text[:from]+due+text[to:]), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("%s, %s has not the table that is due; go test ./cmd/sivu -run TestTopic -update writes it", topic, heading)
	there := strings.Split(text[from:to], "\n")
	for line := range strings.Lines(due) {
		if !slices.Contains(there, strings.TrimSuffix(line, "\n")) {
			t.Errorf("due: %s", line)
		}
	}
}

// row returns a row of a table. An empty cell is a dash.
func row(cells ...string) string {
	return "| " + strings.Join(mapped(cells, func(cell string) string { return cmp.Or(strings.ReplaceAll(cell, "|", `\|`), "–") }), " | ") + " |"
}

func code(text string) string { return "`" + text + "`" }

// Topics begin with a title, and the program lists each.
func TestTopics(t *testing.T) {
	files, err := filepath.Glob(topicFile("*"))
	if err != nil || len(files) != len(topicNames()) {
		t.Fatalf("%d files, %d topics, %v", len(files), len(topicNames()), err)
	}
	for _, name := range []string{"contract", "site", "sources", "bodies", "rules", "hosts", "publish", "report", "preview", "commands"} {
		if text, ok := topicNamed(name); !ok || !strings.HasPrefix(text, "# ") {
			t.Errorf("there is no topic %s, or it has no title", name)
		}
	}
}

// On a terminal a topic keeps its words, and lines are no wider than that.
func TestTopicsWrap(t *testing.T) {
	markup := regexp.MustCompile("(?m)^```.*$|^\\|[-|]+\\|$|[|#–-]")
	wordsOf := func(text string) []string {
		return strings.Fields(strings.ReplaceAll(markup.ReplaceAllString(text, " "), "`", ""))
	}
	for _, name := range topicNames() {
		text, _ := topicNamed(name)
		plain := plainMarkdown(text, false)
		words := wordsOf(plain)
		for _, word := range wordsOf(text) {
			if !slices.Contains(words, word) && len(readTableHeaders(text, word)) == 0 {
				t.Errorf("%s: the word %q is lost", name, word)
			}
		}
		for columns := 40; columns <= helpColumns; columns += 8 {
			for line := range strings.Lines(wrapHelp(plain, columns)) {
				line = strings.TrimRight(line, "\n")
				described := line[strings.LastIndex(line, "  ")+1:] // beside a name
				if measured(line) > columns && strings.Contains(strings.TrimSpace(described), " ") {
					t.Errorf("%s: wider than %d columns: %s", name, columns, line)
				}
			}
		}
	}
}

// readTableHeaders returns the headers of tables that hold a word: those of tables of two
// columns are not shown.
func readTableHeaders(text, word string) []string {
	var found []string
	for _, header := range regexp.MustCompile(`(?m)^(\|.*\|)\n\|[-|]+\|$`).FindAllString(text, -1) {
		if strings.Contains(header, word) {
			found = append(found, header)
		}
	}
	return found
}

// Every key of site.yaml has an entry, and every entry is a key.
func TestTopicSite(t *testing.T) {
	var named []string
	for _, m := range regexp.MustCompile("(?m)^### `([a-z_]+)`$").FindAllStringSubmatch(readTopic(t, "site"), -1) {
		named = append(named, m[1])
	}
	keys := source.SiteKeys()
	slices.Sort(keys)
	slices.Sort(named)
	if !slices.Equal(keys, named) {
		t.Errorf("the topic has %q, and site.yaml %q", named, keys)
	}
}

// Every example of YAML in a topic or in the README is read without a problem.
func TestTopicExamples(t *testing.T) {
	files, err := filepath.Glob(topicFile("*"))
	if err != nil {
		t.Fatal(err)
	}
	schema, found := schemaNamed(t, "site"), 0
	for _, name := range append(files, "../../README.md") {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile("(?s)\n```yaml\n(.*?)\n```").FindAllStringSubmatch(string(text), -1) {
			found++
			if problems := siteProblems(m[1]); problems != nil {
				t.Errorf("%s: %q\n%s", name, problems, m[1])
			}
			if err := validateYAML(t, schema, m[1]); err != nil {
				t.Errorf("%s: %v\n%s", name, err, m[1])
			}
		}
	}
	if found < len(source.SiteKeys()) {
		t.Errorf("%d examples", found)
	}
}

// The rules of build and check, with what they mean. The cures are written by hand.
func TestTopicRules(t *testing.T) {
	holdTable(t, "rules", "## Rules of build, check and preview", func(cures map[string]string) []string {
		var rows []string
		done := map[string]bool{}
		rules := settings.Rules()
		slices.SortStableFunc(rules, func(a, b *diag.Rule) int { return strings.Compare(a.Name, b.Name) })
		for i, rule := range rules {
			doc := rule.Doc
			if i+1 < len(rules) && rules[i+1].Name == rule.Name {
				doc += "; " + rules[i+1].Doc
			}
			if done[rule.Name] {
				continue
			}
			done[rule.Name] = true
			if cures[rule.Name] == "" {
				t.Errorf("the rule %s has no cure", rule.Name)
			}
			severity := rule.Severity.String() + when(rule.Severity == diag.Error && !rule.Contract, ", can be lowered")
			rows = append(rows, row(code(rule.Name), severity, doc, cures[rule.Name]))
		}
		return rows
	})
	holdTable(t, "rules", "## Rules of verify", func(cures map[string]string) []string {
		return mapped(verify.Rules, func(rule *verify.Rule) string {
			if cures[rule.Name] == "" {
				t.Errorf("the rule %s of verify has no cure", rule.Name)
			}
			section := strings.TrimPrefix(rule.Section, "sivu help contract, ")
			return row(code(rule.Name), section+when(rule.Loose, ", lenient"), rule.Doc, cures[rule.Name])
		})
	})
}

// The rules that no site.yaml can name are told, too.
func TestTopicOtherRules(t *testing.T) {
	text, err := os.ReadFile("../../generator/preview.go")
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(`diag\.Rule\{\n\s*Name:\s+"([a-z-]+)"`).FindAllStringSubmatch(string(text), -1)
	if len(names) < 2 {
		t.Fatalf("found %d rules", len(names))
	}
	for _, name := range names {
		if !strings.Contains(readTopic(t, "rules"), "`"+name[1]+"`") {
			t.Errorf("the rule %s has no entry", name[1])
		}
	}
}

// The sections that verify names are there.
func TestTopicContract(t *testing.T) {
	text := readTopic(t, "contract")
	for _, rule := range verify.Rules {
		sections, ok := strings.CutPrefix(rule.Section, "sivu help contract, ")
		if !ok {
			continue
		}
		for _, section := range strings.Split(sections, ", ") {
			number, sentence, _ := strings.Cut(section, " rule ")
			heading := regexp.MustCompile(`(?m)^#{2,3} ` + regexp.QuoteMeta(number) + `\.? .*$`).FindString(text)
			if heading == "" {
				t.Errorf("%s names section %s, which is not there", rule.Name, number)
				continue
			}
			start, end := sectionOf(t, text, heading)
			if sentence != "" && !strings.Contains(text[start:end], "\n"+sentence+". ") {
				t.Errorf("%s names rule %s of section %s, which is not there", rule.Name, sentence, number)
			}
		}
	}
	rows := map[string]string{}
	for line := range strings.Lines(text) {
		if cells := tableCells(strings.TrimSuffix(line, "\n")); len(cells) == 3 {
			rows[strings.Trim(cells[0], "`")] = line
		}
	}
	for _, kind := range page.Kinds {
		for _, key := range slices.Concat(kind.Required, kind.Together, kind.Optional) {
			if !strings.Contains(rows[kind.Name], code(key.Name)) {
				t.Errorf("the kind %s has not %s", kind.Name, key.Name)
			}
		}
	}
}

// What comments, messages and templates cite is in the clone: sections of the contract,
// and topics.
func TestCitations(t *testing.T) {
	contract, cited := readTopic(t, "contract"), 0
	sections := regexp.MustCompile(`contract\.md(?:\s+(?://\s*)?)(\d+(?:\.\d+)?(?:(?:, | and )\d+(?:\.\d+)?)*)`)
	elsewhere := regexp.MustCompile(`\b(?:DESIGN|HOUSE|ADOPT|CATALOG|TRANSLATIONS|NAMES|SPEED)(?:\.md\b|'s\b)`)
	topics := regexp.MustCompile(`sivu help ([a-z]+)`)
	err := filepath.WalkDir("../..", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			if err == nil && name != "../.." && strings.HasPrefix(entry.Name(), ".") {
				return fs.SkipDir
			}
			return err
		}
		if !slices.Contains([]string{".go", ".md", ".txtar", ".js", ".yaml"}, filepath.Ext(name)) || strings.HasSuffix(name, "topics_test.go") {
			return nil
		}
		text, err := os.ReadFile(name)
		for _, m := range sections.FindAllSubmatch(text, -1) {
			for _, section := range regexp.MustCompile(`[\d.]+`).FindAllString(string(m[1]), -1) {
				cited++
				if !regexp.MustCompile(`(?m)^#{2,3} ` + regexp.QuoteMeta(section) + `\.? `).MatchString(contract) {
					t.Errorf("%s cites section %s of the contract, which is not there", name, section)
				}
			}
		}
		if m := elsewhere.Find(text); m != nil {
			t.Errorf("%s cites %s, which is not in the clone", name, m)
		}
		for _, m := range topics.FindAllSubmatch(text, -1) {
			command, _, err := newRoot().Find([]string{string(m[1])})
			if _, ok := topicNamed(string(m[1])); !ok && string(m[1]) != "lists" && filepath.Ext(name) != ".txtar" && (err != nil || !command.HasParent()) {
				t.Errorf("%s: there is no topic %s", name, m[1])
			}
		}
		return err
	})
	if err != nil || cited < 30 {
		t.Errorf("%d citations, %v", cited, err)
	}
}

// The tables of hosts are made of what the program knows of them.
func TestTopicHosts(t *testing.T) {
	holdTable(t, "hosts", "## What each host keeps", func(map[string]string) []string {
		return mapped(host.Hosts, func(h *host.Host) string {
			keeps, _, _ := strings.Cut(string(h.Level), ",")
			if h.Edge {
				keeps += ", variants at the edge"
			}
			cannot := mapped(h.Cannot, func(e host.Exception) string { return e.Rule })
			return row(code(h.Name), h.Title, keeps, strings.Join(h.Styles(), ", "), strings.Join(h.Codings, ", "), strings.Join(cannot, ", "))
		})
	})
	holdTable(t, "hosts", "## What each host takes", func(map[string]string) []string {
		var rows []string
		for _, h := range host.Hosts {
			l := h.Limits
			if l.Files+l.InFolder == 0 && l.FileBytes+l.Bytes == 0 {
				continue
			}
			number := func(n int64, unit func(int64) string) string { return when(n > 0, unit(n)) }
			plain := func(n int64) string { return fmt.Sprint(n) }
			rows = append(rows, row(code(h.Name), number(int64(l.Files), plain), number(l.FileBytes, byteSize), number(l.Bytes, byteSize),
				number(int64(l.InFolder), plain), l.Source))
		}
		return rows
	})
}

// Every command has its section with its flags, and every section its command.
func TestTopicCommands(t *testing.T) {
	text := readTopic(t, "commands")
	var named []string
	for _, m := range regexp.MustCompile("(?m)^## `sivu ([a-z]+)").FindAllStringSubmatch(text, -1) {
		named = append(named, m[1])
	}
	made := mapped(commands, func(f func() *cobra.Command) *cobra.Command { return f() })
	if want := mapped(made, (*cobra.Command).Name); !slices.Equal(named, want) {
		t.Errorf("the topic has %q, and the program %q", named, want)
	}
	for _, command := range made {
		heading := "## " + code("sivu "+strings.TrimSuffix(command.Use, " [flags]"))
		if start, end := sectionOf(t, text, heading); !strings.Contains(strings.ToLower(text[start:end]), strings.ToLower(command.Short)) {
			t.Errorf("%s does not say what it does: %s", heading, command.Short)
		}
		if !command.Flags().HasFlags() {
			continue
		}
		holdTable(t, "commands", heading, func(map[string]string) []string {
			var rows []string
			command.Flags().VisitAll(func(f *pflag.Flag) {
				value, usage := pflag.UnquoteUsage(f)
				byDefault := f.DefValue
				if slices.Contains([]string{"false", "[]", "0"}, byDefault) {
					byDefault = ""
				}
				rows = append(rows, row(code(strings.TrimSpace("--"+f.Name+" "+value)), byDefault, usage))
			})
			return rows
		})
	}
}

// What the topic of reports tells has the names of the schemas, and the other way round.
func TestTopicReport(t *testing.T) {
	text := readTopic(t, "report")
	diagnostics := schemaFile(t, "diagnostics")
	item := diagnostics["properties"].(map[string]any)["diagnostics"].(map[string]any)["items"]
	for heading, keys := range map[string][]string{
		"## `--format json`: problems": propertiesOf(diagnostics),
		"### A problem":                propertiesOf(item),
		"## `--report FILE`: a build":  propertiesOf(schemaFile(t, "report")),
	} {
		start, end := sectionOf(t, text, heading)
		section, _, _ := strings.Cut(text[start:end], "\n### ")
		var named []string
		for _, m := range regexp.MustCompile("(?m)^\\| (`[^|]*`) \\|").FindAllStringSubmatch(section, -1) {
			named = append(named, strings.Split(strings.ReplaceAll(m[1], "`", ""), ", ")...)
		}
		slices.Sort(named)
		if !slices.Equal(named, keys) {
			t.Errorf("%s has %q, and the schema %q", heading, named, keys)
		}
	}
}

// The elements that the topic names as kept are kept, and all others are not.
func TestTopicBodies(t *testing.T) {
	const others = "html head body frameset frame base link meta applet embed param keygen image isindex blink marquee font big strike tt nobr " +
		"basefont bgsound button label option optgroup output canvas map area slot portal dir plaintext rb rtc center fieldset form legend " +
		"listing search script style template title xmp noembed noframes datalist select textarea svg math input noscript object x-own"
	text := readTopic(t, "bodies")
	kept := map[string]bool{"h2": true, "h3": true, "h4": true, "h5": true}
	start, end := sectionOf(t, text, "## HTML")
	for _, item := range regexp.MustCompile(`(?s)- (Text|Blocks|Tables|Links and media):.*?\.\n`).FindAllString(text[start:end], -1) {
		for _, m := range regexp.MustCompile("`([a-z0-9]+)`").FindAllStringSubmatch(item, -1) {
			kept[m[1]] = true
		}
	}
	if len(kept) < 80 {
		t.Fatalf("the topic names %d elements", len(kept))
	}
	content := t.TempDir()
	site := "namespace: bcf9f73f-8cb8-432a-8d4e-60ae318b4b8d\nlanguages: [en]\ndefault_language: en\n"
	if err := os.WriteFile(filepath.Join(content, source.SiteFile), []byte(site), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, name := range append(strings.Fields(others), slices.Collect(maps.Keys(kept))...) {
		page := "---\ntitle: x\ncreated: 2020-01-01\n---\n<p>a</p>\n<" + name + ">b</" + name + ">\n"
		if err := os.WriteFile(filepath.Join(content, name+".html"), []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	result, err := generator.Check(t.Context(), generator.Options{Content: content})
	if err != nil {
		t.Fatal(err)
	}
	refused := map[string]bool{}
	for _, d := range result.Report.Diagnostics {
		m := regexp.MustCompile(`^element "([^"]+)" (?:is not allowed|is removed|has no end tag)`).FindStringSubmatch(d.Message)
		if m != nil && strings.HasSuffix(d.Pos.File, "/"+m[1]+".html") {
			refused[m[1]] = true
		}
	}
	for name := range kept {
		if refused[name] {
			t.Errorf("%s is not kept", name)
		}
	}
	for name := range strings.FieldsSeq(others) {
		if !refused[name] {
			t.Errorf("%s is kept, or goes without a word", name)
		}
	}
}

// Every command line that a topic shows can be typed.
func TestTopicCommandLines(t *testing.T) {
	found := 0
	for _, name := range topicNames() {
		text, _ := topicNamed(name)
		line := regexp.MustCompile("(?m)^(?:\\./)?sivu ([a-z][^#&|\\n]*)")
		lines := regexp.MustCompile("`sivu ([a-z][^`]*)`").FindAllStringSubmatch(outsideCode(text), -1)
		for _, block := range regexp.MustCompile("(?s)```.*?```").FindAllString(text, -1) {
			lines = append(lines, line.FindAllStringSubmatch(block, -1)...)
		}
		for _, m := range lines {
			checkCommandLine(t, name, m[1])
			found++
		}
	}
	if found < 20 {
		t.Errorf("topics show %d command lines", found)
	}
}

// checkCommandLine fails unless a command line can be typed. Capitals stand for what
// people write there.
func checkCommandLine(t *testing.T, where, line string) {
	t.Helper()
	words := strings.Fields(strings.TrimSuffix(line, " --help"))
	if words[0] == "help" && len(words) == 2 {
		if _, ok := topicNamed(words[1]); ok || strings.ToUpper(words[1]) == words[1] {
			return
		}
		words = words[1:] // a command
	}
	command, args, err := newRoot().Find(words)
	if err == nil {
		err = command.ParseFlags(args)
	}
	if rest := command.Flags().Args(); err == nil && len(rest) > 0 {
		err = command.ValidateArgs(rest)
	}
	if err != nil {
		t.Errorf("%s: sivu %s: %v", where, line, err)
	}
}
