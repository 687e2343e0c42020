package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.org/sivu/generator"
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

// The README leads to every topic, and no other.
func TestReadmeTopics(t *testing.T) {
	var named []string
	for _, m := range regexp.MustCompile(`(?m)^\| \[([a-z]+)\]\(templates/help/([a-z]+)\.md\) \|`).FindAllStringSubmatch(readme(t), -1) {
		if m[1] != m[2] {
			t.Errorf("%s leads to %s", m[1], m[2])
		}
		named = append(named, m[1])
	}
	slices.Sort(named)
	if !slices.Equal(named, topicNames()) {
		t.Errorf("the README has %q, and sivu help %q", named, topicNames())
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
		checkCommandLine(t, "README", line[1])
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
