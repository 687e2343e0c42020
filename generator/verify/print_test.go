package verify_test

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"example.org/sivu/generator/verify"
)

// hostile would clear a screen, change a title, and turn text around.
const hostile = "\x1b[2J\x1b]0;owned\x07\u202egnirts\u009b31m"

// hostileReport is of a snapshot whose texts want to drive a terminal.
func hostileReport(t *testing.T) *verify.Report {
	f := snapshot(t, testBase, "")
	quoted := strings.ReplaceAll(strings.ReplaceAll(hostile, "\x1b", `\u001b`), "\x07", `\u0007`)
	f.replace(`"title":"Sivu`, `"title":12,"`+quoted+`":{"`+quoted+`":1},"a":"Sivu`, f.details(3)...)
	f.replace(`"url":"`+testBase, `"`+quoted+`":"`+quoted+`","url":"`+testBase+quoted, "pages/page-2.json")
	f.replace(`"next":"`, `"next":"`+quoted, "pages/page-2.api.json")
	f["pages/"+hostile] = ""
	return check(t, f.fs(), verify.Options{})
}

func printed(t *testing.T, name string, r *verify.Report, color bool) string {
	t.Helper()
	format, ok := verify.FormatNamed(name)
	if !ok {
		t.Fatalf("there is no format %s", name)
	}
	var b bytes.Buffer
	if err := format.Print(&b, r, color); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Whatever a service answers, what is printed about it cannot drive a terminal.
func TestPrintHostile(t *testing.T) {
	r := hostileReport(t)
	if len(r.Findings) < 5 {
		t.Fatal(described(r))
	}
	for _, format := range verify.Formats {
		for _, color := range []bool{false, true} {
			text := printed(t, format.Name, r, color)
			text = regexp.MustCompile(`\x1b\[(0|1|31|33)m`).ReplaceAllString(text, "")
			for _, c := range text {
				if c != '\n' && (unicode.IsControl(c) || unicode.Is(unicode.Bidi_Control, c)) {
					t.Fatalf("%s holds %U: %q", format.Name, c, text)
				}
			}
			if !strings.Contains(text, `owned`) {
				t.Errorf("%s does not show what came: %s", format.Name, text)
			}
		}
	}
}

func TestPrintText(t *testing.T) {
	f := snapshot(t, testBase, "")
	f.append("\n", "405.json")
	f.append("\n", "pages/page-3.json")
	f.replace(`"next":null`, `"next":"`+testBase+`/pages/?page=4"`, "pages/page-3.json")
	r := check(t, f.fs(), verify.Options{Lenient: true, Cannot: map[string]string{"error-body": "it has its own"}})
	const due = `not kept: next: next is the address of the next list page, null on the last [sivu help contract, 2.4, 4.1]
  pages/page-3.json
    due:  next is null on the last list page
    came: next is "https://api.example.org/pages/?page=4"
note: json-bytes: no white space, no final newline, and only the escapes that are needed [sivu help contract, 2]
  pages/page-3.json
    due:  no white space after the value
    came: "\n" at byte SIZE
this host cannot: error-body: it has its own (1 time; sivu help contract, 7, 11)
`
	came := regexp.MustCompile(`at byte \d+`).ReplaceAllString(printed(t, "text", r, false), "at byte SIZE")
	if came != due {
		t.Errorf("printed is\n%s\nwant\n%s", came, due)
	}
}

// The names in JSON are part of what other programs rely on.
func TestPrintJSON(t *testing.T) {
	f := snapshot(t, testBase, "")
	for i := range 25 {
		f.append("\n", f.details(i)...)
	}
	var r struct {
		Base     string
		OK       bool
		Records  int
		Lists    int `json:"list_pages"`
		Requests int
		Count    *int
		Sample   *int
		Hints    []string
		Failures int
		Findings []struct{ Rule, Section, Address, Due, Came string }
		More     map[string]int
	}
	text := printed(t, "json", check(t, f.fs(), verify.Options{}), false)
	decoder := json.NewDecoder(strings.NewReader(text))
	if err := decoder.Decode(&r); err != nil {
		t.Fatal(err)
	}
	if r.Base != testBase || r.OK || r.Records != 25 || r.Lists != 3 || r.Failures != 50 || len(r.Findings) != 20 || r.More["json-bytes"] != 30 {
		t.Errorf("%+v", r)
	}
	if r.Count == nil || *r.Count != 25 || r.Sample == nil || *r.Sample != 0 || r.Hints == nil {
		t.Errorf("%+v", r)
	}
	if first := r.Findings[0]; first.Rule != "json-bytes" || first.Section == "" || !strings.HasPrefix(first.Address, "pages/") || first.Due == "" || first.Came == "" {
		t.Errorf("%+v", first)
	}
	if good := printed(t, "json", check(t, snapshot(t, testBase, "").fs(), verify.Options{}), false); !strings.Contains(good, `"findings": []`) || !strings.Contains(good, `"more": {}`) {
		t.Error(good)
	}
}

// Hints are the first lines: they name the cause of what follows.
func TestPrintHints(t *testing.T) {
	f := snapshot(t, testBase, "")
	r := check(t, f.fs(), verify.Options{BaseURL: "https://new.example.org"})
	const hint = "all links begin with " + testBase + ": give that address, or build with --base-url https://new.example.org"
	if text := printed(t, "text", r, false); !strings.HasPrefix(text, "hint: "+hint+"\n") {
		t.Error(text)
	}
	if text := printed(t, "json", r, false); !strings.Contains(text, "\"hints\": [\n    \""+hint+"\"\n  ]") {
		t.Error(text)
	}
}

// A sample says of how many records, and how large it was to be; a snapshot
// without a list page has no count.
func TestPrintSample(t *testing.T) {
	f := snapshot(t, testBase, "")
	text := printed(t, "json", check(t, f.fs(), verify.Options{Sample: 5}), false)
	if !strings.Contains(text, `"count": 25,`) || !strings.Contains(text, `"sample": 5,`) {
		t.Error(text)
	}
	if text := printed(t, "json", check(t, files{}.fs(), verify.Options{}), false); !strings.Contains(text, `"count": null,`) || !strings.Contains(text, `"base": "",`) {
		t.Error(text)
	}
}
