package diag

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write what is printed as the new golden files")

var testLanguage = &Rule{Name: "language", Doc: "d", Severity: Error}

// links are n broken links, each with a name of its own.
func links(n int) (list []Diagnostic) {
	for i := range n {
		list = append(list, testWarning.At(Position{fmt.Sprintf("fi/%03d.md", i/2), i%2 + 1, 7}, "page not found: %s", Quote(fmt.Sprintf("../no%d", i))))
	}
	return list
}

// lists are n pages with a list in the same field.
func lists(n int, field string) (list []Diagnostic) {
	for i := range n {
		list = append(list, testError.At(Position{fmt.Sprintf("sv/%03d.md", i), 3, 1}, "%s is a list; a meta value is a string or null", Quote(field)).
			WithHint("name it under %s in site.yaml", Quote("ignore")))
	}
	return list
}

func TestGroupedText(t *testing.T) {
	near := links(20)
	for i := range near {
		near[i].Pos.File = "near.md"
		near[i] = near[i].WithHint("did you mean %s?", Quote(fmt.Sprint("no", i)))
	}
	site := testWarning.At(Position{"site.yaml", 2, 1}, "%s is an old name", Quote("assets_url"))
	cured := links(5)
	for i := range cured {
		cured[i] = cured[i].WithHint("rename one")
	}
	for name, list := range map[string][][]Diagnostic{
		"none":         nil,
		"1":            {links(1)},
		"3":            {lists(3, "tags")},
		"4":            {lists(4, "tags")},
		"5-different":  {links(3), lists(1, "tags"), {testLanguage.At(Position{"xx/a.md", 1, 1}, "%s is not one of the site's languages", Quote("xx"))}},
		"5-one-cure":   {cured},
		"11-different": {links(11)},
		"100":          {links(100)},
		"many-causes":  {links(300), near, lists(500, "tags"), lists(20, "authors"), lists(2, "menu"), {site}, lists(3, "x\x1b:1: error: y")},
	} {
		t.Run(name, func(t *testing.T) {
			var c Collector
			for _, l := range list {
				c.Add(l...)
			}
			r := c.Report()
			r.Site = []string{"site.yaml"}
			got := printed(t, "text", r, Style{Rest: "--all prints every one"})
			file := filepath.Join("testdata", "grouped-"+name+".txt")
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
		})
	}
}

var (
	groupLine = regexp.MustCompile(`^(\d+) (?:error|warning)s \[`)
	restLine  = regexp.MustCompile(`^(\d+) more problems? like these; `)
)

// FuzzGroups holds that grouped text loses no problem: every one is printed or counted, a
// cure stands only below problems that it is the cure of, and of one rule only so much is
// printed.
func FuzzGroups(f *testing.F) {
	f.Add(uint64(1), uint64(2), 10, 3, 2)
	f.Add(uint64(3), uint64(4), 300, 20, 1)
	f.Add(uint64(5), uint64(6), 40, 1, 1)
	f.Fuzz(func(t *testing.T, a, b uint64, n, names, hints int) {
		n, names, hints = abs(n)%2000, abs(names)%50+1, abs(hints)%5+1
		random := rand.New(rand.NewPCG(a, b))
		rules := []*Rule{testError, testWarning, testLanguage}
		cures, total := map[string]bool{}, 0
		var c Collector
		for i := range n {
			hint := fmt.Sprintf("%s cure", strings.Repeat("x", random.IntN(hints)))
			d := rules[random.IntN(len(rules))].At(Position{fmt.Sprint(random.IntN(9)), i, 1}, "%s is %s wrong %d",
				Quote(fmt.Sprint(random.IntN(names))), strings.Repeat("very ", random.IntN(3)), random.IntN(3)).WithHint("%s", hint)
			cures[problemLine(d)+"    hint: "+hint] = true
			c.Add(d)
		}
		r := c.Report()
		text := printed(t, "text", r, Style{Rest: "elsewhere"})
		lines, rest, printedLines := strings.Split(text, "\n"), 0, 0
		above := []string{}
		for i, line := range lines {
			if m := groupLine.FindStringSubmatch(line); m != nil {
				above, total = nil, total+number(m[1])-maxShown
			} else if m := restLine.FindStringSubmatch(line); m != nil {
				rest = number(m[1])
			} else if strings.HasPrefix(line, "    hint: ") {
				for _, problem := range above {
					if !cures[problem+line] {
						t.Fatalf("line %d is not the cure of %q", i+1, problem)
					}
				}
				above = nil
			} else if line != "" {
				above = append(above, line+"\n")
				printedLines++
			}
		}
		if total+printedLines != n || rest != n-printedLines {
			t.Errorf("%d problems: %d are printed, %d more are counted in groups, %d at the end", n, printedLines, total, rest)
		}
		if most := len(rules) * maxGroups * maxShown; printedLines > most {
			t.Errorf("%d problems are printed, want at most %d", printedLines, most)
		}
	})
}

func problemLine(d Diagnostic) string {
	return d.Pos.String() + ": " + d.Severity.String() + ": " + d.Message + " [" + d.Rule.Name + "]\n"
}

func abs(n int) int { return max(n, -max(n, -1<<40)) }

// BenchmarkGroups has as many problems as a real site of 30,000 pages made.
func BenchmarkGroups(b *testing.B) {
	var c Collector
	c.Add(links(60_000)...)
	c.Add(lists(30_000, "tags")...)
	for i := range 400 {
		c.Add(testLanguage.At(Position{strconv.Itoa(i), 1, 1}, "%d is no language", i))
	}
	r := c.Report()
	b.ReportAllocs()
	for b.Loop() {
		if err := Formats[0].Print(&strings.Builder{}, r, Style{Rest: "x"}); err != nil {
			b.Fatal(err)
		}
	}
}
