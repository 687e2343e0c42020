package verify

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// show quotes text of a service for a finding, and cuts what is long.
func show(s string) string {
	const most = 200
	if len(s) <= most {
		return strconv.Quote(s)
	}
	end := most
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return strconv.Quote(s[:end]) + "…"
}

// showLink is show for what stands under next and previous: "" is null.
func showLink(link string) string {
	if link == "" {
		return "null"
	}
	return show(link)
}

// showValue returns a value as JSON, cut where it is long.
func showValue(v *value) string {
	const most = 100
	text := v.start(2 * most)
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// difference returns the surroundings of the first byte in which two texts
// differ.
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

// shownKeys returns keys for a finding.
func shownKeys(keys []string) string {
	const most = 30
	more := ""
	if len(keys) > most {
		keys, more = keys[:most], ", …"
	}
	shown := make([]string, len(keys))
	for i, key := range keys {
		shown[i] = show(key)
		if isName(key) {
			shown[i] = key
		}
	}
	if len(shown) == 0 {
		return "none"
	}
	return strings.Join(shown, ", ") + more
}

func isName(s string) bool {
	return s != "" && len(s) < 60 && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") == ""
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
