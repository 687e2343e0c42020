package verify

import (
	"strings"
	"testing"
)

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
