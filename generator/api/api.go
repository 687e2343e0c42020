// Package api is the contract as code: the file of each answer, the
// form of every link, and the bytes of every JSON body.
//
// A record is encoded once. [AppendItem] writes what a list and a detail record
// share, up to the address, [AppendSuffix] the rest of the detail record; [Links]
// puts them together around the address, which is all that differs between the
// variants of an answer.
//
// The JSON is compact UTF-8 without a byte order mark or a final newline. Keys
// stand in a fixed order: language, meta, created, modified, url, content,
// embeds; count, next, previous, results. Escaped are only the quotation mark,
// the backslash, control characters below U+0020 and U+2028 and U+2029.
package api

// PageSize is the number of records on a list page (contract.md 8).
const PageSize = 10

// Variant is one of the two answers that every address has (contract.md 4.1).
type Variant uint8

// The variants. In the API variant, asked for with format=api, every link
// carries format=api too.
const (
	Plain Variant = iota
	API
)

// Variants are all variants of an answer.
var Variants = [...]Variant{Plain, API}

// The bodies of the errors, without a final newline.
const (
	NotFoundBody         = `{"detail":"Not found."}`
	MethodNotAllowedBody = `{"detail":"Method not allowed."}`
)

// ListPages returns the number of list pages of a collection of count records.
// An empty collection has one (contract.md 1).
func ListPages(count int) int {
	return max(1, (count+PageSize-1)/PageSize)
}
