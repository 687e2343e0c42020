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

// Sections of DESIGN.md that several rules stand in.
const (
	silent        = "DESIGN.md, where the contract is silent"
	snapshotFiles = "DESIGN.md, the files of a snapshot"
)

func newRule(name, section, doc string) *Rule { return &Rule{Name: name, Section: section, Doc: doc} }

func looseRule(name, section, doc string) *Rule {
	return &Rule{Name: name, Section: section, Doc: doc, Loose: true}
}

// Bodies as JSON.
var (
	ruleJSON         = newRule("json", "contract.md 1", "every body is one JSON text")
	ruleEncoding     = newRule("json-encoding", "DESIGN.md, JSON bytes", "UTF-8 without a byte order mark, and no half of a surrogate pair")
	ruleDuplicateKey = newRule("json-duplicate-key", "contract.md 2", "no object has a key twice")
	ruleBytes        = looseRule("json-bytes", "DESIGN.md, JSON bytes", "no white space, no final newline, and only the escapes that are needed")
	ruleKeyOrder     = looseRule("key-order", "DESIGN.md, key order", "keys stand in the fixed order, and those of meta as in the list")
	ruleExtraKey     = looseRule("extra-key", "contract.md 2.1, 2.2, 2.4", "no key that the contract does not name")
	ruleBodySize     = newRule("body-size", "DESIGN.md, source pages", "no record is larger than 32 MiB, twice the largest source, or 4 MiB at a service of more than 300000 records, and no list page than 4 MiB")
)

// The list envelope, and the links from list page to list page.
var (
	ruleEnvelopeKeys  = newRule("envelope-keys", "contract.md 2.4", "a list page has count, next, previous and results")
	ruleEnvelopeTypes = newRule("envelope-types", "contract.md 2.4", "count is an integer, next and previous are a string or null, results is an array of objects")
	ruleCount         = newRule("count", "contract.md 1, 2.4", "count is the number of records in the collection")
	ruleCountEqual    = newRule("count-equal", "contract.md 4.1 rule 1", "count is the same on every list page")
	rulePageSize      = looseRule("page-size", "contract.md 8", "a list page has 10 records, the last one what is left")
	ruleNext          = newRule("next", "contract.md 2.4, 4.1", "next is the address of the next list page, null on the last")
	rulePrevious      = newRule("previous", "contract.md 2.4, 4.1", "previous is the address of the previous list page, null on the first, without page on the second")
	ruleLinkBase      = newRule("link-base", "contract.md 2.1, 2.4", "every link is an absolute address below the base address")
	ruleLinkStyle     = newRule("link-style", "DESIGN.md, link styles", "all links are of the one link style that is asked for")
	ruleLinkVariant   = newRule("link-variant", "contract.md 2.1, 2.4", "links of the api variant lead to the api variant, others never do")
	ruleQueryOrder    = looseRule("query-order", "DESIGN.md, query keys in links", "format stands before page")
	ruleLinkTarget    = newRule("link-target", "contract.md 4.1, 4.2", "every link resolves")
	ruleWalkEnd       = newRule("walk-end", "contract.md 2.4, DESIGN.md, link styles", "a client that follows next meets every list page once, and comes to an end")
	ruleWalkBack      = newRule("walk-back", "contract.md 2.4", "the way back by previous meets the same list pages")
)

// Records.
var (
	ruleListForm      = newRule("list-form", "contract.md 2.2", "records in a list have neither content nor embeds")
	ruleRecordKeys    = newRule("record-keys", "contract.md 2.1, 2.2", "a record has language, meta, created, modified and url, in detail content and embeds too")
	ruleRecordTypes   = newRule("record-types", "contract.md 2.1, 2.2", "meta is an object, embeds an array, everything else a string")
	ruleLanguage      = newRule("language", "contract.md 2.1, DESIGN.md, language", "language is a language tag of BCP 47")
	ruleTimestamp     = newRule("timestamp", "contract.md 2.1, DESIGN.md, timestamps", "created and modified are instants in UTC with six digits and Z")
	ruleDateOrder     = looseRule("date-order", "DESIGN.md, created, modified", "modified is not before created")
	ruleOrder         = looseRule("order", "contract.md 4.1 rule 6, DESIGN.md, order of records", "records stand by created, descending, then by id")
	ruleURL           = newRule("url", "contract.md 2.1", "url is the absolute address of this record")
	ruleIDForm        = newRule("id-form", "contract.md 2.1", "the id in url is a UUID in 8-4-4-4-12 hexadecimal form")
	ruleIDCase        = looseRule("id-case", "DESIGN.md, id", "the id in url has lower-case digits")
	ruleIDUnique      = newRule("id-unique", "contract.md 4.1 rule 5", "every record has an id of its own, and is listed once")
	ruleRecordEqual   = newRule("record-equal", "contract.md 4.2", "a record in detail equals the one in the list")
	ruleVariantsEqual = newRule("variants-equal", "contract.md 4.1", "both variants have the same records in the same order, and differ in links only")
)

// The values of records.
var (
	ruleMetaValue       = newRule("meta-value", "contract.md 2.3", "every value of meta is a string or null")
	ruleMetaTitle       = newRule("meta-title", "contract.md 2.3", "meta has a title, which is a string")
	ruleMetaURL         = newRule("meta-url", "contract.md 2.3, DESIGN.md, meta.url", "meta.url is a path of segments, without a slash before it")
	ruleMetaURLLanguage = newRule("meta-url-language", "contract.md 2.3", "meta.url does not begin with another language than the record's")
	ruleMetaKnown       = looseRule("meta-known", "contract.md 2.3", "localinfodoc is digits, imagebannerlink an absolute address, windowtitle, socialmedia-image and availablelanguagestext are strings")
	ruleContentComment  = newRule("content-comment", "contract.md 2.2", "content begins with the comment modified: YYYY-MM-DDTHH:MM:SS")
	ruleContentModified = newRule("content-modified", "contract.md 2.2", "the comment of content is modified, cut to seconds")
	ruleContentDiv      = newRule("content-div", "contract.md 2.2", "after the comment comes one div of class xmldoc, which ends where content ends")
	ruleContentBytes    = looseRule("content-bytes", "DESIGN.md, content", "content is <!-- modified: T --><div class=\"xmldoc\">…</div> to the byte")
	ruleEmbeds          = looseRule("embeds", "DESIGN.md, embeds element", "every element of embeds is {\"uri\": an absolute https address}")
)

// The files of a folder.
var (
	ruleFirstPage    = looseRule("first-page", snapshotFiles, "page-1 is there, with the bytes of index")
	ruleErrorBody    = looseRule("error-body", snapshotFiles, "404.json and 405.json are there, with the bodies of errors")
	ruleFileSurplus  = newRule("file-surplus", snapshotFiles, "pages holds only files of the snapshot, of which every record is listed, and those that a build keeps for a while")
	ruleFileKind     = newRule("file-kind", snapshotFiles, "files are regular files, not symbolic links, pipes or devices")
	ruleSiblingBytes = newRule("sibling-bytes", "RFC 9110, section 8.4", "a .gz, .br or .zst unpacks to the bytes of the file beside it")
	ruleSiblingAlone = newRule("sibling-alone", "RFC 9110, section 8.4", "no .gz, .br or .zst is without the file that it packs")
)

// HTTP.
var (
	ruleStatus         = newRule("status", "contract.md 4", "a good address answers with status 200, and whole")
	ruleContentType    = newRule("content-type", "contract.md 4", "Content-Type is application/json, without a parameter")
	ruleAllow          = newRule("allow-header", "contract.md 4", "Allow is GET, HEAD, OPTIONS")
	ruleVary           = newRule("vary-header", "contract.md 4", "Vary names Accept")
	ruleErrorHeaders   = looseRule("error-headers", silent, "errors carry the same Allow, Content-Type and Vary as other answers")
	ruleCORS           = looseRule("cors-header", silent, "Access-Control-Allow-Origin is *; a preview names loopback origins only")
	rulePreflight      = looseRule("preflight", silent, "a preflight gets the answer to OPTIONS, with Access-Control-Allow-Methods")
	rulePageQuery      = newRule("page-query", "contract.md 4.1", "page picks the list page, wherever it stands in the query; other parameters are ignored, and of a repeated one the last counts")
	ruleFormatQuery    = newRule("format-query", "contract.md 4.1", "format=api picks the api variant, wherever it stands in the query; other formats are ignored")
	ruleNotFoundStatus = looseRule("not-found-status", silent, "unknown records and list pages answer with status 404")
	ruleNotFoundBody   = looseRule("not-found-body", silent, "the body of a 404 is "+notFoundBody)
	ruleMethodStatus   = newRule("method-status", "contract.md 1", "methods other than GET, HEAD and OPTIONS answer with status 405")
	ruleMethodBody     = looseRule("method-body", silent, "the body of a 405 is "+methodBody)
	ruleHead           = newRule("head", "contract.md 4.3", "HEAD answers with the status and headers of GET, and no body")
	ruleOptionsStatus  = newRule("options-status", "contract.md 4.3", "OPTIONS answers with status 200")
	ruleOptionsBody    = looseRule("options-body", silent, "the body of OPTIONS is "+optionsBody)
	ruleSlash          = looseRule("slash-redirect", silent, "without the slash at its end an address answers with 308 to the one with it, the query kept, or with 404")
	ruleConditional    = newRule("conditional-request", "RFC 9110, section 13", "a validator that was sent gives 304 without a body, and another one gives 200")
	ruleCompression    = newRule("compression", "RFC 9110, section 12.5.3", "a compressed answer was asked for, has the bytes of the plain one, and its Vary names Accept-Encoding")
	ruleStateHidden    = looseRule("state-hidden", snapshotFiles, "nothing below .sivu is served")
	ruleRedirect       = newRule("redirect", "contract.md 4", "no answer sends clients elsewhere")
)

var ruleBudget = newRule("budget", "sivu verify --help", "a service can be checked with a bounded number of requests and bytes, in a bounded time")
