package verify

import (
	"strings"
	"testing"
)

func TestDiv(t *testing.T) {
	for body, due := range map[string]string{
		"":                                       "",
		"text":                                   "",
		"<div>a<div>b</div></div>":               "",
		"<p>a<p>b":                               "", // ends may be left out
		"<ul><li>a<li>b</ul>":                    "",
		"<table><tr><td>a<td>b<tr><th>c</table>": "",
		"a<br>b<hr/><img src=a>":                 "",
		"<p>a<div>b</div></p>":                   "",
		"<!-- a > b -->":                         "",
		"<svg><path d=\"\"/><title>a</title></svg>": "",
		"<script>if (a</div>b)</script>":            "",
		"&lt;/div&gt;":                              "",
		"<b>a":                                      "</div> at byte 24 ends nothing, while <b> is open",
		"a</b>":                                     "</b> at byte 21 ends nothing, while <div> is open",
		"<b><i>a</b></i>":                           "</b> at byte 27 ends nothing, while <i> is open",
		"</div><div>":                               `"<div></div>" after the end of the div`,
		"</div>a<div>":                              `"a<div></div>" after the end of the div`,
		"<div>":                                     "<div> is still open at the end",
		"<div/>":                                    "<div> is still open at the end",
		"<textarea>":                                "<textarea> is still open at the end",
		"<!-- a":                                    "<div> is still open at the end",
	} {
		if came := divProblem(divTag + body + "</div>"); came != due {
			t.Errorf("%s: %q, want %q", body, came, due)
		}
	}
	for text, due := range map[string]string{
		"":                                    "nothing",
		"a":                                   `it begins with "a"`,
		"<p class=xmldoc></p>":                `it begins with "<p class=xmldoc></p>"`,
		"<div></div>":                         `it begins with "<div></div>"`,
		divTag + "</div><!-- a -->":           `"<!-- a -->" after the end of the div`,
		divTag + "</div><b":                   "a tag or comment that begins at byte 26 does not end",
		`<DIV class='a xmldoc b'>a</DIV>`:     "",
		divTag + divTag + "</div></div>":      "",
		divTag + "</div>" + divTag + "</div>": `"<div class=\"xmldoc\"></div>" after the end of the div`,
	} {
		if came := divProblem(text); came != due {
			t.Errorf("%s: %q, want %q", text, came, due)
		}
	}
}

// Whatever stands in the div, the check ends, and what it takes for one div has
// no end tag of it inside.
func FuzzDiv(f *testing.F) {
	f.Add("<p>a<b>b</b>")
	f.Add("</div><div>")
	f.Add("<svg><title><div>")
	f.Fuzz(func(t *testing.T, body string) {
		if divProblem(divTag+body+"</div>") != "" {
			return
		}
		if divProblem(divTag+body+"</div></div>") == "" {
			t.Fatalf("%q takes an end tag too many", body)
		}
		if divProblem(divTag+body) == "" {
			t.Fatalf("%q needs no end tag", body)
		}
	})
}

func TestBelow(t *testing.T) {
	const base = "https://api.example.org/v1"
	for address, due := range map[string]bool{
		base + "/pages/":                         true,
		base + "/pages/?format=api&page=2":       true,
		base + "/pages/page-2.json":              true,
		base:                                     false,
		base + "pages/":                          false,
		base + "/pages/../../x/":                 false,
		base + "/pages/%2e%2E/":                  false,
		base + "/pages/..%2f..%2fx":              false,
		base + "//evil.example.org/":             false,
		base + "/pages/#a":                       false,
		base + "/pages/a b":                      false,
		base + "/pages/\\..\\":                   false,
		base + "/pages/\n":                       false,
		base + "/pages/%zz":                      false,
		"https://api.example.org/pages/":         false,
		"https://api.example.org.evil/v1/pages/": false,
		"https://user@api.example.org/v1/pages/": false,
		"http://api.example.org/v1/pages/":       false,
		"https://api.example.org:444/v1/pages/":  false,
		"//api.example.org/v1/pages/":            false,
		"javascript:alert(1)":                    false,
		"":                                       false,
	} {
		if came := below(base, address); came != due {
			t.Errorf("%q: %v", address, came)
		}
	}
}

func TestID(t *testing.T) {
	const id = "6ba7b810-9dad-51d1-80b4-00c04fd430c8"
	for text, due := range map[string]bool{
		id: true, strings.ToUpper(id): true, "": false, id[1:]: false, id + "0": false,
		"{" + id[1:len(id)-1] + "}": false, strings.ReplaceAll(id, "-", ""): false, strings.Replace(id, "6", "g", 1): false,
		strings.Replace(id, "-", "0", 1): false, "\x10" + id[1:]: false, "@" + id[1:]: false, "6ba7b8109-dad-51d1-80b4-00c04fd430c8": false,
	} {
		came, ok := parseID(text)
		if ok != due || ok && came.String() != id {
			t.Errorf("%q: %v, %v", text, came, ok)
		}
	}
}

func TestSpread(t *testing.T) {
	for _, test := range []struct {
		n, last int
		due     []int
	}{
		{1, 1, []int{1}}, {5, 2, []int{1, 2}}, {1, 3, []int{1, 2, 3}}, {3, 100, []int{1, 2, 100}},
		{5, 9, []int{1, 2, 4, 6, 9}}, {100, 4, []int{1, 2, 3, 4}},
	} {
		came := spread(test.n, test.last)
		if len(came) != len(test.due) {
			t.Errorf("%d of %d: %v", test.n, test.last, came)
			continue
		}
		for i := range came {
			if came[i] != test.due[i] {
				t.Errorf("%d of %d: %v", test.n, test.last, came)
			}
		}
	}
}
