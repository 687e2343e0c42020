package markup

import "strings"

// srcset returns the value of a srcset with its addresses as [cleaner.address]
// returns them, and whether any is left. It is split as the HTML standard says
// under "parsing a srcset attribute".
func (c *cleaner) srcset(value string) (string, bool) {
	var kept []string
	changed := false
	for rest := value; ; {
		rest = strings.TrimLeft(rest, whitespace+",")
		if rest == "" {
			break
		}
		var written, descriptor string
		written, descriptor, rest = cutCandidate(rest)
		address, ok := c.address(written, true, c.at)
		if address = escapeOuterCommas(address); !ok || address == "" {
			changed = true
			continue
		}
		changed = changed || address != written
		if descriptor != "" {
			address += " " + descriptor
		}
		kept = append(kept, address)
	}
	if !changed {
		return value, len(kept) > 0
	}
	return strings.Join(kept, ", "), len(kept) > 0
}

// cutCandidate cuts the first image candidate off a srcset that begins with its
// address.
func cutCandidate(s string) (address, descriptor, rest string) {
	end := strings.IndexAny(s, whitespace)
	if end < 0 {
		end = len(s)
	}
	address, rest = s[:end], s[end:]
	if trimmed := strings.TrimRight(address, ","); len(trimmed) < len(address) {
		return trimmed, "", rest
	}
	end = len(rest)
	inParentheses := false
	for i := range len(rest) {
		if b := rest[i]; b == '(' {
			inParentheses = true
		} else if b == ')' {
			inParentheses = false
		} else if b == ',' && !inParentheses {
			end = i
			break
		}
	}
	return address, strings.Trim(rest[:end], whitespace), rest[end:]
}

// escapeOuterCommas escapes the commas that an address begins or ends with: in a
// srcset they would be none of it.
func escapeOuterCommas(s string) string {
	inner := strings.Trim(s, ",")
	if len(inner) == len(s) {
		return s
	}
	return escape(s, func(i int) bool {
		return s[i] == ',' && (strings.Trim(s[:i], ",") == "" || strings.Trim(s[i:], ",") == "")
	})
}
