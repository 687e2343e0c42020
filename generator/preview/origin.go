package preview

import (
	"errors"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// ParseOrigin returns an origin in the one spelling that browsers send (RFC 6454,
// 6.2): scheme, host, and the port unless it is the scheme's own, in lower case.
// The error says what to write instead.
func ParseOrigin(text string) (string, error) {
	const how = "give a scheme, a host and a port, as in https://dev.example.org:3000"
	origin, _, ok := splitOrigin(text)
	switch {
	case text == "*":
		return "", errors.New("then any website could read the pages; " + how)
	case text == "null":
		return "", errors.New("any website can send that; " + how)
	case !ok:
		return "", errors.New(how)
	}
	return origin, nil
}

// splitOrigin returns an origin in its one spelling, and its host. It reports
// whether the text is an origin with a scheme of HTTP.
func splitOrigin(text string) (origin, host string, ok bool) {
	if strings.ContainsFunc(text, isForeignToOrigins) {
		return "", "", false
	}
	text = strings.ToLower(text)
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.Scheme+"://"+u.Host != text { // which has neither user nor path
		return "", "", false
	}
	port := u.Port()
	if n, err := strconv.ParseUint(port, 10, 16); strings.HasSuffix(text, ":") || port != "" && (err != nil || n == 0) {
		return "", "", false
	}
	usual := map[string]string{"http": "80", "https": "443"}[u.Scheme]
	if port == usual {
		text = strings.TrimSuffix(text, ":"+port)
	}
	return text, u.Hostname(), usual != ""
}

// isForeignToOrigins reports whether a character is in no origin. Browsers send
// hosts beyond ASCII in their ASCII form (RFC 5890).
func isForeignToOrigins(c rune) bool {
	return c <= ' ' || c >= 0x7F || strings.ContainsRune(`%\"'<>*,@`, c)
}

// isLoopback reports whether a host is this machine without asking a name server:
// so names below localhost do not count.
func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// allowOrigin lets scripts of loopback origins, and of those that the options
// name, read the answer (Fetch, CORS protocol). All answers depend on the origin,
// also those to requests without one.
func (s *Server) allowOrigin(h http.Header, fields []string) {
	h.Set("Vary", h.Get("Vary")+", Origin")
	if len(fields) != 1 {
		return
	}
	if origin, host, ok := splitOrigin(fields[0]); ok && (isLoopback(host) || slices.Contains(s.options.Origins, origin)) {
		h.Set("Access-Control-Allow-Origin", fields[0])
		h.Set("Access-Control-Expose-Headers", "ETag")
	}
}
