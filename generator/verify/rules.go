package verify

import "slices"

// Rules are all rules: those of a walk, those of requests, and that of both.
var Rules = slices.Concat(walkRules, httpRules, []*Rule{ruleBudget})

var ruleBudget = &Rule{Name: "budget", Section: "sivu verify --help",
	Doc: "a service can be checked with a bounded number of requests and bytes, in a bounded time"}

// walkRules are what a walk and the files of a folder are checked for. A new
// one is one more variable below, and a line here.
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

// Bodies as JSON.
var (
	ruleJSON = &Rule{Name: "json", Section: "contract.md 1",
		Doc: "every body is one JSON text"}
	ruleEncoding = &Rule{Name: "json-encoding", Section: "DESIGN.md, JSON bytes",
		Doc: "UTF-8 without a byte order mark, and no half of a surrogate pair"}
	ruleDuplicateKey = &Rule{Name: "json-duplicate-key", Section: "contract.md 2",
		Doc: "no object has a key twice"}
	ruleBytes = &Rule{Name: "json-bytes", Section: "DESIGN.md, JSON bytes", Loose: true,
		Doc: "no white space, no final newline, and only the escapes that are needed"}
	ruleKeyOrder = &Rule{Name: "key-order", Section: "DESIGN.md, key order", Loose: true,
		Doc: "keys stand in the fixed order, and those of meta as in the list"}
	ruleExtraKey = &Rule{Name: "extra-key", Section: "contract.md 2.1, 2.2, 2.4", Loose: true,
		Doc: "no key that the contract does not name"}
	ruleBodySize = &Rule{Name: "body-size", Section: "DESIGN.md, source pages",
		Doc: "no record is larger than 32 MiB, twice the largest source, or 4 MiB at a service of more than 300000 records, and no list page than 4 MiB"}
)

// The list envelope, and the links from list page to list page.
var (
	ruleEnvelopeKeys = &Rule{Name: "envelope-keys", Section: "contract.md 2.4",
		Doc: "a list page has count, next, previous and results"}
	ruleEnvelopeTypes = &Rule{Name: "envelope-types", Section: "contract.md 2.4",
		Doc: "count is an integer, next and previous are a string or null, results is an array of objects"}
	ruleCount = &Rule{Name: "count", Section: "contract.md 1, 2.4",
		Doc: "count is the number of records in the collection"}
	ruleCountEqual = &Rule{Name: "count-equal", Section: "contract.md 4.1 rule 1",
		Doc: "count is the same on every list page"}
	rulePageSize = &Rule{Name: "page-size", Section: "contract.md 8", Loose: true,
		Doc: "a list page has 10 records, the last one what is left"}
	ruleNext = &Rule{Name: "next", Section: "contract.md 2.4, 4.1",
		Doc: "next is the address of the next list page, null on the last"}
	rulePrevious = &Rule{Name: "previous", Section: "contract.md 2.4, 4.1",
		Doc: "previous is the address of the previous list page, null on the first, without page on the second"}
	ruleLinkBase = &Rule{Name: "link-base", Section: "contract.md 2.1, 2.4",
		Doc: "every link is an absolute address below the base address"}
	ruleLinkStyle = &Rule{Name: "link-style", Section: "DESIGN.md, link styles",
		Doc: "all links are of the one link style that is asked for"}
	ruleLinkVariant = &Rule{Name: "link-variant", Section: "contract.md 2.1, 2.4",
		Doc: "links of the api variant lead to the api variant, others never do"}
	ruleQueryOrder = &Rule{Name: "query-order", Section: "DESIGN.md, query keys in links", Loose: true,
		Doc: "format stands before page"}
	ruleLinkTarget = &Rule{Name: "link-target", Section: "contract.md 4.1, 4.2",
		Doc: "every link resolves"}
	ruleWalkEnd = &Rule{Name: "walk-end", Section: "contract.md 2.4, DESIGN.md, link styles",
		Doc: "a client that follows next meets every list page once, and comes to an end"}
	ruleWalkBack = &Rule{Name: "walk-back", Section: "contract.md 2.4",
		Doc: "the way back by previous meets the same list pages"}
)

// Records.
var (
	ruleListForm = &Rule{Name: "list-form", Section: "contract.md 2.2",
		Doc: "records in a list have neither content nor embeds"}
	ruleRecordKeys = &Rule{Name: "record-keys", Section: "contract.md 2.1, 2.2",
		Doc: "a record has language, meta, created, modified and url, in detail content and embeds too"}
	ruleRecordTypes = &Rule{Name: "record-types", Section: "contract.md 2.1, 2.2",
		Doc: "meta is an object, embeds an array, everything else a string"}
	ruleLanguage = &Rule{Name: "language", Section: "contract.md 2.1, DESIGN.md, language",
		Doc: "language is a language tag of BCP 47"}
	ruleTimestamp = &Rule{Name: "timestamp", Section: "contract.md 2.1, DESIGN.md, timestamps",
		Doc: "created and modified are instants in UTC with six digits and Z"}
	ruleDateOrder = &Rule{Name: "date-order", Section: "DESIGN.md, created, modified", Loose: true,
		Doc: "modified is not before created"}
	ruleOrder = &Rule{Name: "order", Section: "contract.md 4.1 rule 6, DESIGN.md, order of records", Loose: true,
		Doc: "records stand by created, descending, then by id"}
	ruleURL = &Rule{Name: "url", Section: "contract.md 2.1",
		Doc: "url is the absolute address of this record"}
	ruleIDForm = &Rule{Name: "id-form", Section: "contract.md 2.1",
		Doc: "the id in url is a UUID in 8-4-4-4-12 hexadecimal form"}
	ruleIDCase = &Rule{Name: "id-case", Section: "DESIGN.md, id", Loose: true,
		Doc: "the id in url has lower-case digits"}
	ruleIDUnique = &Rule{Name: "id-unique", Section: "contract.md 4.1 rule 5",
		Doc: "every record has an id of its own, and is listed once"}
	ruleRecordEqual = &Rule{Name: "record-equal", Section: "contract.md 4.2",
		Doc: "a record in detail equals the one in the list"}
	ruleVariantsEqual = &Rule{Name: "variants-equal", Section: "contract.md 4.1",
		Doc: "both variants have the same records in the same order, and differ in links only"}
)

// What records hold.
var (
	ruleMetaValue = &Rule{Name: "meta-value", Section: "contract.md 2.3",
		Doc: "every value of meta is a string or null"}
	ruleMetaTitle = &Rule{Name: "meta-title", Section: "contract.md 2.3",
		Doc: "meta has a title, which is a string"}
	ruleMetaURL = &Rule{Name: "meta-url", Section: "contract.md 2.3, DESIGN.md, meta.url",
		Doc: "meta.url is a path of segments, without a slash before it"}
	ruleMetaURLLanguage = &Rule{Name: "meta-url-language", Section: "contract.md 2.3",
		Doc: "meta.url does not begin with another language than the record's"}
	ruleMetaKnown = &Rule{Name: "meta-known", Section: "contract.md 2.3", Loose: true,
		Doc: "localinfodoc is digits, imagebannerlink an absolute address, windowtitle, socialmedia-image and availablelanguagestext are strings"}
	ruleContentComment = &Rule{Name: "content-comment", Section: "contract.md 2.2",
		Doc: "content begins with the comment modified: YYYY-MM-DDTHH:MM:SS"}
	ruleContentModified = &Rule{Name: "content-modified", Section: "contract.md 2.2",
		Doc: "the comment of content is modified, cut to seconds"}
	ruleContentDiv = &Rule{Name: "content-div", Section: "contract.md 2.2",
		Doc: "after the comment comes one div of class xmldoc, which ends where content ends"}
	ruleContentBytes = &Rule{Name: "content-bytes", Section: "DESIGN.md, content", Loose: true,
		Doc: "content is <!-- modified: T --><div class=\"xmldoc\">…</div> to the byte"}
	ruleEmbeds = &Rule{Name: "embeds", Section: "DESIGN.md, embeds element", Loose: true,
		Doc: "every element of embeds is {\"uri\": an absolute https address}"}
)

// The files of a folder.
var (
	ruleFirstPage = &Rule{Name: "first-page", Section: "DESIGN.md, the files of a snapshot", Loose: true,
		Doc: "page-1 is there, with the bytes of index"}
	ruleErrorBody = &Rule{Name: "error-body", Section: "DESIGN.md, the files of a snapshot", Loose: true,
		Doc: "404.json and 405.json are there, with the bodies of errors"}
	ruleFileSurplus = &Rule{Name: "file-surplus", Section: "DESIGN.md, the files of a snapshot",
		Doc: "pages holds only files of the snapshot, of which every record is listed, and those that a build keeps for a while"}
	ruleFileKind = &Rule{Name: "file-kind", Section: "DESIGN.md, the files of a snapshot",
		Doc: "files are regular files, not symbolic links, pipes or devices"}
	ruleSiblingBytes = &Rule{Name: "sibling-bytes", Section: "RFC 9110, section 8.4",
		Doc: "a .gz, .br or .zst unpacks to the bytes of the file beside it"}
	ruleSiblingAlone = &Rule{Name: "sibling-alone", Section: "RFC 9110, section 8.4",
		Doc: "no .gz, .br or .zst is without the file that it packs"}
)
