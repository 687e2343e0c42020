// Package baseurl parses base addresses: the address that every link of a
// snapshot begins with (contract.md 2.1). A text from site.yaml, a flag or the
// environment is parsed once; everything else takes the parsed [URL].
package baseurl

import (
	"fmt"
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"example.org/sivu/generator/diag"
)

// URL is a base address: http or https, a host, maybe a port and a path prefix,
// without user info, query, fragment and slash at its end. It is comparable. The
// zero value is no address.
type URL struct {
	Scheme   string // "http" or "https"
	Hostname string // in lower case; IPv6 without brackets
	Port     string // "" for the scheme's own
	Prefix   string // the path, with percent-encoding: "" or "/v1"
}

// Placeholder stands for an address that is not known yet. No name below "invalid" can
// be served (RFC 2606, 2).
const Placeholder = "https://api.example.invalid"

// IsZero reports whether there is no address.
func (u URL) IsZero() bool { return u == URL{} }

// Host returns the host and the port, as in a URL: "[::1]:8080".
func (u URL) Host() string {
	host := u.Hostname
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if u.Port != "" {
		host += ":" + u.Port
	}
	return host
}

// Origin returns the address without its path: "https://api.example.fi:8080".
func (u URL) Origin() string { return u.Scheme + "://" + u.Host() }

// String returns the one spelling of the address, or "" where there is none.
func (u URL) String() string {
	if u.IsZero() {
		return ""
	}
	return u.Origin() + u.Prefix
}

// Error says why a text is not a base address.
type Error struct {
	Text    string
	Problem string // as in "has a query"
	Hint    string // the cure
}

// userInfo matches the part before the "@" of an authority (RFC 3986, 3.2).
var userInfo = regexp.MustCompile(`(?s)^(.*?://)?[^/]*@`)

// Error returns the text, quoted, and the problem. A password in the text stays
// out of logs.
func (e *Error) Error() string { return diag.Quote(withoutUserInfo(e.Text)) + " " + e.Problem }

func withoutUserInfo(text string) string { return userInfo.ReplaceAllString(text, "${1}…@") }

const (
	maxLength = 2048 // bytes of an address
	example   = "write it as in \"https://api.example.fi\""
)

// Parse parses a base address. Scheme and host are put into lower case, the
// scheme's own port and slashes at the end are dropped, and the path keeps its
// bytes. The error is an [*Error].
func Parse(text string) (URL, error) {
	fail := func(problem, hint string) (URL, error) { return URL{}, &Error{text, problem, hint} }
	if problem, hint := checkCharacters(text); problem != "" {
		return fail(problem, hint)
	}
	u, err := url.Parse(text)
	scheme, _, ok := strings.Cut(text, "://")
	address := URL{Scheme: strings.ToLower(scheme)}
	switch {
	case !ok || address.Scheme != "http" && address.Scheme != "https":
		return fail("does not begin with http:// or https://", example)
	case err != nil:
		return fail("is not an address", example)
	case u.User != nil:
		return fail("has user info", "leave out what stands before the \"@\": it would be published in every file")
	}
	if problem := address.setHost(u); problem != "" {
		return fail(problem, example)
	}
	address.Prefix = strings.TrimRight(u.EscapedPath(), "/")
	for segment := range strings.SplitSeq(strings.TrimPrefix(address.Prefix, "/"), "/") {
		if segment == "" && address.Prefix != "" || segment == "." || segment == ".." {
			return fail("has an empty, \".\" or \"..\" segment in its path", "write the path as a host sees it, as in \"https://www.example.fi/api\"")
		}
	}
	return address, nil
}

// checkCharacters looks for characters that no address has.
func checkCharacters(text string) (problem, hint string) {
	switch {
	case text == "":
		return "is empty", example
	case len(text) > maxLength:
		return fmt.Sprintf("is longer than %d bytes", maxLength), ""
	case strings.Contains(text, "#"):
		return "has a fragment", "leave out everything from the \"#\" on"
	case strings.Contains(text, "?"):
		return "has a query", "leave out everything from the \"?\" on"
	}
	for _, c := range text {
		if c <= ' ' || c >= 0x7f || strings.ContainsRune("\"<>\\^`{|}", c) {
			return fmt.Sprintf("holds %s, which cannot stand in an address", strconv.QuoteRuneToASCII(c)),
				"write a host name in punycode (xn--…), and other characters percent-encoded (%20)"
		}
	}
	return "", ""
}

// hostName matches a host name in lower case.
var hostName = regexp.MustCompile(`^` + hostLabel + `(?:\.` + hostLabel + `)*$`)

const hostLabel = `[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?`

// setHost sets host and port, or returns the problem with them.
func (a *URL) setHost(u *url.URL) (problem string) {
	a.Hostname = strings.ToLower(u.Hostname())
	switch {
	case a.Hostname == "":
		return "has no host"
	case strings.HasPrefix(u.Host, "["):
		ip, err := netip.ParseAddr(a.Hostname)
		if err != nil || !ip.Is6() || ip.Zone() != "" {
			return "has a host that is not an IPv6 address"
		}
		a.Hostname = ip.String()
	case len(a.Hostname) > 253 || !hostName.MatchString(a.Hostname):
		return "has a host that is not a host name"
	}
	if u.Port() == "" {
		if strings.HasSuffix(u.Host, ":") {
			return "has an empty port"
		}
		return ""
	}
	n, err := strconv.ParseUint(u.Port(), 10, 16)
	switch {
	case err != nil || n == 0:
		return "has a port that is not between 1 and 65535"
	case a.Scheme == "http" && n != 80, a.Scheme == "https" && n != 443:
		a.Port = strconv.FormatUint(n, 10)
	}
	return ""
}
