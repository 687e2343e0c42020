package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"example.org/sivu/generator"
	"example.org/sivu/generator/host"
)

func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The answer that the README shows is one that the sample site has.
func TestReadmeAnswer(t *testing.T) {
	text := readme(t)
	_, block, ok := strings.Cut(text, "```json\n")
	answer, _, ended := strings.Cut(block, "\n```")
	name := regexp.MustCompile(`pages/[0-9a-f-]{36}/index\.json`).FindString(text)
	if !ok || !ended || name == "" {
		t.Fatal("the README shows no answer, or does not name its file")
	}
	out := filepath.Join(t.TempDir(), "out")
	result, err := generator.Build(t.Context(), generator.Options{Content: "../../content", Out: out})
	if err != nil || result.Failed {
		t.Fatalf("the sample site does not build: %v, %+v", err, result)
	}
	body, err := os.ReadFile(filepath.Join(out, name))
	if err != nil {
		t.Fatal(err)
	}
	if string(body) != answer {
		t.Errorf("the README shows\n%s\nand %s is\n%s", answer, name, body)
	}
}

// The README's table of commands is that of the program.
func TestReadmeCommands(t *testing.T) {
	text := readme(t)
	rows := regexp.MustCompile("(?m)^\\| `sivu ").FindAllString(text, -1)
	if len(rows) != len(commands) {
		t.Errorf("the README lists %d commands, and there are %d", len(rows), len(commands))
	}
	for _, command := range commands {
		c := command()
		use := strings.ReplaceAll(strings.TrimSuffix(c.Use, " [flags]"), "|", `\|`)
		if row := "| `sivu " + use + "` | " + c.Short + " |"; !strings.Contains(text, row) {
			t.Errorf("the README has no line %s", row)
		}
	}
}

// The README's table of hosts is made of what the program knows of them.
func TestReadmeHosts(t *testing.T) {
	var rows []string
	for _, h := range host.Hosts {
		var cannot []string
		for _, e := range h.Cannot {
			cannot = append(cannot, e.Rule)
		}
		keeps, _, _ := strings.Cut(string(h.Level), ",")
		if h.Edge {
			keeps += ", variants at the edge"
		}
		rows = append(rows, fmt.Sprintf("| %s | `%s` | %s | %s | %s | %s |", h.Title, h.Name, keeps,
			strings.Join(h.Styles(), ", "), strings.Join(h.Codings, ", "), strings.Join(cannot, ", ")))
	}
	table := regexp.MustCompile(`\|  `).ReplaceAllString(strings.Join(rows, "\n"), "| – ")
	if !strings.Contains(readme(t), "|---|---|---|---|---|---|\n"+table+"\n\n") {
		t.Errorf("the README has not this table of hosts:\n%s", table)
	}
}

// Every command line that the README shows can be typed, and every make target
// is there.
func TestReadmeCommandLines(t *testing.T) {
	text := readme(t)
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	targets := regexp.MustCompile("(?m)(?:^|`)make ([a-z-]+)").FindAllStringSubmatch(text, -1)
	if len(targets) < 2 {
		t.Error("the README does not show how to begin")
	}
	for _, target := range targets {
		if !regexp.MustCompile(`(?m)^` + target[1] + `:`).Match(makefile) {
			t.Errorf("the Makefile has no target %s", target[1])
		}
	}
	lines := regexp.MustCompile(`\./sivu ([^#&\n`+"`"+`]*)`).FindAllStringSubmatch(text, -1)
	if len(lines) < 5 {
		t.Errorf("the README shows %d command lines", len(lines))
	}
	for _, line := range lines {
		command, args, err := newRoot().Find(strings.Fields(line[1]))
		if err == nil {
			err = command.ParseFlags(args)
		}
		if err == nil {
			err = command.ValidateArgs(command.Flags().Args())
		}
		if err != nil {
			t.Errorf("sivu %s: %v", line[1], err)
		}
	}
}

// The site.yaml that the README shows is read without a problem.
func TestReadmeSite(t *testing.T) {
	_, block, _ := strings.Cut(readme(t), "```yaml\n")
	text, _, ok := strings.Cut(block, "```")
	if !ok {
		t.Fatal("the README shows no site.yaml")
	}
	content := t.TempDir()
	if err := os.WriteFile(filepath.Join(content, "site.yaml"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	result, err := generator.Check(t.Context(), generator.Options{Content: content, AllowEmpty: true})
	if err != nil || len(result.Report.Diagnostics) > 0 {
		t.Errorf("%v, %+v", err, result.Report.Diagnostics)
	}
}
