package verify

import (
	"context"
	"net/http"
)

// queryCase is a path with or without a query, and the answer that is due.
type queryCase struct {
	name   string
	rule   *Rule  // broken where the answer is another
	target string // below the base address, see matrix.address
	due    string // the name of a reference, or refNone
	or     string // also good, where the contract leaves it open; may be ""
}

// The queries that the contract names (contract.md 4.1, 4.2).
var contractCases = []queryCase{
	{"no query", rulePageQuery, "/pages/", refList1, ""},
	{"page", rulePageQuery, "/pages/?page=2", refList2, ""},
	{"the last page", rulePageQuery, "/pages/?page={last}", refListLast, ""},
	{"page 1 is no page", rulePageQuery, "/pages/?page=1", refList1, ""},
	{"page 1 is no page, variant", rulePageQuery, "/pages/?format=api&page=1", refList1API, ""},
	{"the variant", ruleFormatQuery, "/pages/?format=api", refList1API, ""},
	{"format, then page", rulePageQuery, "/pages/?format=api&page=2", refList2API, ""},
	{"page, then format", ruleFormatQuery, "/pages/?page=2&format=api", refList2API, ""},
	{"the last page, page first", ruleFormatQuery, "/pages/?page={last}&format=api", refListLastAPI, ""},
	{"a record", ruleFormatQuery, "/pages/{id}/", refRecord, ""},
	{"variant of a record", ruleFormatQuery, "/pages/{id}/?format=api", refRecordAPI, ""},
}

// The queries and paths of which only sivu decides.
var silentCases = []queryCase{
	{"empty query", rulePageQuery, "/pages/?", refList1, ""},
	{"empty parameters", rulePageQuery, "/pages/?&&page=2", refList2, ""},
	{"empty parameter at the end", rulePageQuery, "/pages/?page=2&", refList2, ""},

	{"unknown parameter", rulePageQuery, "/pages/?lang=fi", refList1, ""},
	{"unknown parameter before", rulePageQuery, "/pages/?utm_source=a&page=2", refList2, ""},
	{"unknown parameter behind", rulePageQuery, "/pages/?page=2&utm_source=a", refList2, ""},
	{"unknown parameter between", ruleFormatQuery, "/pages/?page=2&x=1&format=api", refList2API, ""},
	{"name that ends with page", rulePageQuery, "/pages/?xpage=2", refList1, ""},
	{"name that ends with -page", rulePageQuery, "/pages/?x-page=2", refList1, ""},
	{"name that begins with page", rulePageQuery, "/pages/?pagex=2", refList1, ""},
	{"name in upper case", rulePageQuery, "/pages/?Page=2", refList1, ""},
	{"page as a value", rulePageQuery, "/pages/?x=page=2", refList1, ""},
	{"look-alike before page", rulePageQuery, "/pages/?xpage=1&page=2", refList2, ""},
	{"look-alike behind page", rulePageQuery, "/pages/?page=2&xpage=1", refList2, ""},
	{"no name", rulePageQuery, "/pages/?2", refList1, ""},

	{"last of two pages", rulePageQuery, "/pages/?page=2&page={last}", refListLast, ""},
	{"last of two pages, one beyond the last first", rulePageQuery, "/pages/?page={beyond}&page=2", refList2, ""},
	{"last of two pages, the first one", rulePageQuery, "/pages/?page=2&page=1", refList1, ""},
	{"last of two pages, the second one", rulePageQuery, "/pages/?page=1&page=2", refList2, ""},
	{"last of two pages, a bad one first", rulePageQuery, "/pages/?page=abc&page=2", refList2, ""},
	{"last of two pages, a bad one last", rulePageQuery, "/pages/?page=1&page=abc", refNone, ""},
	{"last of two formats, another", ruleFormatQuery, "/pages/?format=api&format=json", refList1, ""},
	{"last of two formats, api", ruleFormatQuery, "/pages/?format=json&format=api", refList1API, ""},
	{"last of two formats, apart", ruleFormatQuery, "/pages/?format=json&page=2&format=api", refList2API, ""},

	{"format json", ruleFormatQuery, "/pages/?format=json", refList1, ""},
	{"format in upper case", ruleFormatQuery, "/pages/?format=API", refList1, ""},
	{"format that begins with api", ruleFormatQuery, "/pages/?format=apix", refList1, ""},
	{"format that ends with api", ruleFormatQuery, "/pages/?format=xapi", refList1, ""},
	{"no format", ruleFormatQuery, "/pages/?format=", refList1, ""},
	{"name that ends with format", ruleFormatQuery, "/pages/?xformat=api", refList1, ""},
	{"name that begins with format", ruleFormatQuery, "/pages/?formatx=api", refList1, ""},
	{"no equals sign", ruleFormatQuery, "/pages/?formatapi", refList1, ""},
	{"the format as a name", ruleFormatQuery, "/pages/?api", refList1, ""},

	{"page 0", ruleNotFoundStatus, "/pages/?page=0", refNone, ""},
	{"negative page", ruleNotFoundStatus, "/pages/?page=-1", refNone, ""},
	{"page in words", ruleNotFoundStatus, "/pages/?page=abc", refNone, ""},
	{"fraction", ruleNotFoundStatus, "/pages/?page=1.5", refNone, ""},
	{"page as programs write it", ruleNotFoundStatus, "/pages/?page=1e0", refNone, ""},
	{"no page number", ruleNotFoundStatus, "/pages/?page=", refNone, ""},
	{"leading zero", ruleNotFoundStatus, "/pages/?page=01", refNone, ""},
	{"leading zero, page 2", ruleNotFoundStatus, "/pages/?page=02", refNone, ""},
	{"sign", ruleNotFoundStatus, "/pages/?page=+1", refNone, ""},
	{"escaped sign", ruleNotFoundStatus, "/pages/?page=%2B1", refNone, ""},
	{"something behind", ruleNotFoundStatus, "/pages/?page=1x", refNone, ""},
	{"something behind, page 2", ruleNotFoundStatus, "/pages/?page=2x", refNone, ""},
	{"line break behind", ruleNotFoundStatus, "/pages/?page=1%0A", refNone, ""},
	{"page that is a path", ruleNotFoundStatus, "/pages/?page=1/../2", refNone, ""},
	{"page beyond the last", ruleNotFoundStatus, "/pages/?page={beyond}", refNone, ""},
	{"variant of a page beyond the last", ruleNotFoundStatus, "/pages/?format=api&page={beyond}", refNone, ""},
	{"page of ten digits", ruleNotFoundStatus, "/pages/?page=9999999999", refNone, ""},
	{"page of 2^64+1", ruleNotFoundStatus, "/pages/?page=18446744073709551617", refNone, ""},

	// A form parser decodes names and values, and a pattern does not.
	{"escaped digit", rulePageQuery, "/pages/?page=%32", refList2, refNone},
	{"escaped name", rulePageQuery, "/pages/?p%61ge=2", refList2, refList1},
	{"escaped format", ruleFormatQuery, "/pages/?format=%61pi", refList1API, refList1},
	{"semicolon", rulePageQuery, "/pages/?page=1;format=api", refNone, refList1}, // some drop the pair
	{"page without equals sign", rulePageQuery, "/pages/?page", refList1, refNone},

	{"other format of a record", ruleFormatQuery, "/pages/{id}/?format=json", refRecord, ""},
	{"look-alike format of a record", ruleFormatQuery, "/pages/{id}/?xformat=api", refRecord, ""},
	{"page of a record", rulePageQuery, "/pages/{id}/?page=2", refRecord, ""},
	{"bad page of a record", rulePageQuery, "/pages/{id}/?page=abc", refRecord, ""},
	{"page and variant of a record", ruleFormatQuery, "/pages/{id}/?page=2&format=api", refRecordAPI, ""},
	{"empty query of a record", rulePageQuery, "/pages/{id}/?", refRecord, ""},

	// Paths that look like good ones.
	{"unknown id", ruleNotFoundStatus, "/pages/{unknown}/", refNone, ""},
	{"variant of an unknown id", ruleNotFoundStatus, "/pages/{unknown}/?format=api", refNone, ""},
	{"id in upper case", ruleNotFoundStatus, "/pages/{ID}/", refNone, ""},
	{"id without hyphens", ruleNotFoundStatus, "/pages/{bare}/", refNone, ""},
	{"id in braces", ruleNotFoundStatus, "/pages/%7B{id}%7D/", refNone, ""},
	{"id as a URN", ruleNotFoundStatus, "/pages/urn:uuid:{id}/", refNone, ""},
	{"id and more", ruleNotFoundStatus, "/pages/{id}0/", refNone, ""},
	{"more and id", ruleNotFoundStatus, "/pages/0{id}/", refNone, ""},
	{"below a record", ruleNotFoundStatus, "/pages/{id}/x/", refNone, ""},
	{"a word for an id", ruleNotFoundStatus, "/pages/index/", refNone, ""},
	{"a list page for an id", ruleNotFoundStatus, "/pages/page-1/", refNone, ""},
	{"line break behind the list", ruleNotFoundStatus, "/pages/%0A", refNone, ""},
	{"line break for the slash", ruleNotFoundStatus, "/pages%0A", refNone, ""},
	{"line break behind a record", ruleNotFoundStatus, "/pages/{id}/%0A", refNone, ""},
	{"line break for the slash of a record", ruleNotFoundStatus, "/pages/{id}%0A", refNone, ""},
	{"line break behind a file", ruleNotFoundStatus, "/pages/index.json%0A", refNone, ""},
	{"line break before the list", ruleNotFoundStatus, "/%0Apages/", refNone, ""},
	{"unknown path", ruleNotFoundStatus, "/sivu-verify-unknown/", refNone, ""},
	// Servers may take several slashes for one, and some know no case.
	{"path in upper case", ruleNotFoundStatus, "/PAGES/", refNone, refList1},
	{"two slashes", ruleNotFoundStatus, "/pages//", refNone, refList1},
	{"two slashes before an id", ruleNotFoundStatus, "/pages//{id}/", refNone, refRecord},
}

// Paths of files that sivu keeps for itself.
var hiddenPaths = []string{
	"/.sivu/", "/.sivu/manifest", "/.sivu/lock", "/%2esivu/manifest", "/pages/../.sivu/manifest", "/pages/.sivu/",
}

// Addresses without the slash at their end.
var slashCases = []string{"/pages", "/pages?page=2&format=api", "/pages?x=%2F&page=1", "/pages/{id}", "/pages/{id}?format=api"}

// otherMethods are methods that no address allows (contract.md 1). PROPFIND stands for
// those that a service need not know.
var otherMethods = []string{http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, "PROPFIND"}

// codings are values of Accept-Encoding, and the content codings that may come for
// them. A plain response always may: a service need not compress.
var codings = []struct{ accept, may string }{
	{"gzip", "gzip"},
	{"br", "br"},
	{"zstd", "zstd"},
	{"gzip, deflate, br, zstd", "gzip br zstd"},
	{"GZIP;q=0.5", "gzip"},
	{"gzip;q=0", ""},
	{"br;q=0, zstd;q=0, gzip;q=0", ""},
	{"br;q=0, gzip", "gzip"},
	{"identity", ""},
	{"sivu-verify", ""}, // a coding that nobody knows
}

// trials returns all that is tried.
func (m *matrix) trials() []trial {
	trials := []trial{m.tryHidden, m.tryDots}
	add := func(try func(context.Context, string), templates ...string) {
		for _, template := range templates {
			if address, ok := m.address(template); ok {
				trials = append(trials, func(ctx context.Context) { try(ctx, address) })
			}
		}
	}
	addCases := func(cases []queryCase, loose bool) {
		for _, q := range cases {
			if _, known := m.digests[q.due]; known || q.due == refNone {
				add(func(ctx context.Context, address string) { m.tryCase(ctx, q, request{address: address, loose: loose}) }, q.target)
			}
		}
	}
	addCases(contractCases, false)
	addCases(silentCases, true)
	add(m.trySlash, slashCases...)
	add(m.tryMethods, "/pages/", "/pages/{id}/")
	add(m.tryOptions, "/pages/", "/pages/{id}/")
	add(m.tryOrigin, "/pages/", "/pages/{id}/")
	add(m.tryHead, "{list page 1}", "{list page 2 with format=api}", "{the record}", "/pages/{unknown}/", "/pages/?page=0")
	add(m.tryConditions, "{list page 1}", "{the record}")
	add(m.tryCompressedTag, "{list page 1}", "{the record}")
	for _, name := range []string{refList1, refRecord} {
		api, _ := m.address("{" + name + withFormat + "}")
		add(func(ctx context.Context, plain string) { m.tryOtherVariant(ctx, plain, api) }, "{"+name+"}")
	}
	add(m.tryCodings, "{list page 1}", "{list page 1 with format=api}", "{the record}")
	return trials
}
