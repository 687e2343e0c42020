package verify

import (
	"context"
	"net/http"
	"slices"
	"strings"
)

// queryCase is a query or a path, and what it has to answer.
type queryCase struct {
	name  string
	rule  *Rule // broken where the answer is another
	path  string
	query string // "?" is the empty one
	due   string // the name of a reference, or refNone
	or    string // also good, where DESIGN.md leaves it open; may be ""
}

// The queries that the contract names (contract.md 4.1, 4.2).
var queryCases = []queryCase{
	{"no query", rulePageQuery, allLists, "", refList1, ""},
	{"page", rulePageQuery, allLists, "page=2", refList2, ""},
	{"the last page", rulePageQuery, allLists, "page={last}", refListLast, ""},
	{"page 1 is no page", rulePageQuery, allLists, "page=1", refList1, ""},
	{"page 1 is no page, variant", rulePageQuery, allLists, "format=api&page=1", refList1API, ""},
	{"the variant", ruleFormatQuery, allLists, "format=api", refList1API, ""},
	{"format, then page", rulePageQuery, allLists, "format=api&page=2", refList2API, ""},
	{"page, then format", ruleFormatQuery, allLists, "page=2&format=api", refList2API, ""},
	{"the last page, page first", ruleFormatQuery, allLists, "page={last}&format=api", refListLastAPI, ""},
	{"a record", ruleFormatQuery, oneRecord, "", refRecord, ""},
	{"variant of a record", ruleFormatQuery, oneRecord, "format=api", refRecordAPI, ""},
}

// The queries that only DESIGN.md decides on.
var silentQueryCases = []queryCase{
	{"empty query", rulePageQuery, allLists, "?", refList1, ""},
	{"empty parameters", rulePageQuery, allLists, "&&page=2", refList2, ""},
	{"empty parameter at the end", rulePageQuery, allLists, "page=2&", refList2, ""},

	{"unknown parameter", rulePageQuery, allLists, "lang=fi", refList1, ""},
	{"unknown parameter before", rulePageQuery, allLists, "utm_source=a&page=2", refList2, ""},
	{"unknown parameter behind", rulePageQuery, allLists, "page=2&utm_source=a", refList2, ""},
	{"unknown parameter between", ruleFormatQuery, allLists, "page=2&x=1&format=api", refList2API, ""},
	{"name that ends with page", rulePageQuery, allLists, "xpage=2", refList1, ""},
	{"name that ends with -page", rulePageQuery, allLists, "x-page=2", refList1, ""},
	{"name that begins with page", rulePageQuery, allLists, "pagex=2", refList1, ""},
	{"name in upper case", rulePageQuery, allLists, "Page=2", refList1, ""},
	{"page as a value", rulePageQuery, allLists, "x=page=2", refList1, ""},
	{"look-alike before page", rulePageQuery, allLists, "xpage=1&page=2", refList2, ""},
	{"look-alike behind page", rulePageQuery, allLists, "page=2&xpage=1", refList2, ""},
	{"no name", rulePageQuery, allLists, "2", refList1, ""},

	{"last of two pages", rulePageQuery, allLists, "page=2&page={last}", refListLast, ""},
	{"last of two pages, one beyond the last first", rulePageQuery, allLists, "page={beyond}&page=2", refList2, ""},
	{"last of two pages, the first one", rulePageQuery, allLists, "page=2&page=1", refList1, ""},
	{"last of two pages, the second one", rulePageQuery, allLists, "page=1&page=2", refList2, ""},
	{"last of two pages, a bad one first", rulePageQuery, allLists, "page=abc&page=2", refList2, ""},
	{"last of two pages, a bad one last", rulePageQuery, allLists, "page=1&page=abc", refNone, ""},
	{"last of two formats, another", ruleFormatQuery, allLists, "format=api&format=json", refList1, ""},
	{"last of two formats, api", ruleFormatQuery, allLists, "format=json&format=api", refList1API, ""},
	{"last of two formats, apart", ruleFormatQuery, allLists, "format=json&page=2&format=api", refList2API, ""},

	{"format json", ruleFormatQuery, allLists, "format=json", refList1, ""},
	{"format in upper case", ruleFormatQuery, allLists, "format=API", refList1, ""},
	{"format that begins with api", ruleFormatQuery, allLists, "format=apix", refList1, ""},
	{"format that ends with api", ruleFormatQuery, allLists, "format=xapi", refList1, ""},
	{"no format", ruleFormatQuery, allLists, "format=", refList1, ""},
	{"name that ends with format", ruleFormatQuery, allLists, "xformat=api", refList1, ""},
	{"name that begins with format", ruleFormatQuery, allLists, "formatx=api", refList1, ""},
	{"no equals sign", ruleFormatQuery, allLists, "formatapi", refList1, ""},
	{"the format as a name", ruleFormatQuery, allLists, "api", refList1, ""},

	{"page 0", ruleNotFoundStatus, allLists, "page=0", refNone, ""},
	{"negative page", ruleNotFoundStatus, allLists, "page=-1", refNone, ""},
	{"page in words", ruleNotFoundStatus, allLists, "page=abc", refNone, ""},
	{"fraction", ruleNotFoundStatus, allLists, "page=1.5", refNone, ""},
	{"page as programs write it", ruleNotFoundStatus, allLists, "page=1e0", refNone, ""},
	{"no page number", ruleNotFoundStatus, allLists, "page=", refNone, ""},
	{"leading zero", ruleNotFoundStatus, allLists, "page=01", refNone, ""},
	{"leading zero, page 2", ruleNotFoundStatus, allLists, "page=02", refNone, ""},
	{"sign", ruleNotFoundStatus, allLists, "page=+1", refNone, ""},
	{"escaped sign", ruleNotFoundStatus, allLists, "page=%2B1", refNone, ""},
	{"something behind", ruleNotFoundStatus, allLists, "page=1x", refNone, ""},
	{"something behind, page 2", ruleNotFoundStatus, allLists, "page=2x", refNone, ""},
	{"line break behind", ruleNotFoundStatus, allLists, "page=1%0A", refNone, ""},
	{"page that is a path", ruleNotFoundStatus, allLists, "page=1/../2", refNone, ""},
	{"page beyond the last", ruleNotFoundStatus, allLists, "page={beyond}", refNone, ""},
	{"variant of a page beyond the last", ruleNotFoundStatus, allLists, "format=api&page={beyond}", refNone, ""},
	{"page of ten digits", ruleNotFoundStatus, allLists, "page=9999999999", refNone, ""},
	{"page of 2^64+1", ruleNotFoundStatus, allLists, "page=18446744073709551617", refNone, ""},

	// A form parser decodes names and values, and a pattern does not.
	{"escaped digit", rulePageQuery, allLists, "page=%32", refList2, refNone},
	{"escaped name", rulePageQuery, allLists, "p%61ge=2", refList2, refList1},
	{"escaped format", ruleFormatQuery, allLists, "format=%61pi", refList1API, refList1},
	{"semicolon", rulePageQuery, allLists, "page=1;format=api", refNone, refList1}, // some drop the pair
	{"page without equals sign", rulePageQuery, allLists, "page", refList1, refNone},

	{"other format of a record", ruleFormatQuery, oneRecord, "format=json", refRecord, ""},
	{"look-alike format of a record", ruleFormatQuery, oneRecord, "xformat=api", refRecord, ""},
	{"page of a record", rulePageQuery, oneRecord, "page=2", refRecord, ""},
	{"bad page of a record", rulePageQuery, oneRecord, "page=abc", refRecord, ""},
	{"page and variant of a record", ruleFormatQuery, oneRecord, "page=2&format=api", refRecordAPI, ""},
	{"empty query of a record", rulePageQuery, oneRecord, "?", refRecord, ""},
}

// Paths that look like good ones (DESIGN.md).
var pathCases = []queryCase{
	{"unknown id", ruleNotFoundStatus, "/pages/{unknown}/", "", refNone, ""},
	{"variant of an unknown id", ruleNotFoundStatus, "/pages/{unknown}/", "format=api", refNone, ""},
	{"id in upper case", ruleNotFoundStatus, "/pages/{ID}/", "", refNone, ""},
	{"id without hyphens", ruleNotFoundStatus, "/pages/{bare}/", "", refNone, ""},
	{"id in braces", ruleNotFoundStatus, "/pages/%7B{id}%7D/", "", refNone, ""},
	{"id as a URN", ruleNotFoundStatus, "/pages/urn:uuid:{id}/", "", refNone, ""},
	{"id and more", ruleNotFoundStatus, "/pages/{id}0/", "", refNone, ""},
	{"more and id", ruleNotFoundStatus, "/pages/0{id}/", "", refNone, ""},
	{"below a record", ruleNotFoundStatus, "/pages/{id}/x/", "", refNone, ""},
	{"a word for an id", ruleNotFoundStatus, "/pages/index/", "", refNone, ""},
	{"a list page for an id", ruleNotFoundStatus, "/pages/page-1/", "", refNone, ""},
	{"line break behind the list", ruleNotFoundStatus, "/pages/%0A", "", refNone, ""},
	{"line break for the slash", ruleNotFoundStatus, "/pages%0A", "", refNone, ""},
	{"line break behind a record", ruleNotFoundStatus, "/pages/{id}/%0A", "", refNone, ""},
	{"line break for the slash of a record", ruleNotFoundStatus, "/pages/{id}%0A", "", refNone, ""},
	{"line break behind a file", ruleNotFoundStatus, "/pages/index.json%0A", "", refNone, ""},
	{"line break before the list", ruleNotFoundStatus, "/%0Apages/", "", refNone, ""},
	{"unknown path", ruleNotFoundStatus, "/sivu-verify-unknown/", "", refNone, ""},
	// Servers may take several slashes for one, and some know no case.
	{"path in upper case", ruleNotFoundStatus, "/PAGES/", "", refNone, refList1},
	{"two slashes", ruleNotFoundStatus, "/pages//", "", refNone, refList1},
	{"two slashes before an id", ruleNotFoundStatus, "/pages//{id}/", "", refNone, refRecord},
}

// Paths of files that sivu keeps for itself.
var hiddenPaths = []string{
	"/.sivu/", "/.sivu/manifest", "/.sivu/lock", "/%2esivu/manifest", "/pages/../.sivu/manifest", "/pages/.sivu/",
}

// Addresses without the slash at their end.
var slashCases = []struct{ path, query string }{
	{"/pages", ""},
	{"/pages", "page=2&format=api"},
	{"/pages", "x=%2F&page=1"},
	{"/pages/{id}", ""},
	{"/pages/{id}", "format=api"},
}

// trials returns all that is tried.
func (m *matrix) trials() []trial {
	lists, one := m.linked(1, false), m.record(false)
	contract := []string{m.base + allLists}
	if one != "" {
		contract = append(contract, form{m.base, LinksQuery, false}.record(m.ids[0]))
	}
	heads := []string{lists, one, m.base + "/pages/" + unknownID + "/", m.base + "/pages/?page=0"}
	if m.lists > 1 {
		heads = append(heads, m.linked(2, true))
	}
	return slices.Concat(
		m.caseTrials(queryCases, false), m.caseTrials(silentQueryCases, true), m.caseTrials(pathCases, true),
		[]trial{m.tryHidden, m.tryDots}, m.slashTrials(),
		eachOf(m.tryMethods, contract...), eachOf(m.tryOptions, contract...), eachOf(m.tryOrigin, contract...),
		eachOf(m.tryHead, heads...),
		eachOf(m.tryConditions, lists, one), eachOf(m.tryCompressedTag, lists, one), []trial{
			func(ctx context.Context) { m.tryOtherVariant(ctx, lists, m.linked(1, true)) },
			func(ctx context.Context) { m.tryOtherVariant(ctx, one, m.record(true)) },
		},
		eachOf(m.tryCodings, lists, m.linked(1, true), one),
	)
}

// eachOf returns a trial of each address that there is.
func eachOf(try func(context.Context, string), addresses ...string) []trial {
	var all []trial
	for _, address := range addresses {
		if address != "" {
			all = append(all, func(ctx context.Context) { try(ctx, address) })
		}
	}
	return all
}

// caseTrials returns a trial of each case of which the reference is known. loose says
// that the contract does not name them.
func (m *matrix) caseTrials(cases []queryCase, loose bool) []trial {
	var trials []trial
	for _, q := range cases {
		_, known := m.digests[q.due]
		if address, ok := m.address(q.path, q.query); ok && (known || q.due == refNone) {
			trials = append(trials, func(ctx context.Context) { m.tryCase(ctx, q, request{address: address, loose: loose}) })
		}
	}
	return trials
}

func (m *matrix) tryCase(ctx context.Context, q queryCase, r request) {
	a := m.get(ctx, r, q.due)
	switch {
	case a == nil:
	case !m.is(a, q.due) && (q.or == "" || !m.is(a, q.or)):
		due := q.due
		if q.or != "" {
			due += ", or " + q.or
		}
		m.findIn(m.ruleForCase(q, a), r, due+" ("+q.name+")", m.came(a))
	case a.Status == http.StatusOK:
		m.checkHeaders(r.address, a)
	case a.Status == http.StatusNotFound:
		m.checkError(r, a)
	}
}

// ruleForCase returns the rule that a wrong answer breaks. The reference that came says
// more than the case, which may try two things at once.
func (m *matrix) ruleForCase(q queryCase, a *answer) *Rule {
	came, known := m.names[a.Sum]
	switch {
	case q.rule != rulePageQuery && q.rule != ruleFormatQuery:
		return q.rule
	case !known && (q.due == refNone || q.or == refNone):
		return ruleNotFoundStatus
	case q.due == refNone || !known:
		return q.rule
	}
	return mistaken(q.due, came)
}

// tryHidden requests sivu's own files. A service that answers 200 to every path shows
// nothing by that: the rule of unknown paths finds it.
func (m *matrix) tryHidden(ctx context.Context) {
	usual := m.ask(ctx, request{address: m.base + "/sivu-verify-unknown/manifest"})
	for _, path := range hiddenPaths {
		const due = "404"
		r := request{address: m.base + path, loose: true}
		a := m.get(ctx, r, due)
		if a == nil || usual == nil || a.Status == usual.Status && a.Sum == usual.Sum || isRefusal(a) {
			continue
		}
		m.findIn(ruleStateHidden, r, due, m.came(a))
		m.hint("upload the snapshot without .sivu")
	}
}

func isRefusal(a *answer) bool { return 400 <= a.Status && a.Status <= 499 }

// tryDots requests the parent folder of the list. It may be the root of the service, and
// must not be a record or a list.
func (m *matrix) tryDots(ctx context.Context) {
	r := request{address: m.base + "/pages/%2e%2e/"}
	a := m.get(ctx, r, refNone)
	root := m.ask(ctx, request{address: m.base + "/"})
	if a == nil || root == nil {
		return
	}
	if _, known := m.names[a.Sum]; known || a.Status != root.Status && !isRefusal(a) {
		m.findIn(ruleNotFoundStatus, r, refNone, m.came(a))
	}
}

func (m *matrix) slashTrials() []trial {
	var trials []trial
	for _, s := range slashCases {
		address, ok := m.address(s.path, s.query)
		due, _ := m.address(s.path+"/", s.query)
		if ok {
			trials = append(trials, func(ctx context.Context) { m.trySlash(ctx, request{address: address}, due) })
		}
	}
	return trials
}

func (m *matrix) trySlash(ctx context.Context, r request, due string) {
	a := m.ask(ctx, r)
	if a == nil {
		return
	}
	sentence := "308 to " + due + ", or 404"
	to := redirectTarget(r.address, a)
	switch {
	case a.Fault != "":
		m.findIn(ruleStatus, r, sentence, a.Fault)
	case a.Status == http.StatusNotFound:
		m.checkError(r, a)
	case !isRedirect(a.Status):
		m.findIn(ruleSlash, r, sentence, m.came(a))
	case !strings.HasPrefix(to, m.base+"/"):
		m.findIn(ruleRedirect, r, sentence, a.short())
	case a.Status != http.StatusPermanentRedirect || to != due:
		m.findIn(ruleSlash, r, sentence, a.short())
	}
}
