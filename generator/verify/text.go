package verify

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"example.org/sivu/generator/diag"
)

// truncate returns how a text begins, in at most so many bytes of whole characters, and
// "…" where it is longer.
func truncate(s string, most int) (start, dots string) {
	if len(s) <= most {
		return s, ""
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most], "…"
}

// clip returns a text for a report: without control characters, which would drive a
// terminal, and cut where it is longer than anybody reads.
func clip(s string) string {
	start, dots := truncate(s, maxText)
	return diag.Clean(start + dots)
}

// show quotes a text of a service for a finding, and cuts it.
func show(s string) string {
	start, dots := truncate(s, 200)
	return strconv.Quote(start) + dots
}

func showStart(s string) string {
	start, _ := truncate(s, 80)
	return strconv.Quote(start)
}

// showLink is show for the value of next and previous: "" is null.
func showLink(link string) string {
	if link == "" {
		return "null"
	}
	return show(link)
}

func showValue(v *value) string {
	const most = 100
	start, dots := truncate(v.start(2*most), most)
	return start + dots
}

// showKey quotes a key that is not a plain word.
func showKey(key string) string {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."
	if key != "" && len(key) < 60 && strings.Trim(key, letters) == "" {
		return key
	}
	return show(key)
}

func showKeys(keys []string) string {
	const most = 30
	if len(keys) == 0 {
		return "none"
	}
	var shown []string
	for _, key := range keys[:min(len(keys), most)] {
		shown = append(shown, showKey(key))
	}
	if len(keys) > most {
		shown = append(shown, "…")
	}
	return strings.Join(shown, ", ")
}

// difference returns the surroundings of the first byte in which two texts differ.
func difference(due, came string) (dueText, cameText string) {
	const before, after = 20, 60
	at := 0
	for at < len(due) && at < len(came) && due[at] == came[at] {
		at++
	}
	part := func(s string) string {
		from, to := max(0, at-before), min(len(s), at+after)
		if from >= to {
			return fmt.Sprintf("the end at byte %d", len(s))
		}
		text := strconv.Quote(strings.ToValidUTF8(s[from:to], ""))
		if to < len(s) {
			text += "…"
		}
		if from > 0 {
			text = "…" + text
		}
		return text
	}
	return part(due), part(came)
}

func plural(n int, noun string) string { return diag.Plural(n, noun) }
