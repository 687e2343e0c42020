package verify

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/http/httpguts"
)

const (
	jsonType       = "application/json"
	allowedMethods = "GET, HEAD, OPTIONS"

	notFoundBody = `{"detail":"Not found."}`
	methodBody   = `{"detail":"Method not allowed."}`
	optionsBody  = `{}`
)

// checkHeaders checks status and headers of the response to a plain GET of a good
// address (contract.md 4), and reports whether its body is one to read.
func (c *checker) checkHeaders(address string, a *answer) bool {
	switch {
	case isRedirect(a.Status):
		c.find(ruleRedirect, address, "200", a.short())
		return false
	case a.Fault != "", a.Status != http.StatusOK:
		c.find(ruleStatus, address, "200", a.short())
		return false
	}
	c.checkFields(request{address: address}, a)
	if coding := a.Header.Get("Content-Encoding"); coding != "" {
		c.find(ruleCompression, address, "no Content-Encoding, because none was asked for", "Content-Encoding: "+coding)
	}
	return true
}

// checkFields checks the headers of every response. Errors have a rule of their own.
func (c *checker) checkFields(r request, a *answer) {
	check := func(rule *Rule, name, due string, ok bool) {
		if a.Status >= http.StatusBadRequest {
			rule = ruleErrorHeaders
		}
		c.require(ok, rule, r, name+": "+due, showField(a.Header, name))
	}
	check(ruleContentType, "Content-Type", jsonType, slices.Equal(a.Header.Values("Content-Type"), []string{jsonType}))
	check(ruleAllow, "Allow", allowedMethods, slices.Equal(a.Header.Values("Allow"), []string{allowedMethods}))
	// "Vary: *" does not count: no cache may answer then.
	check(ruleVary, "Vary", "Accept", names(a.Header, "Vary", "Accept"))
	c.checkCORS(r, a)
}

func (c *checker) checkError(r request, a *answer) {
	r.loose = false
	c.checkFields(r, a)
	rule, body := ruleNotFoundBody, notFoundBody
	if a.Status == http.StatusMethodNotAllowed {
		rule, body = ruleMethodBody, methodBody
	}
	c.require(string(a.Body) == body, rule, r, body, a.excerpt())
}

func (c *checker) checkCORS(r request, a *answer) {
	const name = "Access-Control-Allow-Origin"
	values := a.Header.Values(name)
	if u, err := url.Parse(r.address); err == nil && len(values) == 0 && isLoopback(u.Hostname()) && names(a.Header, "Vary", "Origin") {
		return // the preview lets only loopback origins read (contract.md 4)
	}
	c.require(len(values) == 1 && values[0] == "*", ruleCORS, r, name+": *", showField(a.Header, name))
}

// listOf returns the elements of a header that is a list, on one line or several.
func listOf(h http.Header, header string) []string {
	list := strings.Split(strings.Join(h.Values(header), ","), ",")
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return list
}

// names reports whether a header that is a list has the element, in upper or lower case.
func names(h http.Header, header, element string) bool {
	return httpguts.HeaderValuesContainsToken(h.Values(header), element)
}

func showField(h http.Header, name string) string {
	values := h.Values(name)
	if len(values) == 0 {
		return "no " + name
	}
	return name + ": " + strings.Join(values, " | ")
}

func isRedirect(status int) bool {
	return 301 <= status && status <= 303 || status == http.StatusTemporaryRedirect || status == http.StatusPermanentRedirect
}

// short returns the status, where a redirect leads, or why nothing came.
func (a *answer) short() string {
	if a.Fault != "" {
		return a.Fault
	}
	status := strconv.Itoa(a.Status)
	if isRedirect(a.Status) {
		return status + " to " + strconv.Quote(a.Header.Get("Location"))
	}
	return status
}

func (a *answer) excerpt() string {
	const most = 80
	if len(a.Body) == 0 {
		return "no body"
	}
	if a.Size <= most {
		return strings.ToValidUTF8(string(a.Body), "\uFFFD")
	}
	return strconv.FormatInt(a.Size, 10) + " bytes that begin with " + strings.ToValidUTF8(string(a.Body[:most]), "\uFFFD")
}
