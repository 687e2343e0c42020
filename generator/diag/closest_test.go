package diag

import (
	"strings"
	"testing"
)

func TestClosest(t *testing.T) {
	names := []string{"build", "check", "base-url", "links", "report"}
	for text, want := range map[string]string{
		"bild":                     "build",
		"chekc":                    "check",
		"Links":                    "links",
		"lnks":                     "links",
		"base_url":                 "base-url",
		"rep":                      "report",
		"deploy":                   "",
		"bux":                      "",
		"":                         "",
		strings.Repeat("x", 1<<20): "",
	} {
		if got := Closest(text, names); got != want {
			t.Errorf("%.20q: got %q, want %q", text, got, want)
		}
	}
}
