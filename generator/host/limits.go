package host

import (
	"fmt"
	"slices"
	"strings"

	"example.org/sivu/generator/api"
)

// Refusal is the error of a configuration that a host cannot serve.
type Refusal struct {
	Problem string
	Hint    string // the cure
}

// Error returns the problem.
func (r *Refusal) Error() string { return r.Problem }

// Check returns a [*Refusal] where the host cannot serve with the link style or
// the variants of a configuration, or does not use a folder or an address that is
// given. A configuration without a link style has the default.
func (h *Host) Check(c *Config) error {
	for _, flag := range []struct{ name, value string }{{"root", c.Root}, {"listen", c.Listen}, {"origin", c.Origin}} {
		if flag.value != "" && !slices.Contains(h.Flags, flag.name) {
			return &Refusal{fmt.Sprintf("--%s says nothing to %s", flag.name, h.Name), "leave it out"}
		}
	}
	switch {
	case c.Links != "" && !slices.Contains(h.Styles(), c.Links):
		cure := "give --links " + strings.Join(h.Styles(), " or ")
		if h.Deploy.Bucket {
			cure += ", or, where it stands in front of the bucket and routes, --host " + namesOf(func(other *Host) bool {
				return other.servesBucket() && slices.Contains(other.Styles(), c.Links)
			}, " or ")
		}
		return &Refusal{
			fmt.Sprintf("%s cannot serve %s links: it ignores the query, so /pages/?page=2 answers page 1, and a client that follows next never ends",
				h.Name, c.Links), cure,
		}
	case c.Edge && !h.Edge:
		return &Refusal{
			fmt.Sprintf("%s cannot make the api variants: it runs no code that could", h.Name),
			"leave out --variants edge, or choose of " + namesOf(func(other *Host) bool { return other.Edge }, ", "),
		}
	}
	return nil
}

// namesOf returns the names of the hosts for which fits is true.
func namesOf(fits func(*Host) bool, separator string) string {
	var names []string
	for _, h := range Hosts {
		if fits(h) {
			names = append(names, h.Name)
		}
	}
	return strings.Join(names, separator)
}

// servesBucket reports whether the host is a bucket, or a cache that fetches from one.
func (h *Host) servesBucket() bool { return h.Deploy.Bucket || h.Deploy.Forget != "" }

// CheckBucket returns a [*Refusal] where the host cannot serve a snapshot from a bucket.
func (h *Host) CheckBucket() error {
	if h.servesBucket() {
		return nil
	}
	return &Refusal{h.Name + " does not serve from a bucket: its files go another way, as sivu host " + h.Name + " tells",
		"name what serves the bucket, of " + namesOf((*Host).servesBucket, ", ")}
}

// Load is the size of a snapshot, as hosts limit it.
type Load struct {
	Files    int   // in all
	Bytes    int64 // in all
	Largest  int64 // bytes of the largest file
	InFolder int   // entries of the fullest folder
}

// Exceeds returns a message for each limit of the host that a snapshot breaks.
func (h *Host) Exceeds(l Load) []string {
	var broken []string
	for _, limit := range []struct {
		is, most int64
		unit     func(int64) string
		format   string
	}{
		{int64(l.Files), int64(h.Limits.Files), grouped, "the snapshot has %s files, and %s takes %s"},
		{l.Bytes, h.Limits.Bytes, megabytes, "the snapshot has %s, and %s takes %s"},
		{l.Largest, h.Limits.FileBytes, megabytes, "the largest file has %s, and %s takes %s"},
		{int64(l.InFolder), int64(h.Limits.InFolder), grouped, "pages/ holds %s entries, and %s takes %s in one folder"},
	} {
		if limit.most <= 0 || limit.is <= limit.most {
			continue
		}
		message := fmt.Sprintf(limit.format, limit.unit(limit.is), h.Name, limit.unit(limit.most))
		if h.Limits.Source != "" {
			message += " (" + h.Limits.Source + ")"
		}
		broken = append(broken, message)
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

// megabytes returns a size in MiB, rounded up, so that a size above a limit never
// reads like the limit.
func megabytes(n int64) string {
	const mebibyte = 1 << 20
	return grouped((n+mebibyte-1)/mebibyte) + " MiB"
}

// Fits returns a [*Refusal] unless the links of a snapshot, of which the first list
// page is given, have the base address and the link style of the configuration.
// The upload scripts of other hosts than buckets check the same.
func (h *Host) Fits(c *Config, first []byte) error {
	possible, err := api.FindLinks(first)
	build := "build it with --host " + h.Name + " --base-url " + c.Base.String()
	switch {
	case err != nil:
		return &Refusal{err.Error(), build}
	case len(possible) == 0:
		return nil
	case possible[0].Base != c.Base.String():
		return &Refusal{fmt.Sprintf("the snapshot is built for the base address %s, and %s is to serve it at %s", possible[0].Base, h.Name, c.Base), build}
	}
	if !slices.ContainsFunc(possible, func(l api.Links) bool { return l.Style.Name == c.Links }) {
		style := possible[len(possible)-1].Style.Name
		return &Refusal{fmt.Sprintf("the snapshot has %s links, and the configuration is for %s", style, c.Links), build + " --links " + c.Links}
	}
	return nil
}
