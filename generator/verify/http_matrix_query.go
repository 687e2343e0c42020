package verify

import (
	"context"
	"net/http"
	"slices"
)

// queryCase is one query or path, and what it has to answer.
type queryCase struct {
	name  string
	rule  *Rule // broken where the answer is another
	path  string
	query string // "?" is the empty one
	due   string // the name of a reference, or refNone
	or    string // also good, where DESIGN.md leaves it open; may be ""
	lists int    // makes sense with so many list pages at least
}

// The queries that the contract names (contract.md 4.1, 4.2).
var queryCases = []queryCase{
	{"no query", rulePageQuery, "/pages/", "", refList1, "", 1},
	{"page", rulePageQuery, "/pages/", "page=2", refList2, "", 2},
	{"the last page", rulePageQuery, "/pages/", "page={last}", refListLast, "", 3},
	{"page 1 is no page", rulePageQuery, "/pages/", "page=1", refList1, "", 1},
	{"page 1 is no page, variant", rulePageQuery, "/pages/", "format=api&page=1", refList1API, "", 1},
	{"the variant", ruleFormatQuery, "/pages/", "format=api", refList1API, "", 1},
	{"format, then page", rulePageQuery, "/pages/", "format=api&page=2", refList2API, "", 2},
	{"page, then format", ruleFormatQuery, "/pages/", "page=2&format=api", refList2API, "", 2},
	{"the last page, page first", ruleFormatQuery, "/pages/", "page={last}&format=api", refListLastAPI, "", 3},
	{"a record", ruleFormatQuery, "/pages/{id}/", "", refRecord, "", 1},
	{"variant of a record", ruleFormatQuery, "/pages/{id}/", "format=api", refRecordAPI, "", 1},
}

// The queries that only DESIGN.md decides on.
var silentQueryCases = []queryCase{
	{"empty query", rulePageQuery, "/pages/", "?", refList1, "", 1},
	{"empty parameters", rulePageQuery, "/pages/", "&&page=2", refList2, "", 2},
	{"empty parameter at the end", rulePageQuery, "/pages/", "page=2&", refList2, "", 2},

	{"unknown parameter", rulePageQuery, "/pages/", "lang=fi", refList1, "", 1},
	{"unknown parameter before", rulePageQuery, "/pages/", "utm_source=a&page=2", refList2, "", 2},
	{"unknown parameter behind", rulePageQuery, "/pages/", "page=2&utm_source=a", refList2, "", 2},
	{"unknown parameter between", ruleFormatQuery, "/pages/", "page=2&x=1&format=api", refList2API, "", 2},
	{"name that ends with page", rulePageQuery, "/pages/", "xpage=2", refList1, "", 1},
	{"name that ends with -page", rulePageQuery, "/pages/", "x-page=2", refList1, "", 1},
	{"name that begins with page", rulePageQuery, "/pages/", "pagex=2", refList1, "", 1},
	{"name in upper case", rulePageQuery, "/pages/", "Page=2", refList1, "", 1},
	{"page as a value", rulePageQuery, "/pages/", "x=page=2", refList1, "", 1},
	{"look-alike before page", rulePageQuery, "/pages/", "xpage=1&page=2", refList2, "", 2},
	{"look-alike behind page", rulePageQuery, "/pages/", "page=2&xpage=1", refList2, "", 2},
	{"no name", rulePageQuery, "/pages/", "2", refList1, "", 1},

	{"last of two pages", rulePageQuery, "/pages/", "page=2&page={last}", refListLast, "", 3},
	{"last of two pages, one beyond the last first", rulePageQuery, "/pages/", "page={beyond}&page=2", refList2, "", 2},
	{"last of two pages, the first one", rulePageQuery, "/pages/", "page=2&page=1", refList1, "", 2},
	{"last of two pages, the second one", rulePageQuery, "/pages/", "page=1&page=2", refList2, "", 2},
	{"last of two pages, a bad one first", rulePageQuery, "/pages/", "page=abc&page=2", refList2, "", 2},
	{"last of two pages, a bad one last", rulePageQuery, "/pages/", "page=1&page=abc", refNone, "", 1},
	{"last of two formats, another", ruleFormatQuery, "/pages/", "format=api&format=json", refList1, "", 1},
	{"last of two formats, api", ruleFormatQuery, "/pages/", "format=json&format=api", refList1API, "", 1},
	{"last of two formats, apart", ruleFormatQuery, "/pages/", "format=json&page=2&format=api", refList2API, "", 2},

	{"format json", ruleFormatQuery, "/pages/", "format=json", refList1, "", 1},
	{"format in upper case", ruleFormatQuery, "/pages/", "format=API", refList1, "", 1},
	{"format that begins with api", ruleFormatQuery, "/pages/", "format=apix", refList1, "", 1},
	{"format that ends with api", ruleFormatQuery, "/pages/", "format=xapi", refList1, "", 1},
	{"no format", ruleFormatQuery, "/pages/", "format=", refList1, "", 1},
	{"name that ends with format", ruleFormatQuery, "/pages/", "xformat=api", refList1, "", 1},
	{"name that begins with format", ruleFormatQuery, "/pages/", "formatx=api", refList1, "", 1},
	{"no equals sign", ruleFormatQuery, "/pages/", "formatapi", refList1, "", 1},
	{"the format as a name", ruleFormatQuery, "/pages/", "api", refList1, "", 1},

	{"page 0", ruleNotFoundStatus, "/pages/", "page=0", refNone, "", 1},
	{"negative page", ruleNotFoundStatus, "/pages/", "page=-1", refNone, "", 1},
	{"page in words", ruleNotFoundStatus, "/pages/", "page=abc", refNone, "", 1},
	{"fraction", ruleNotFoundStatus, "/pages/", "page=1.5", refNone, "", 1},
	{"page as programs write it", ruleNotFoundStatus, "/pages/", "page=1e0", refNone, "", 1},
	{"no page number", ruleNotFoundStatus, "/pages/", "page=", refNone, "", 1},
	{"leading zero", ruleNotFoundStatus, "/pages/", "page=01", refNone, "", 1},
	{"leading zero, page 2", ruleNotFoundStatus, "/pages/", "page=02", refNone, "", 2},
	{"sign", ruleNotFoundStatus, "/pages/", "page=+1", refNone, "", 1},
	{"escaped sign", ruleNotFoundStatus, "/pages/", "page=%2B1", refNone, "", 1},
	{"something behind", ruleNotFoundStatus, "/pages/", "page=1x", refNone, "", 1},
	{"something behind, page 2", ruleNotFoundStatus, "/pages/", "page=2x", refNone, "", 2},
	{"line break behind", ruleNotFoundStatus, "/pages/", "page=1%0A", refNone, "", 1},
	{"page that is a path", ruleNotFoundStatus, "/pages/", "page=1/../2", refNone, "", 1},
	{"page beyond the last", ruleNotFoundStatus, "/pages/", "page={beyond}", refNone, "", 1},
	{"variant of a page beyond the last", ruleNotFoundStatus, "/pages/", "format=api&page={beyond}", refNone, "", 1},
	{"page of ten digits", ruleNotFoundStatus, "/pages/", "page=9999999999", refNone, "", 1},
	{"page of 2^64+1", ruleNotFoundStatus, "/pages/", "page=18446744073709551617", refNone, "", 1},

	// A form parser decodes names and values, and a pattern does not.
	{"escaped digit", rulePageQuery, "/pages/", "page=%32", refList2, refNone, 2},
	{"escaped name", rulePageQuery, "/pages/", "p%61ge=2", refList2, refList1, 2},
	{"escaped format", ruleFormatQuery, "/pages/", "format=%61pi", refList1API, refList1, 1},
	{"semicolon", rulePageQuery, "/pages/", "page=1;format=api", refNone, refList1, 1}, // some drop the pair
	{"page without equals sign", rulePageQuery, "/pages/", "page", refList1, refNone, 1},

	{"other format of a record", ruleFormatQuery, "/pages/{id}/", "format=json", refRecord, "", 1},
	{"look-alike format of a record", ruleFormatQuery, "/pages/{id}/", "xformat=api", refRecord, "", 1},
	{"page of a record", rulePageQuery, "/pages/{id}/", "page=2", refRecord, "", 1},
	{"bad page of a record", rulePageQuery, "/pages/{id}/", "page=abc", refRecord, "", 1},
	{"page and variant of a record", ruleFormatQuery, "/pages/{id}/", "page=2&format=api", refRecordAPI, "", 1},
	{"empty query of a record", rulePageQuery, "/pages/{id}/", "?", refRecord, "", 1},
}

func (m *matrix) queryTrials() []trial {
	return slices.Concat(m.caseTrials(queryCases, false), m.caseTrials(silentQueryCases, true))
}

func (m *matrix) pathTrials() []trial { return m.caseTrials(pathCases, true) }

// caseTrials returns a trial of each case that there is something to try for.
// loose says that the contract does not name them.
func (m *matrix) caseTrials(cases []queryCase, loose bool) []trial {
	var trials []trial
	for _, q := range cases {
		if address, ok := m.address(q.path, q.query); ok && q.lists <= m.in.Lists && m.knows(q) {
			trials = append(trials, func(ctx context.Context) error { return m.try(ctx, q, request{address: address, loose: loose}) })
		}
	}
	return trials
}

// knows reports whether there is something to compare with.
func (m *matrix) knows(q queryCase) bool {
	_, known := m.known.digests[q.due]
	return known || q.due == refNone
}

func (m *matrix) try(ctx context.Context, q queryCase, r request) error {
	a, ok, err := m.get(ctx, r, q.due)
	if err != nil || !ok {
		return err
	}
	if !m.is(a, q.due) && (q.or == "" || !m.is(a, q.or)) {
		due := q.due
		if q.or != "" {
			due += ", or " + q.or
		}
		rule := m.blame(q, a)
		m.findIn(rule, rule.Loose || r.loose, r.address, "", due+" ("+q.name+")", m.came(a))
		return nil
	}
	switch a.Status {
	case http.StatusOK:
		m.checkHeaders(r.address, a)
	case http.StatusNotFound:
		m.checkError(r.address, "", a, notFoundBody, ruleNotFoundBody)
	}
	return nil
}

// blame returns the rule that is broken by an answer that is not due. What came
// in place of it tells more than the case, which may try two things at once.
func (m *matrix) blame(q queryCase, a *answer) *Rule {
	came, known := m.known.names[a.Sum]
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
