package diag

import (
	"bufio"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func TestName(t *testing.T) {
	for name, want := range map[string]string{
		"content/fi/a b.md":         "content/fi/a b.md",
		"C:/content/fi/a.md":        "C:/content/fi/a.md",
		"content/fi/aihe:b.md":      "content/fi/aihe:b.md",
		"content/fi/می‌شود.md":      "content/fi/می‌شود.md",
		"colon:2:3: error: fake.md": `"colon\x3a2\x3a3\x3a error\x3a fake.md"`,
		"a.md:2":                    `"a.md\x3a2"`,
		"a.md: error":               `"a.md\x3a error"`,
		"a.md:٢":                    `"a.md\x3a٢"`,
		"a.md:":                     `"a.md\x3a"`,
		"a error:b.md":              `"a error\x3ab.md"`,
		"::error::a.md":             `"\x3a\x3aerror\x3a\x3aa.md"`,
		" a.md":                     `" a.md"`,
		"a.md ":                     `"a.md "`,
		`"a.md"`:                    `"\"a.md\""`,
		"a\nb.md":                   `"a\nb.md"`,
		"a\x1b[31m\xff.md":          `"a\x1b[31m\xff.md"`,
		"":                          "",
	} {
		if got := Name(name); got != want {
			t.Errorf("%q: got %s, want %s", name, got, want)
		}
	}
	for text, want := range map[string]string{
		"x.md:2:3: error: y":          `x.md\x3a2\x3a3\x3a error\x3a y`,
		"x.md:2: Warning: y":          `x.md\x3a2\x3a Warning\x3a y`,
		"2020-01-01 10:20":            "2020-01-01 10:20",
		"http://localhost:8080: gone": "http://localhost:8080: gone",
		"an error: x":                 "an error: x",
	} {
		if got := Clean(text); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
		if got := Quote(text); got != `"`+want+`"` {
			t.Errorf("%q: quoted as %s", text, got)
		}
	}
}

// location is how editors and problem matchers find where a line points to.
var location = regexp.MustCompile(`^(.+?):(\d+):(\d+): (error|warning): `)

// checkLocations holds that of each printed line such programs take the true
// place of the diagnostic, or none.
func checkLocations(t *testing.T, d Diagnostic, text string) {
	t.Helper()
	for lines := bufio.NewScanner(strings.NewReader(text)); lines.Scan(); {
		m := location.FindStringSubmatch(lines.Text())
		if m == nil {
			continue
		}
		file := m[1]
		if strings.HasPrefix(file, `"`) {
			var err error
			if file, err = strconv.Unquote(file); err != nil {
				t.Fatalf("the name in %q is not quoted: %v", lines.Text(), err)
			}
		}
		if got, want := (Position{file, number(m[2]), number(m[3])}), d.Pos; got != want || m[4] != d.Severity.String() {
			t.Fatalf("%q is read as %v, want %v", lines.Text(), got, want)
		}
	}
}

func number(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}

// FuzzLocation has names and texts that look like diagnostics.
func FuzzLocation(f *testing.F) {
	const fake = "colon:2:3: error: fake.md"
	f.Add(fake, fake, 1)
	f.Add("a.md", fake, 0)
	f.Add(`"x":2:3: error: y`, "z:1", 7)
	f.Add("a\n"+fake, "\n"+fake, 3)
	f.Fuzz(checkForgery)
}

func checkForgery(t *testing.T, name, text string, line int) {
	line = max(line, 0) % 1000
	d := testError.At(Position{name, line, min(line, 80)}, "%s is wrong, as is %s", Quote(text), text).WithHint("see %s, or %s", text, Quote(name))
	for _, format := range []string{"text", "github"} {
		for _, color := range []bool{false, true} {
			var c Collector
			c.Add(d)
			checkLocations(t, d, ansi.ReplaceAllString(printed(t, format, c.Report(), Style{Color: color, Rest: "elsewhere"}), ""))
		}
	}
	checkLocations(t, d, Name(name)+": error: x\n    hint: "+Clean(text)+"\n")
}

var ansi = regexp.MustCompile(`\x1b\[\d*m`)

// TestLocation draws names and texts of what diagnostics are made of.
func TestLocation(t *testing.T) {
	parts := strings.Split(`:|:|1|23| | |error|warning|error: |:2:3: error: |"|\|\x3a|a.md|é|你|/|fatal |::|%3A|`+"\n|\t|\r|\x1b|\u202e|\xff", "|")
	draw := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteString(parts[rand.IntN(len(parts))])
		}
		return b.String()
	}
	for range 3_000 {
		checkForgery(t, draw(rand.IntN(8)+1), draw(rand.IntN(8)), rand.IntN(3))
	}
}
