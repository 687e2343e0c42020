package verify

import "slices"

// Rules are all rules, in the order of reports.
var Rules = slices.Concat(walkRules, httpRules, []*Rule{ruleBudget})

// walkRules are the rules of a walk and of the files of a folder. A new rule is a
// variable below and an entry here.
var walkRules = []*Rule{
	ruleJSON, ruleEncoding, ruleDuplicateKey, ruleBytes, ruleKeyOrder, ruleExtraKey, ruleBodySize,
	ruleEnvelopeKeys, ruleEnvelopeTypes, ruleCount, ruleCountEqual, rulePageSize, ruleNext, rulePrevious,
	ruleLinkBase, ruleLinkStyle, ruleLinkVariant, ruleQueryOrder, ruleLinkTarget, ruleWalkEnd, ruleWalkBack,
	ruleListForm, ruleRecordKeys, ruleRecordTypes, ruleLanguage, ruleTimestamp, ruleDateOrder, ruleOrder,
	ruleURL, ruleIDForm, ruleIDCase, ruleIDUnique,
	ruleMetaValue, ruleMetaTitle, ruleMetaURL, ruleMetaURLLanguage, ruleMetaKnown,
	ruleContentComment, ruleContentModified, ruleContentDiv, ruleContentBytes, ruleEmbeds,
	ruleRecordEqual, ruleVariantsEqual,
	ruleFirstPage, ruleErrorBody, ruleFileSurplus, ruleFileKind, ruleSiblingBytes, ruleSiblingAlone,
}

// httpRules are the rules of responses. They are tried by services that break them
// in http_matrix_test.go.
var httpRules = []*Rule{
	ruleStatus, ruleContentType, ruleAllow, ruleVary,
	ruleErrorHeaders, ruleCORS, rulePreflight,
	rulePageQuery, ruleFormatQuery,
	ruleNotFoundStatus, ruleNotFoundBody, ruleMethodStatus, ruleMethodBody,
	ruleHead, ruleOptionsStatus, ruleOptionsBody,
	ruleSlash, ruleConditional, ruleCompression, ruleStateHidden, ruleRedirect,
}

func newRule(name, section, doc string) *Rule { return &Rule{Name: name, Section: section, Doc: doc} }

func looseRule(name, section, doc string) *Rule {
	return &Rule{Name: name, Section: section, Doc: doc, Loose: true}
}

// Bodies as JSON.
var (
	ruleJSON         = newRule("json", "sivu help contract, 2", "every body is one JSON text")
	ruleEncoding     = newRule("json-encoding", "sivu help contract, 2", "UTF-8 without a byte order mark, and no half of a surrogate pair")
	ruleDuplicateKey = newRule("json-duplicate-key", "sivu help contract, 2", "no object has a key twice")
	ruleBytes        = looseRule("json-bytes", "sivu help contract, 2", "no white space, no final newline, and only the escapes that are needed")
	ruleKeyOrder     = looseRule("key-order", "sivu help contract, 2", "keys stand in the fixed order, and those of meta as in the list")
	ruleExtraKey     = looseRule("extra-key", "sivu help contract, 2.1, 2.2, 2.4", "no key that the contract does not name")
	ruleBodySize     = newRule("body-size", "sivu help contract, 8", "no record is larger than 32 MiB, twice the largest source, or 4 MiB at a service of more than 300000 records, and no list page than 4 MiB")
)

// The list envelope, and the links from list page to list page.
var (
	ruleEnvelopeKeys  = newRule("envelope-keys", "sivu help contract, 2.4", "a list page has count, next, previous and results")
	ruleEnvelopeTypes = newRule("envelope-types", "sivu help contract, 2.4", "count is an integer, next and previous are a string or null, results is an array of objects")
	ruleCount         = newRule("count", "sivu help contract, 1, 2.4", "count is the number of records in the collection")
	ruleCountEqual    = newRule("count-equal", "sivu help contract, 4.1 rule 1", "count is the same on every list page")
	rulePageSize      = looseRule("page-size", "sivu help contract, 8", "a list page has 10 records, the last one what is left")
	ruleNext          = newRule("next", "sivu help contract, 2.4, 4.1", "next is the address of the next list page, null on the last")
	rulePrevious      = newRule("previous", "sivu help contract, 2.4, 4.1", "previous is the address of the previous list page, null on the first, without page on the second")
	ruleLinkBase      = newRule("link-base", "sivu help contract, 2.1, 2.4", "every link is an absolute address below the base address")
	ruleLinkStyle     = newRule("link-style", "sivu help contract, 10", "all links are of the one link style that is asked for")
	ruleLinkVariant   = newRule("link-variant", "sivu help contract, 2.1, 2.4", "links of the api variant lead to the api variant, others never do")
	ruleQueryOrder    = looseRule("query-order", "sivu help contract, 2.4", "format stands before page")
	ruleLinkTarget    = newRule("link-target", "sivu help contract, 4.1, 4.2", "every link resolves")
	ruleWalkEnd       = newRule("walk-end", "sivu help contract, 2.4, 10", "a client that follows next meets every list page once, and comes to an end")
	ruleWalkBack      = newRule("walk-back", "sivu help contract, 2.4", "the way back by previous meets the same list pages")
)

// Records.
var (
	ruleListForm      = newRule("list-form", "sivu help contract, 2.2", "records in a list have neither content nor embeds")
	ruleRecordKeys    = newRule("record-keys", "sivu help contract, 2.1, 2.2", "a record has language, meta, created, modified and url, in detail content and embeds too")
	ruleRecordTypes   = newRule("record-types", "sivu help contract, 2.1, 2.2", "meta is an object, embeds an array, everything else a string")
	ruleLanguage      = newRule("language", "sivu help contract, 2.1", "language is a language tag of BCP 47")
	ruleTimestamp     = newRule("timestamp", "sivu help contract, 2.1", "created and modified are instants in UTC with six digits and Z")
	ruleDateOrder     = looseRule("date-order", "sivu help contract, 2.1", "modified is not before created")
	ruleOrder         = looseRule("order", "sivu help contract, 4.1 rule 6", "records stand by created, descending, then by id")
	ruleURL           = newRule("url", "sivu help contract, 2.1", "url is the absolute address of this record")
	ruleIDForm        = newRule("id-form", "sivu help contract, 2.1", "the id in url is a UUID in 8-4-4-4-12 hexadecimal form")
	ruleIDCase        = looseRule("id-case", "sivu help contract, 2.1", "the id in url has lower-case digits")
	ruleIDUnique      = newRule("id-unique", "sivu help contract, 4.1 rule 5", "every record has an id of its own, and is listed once")
	ruleRecordEqual   = newRule("record-equal", "sivu help contract, 4.2", "a record in detail equals the one in the list")
	ruleVariantsEqual = newRule("variants-equal", "sivu help contract, 4.2", "both variants have the same records in the same order, and differ in links only")
)

// The values of records.
var (
	ruleMetaValue       = newRule("meta-value", "sivu help contract, 2.3", "every value of meta is a string or null")
	ruleMetaTitle       = newRule("meta-title", "sivu help contract, 2.3", "meta has a title, which is a string")
	ruleMetaURL         = newRule("meta-url", "sivu help contract, 2.3", "meta.url is a path of segments, without a slash before it")
	ruleMetaURLLanguage = newRule("meta-url-language", "sivu help contract, 2.3", "meta.url does not begin with another language than the record's")
	ruleMetaKnown       = looseRule("meta-known", "sivu help contract, 2.3", "localinfodoc is digits, imagebannerlink an absolute address, windowtitle, socialmedia-image and availablelanguagestext are strings")
	ruleContentComment  = newRule("content-comment", "sivu help contract, 2.2", "content begins with the comment modified: YYYY-MM-DDTHH:MM:SS")
	ruleContentModified = newRule("content-modified", "sivu help contract, 2.2", "the comment of content is modified, cut to seconds")
	ruleContentDiv      = newRule("content-div", "sivu help contract, 2.2", "after the comment comes one div of class xmldoc, which ends where content ends")
	ruleContentBytes    = looseRule("content-bytes", "sivu help contract, 2.2", "content is <!-- modified: T --><div class=\"xmldoc\">…</div> to the byte")
	ruleEmbeds          = looseRule("embeds", "sivu help contract, 2.2", "every element of embeds is {\"uri\": an absolute https address}")
)

// The files of a folder.
var (
	ruleFirstPage    = looseRule("first-page", "sivu help contract, 11", "page-1 is there, with the bytes of index")
	ruleErrorBody    = looseRule("error-body", "sivu help contract, 7, 11", "404.json and 405.json are there, with the bodies of errors")
	ruleFileSurplus  = newRule("file-surplus", "sivu help contract, 11", "pages holds only files of the snapshot, of which every record is listed, and those that a build keeps for a while")
	ruleFileKind     = newRule("file-kind", "sivu help contract, 11", "files are regular files, not symbolic links, pipes or devices")
	ruleSiblingBytes = newRule("sibling-bytes", "RFC 9110, section 8.4", "a .gz, .br or .zst unpacks to the bytes of the file beside it")
	ruleSiblingAlone = newRule("sibling-alone", "RFC 9110, section 8.4", "no .gz, .br or .zst is without the file that it packs")
)

// HTTP.
var (
	ruleStatus         = newRule("status", "sivu help contract, 4", "a good address answers with status 200, and whole")
	ruleContentType    = newRule("content-type", "sivu help contract, 4", "Content-Type is application/json, without a parameter")
	ruleAllow          = newRule("allow-header", "sivu help contract, 4", "Allow is GET, HEAD, OPTIONS")
	ruleVary           = newRule("vary-header", "sivu help contract, 4", "Vary names Accept")
	ruleErrorHeaders   = looseRule("error-headers", "sivu help contract, 4", "errors carry the same Allow, Content-Type and Vary as other answers")
	ruleCORS           = looseRule("cors-header", "sivu help contract, 4", "Access-Control-Allow-Origin is *; a preview names loopback origins only")
	rulePreflight      = looseRule("preflight", "sivu help contract, 4.3", "a preflight gets the answer to OPTIONS, with Access-Control-Allow-Methods")
	rulePageQuery      = newRule("page-query", "sivu help contract, 4.1", "page picks the list page, wherever it stands in the query; other parameters are ignored, and of a repeated one the last counts")
	ruleFormatQuery    = newRule("format-query", "sivu help contract, 4.1", "format=api picks the api variant, wherever it stands in the query; other formats are ignored")
	ruleNotFoundStatus = looseRule("not-found-status", "sivu help contract, 7", "unknown records and list pages answer with status 404")
	ruleNotFoundBody   = looseRule("not-found-body", "sivu help contract, 7", "the body of a 404 is "+notFoundBody)
	ruleMethodStatus   = newRule("method-status", "sivu help contract, 7", "methods other than GET, HEAD and OPTIONS answer with status 405")
	ruleMethodBody     = looseRule("method-body", "sivu help contract, 7", "the body of a 405 is "+methodBody)
	ruleHead           = newRule("head", "sivu help contract, 4.3", "HEAD answers with the status and headers of GET, and no body")
	ruleOptionsStatus  = newRule("options-status", "sivu help contract, 4.3", "OPTIONS answers with status 200")
	ruleOptionsBody    = looseRule("options-body", "sivu help contract, 4.3", "the body of OPTIONS is "+optionsBody)
	ruleSlash          = looseRule("slash-redirect", "sivu help contract, 7", "without the slash at its end an address answers with 308 to the one with it, the query kept, or with 404")
	ruleConditional    = newRule("conditional-request", "RFC 9110, section 13", "a validator that was sent gives 304 without a body, and another one gives 200")
	ruleCompression    = newRule("compression", "RFC 9110, section 12.5.3", "a compressed answer was asked for, has the bytes of the plain one, and its Vary names Accept-Encoding")
	ruleStateHidden    = looseRule("state-hidden", "sivu help contract, 11", "nothing below .sivu is served")
	ruleRedirect       = newRule("redirect", "sivu help contract, 4", "no answer sends clients elsewhere")
)

var ruleBudget = newRule("budget", "sivu verify --help", "a service can be checked with a bounded number of requests and bytes, in a bounded time")
