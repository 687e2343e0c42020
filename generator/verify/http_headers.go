package verify

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

const (
	jsonType       = "application/json"
	allowedMethods = "GET, HEAD, OPTIONS"

	notFoundBody = `{"detail":"Not found."}`
	methodBody   = `{"detail":"Method not allowed."}`
	optionsBody  = `{}`
)

// checkHeaders judges status and headers of the answer to a plain GET of a good
// address (contract.md 4), and reports whether its body is one to read.
func (c *checker) checkHeaders(address string, a *answer) bool {
	switch {
	case a.Fault != "" || !isRedirect(a.Status) && a.Status != http.StatusOK:
		c.find(ruleStatus, address, "", "200", a.short())
		return false
	case isRedirect(a.Status):
		c.find(ruleRedirect, address, "", "200", a.short())
		return false
	}
	c.checkFields(address, "", a)
	if coding := a.Header.Get("Content-Encoding"); coding != "" {
		c.find(ruleCompression, address, "", "no Content-Encoding, because none was asked for", "Content-Encoding: "+coding)
	}
	return true
}

// checkFields judges the headers of a success.
func (c *checker) checkFields(address, request string, a *answer) {
	for _, p := range fieldProblems(a.Header) {
		c.find(p.rule, address, request, p.due, p.came)
	}
	c.checkCORS(address, request, a)
}

// checkError judges headers and body of a 404 or 405.
func (c *checker) checkError(address, request string, a *answer, body string, rule *Rule) {
	for _, p := range fieldProblems(a.Header) {
		c.find(ruleErrorHeaders, address, request, p.due, p.came)
	}
	c.checkCORS(address, request, a)
	if string(a.Body) != body {
		c.find(rule, address, request, body, a.excerpt())
	}
}

func (c *checker) checkCORS(address, request string, a *answer) {
	const name = "Access-Control-Allow-Origin"
	values := a.Header.Values(name)
	if u, err := url.Parse(address); err == nil && len(values) == 0 && isLoopback(u.Hostname()) && names(a.Header, "Vary", "Origin") {
		return // the preview lets only loopback origins read (DESIGN.md)
	}
	if len(values) != 1 || values[0] != "*" {
		c.find(ruleCORS, address, request, name+": *", showField(a.Header, name))
	}
}

type fieldProblem struct {
	rule      *Rule
	due, came string
}

// fieldProblems returns what is wrong with the three headers that every answer
// carries.
func fieldProblems(h http.Header) []fieldProblem {
	var problems []fieldProblem
	exact := func(rule *Rule, name, due string) {
		if values := h.Values(name); len(values) != 1 || values[0] != due {
			problems = append(problems, fieldProblem{rule, name + ": " + due, showField(h, name)})
		}
	}
	exact(ruleContentType, "Content-Type", jsonType)
	exact(ruleAllow, "Allow", allowedMethods)
	// "Vary: *" does not count: it keeps every cache from answering.
	if !names(h, "Vary", "Accept") {
		problems = append(problems, fieldProblem{ruleVary, "Vary: Accept", showField(h, "Vary")})
	}
	return problems
}

// names reports whether a header that is a list, on one line or several, has
// the element. Case does not count.
func names(h http.Header, header, element string) bool {
	for _, line := range h.Values(header) {
		for part := range strings.SplitSeq(line, ",") {
			if strings.EqualFold(strings.TrimSpace(part), element) {
				return true
			}
		}
	}
	return false
}

func showField(h http.Header, name string) string {
	values := h.Values(name)
	if len(values) == 0 {
		return "no " + name
	}
	return name + ": " + strings.Join(values, " | ")
}

func isRedirect(status int) bool {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}

// short says in a few words what came: the status, where a redirect leads, or
// why nothing came.
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

// excerpt shows how a body begins.
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
