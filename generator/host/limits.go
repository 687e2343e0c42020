package host

import (
	"fmt"
	"slices"
	"strings"
)

// Refusal says why a host cannot serve what a configuration asks for.
type Refusal struct {
	Problem string
	Hint    string // the cure
}

// Error returns the problem.
func (r *Refusal) Error() string { return r.Problem }

// Check reports why a host cannot serve with these links or these variants, or has
// no use for a folder or an address that is given, as a [*Refusal]. A configuration
// without a link style asks for the default.
func (h *Host) Check(c *Config) error {
	for _, flag := range []struct{ name, value string }{{"root", c.Root}, {"listen", c.Listen}, {"origin", c.Origin}} {
		if flag.value != "" && !slices.Contains(h.Uses, flag.name) {
			return &Refusal{fmt.Sprintf("--%s says nothing to %s", flag.name, h.Name), "leave it out"}
		}
	}
	switch {
	case c.Links != "" && !slices.Contains(h.Styles, c.Links):
		return &Refusal{
			fmt.Sprintf("%s cannot serve %s links: it ignores the query, so /pages/?page=2 answers page 1, and a client that follows next never ends",
				h.Name, c.Links),
			"give --links " + strings.Join(h.Styles, " or "),
		}
	case c.Edge && !h.Edge:
		return &Refusal{
			fmt.Sprintf("%s cannot make the api variants: it runs no code that could", h.Name),
			"leave out --variants edge, or choose of " + strings.Join(edgeHosts(), ", "),
		}
	}
	return nil
}

func edgeHosts() []string {
	var names []string
	for _, h := range Hosts {
		if h.Edge {
			names = append(names, h.Name)
		}
	}
	return names
}

// Load is how much a snapshot asks of a host.
type Load struct {
	Files    int   // in all
	Bytes    int64 // in all
	Largest  int64 // bytes of the largest file
	InFolder int   // entries of the fullest folder
}

// Exceeds returns a message for each limit of the host that a snapshot breaks.
func (h *Host) Exceeds(l Load) []string {
	var broken []string
	say := func(format string, args ...any) {
		source := ""
		if h.Limits.Source != "" {
			source = " (" + h.Limits.Source + ")"
		}
		broken = append(broken, fmt.Sprintf(format, args...)+source)
	}
	if most := h.Limits.Files; most > 0 && l.Files > most {
		say("the snapshot has %s files, and %s takes %s", grouped(int64(l.Files)), h.Name, grouped(int64(most)))
	}
	if most := h.Limits.Bytes; most > 0 && l.Bytes > most {
		say("the snapshot has %s, and %s takes %s", megabytes(l.Bytes), h.Name, megabytes(most))
	}
	if most := h.Limits.FileBytes; most > 0 && l.Largest > most {
		say("the largest file has %s, and %s takes %s", megabytes(l.Largest), h.Name, megabytes(most))
	}
	if most := h.Limits.InFolder; most > 0 && l.InFolder > most {
		say("pages/ holds %s entries, and %s takes %s in one folder", grouped(int64(l.InFolder)), h.Name, grouped(int64(most)))
	}
	return broken
}

// grouped returns a number with a comma before every third digit from its end.
func grouped(n int64) string {
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// megabytes returns a size in the unit of the makers' limits, rounded up, so that
// what is too much never reads as what is allowed.
func megabytes(n int64) string {
	const mebibyte = 1 << 20
	return grouped((n+mebibyte-1)/mebibyte) + " MiB"
}
