package verify_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/andybalholm/brotli"
	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"example.org/sivu/generator/verify"
)

const (
	stamp   = "2020-01-02T03:04:05.678901Z"
	comment = "<!-- modified: 2020-01-02T03:04:05 -->"
	otherID = "6e6f7420-6865-4265-8e6f-742068657265"
)

// breakage is one way in which a snapshot does not keep the contract.
type breakage struct {
	name  string
	spoil func(f files)
	rules string // names of the rules that must be found, and no others
	at    string // a finding must be there; "" for anywhere
}

// inRecord changes record i wherever it stands: in both variants of its list
// page and of itself.
func inRecord(i int, old, new string) func(f files) {
	return func(f files) {
		whole := f[f.detail(i)]
		head := whole[:strings.Index(whole, `,"url":"https`)]
		changed := strings.Replace(head, old, new, 1)
		if head == changed {
			panic("no " + old + " in " + head)
		}
		f.replace(head, changed, slices.Concat(pages(1+i/10), f.details(i))...)
	}
}

// inDetail changes record 3 in detail, in both variants.
func inDetail(old, new string) func(f files) {
	return func(f files) { f.replace(old, new, f.details(3)...) }
}

// inFirst changes list page 1 under both names, in the plain variant.
func inFirst(old, new string) func(f files) {
	return func(f files) { f.replace(old, new, "pages/index.json", "pages/page-1.json") }
}

// inLast changes the last list page in both variants.
func inLast(old, new string) func(f files) {
	return func(f files) { f.replace(old, new, pages(3)...) }
}

func both(one, other func(f files)) func(f files) {
	return func(f files) {
		one(f)
		other(f)
	}
}

func put(name, text string) func(f files) { return func(f files) { f[name] = text } }

func drop(names ...string) func(f files) {
	return func(f files) {
		for _, name := range names {
			if _, ok := f[name]; !ok {
				panic("no " + name)
			}
			delete(f, name)
		}
	}
}

// results returns where the records of a list page begin and end in it.
func results(list string) (elements []string) {
	from := strings.Index(list, `"results":[`) + len(`"results":[`)
	for element := range strings.SplitSeq(strings.TrimSuffix(list[from:], "]}"), `},{"language"`) {
		elements = append(elements, element)
	}
	for i := range elements {
		if i > 0 {
			elements[i] = `{"language"` + elements[i]
		}
		if i < len(elements)-1 {
			elements[i] += "}"
		}
	}
	return elements
}

// relist puts the records of list pages, in the order that edit gives them.
func (f files) relist(names []string, edit func([]string) []string) {
	for _, name := range names {
		from := strings.Index(f[name], `"results":[`) + len(`"results":[`)
		f[name] = f[name][:from] + strings.Join(edit(results(f[name])), ",") + "]}"
	}
}

func swap(i, j int) func([]string) []string {
	return func(l []string) []string {
		l[i], l[j] = l[j], l[i]
		return l
	}
}

func less(i int) func([]string) []string {
	return func(l []string) []string { return slices.Delete(l, i, i+1) }
}

var breakages = []breakage{
	// Bodies as JSON.
	{"body cut short", func(f files) { f.cut(f.details(3)) }, "json", ""},
	{"list cut short", func(f files) { f.cut(pages(2)) }, "json", "pages/page-2.json"},
	{"HTML for JSON", func(f files) { f.set("<!doctype html>", f.details(3)...) }, "json", ""},
	{"empty body", func(f files) { f.set("", pages(3)...) }, "json", "pages/page-3.json"},
	{"text after the body", func(f files) { f.append("null", f.details(3)...) }, "json", ""},
	{"control character", inDetail("Text", "Te\x01xt"), "json", ""},
	{"deep nesting", inDetail(`"embeds":[]`, `"embeds":[`+strings.Repeat("[", 300)+strings.Repeat("]", 300)+`]`), "json", ""},
	{"byte order mark", func(f files) { f.prepend("\uFEFF", f.details(3)...) }, "json-encoding", ""},
	{"invalid UTF-8", inRecord(3, "äö", "\xe4ö"), "json-encoding", ""},
	{"half a surrogate pair", inDetail("Text", `\ud83d`), "json-encoding", ""},
	{"final newline", func(f files) { f.append("\n", f.details(3)...) }, "json-bytes", ""},
	{"space after a comma", func(f files) { f.replace(`,"next"`, `, "next"`, pages(2)...) }, "json-bytes", "pages/page-2.json"},
	{"escaped slash", inDetail("</p>", `<\/p>`), "json-bytes", ""},
	{"escaped less-than", inDetail("<p>", `\u003cp>`), "json-bytes", ""},
	{"escaped letter", inRecord(3, "ä", `\u00e4`), "json-bytes", ""},
	{"escape in capitals", inDetail("Text", `\u001F`), "json-bytes", ""},
	{"long escape", inDetail("Text", `\u000a`), "json-bytes", ""},
	{"line separator as it is", inDetail("Text", "\u2028"), "json-bytes", ""},
	{"key twice", inDetail(`"embeds":[]`, `"embeds":[],"embeds":[]`), "json-duplicate-key", ""},
	{"meta key twice", inRecord(3, `"windowtitle"`, `"title":"a","windowtitle"`), "json-duplicate-key", ""},

	// Keys.
	{"keys of the envelope in another order", func(f files) {
		f.replace(`{"count":25,"next":`, `{"next":`, pages(3)...)
		f.replace(`"results"`, `"count":25,"results"`, pages(3)...)
	}, "key-order", "pages/page-3.json"},
	{"keys of a record in another order", both(inRecord(3, `{"language":"fi","meta"`, `{"meta"`), inRecord(3, `"created"`, `"language":"fi","created"`)), "key-order", ""},
	{"keys of meta in another order than in the list", func(f files) {
		f.replace(`"description":null,"windowtitle":"a\\b"`, `"windowtitle":"a\\b","description":null`, f.details(3)...)
	}, "key-order", ""},
	{"stray key in the envelope", inLast(`"results"`, `"pages":3,"results"`), "extra-key", "pages/page-3.json"},
	{"stray key in a record", inRecord(3, `"created"`, `"id":1,"created"`), "extra-key", ""},
	{"stray key in detail", inDetail(`"content"`, `"kind":"page","content"`), "extra-key", ""},
	{"no count", inLast(`"count":25,`, ``), "envelope-keys", "pages/page-3.json"},
	{"no previous", inLast(`"previous":`, `"before":`), "envelope-keys extra-key previous", "pages/page-3.json"},
	{"no embeds", inDetail(`,"embeds":[]`, ``), "record-keys", ""},
	{"no language", inRecord(3, `"language":"fi",`, ``), "record-keys", ""},
	{"content in the list", func(f files) { f.replace(`,"url":"https`, `,"content":"","url":"https`, pages(1)...) }, "list-form", "pages/index.json"},

	// Types.
	{"count is a string", inLast(`"count":25`, `"count":"25"`), "envelope-types", "pages/page-3.json"},
	{"count with a fraction", inLast(`"count":25`, `"count":25.0`), "envelope-types", "pages/page-3.json"},
	{"next is false", inLast(`"next":null`, `"next":false`), "envelope-types", "pages/page-3.json"},
	{"previous is empty", func(f files) { f.replace(`"previous":null`, `"previous":""`, pages(1)...) }, "envelope-types", "pages/index.json"},
	{"results is an object", func(f files) {
		f.set(`{"count":25,"next":null,"previous":"`+testBase+`/pages/?page=2","results":{}}`, "pages/page-3.json")
	}, "envelope-types", "pages/page-3.json"},
	{"list is an array", func(f files) { f.set("[]", pages(3)...) }, "envelope-types", "pages/page-3.json"},
	{"record is null", func(f files) { f.relist(pages(3), func(l []string) []string { l[0] = "null"; return l }) }, "envelope-types", ""},
	{"language is null", inRecord(3, `"language":"fi"`, `"language":null`), "record-types", ""},
	{"created is a number", inRecord(3, `"created":"2019-05-11T08:06:31.004512Z"`, `"created":1557562`), "record-types", ""},
	{"meta is an array", func(f files) { f.metaOf(3, `[]`) }, "record-types", ""},
	{"content is null", func(f files) { f.contentOf(3, `null`) }, "record-types", ""},
	{"embeds is null", inDetail(`"embeds":[]`, `"embeds":null`), "record-types", ""},
	{"detail is an array", func(f files) { f.set("[]", f.details(3)...) }, "record-types", ""},

	// The walk.
	{"wrong count", func(f files) { f.everywhere(`"count":25`, `"count":24`) }, "count", "pages/index.json"},
	{"count of far more", func(f files) { f.everywhere(`"count":25`, `"count":45`) }, "count", "pages/index.json"},
	{"count of far less", func(f files) { f.everywhere(`"count":25`, `"count":5`) }, "count", "pages/index.json"},
	{"count of one list page", inLast(`"count":25`, `"count":26`), "count-equal", "pages/page-3.json"},
	{"record dropped from a full list page", func(f files) { f.relist(pages(2), less(4)) }, "page-size file-surplus", "pages/page-2.json"},
	{"record dropped from the last list page", func(f files) { f.relist(pages(3), less(1)) }, "count file-surplus", "pages/index.json"},
	{"list page of eleven", func(f files) {
		for _, variant := range []string{".json", ".api.json"} {
			var moved string
			f.relist([]string{"pages/page-3" + variant}, func(l []string) []string { moved = l[0]; return l[1:] })
			f.relist([]string{"pages/page-2" + variant}, func(l []string) []string { return append(l, moved) })
		}
	}, "page-size", "pages/page-2.json"},
	{"next on the last list page", func(f files) {
		f.replace(`"next":null`, `"next":"`+testBase+`/pages/?page=4"`, "pages/page-3.json")
	}, "next", "pages/page-3.json"},
	{"next null too early", func(f files) {
		f.replace(`"next":"`+testBase+`/pages/?page=3"`, `"next":null`, "pages/page-2.json")
	}, "next", "pages/page-2.json"},
	{"next skips a list page", inFirst(`?page=2"`, `?page=3"`), "next", "pages/index.json"},
	{"next with a parameter too many", inFirst(`?page=2"`, `?page=2&a=b"`), "next", "pages/index.json"},
	{"next leads back", func(f files) {
		f.replace(`"next":"`+testBase+`/pages/?page=3"`, `"next":"`+testBase+`/pages/?page=2"`, "pages/page-2.json")
	}, "walk-end", "pages/page-2.json"},
	{"last next leads to the first", func(f files) {
		f.replace(`"next":null`, `"next":"`+testBase+`/pages/"`, "pages/page-3.json")
	}, "walk-end", "pages/page-3.json"},
	{"list page 2 is list page 1", func(f files) { f["pages/page-2.json"] = f["pages/index.json"] }, "walk-end", "pages/page-2.json"},
	{"previous on the first list page", func(f files) {
		f.replace(`"previous":null`, `"previous":"`+testBase+`/pages/?page=3"`, "pages/index.json", "pages/page-1.json")
	}, "previous", "pages/index.json"},
	{"previous with page=1", func(f files) {
		f.replace(`"previous":"`+testBase+`/pages/"`, `"previous":"`+testBase+`/pages/?page=1"`, "pages/page-2.json")
	}, "previous", "pages/page-2.json"},
	{"previous null too early", func(f files) {
		f.replace(`"previous":"`+testBase+`/pages/?page=2"`, `"previous":null`, "pages/page-3.json")
	}, "previous", "pages/page-3.json"},
	{"next at another origin", inFirst(`"next":"https://api.example.org/`, `"next":"https://evil.example.org/`), "link-base", "pages/index.json"},
	{"next is relative", inFirst(`"next":"https://api.example.org/`, `"next":"/`), "link-base", "pages/index.json"},
	{"next leaves by dots", inFirst(`/pages/?page=2`, `/pages/%2e%2e/%2e%2e/?page=2`), "link-base", "pages/index.json"},
	{"url on another base", func(f files) { f.urlOf(3, "https://api.example.org/", "https://old.example.org/") }, "link-base", ""},
	{"http for https", func(f files) { f.urlOf(3, "https://", "http://") }, "link-base", ""},
	{"url of another style", func(f files) { f.replace(`/","content"`, `/index.json","content"`, f.detail(3)) }, "link-style", ""},
	{"next of another style", inFirst(`/pages/?page=2`, `/pages/page-2.json?page=2`), "link-style", "pages/index.json"},
	{"api next leads to the plain variant", func(f files) {
		f.replace(`?format=api&page=3"`, `?page=3"`, "pages/page-2.api.json")
	}, "link-variant", "pages/page-2.api.json"},
	{"api url leads to the plain variant", func(f files) { f.replace(`/?format=api"`, `/"`, "pages/page-3.api.json") }, "link-variant", "pages/page-3.api.json"},
	{"api detail names the plain variant", func(f files) { f.replace(`?format=api`, ``, f.details(3)[1]) }, "link-variant", ""},
	{"plain previous leads to the api variant", func(f files) {
		f.replace(`/?page=2"`, `/?format=api&page=2"`, "pages/page-3.json")
	}, "link-variant", "pages/page-3.json"},
	{"api index is the plain one", func(f files) {
		f.set(f["pages/index.json"], "pages/index.api.json", "pages/page-1.api.json")
	}, "link-variant", "pages/index.api.json"},
	{"page before format", func(f files) {
		f.replace(`?format=api&page=3"`, `?page=3&format=api"`, "pages/page-2.api.json")
	}, "query-order", "pages/page-2.api.json"},
	{"list page missing", drop("pages/page-2.json"), "link-target", "pages/page-2.json"},
	{"first list page missing", drop("pages/index.json"), "link-target", "pages/index.json"},
	{"record missing", func(f files) { drop(f.details(3)...)(f) }, "link-target", ""},
	{"api variant of a record missing", func(f files) { drop(f.details(3)[1])(f) }, "link-target", ""},

	// Records.
	{"language is no tag", inRecord(3, `"language":"fi"`, `"language":"finnish language"`), "language", ""},
	{"seven-digit microseconds", inRecord(3, "04512Z", "045120Z"), "timestamp", ""},
	{"milliseconds", inRecord(3, "004512Z", "004Z"), "timestamp", ""},
	{"no fraction", inRecord(24, ".000000Z", "Z"), "timestamp", ""},
	{"another zone", inRecord(3, "004512Z", "004512+00:00"), "timestamp", ""},
	{"a day that is none", inRecord(24, `"created":"2015-01-01`, `"created":"2015-02-30`), "timestamp", ""},
	{"modified before created", both(inRecord(3, `"modified":"2020-`, `"modified":"2018-`), inDetail("modified: 2020-", "modified: 2018-")), "date-order", ""},
	{"two records swapped", func(f files) { f.relist(pages(2), swap(3, 6)) }, "order", "pages/page-2.json"},
	{"two records of one time swapped", func(f files) { f.relist(pages(2), swap(2, 3)) }, "order", "pages/page-2.json"},
	{"records swapped across list pages", func(f files) {
		f.exchange("pages/page-1.json", 9, "pages/page-2.json", 0)
		f.exchange("pages/page-1.api.json", 9, "pages/page-2.api.json", 0)
		f["pages/index.json"], f["pages/index.api.json"] = f["pages/page-1.json"], f["pages/page-1.api.json"]
	}, "order", "pages/page-2.json"},
	{"url of another record", func(f files) {
		f.replace(f.record(3), f.record(4), f.details(3)...)
	}, "url", ""},
	{"url without its slash", func(f files) { f.replace(`/","content"`, `","content"`, f.detail(3)) }, "url", ""},
	{"id in capitals", func(f files) {
		f.replace("/"+f.record(3)+"/", "/"+strings.ToUpper(f.record(3))+"/", slices.Concat(pages(1), f.details(3))...)
	}, "id-case", ""},
	{"id without hyphens", func(f files) {
		f.replace("/"+f.record(3)+"/", "/"+strings.ReplaceAll(f.record(3), "-", "")+"/", slices.Concat(pages(1), f.details(3))...)
	}, "id-form", ""},
	{"record listed twice", func(f files) {
		f.relist(pages(2), func(l []string) []string { l[1] = l[0]; return l })
	}, "id-unique file-surplus", "pages/page-2.json"},
	{"title differs from the list", inDetail(`"title":"Sivu`, `"title":"Page`), "record-equal", ""},
	{"modified differs from the list", inDetail(`"modified":"`+stamp, `"modified":"2020-01-02T03:04:05.678902Z`), "record-equal", ""},
	{"meta key more than in the list", inDetail(`"description"`, `"a":null,"description"`), "record-equal", ""},
	{"api title differs", func(f files) { f.replace(`"title":"Sivu`, `"title":"Page`, f.details(3)[1]) }, "variants-equal", ""},
	{"api content differs", func(f files) { f.replace("Text", "Other", f.details(3)[1]) }, "variants-equal", ""},
	{"api list differs", func(f files) { f.replace(`"title":"Sivu`, `"title":"Page`, "pages/page-2.api.json") }, "variants-equal", "pages/page-2.api.json"},
	{"api list in another order", func(f files) { f.relist([]string{"pages/page-2.api.json"}, swap(3, 6)) }, "variants-equal", "pages/page-2.api.json"},

	// What records hold.
	{"meta value is a number", inRecord(3, `"description":null`, `"description":12`), "meta-value", ""},
	{"meta value is an array", inRecord(3, `"description":null`, `"keywords":["a"]`), "meta-value", ""},
	{"no title", inRecord(3, `"title":`, `"heading":`), "meta-title", ""},
	{"title is null", inRecord(24, `"title":"Palaute"`, `"title":null`), "meta-title", ""},
	{"meta.url with a slash before it", inRecord(24, `"url":"palaute"`, `"url":"/palaute"`), "meta-url", ""},
	{"meta.url is a full address", inRecord(24, `"url":"palaute"`, `"url":"https://example.org/palaute"`), "meta-url", ""},
	{"meta.url with a query", inRecord(24, `"url":"palaute"`, `"url":"palaute?a"`), "meta-url", ""},
	{"meta.url with dots", inRecord(24, `"url":"palaute"`, `"url":"fi/../palaute"`), "meta-url", ""},
	{"meta.url is null", inRecord(24, `"url":"palaute"`, `"url":null`), "meta-url", ""},
	{"meta.url of another language", inRecord(3, `"url":"fi/`, `"url":"en/`), "meta-url-language", ""},
	{"localinfodoc is no number", inRecord(3, `"description":null`, `"localinfodoc":"12a"`), "meta-known", ""},
	{"imagebannerlink is relative", inRecord(3, `"description":null`, `"imagebannerlink":"/a.jpg"`), "meta-known", ""},
	{"windowtitle is null", inRecord(3, `"windowtitle":"a\\b"`, `"windowtitle":null`), "meta-known", ""},
	{"no comment", inDetail(comment, ""), "content-comment", ""},
	{"comment of another form", inDetail("modified: 2020-01-02T03:04:05", "changed 2020"), "content-comment", ""},
	{"comment with a zone", inDetail("T03:04:05 -->", "T03:04:05Z -->"), "content-comment", ""},
	{"comment that does not end", inDetail(comment, "<!-- modified: 2020-01-02T03:04:05 "), "content-comment", ""},
	{"comment of another time", inDetail("T03:04:05 -->", "T03:04:06 -->"), "content-modified", ""},
	{"no div", inDetail(`<div class=\"xmldoc\">`, ""), "content-div", ""},
	{"div of another class", inDetail("xmldoc", "content"), "content-div", ""},
	{"div that does not end", inDetail("</div>", ""), "content-div", ""},
	{"two divs", inDetail("</div>", `</div><div class=\"xmldoc\"></div>`), "content-div", ""},
	{"text after the div", inDetail("</div>", "</div>more"), "content-div", ""},
	{"end tag too many", inDetail("Text", "Text</div>"), "content-div", ""},
	{"element that stays open", inDetail("Text", "<i>Text"), "content-div", ""},
	{"comment that swallows the end", inDetail("Text", "<!--"), "content-div", ""},
	{"script that swallows the end", inDetail("Text", "<script>"), "content-div", ""},
	{"elements that cross", inDetail("Text", "<i><u>Text</i></u>"), "content-div", ""},
	{"half a tag at the end", inDetail("</div>", "</div><b"), "content-div", ""},
	{"space before the div", inDetail(comment, comment+" "), "content-bytes", ""},
	{"space before the comment", inDetail(comment, " "+comment), "content-bytes", ""},
	{"newline after the div", inDetail("</div>", `</div>\n`), "content-bytes", ""},
	{"comment without spaces", inDetail(comment, "<!--modified:2020-01-02T03:04:05-->"), "content-bytes", ""},
	{"div with two classes", inDetail(`class=\"xmldoc\"`, `class=\"a xmldoc\"`), "content-bytes", ""},
	{"embed without an address", inDetail(`"embeds":[]`, `"embeds":[{}]`), "embeds", ""},
	{"embed is a string", inDetail(`"embeds":[]`, `"embeds":["https://example.org/"]`), "embeds", ""},
	{"embed over http", inDetail(`"embeds":[]`, `"embeds":[{"uri":"http://example.org/"}]`), "embeds", ""},
	{"embed with a stray key", inDetail(`"embeds":[]`, `"embeds":[{"uri":"https://example.org/","a":1}]`), "embeds", ""},

	// Files.
	{"page-1 missing", drop("pages/page-1.json"), "first-page", "pages/page-1.json"},
	{"page-1 differs", func(f files) { f.append("\n", "pages/page-1.api.json") }, "first-page", "pages/page-1.api.json"},
	{"404.json missing", drop("404.json"), "error-body", "404.json"},
	{"405.json with a newline", func(f files) { f.append("\n", "405.json") }, "error-body", "405.json"},
	{"record that is not listed", put("pages/"+otherID+"/index.json", "{}"), "file-surplus", "pages/" + otherID + "/index.json"},
	{"api variant that is not listed", put("pages/"+otherID+"/index.api.json", "{}"), "file-surplus", "pages/" + otherID + "/index.api.json"},
	{"list page too many", put("pages/page-4.json", `{"count":0,"next":null,"previous":null,"results":[]}`), "file-surplus", "pages/page-4.json"},
	{"list page with a zero before its number", put("pages/page-02.json", "{}"), "file-surplus", "pages/page-02.json"},
	{"temporary file", put("pages/index.json.tmp", ""), "file-surplus", "pages/index.json.tmp"},
	{"hidden file", put("pages/.DS_Store", ""), "file-surplus", "pages/.DS_Store"},
	{"file beside a record", func(f files) { f["pages/"+f.record(0)+"/index.html"] = "" }, "file-surplus", ""},
	{"folder that is no record", put("pages/old/index.json", "{}"), "file-surplus", "pages/old"},
	{"folder of an id in capitals", put("pages/"+strings.ToUpper(otherID)+"/index.json", "{}"), "file-surplus", ""},
	{"sibling without its file", put("pages/page-9.json.gz", ""), "sibling-alone file-surplus", "pages/page-9.json.gz"},
}

// folders are breakages that take more than other bytes in files.
var folders = []struct {
	name  string
	open  func(t *testing.T, f files) fs.FS
	rules string
	at    string
}{
	{"symbolic link for a list page", func(t *testing.T, f files) fs.FS {
		return withMode(f, "pages/page-2.json", fs.ModeSymlink)
	}, "file-kind link-target", "pages/page-2.json"},
	{"pipe for a record", func(t *testing.T, f files) fs.FS {
		return withMode(f, f.detail(3), fs.ModeNamedPipe)
	}, "file-kind link-target", ""},
	{"pages is a symbolic link", func(t *testing.T, f files) fs.FS {
		return fstest.MapFS{"404.json": {Data: []byte(f["404.json"])}, "405.json": {Data: []byte(f["405.json"])}, "pages": {Mode: fs.ModeSymlink}}
	}, "file-kind link-target", "pages"},
	{"folder for a list page", func(t *testing.T, f files) fs.FS {
		delete(f, "pages/page-2.json")
		f["pages/page-2.json/a"] = ""
		return f.fs()
	}, "file-surplus link-target", "pages/page-2.json"},
	{"symbolic link beside the snapshot's files", func(t *testing.T, f files) fs.FS {
		return withMode(f, "pages/latest", fs.ModeSymlink)
	}, "file-kind", "pages/latest"},
	{"record of 65 MiB", func(t *testing.T, f files) fs.FS {
		dir := t.TempDir()
		if err := os.CopyFS(dir, f.fs()); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(filepath.Join(dir, filepath.FromSlash(f.detail(3))), 65<<20); err != nil {
			t.Fatal(err)
		}
		return os.DirFS(dir)
	}, "body-size", ""},
	{"list page that changes meanwhile", func(t *testing.T, f files) fs.FS {
		return &changing{FS: f.fs(), name: "pages/page-2.json"}
	}, "walk-back", "pages/page-2.json"},
	{"gzip of other bytes", withSibling("pages/page-2.json", "gz", "other"), "sibling-bytes", "pages/page-2.json.gz"},
	{"brotli of other bytes", withSibling("404.json", "br", "other"), "sibling-bytes", "404.json.br"},
	{"zstd of the variant", func(t *testing.T, f files) fs.FS {
		f["pages/index.json.zst"] = pack(t, "zst", f["pages/index.api.json"])
		return f.fs()
	}, "sibling-bytes", "pages/index.json.zst"},
	{"gzip cut short", func(t *testing.T, f files) fs.FS {
		f["pages/index.json.gz"] = pack(t, "gz", f["pages/index.json"])
		f.cut([]string{"pages/index.json.gz"})
		return f.fs()
	}, "sibling-bytes", "pages/index.json.gz"},
	{"no brotli", func(t *testing.T, f files) fs.FS {
		f[f.detail(3)+".br"] = f[f.detail(3)]
		return f.fs()
	}, "sibling-bytes", ""},
	{"bomb", withSibling("405.json", "zst", strings.Repeat("a", 100<<20)), "sibling-bytes", "405.json.zst"},
	{"sibling of a file that is gone", func(t *testing.T, f files) fs.FS {
		f["404.json.gz"] = pack(t, "gz", f["404.json"])
		delete(f, "404.json")
		return f.fs()
	}, "sibling-alone error-body", "404.json.gz"},
}

func withMode(f files, name string, mode fs.FileMode) fs.FS {
	fsys := f.fs()
	fsys[name] = &fstest.MapFile{Mode: mode, Data: []byte("elsewhere")}
	return fsys
}

func withSibling(name, coding, text string) func(t *testing.T, f files) fs.FS {
	return func(t *testing.T, f files) fs.FS {
		f[name+"."+coding] = pack(t, coding, text)
		return f.fs()
	}
}

// changing is a folder in which a file has other bytes when it is opened again.
type changing struct {
	fs.FS

	name string
	mu   sync.Mutex
	n    int
}

func (c *changing) Open(name string) (fs.File, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if name == c.name {
		if c.n++; c.n > 1 {
			return fstest.MapFS{name: {Data: []byte("{}")}}.Open(name)
		}
	}
	return c.FS.Open(name)
}

func pack(t testing.TB, coding, text string) string {
	t.Helper()
	var b bytes.Buffer
	var w io.WriteCloser
	switch coding {
	case "gz":
		w = gzip.NewWriter(&b)
	case "br":
		w = brotli.NewWriter(&b)
	default:
		encoder, err := zstd.NewWriter(&b)
		if err != nil {
			t.Fatal(err)
		}
		w = encoder
	}
	_, err := io.WriteString(w, text)
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Every breakage is found, by the rules that it breaks and by no others.
func TestBreakages(t *testing.T) {
	for _, b := range breakages {
		t.Run(b.name, func(t *testing.T) {
			f := snapshot(t, testBase, "")
			b.spoil(f)
			wantRules(t, check(t, f.fs(), verify.Options{}), b.rules, b.at)
		})
	}
	for _, b := range folders {
		t.Run(b.name, func(t *testing.T) {
			fsys := b.open(t, snapshot(t, testBase, ""))
			wantRules(t, check(t, fsys, verify.Options{}), b.rules, b.at)
		})
	}
}

func wantRules(t *testing.T, r *verify.Report, rules, at string) {
	t.Helper()
	if diff := cmp.Diff(slices.Sorted(strings.FieldsSeq(rules)), found(r)); diff != "" {
		t.Errorf("%s\n%s", diff, described(r))
	}
	if at != "" && !slices.ContainsFunc(r.Findings, func(f verify.Finding) bool { return f.Address == at }) {
		t.Errorf("nothing is found at %s:\n%s", at, described(r))
	}
}

// Every rule of the walk has a breakage, and every rule is documented.
func TestRules(t *testing.T) {
	proven := map[string]bool{}
	for _, b := range breakages {
		for name := range strings.FieldsSeq(b.rules) {
			proven[name] = true
		}
	}
	for _, b := range folders {
		for name := range strings.FieldsSeq(b.rules) {
			proven[name] = true
		}
	}
	for _, rule := range verify.WalkRules {
		if !proven[rule.Name] {
			t.Errorf("no breakage is for %s", rule.Name)
		}
	}
	names := map[string]bool{}
	for _, rule := range verify.Rules {
		if names[rule.Name] {
			t.Errorf("two rules are named %s", rule.Name)
		}
		names[rule.Name] = true
		if rule.Doc == "" || rule.Section == "" || rule.Name != strings.ToLower(rule.Name) {
			t.Errorf("%q is not documented: %q, %q", rule.Name, rule.Section, rule.Doc)
		}
	}
}

// Siblings that are in step, files of others at the top and sivu's own state are
// no findings.
func TestOtherFiles(t *testing.T) {
	f := snapshot(t, testBase, "")
	for name, text := range maps.Clone(f) {
		for _, coding := range []string{"gz", "br", "zst"} {
			f[name+"."+coding] = pack(t, coding, text)
		}
	}
	f["_headers"], f["404.html"], f["assets/pages/a.json"], f[".sivu/stage/pages/a"], f["index.html.gz"] = "", "", "", "", ""
	wantRules(t, check(t, f.fs(), verify.Options{}), "", "")
}

// Where the host makes the api variants, they are not due, and surplus.
func TestPlainOnly(t *testing.T) {
	f := snapshot(t, testBase, "")
	wantRules(t, check(t, f.fs(), verify.Options{PlainOnly: true}), "file-surplus", "")
	for name := range f {
		if strings.HasSuffix(name, ".api.json") {
			delete(f, name)
		}
	}
	wantRules(t, check(t, f.fs(), verify.Options{PlainOnly: true}), "", "")
	wantRules(t, check(t, f.fs(), verify.Options{}), "link-target", "pages/index.api.json")
}
