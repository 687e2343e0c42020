package source

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"example.org/sivu/generator/diag"
)

// maxAddress is how many bytes a configured address may have.
const maxAddress = 2048

// AddressError says why a text cannot be the address that is asked for.
type AddressError struct {
	Address string
	Problem string // as in "has a query"
	Hint    string // the cure
}

// Error returns the address, quoted, and the problem. A password in it stays out
// of logs.
func (e *AddressError) Error() string {
	return diag.Quote(withoutUserInfo(e.Address)) + " " + e.Problem
}

// withoutUserInfo returns an address, or what was meant for one, with "…" in
// place of what stands before an "@" in its authority (RFC 3986, 3.2).
func withoutUserInfo(address string) string {
	start := 0
	if i := strings.Index(address, "://"); i >= 0 {
		start = i + len("://")
	}
	authority, _, _ := strings.Cut(address[start:], "/")
	at := strings.LastIndexByte(authority, '@')
	if at < 0 {
		return address
	}
	return address[:start] + "…" + address[start+at:]
}

// CheckBaseURL returns the one spelling of an API's base address, whether it
// comes from site.yaml, a flag or the environment (contract.md 2.1): absolute,
// http or https, with a host and maybe a path prefix, without user info, query,
// fragment and slash at the end. Scheme and host are in lower case, a port that
// goes without saying is left out, and the path keeps its bytes. The error is
// an [*AddressError].
func CheckBaseURL(s string) (string, error) {
	address, problem, hint := checkAddress(s)
	if problem != "" {
		return "", &AddressError{s, problem, hint}
	}
	return address, nil
}

// checkAssets returns an address like [CheckBaseURL] does, with a slash at its
// end, so that what is resolved against it lies below it.
func checkAssets(s string) (string, error) {
	address, err := CheckBaseURL(s)
	if err != nil {
		return "", err
	}
	return address + "/", nil
}

func (r *siteReader) baseURL(n *yaml.Node) {
	if s, ok := r.text(n, "base_url"); ok {
		r.site.BaseURL = r.address(n, "base_url", s, CheckBaseURL)
	}
}

func (r *siteReader) assets(n *yaml.Node) {
	if s, ok := r.text(n, "assets"); ok {
		r.site.Assets = r.address(n, "assets", s, checkAssets)
	}
}

func (r *siteReader) address(n *yaml.Node, what, s string, check func(string) (string, error)) string {
	address, err := check(s)
	if err != nil {
		hint := ""
		if e := (*AddressError)(nil); errors.As(err, &e) {
			hint = e.Hint
		}
		r.problem(n, "%s %v", what, err).hint("%s", hint)
	}
	return address
}

func checkAddress(s string) (address, problem, hint string) {
	if problem, hint := addressCharacters(s); problem != "" {
		return "", problem, hint
	}
	scheme, _, ok := strings.Cut(s, "://")
	scheme = strings.ToLower(scheme)
	if !ok || scheme != "http" && scheme != "https" {
		return "", "does not begin with http:// or https://", "write it as in \"https://api.example.fi\""
	}
	u, err := url.Parse(s)
	switch {
	case err != nil:
		return "", "is not an address", "write it as in \"https://api.example.fi\""
	case u.User != nil:
		return "", "has user info", "leave out what stands before the \"@\": it would be published in every file"
	}
	host, problem := addressHost(u, scheme)
	if problem != "" {
		return "", problem, "write it as in \"https://api.example.fi\""
	}
	prefix := strings.TrimRight(u.EscapedPath(), "/")
	for segment := range strings.SplitSeq(strings.TrimPrefix(prefix, "/"), "/") {
		if segment == "" && prefix != "" || segment == "." || segment == ".." {
			return "", "has an empty, \".\" or \"..\" segment in its path", "write the path as a host sees it, as in \"https://www.example.fi/api\""
		}
	}
	return scheme + "://" + host + prefix, "", ""
}

// addressCharacters reports what cannot stand anywhere in an address.
func addressCharacters(s string) (problem, hint string) {
	switch {
	case s == "":
		return "is empty", "write it as in \"https://api.example.fi\""
	case len(s) > maxAddress:
		return fmt.Sprintf("is longer than %d bytes", maxAddress), ""
	case strings.Contains(s, "#"):
		return "has a fragment", "leave out everything from the \"#\" on"
	case strings.Contains(s, "?"):
		return "has a query", "leave out everything from the \"?\" on"
	}
	for _, c := range s {
		if c <= ' ' || c >= 0x7f || strings.ContainsRune("\"<>\\^`{|}", c) {
			return fmt.Sprintf("holds %s, which cannot stand in an address", strconv.QuoteRuneToASCII(c)),
				"write a host name in punycode (xn--…), and other characters percent-encoded (%20)"
		}
	}
	return "", ""
}

// addressHost returns the host of an address in its one spelling.
func addressHost(u *url.URL, scheme string) (host, problem string) {
	host = strings.ToLower(u.Hostname())
	switch {
	case host == "":
		return "", "has no host"
	case strings.HasPrefix(u.Host, "["):
		ip, err := netip.ParseAddr(host)
		if err != nil || !ip.Is6() || ip.Zone() != "" {
			return "", "has a host that is not an IPv6 address"
		}
		host = "[" + ip.String() + "]"
	case !isHostName(host):
		return "", "has a host that is not a host name"
	}
	port := u.Port()
	if port == "" {
		if strings.HasSuffix(u.Host, ":") {
			return "", "has an empty port"
		}
		return host, ""
	}
	n, err := strconv.ParseUint(port, 10, 16)
	switch {
	case err != nil || n == 0:
		return "", "has a port that is not between 1 and 65535"
	case scheme == "http" && n == 80, scheme == "https" && n == 443:
		return host, ""
	}
	return host + ":" + strconv.FormatUint(n, 10), ""
}

// isHostName reports whether a host consists of labels of letters, digits,
// hyphens and underscores.
func isHostName(host string) bool {
	if len(host) > 253 {
		return false
	}
	for label := range strings.SplitSeq(host, ".") {
		if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' ||
			strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return false
		}
	}
	return true
}
