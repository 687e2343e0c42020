package verify

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// baseHint says what a base address is.
const baseHint = "give the base address: what stands before /pages/"

// parseBase reads the address of a service, and returns it without a slash at
// its end, with scheme and host in lower case (RFC 3986, section 6.2.2.1). No
// error repeats what may be a password.
func parseBase(text string) (base string, u *url.URL, err error) {
	u, err = url.Parse(text)
	secret := strings.Contains(text, "@")
	switch {
	case err == nil && u.User != nil, secret && (err != nil || u.Host == ""):
		return "", nil, &Error{errors.New("the address names a user"), "leave out what stands before the @: verify asks as anybody may"}
	case err != nil:
		return "", nil, addressError(err)
	case u.Scheme != "http" && u.Scheme != "https":
		return "", nil, schemeError(text, u)
	case u.Hostname() == "":
		return "", nil, &Error{fmt.Errorf("%q has no host", text), "write it as https://api.example.fi"}
	case u.RawQuery != "" || u.ForceQuery:
		return "", nil, &Error{errors.New("the address has a query"), baseHint}
	case strings.Contains(text, "#"):
		return "", nil, &Error{errors.New("the address has a fragment"), baseHint}
	case !isPort(u.Port()):
		return "", nil, &Error{fmt.Errorf("%s is no port", u.Port()), "a port is a number from 1 to 65535"}
	}
	_, rest, _ := strings.Cut(text, "://")
	host, path, _ := strings.Cut(rest, "/")
	base = strings.TrimRight(u.Scheme+"://"+strings.TrimSuffix(strings.ToLower(host), ":")+"/"+path, "/")
	u, err = url.Parse(base)
	if err != nil {
		return "", nil, addressError(err)
	}
	return base, u, nil
}

func addressError(err error) error {
	if outer := (*url.Error)(nil); errors.As(err, &outer) {
		err = outer.Err
	}
	return &Error{fmt.Errorf("the address is not one: %w", err), "write it as https://api.example.fi"}
}

func schemeError(text string, u *url.URL) error {
	if u.Scheme != "" && strings.Contains(text, "://") {
		return &Error{fmt.Errorf("%s is no scheme that verify knows", u.Scheme), "verify asks over https:// and http://"}
	}
	return &Error{fmt.Errorf("%q is no http or https address", text), "write it as https://api.example.fi"}
}

// isPort reports whether a text is a port, or none.
func isPort(text string) bool {
	n, err := strconv.ParseUint(text, 10, 16)
	return text == "" || err == nil && n > 0
}
