package verify

import (
	"context"
	"net/http"
	"strings"
)

// Paths that look like good ones (DESIGN.md).
var pathCases = []queryCase{
	{"unknown id", ruleNotFoundStatus, "/pages/{unknown}/", "", refNone, "", 1},
	{"variant of an unknown id", ruleNotFoundStatus, "/pages/{unknown}/", "format=api", refNone, "", 1},
	{"id in upper case", ruleNotFoundStatus, "/pages/{ID}/", "", refNone, "", 1},
	{"id without hyphens", ruleNotFoundStatus, "/pages/{bare}/", "", refNone, "", 1},
	{"id in braces", ruleNotFoundStatus, "/pages/%7B{id}%7D/", "", refNone, "", 1},
	{"id as a URN", ruleNotFoundStatus, "/pages/urn:uuid:{id}/", "", refNone, "", 1},
	{"id and more", ruleNotFoundStatus, "/pages/{id}0/", "", refNone, "", 1},
	{"more and id", ruleNotFoundStatus, "/pages/0{id}/", "", refNone, "", 1},
	{"below a record", ruleNotFoundStatus, "/pages/{id}/x/", "", refNone, "", 1},
	{"a word for an id", ruleNotFoundStatus, "/pages/index/", "", refNone, "", 1},
	{"a list page for an id", ruleNotFoundStatus, "/pages/page-1/", "", refNone, "", 1},
	{"line break behind the list", ruleNotFoundStatus, "/pages/%0A", "", refNone, "", 1},
	{"line break for the slash", ruleNotFoundStatus, "/pages%0A", "", refNone, "", 1},
	{"line break behind a record", ruleNotFoundStatus, "/pages/{id}/%0A", "", refNone, "", 1},
	{"line break for the slash of a record", ruleNotFoundStatus, "/pages/{id}%0A", "", refNone, "", 1},
	{"line break behind a file", ruleNotFoundStatus, "/pages/index.json%0A", "", refNone, "", 1},
	{"line break before the list", ruleNotFoundStatus, "/%0Apages/", "", refNone, "", 1},
	{"unknown path", ruleNotFoundStatus, "/sivu-verify-unknown/", "", refNone, "", 1},
	// Servers may take several slashes for one, and some know no case.
	{"path in upper case", ruleNotFoundStatus, "/PAGES/", "", refNone, refList1, 1},
	{"two slashes", ruleNotFoundStatus, "/pages//", "", refNone, refList1, 1},
	{"two slashes before an id", ruleNotFoundStatus, "/pages//{id}/", "", refNone, refRecord, 1},
}

// Paths of what sivu keeps for itself.
var hiddenPaths = []string{
	"/.sivu/", "/.sivu/manifest", "/.sivu/lock", "/%2esivu/manifest", "/pages/../.sivu/manifest", "/pages/.sivu/",
}

func (m *matrix) hiddenTrials() []trial {
	return []trial{m.tryHidden, m.tryDots}
}

// tryHidden looks for sivu's own files. A service that answers 200 to every
// path shows nothing by that: the rule of unknown paths finds it.
func (m *matrix) tryHidden(ctx context.Context) error {
	usual, err := m.client.open(ctx, m.base+"/sivu-verify-unknown/manifest", wantSum)
	if err != nil {
		return err
	}
	for _, path := range hiddenPaths {
		const due = "404"
		address := m.base + path
		a, ok, err := m.get(ctx, request{address: address, loose: true}, due)
		if err != nil {
			return err
		}
		same := a.Status == usual.Status && a.Sum == usual.Sum
		if ok && !same && (a.Status < 400 || a.Status > 499) {
			m.find(ruleStateHidden, address, "", due, m.came(a))
			m.hint("upload the snapshot without .sivu")
		}
	}
	return nil
}

// tryDots asks for an address that says "the folder above". It may be the root
// of the service, and must not be a record or a list.
func (m *matrix) tryDots(ctx context.Context) error {
	address := m.base + "/pages/%2e%2e/"
	a, ok, err := m.get(ctx, request{address: address}, refNone)
	if err != nil || !ok {
		return err
	}
	root, err := m.client.open(ctx, m.base+"/", wantSum)
	if err != nil {
		return err
	}
	_, known := m.known.names[a.Sum]
	if known || a.Status != root.Status && (a.Status < 400 || a.Status > 499) {
		m.find(ruleNotFoundStatus, address, "", refNone, m.came(a))
	}
	return nil
}

// Addresses without the slash at their end.
var slashCases = []struct{ path, query string }{
	{"/pages", ""},
	{"/pages", "page=2&format=api"},
	{"/pages", "x=%2F&page=1"},
	{"/pages/{id}", ""},
	{"/pages/{id}", "format=api"},
}

func (m *matrix) slashTrials() []trial {
	var trials []trial
	for _, s := range slashCases {
		address, ok := m.address(s.path, s.query)
		due, _ := m.address(s.path+"/", s.query)
		if ok {
			trials = append(trials, func(ctx context.Context) error { return m.trySlash(ctx, address, due) })
		}
	}
	return trials
}

func (m *matrix) trySlash(ctx context.Context, address, due string) error {
	a, err := m.client.open(ctx, address, wantSum)
	if err != nil {
		return err
	}
	sentence := "308 to " + due + ", or 404"
	switch {
	case a.Fault != "":
		m.find(ruleStatus, address, "", sentence, a.Fault)
	case a.Status == http.StatusNotFound:
		m.checkError(address, "", a, notFoundBody, ruleNotFoundBody)
	case !isRedirect(a.Status):
		m.find(ruleSlash, address, "", sentence, m.came(a))
	case !m.leadsHome(address, a):
		m.find(ruleRedirect, address, "", sentence, a.short())
	case a.Status != http.StatusPermanentRedirect || m.target(address, a) != due:
		m.find(ruleSlash, address, "", sentence, a.short())
	}
	return nil
}

// target returns the absolute address that a redirect leads to.
func (m *matrix) target(address string, a *answer) string {
	to, _ := redirectTarget(address, a)
	return to
}

func (m *matrix) leadsHome(address string, a *answer) bool {
	return strings.HasPrefix(m.target(address, a), m.base+"/")
}
