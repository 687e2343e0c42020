package verify

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
)

// A body has no issue exactly where it is what its value is encoded as.
func TestJSONIssues(t *testing.T) {
	for _, test := range []struct {
		body string
		rule *Rule // nil: no issue
		at   int
		came string
	}{
		{`{"a":["b",null,true,-1.5e+3,{}],"c":[]}`, nil, 0, ""},
		{`"ä / < > & \u0000 \u001f \n \r \t \b \f \" \\ \u2028 😀"`, nil, 0, ""},
		{"\uFEFF{}", ruleEncoding, 0, "U+FEFF"},
		{"{}\n", ruleBytes, 2, `"\n"`},
		{" {}", ruleBytes, 0, `" "`},
		{`{"a": 1}`, ruleBytes, 5, `" "`},
		{`{"a" :1}`, ruleBytes, 4, `" "`},
		{`[1, 2]`, ruleBytes, 3, `" "`},
		{`["\/"]`, ruleBytes, 2, `the escape \/`},
		{`["ab\u00e4"]`, ruleBytes, 4, `the escape \u00e4`},
		{`["\u001F"]`, ruleBytes, 2, `the escape \u001F`},
		{`["\u0022"]`, ruleBytes, 2, `the escape \u0022`},
		{`["\ud83d\ude00"]`, ruleBytes, 2, `the escape \ud83d\ude00`},
		{`["\ufffd"]`, ruleBytes, 2, `the escape \ufffd`},
		{"[\"\u2028\"]", ruleBytes, 2, "U+2028 as it is"},
		{`["\ud83d"]`, ruleEncoding, 2, `the escape \ud83d alone`},
		{`["\ude00\ud83d"]`, ruleEncoding, 2, `the escape \ude00 alone`},
		{"[\"\xff\"]", ruleEncoding, 2, "the byte 0xff"},
		{`{"a":1,"b":2,"a":3}`, ruleDuplicateKey, 13, `"a" again`},
	} {
		v, issues, err := parseJSON([]byte(test.body))
		switch {
		case err != nil:
			t.Errorf("%s: %v", test.body, err)
		case test.rule == nil && (len(issues) > 0 || string(appendValue(nil, v, math.MaxInt)) != test.body):
			t.Errorf("%s: %v, and it is encoded as %s", test.body, issues, appendValue(nil, v, math.MaxInt))
		case test.rule != nil && (len(issues) != 1 || issues[0].rule != test.rule || issues[0].offset != test.at || issues[0].came != test.came):
			t.Errorf("%s: %+v", test.body, issues)
		}
	}
}

func TestJSONErrors(t *testing.T) {
	for body, due := range map[string]string{
		"":                       "at byte 0 the body ends where a value is due",
		"{":                      "at byte 1 the body ends where a key is due",
		`{"a"`:                   "at byte 4 the body ends where a colon is due",
		`{"a":1`:                 "at byte 6 the body ends where a comma or the end of the object is due",
		`{"a":1,}`:               "at byte 7 '}' where a key is due",
		`[1 2]`:                  "at byte 3 '2' where a comma or the end of the array is due",
		`01`:                     "at byte 1 '1' where the end is due",
		`-`:                      "at byte 1 the body ends where a digit is due",
		`1.`:                     "at byte 2 the body ends where a digit is due",
		`"a`:                     "at byte 2 the body ends where the end of a string is due",
		"\"\n\"":                 `at byte 1 '\n' where an escape is due`,
		`"\x"`:                   `at byte 2 'x' where an escape is due`,
		`nil`:                    "at byte 0 'n' where a value is due",
		"<!doctype html>":        "at byte 0 '<' where a value is due",
		"{}{}":                   "at byte 2 '{' where the end is due",
		strings.Repeat("[", 300): "at byte 200 values lie in each other more than 200 deep",
	} {
		if _, _, err := parseJSON([]byte(body)); err == nil || err.Error() != due {
			t.Errorf("%.40q: %v, want %s", body, err, due)
		}
	}
}

// The parser takes what encoding/json takes, and reads the same from it.
func FuzzJSON(f *testing.F) {
	for _, seed := range []string{`{"a":[1,-0.5e3,"\u00e4\n",null,true]}`, " [ ] ", `"\ud83d\ude00"`, "\"\xff\"", `{"a":1,"a":{}}`, "0", "-", `"\u12`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		v, issues, err := parseJSON(body)
		if bytes.HasPrefix(body, []byte("\uFEFF")) || err != nil && strings.Contains(err.Error(), "deep") {
			return
		}
		if (err == nil) != json.Valid(body) {
			t.Fatalf("%q: %v, but valid is %v", body, err, json.Valid(body))
		}
		if err != nil {
			return
		}
		encoded, clean := appendValue(nil, v, math.MaxInt), true
		for _, issue := range issues {
			clean = clean && issue.rule == ruleDuplicateKey
			if issue.offset < 0 || issue.offset >= len(body) {
				t.Fatalf("%q: a issue at %d", body, issue.offset)
			}
		}
		if clean != bytes.Equal(encoded, body) {
			t.Fatalf("%q is encoded as %q, with issues %v", body, encoded, issues)
		}
		var due, came any
		if json.Unmarshal(body, &due) != nil || json.Unmarshal(encoded, &came) != nil {
			return // a number beyond float64
		}
		if !reflect.DeepEqual(due, came) {
			t.Fatalf("%q is %v, read as %v", body, due, came)
		}
		if !v.equal(v) {
			t.Fatalf("%q is not equal to itself", body)
		}
	})
}

// A body of very many values is refused before they take the memory that they
// could.
func TestManyValues(t *testing.T) {
	list := func(n int) []byte { return []byte("[" + strings.Repeat("0,", n-2) + "0]") }
	if _, _, err := parseJSON(list(mostValues)); err != nil {
		t.Error(err)
	}
	if _, _, err := parseJSON(list(mostValues + 1)); err == nil || !strings.Contains(err.Error(), "more than 50000 values") {
		t.Errorf("one more: %v", err)
	}
}
