package verify

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// otherTag is an entity tag that nothing has.
const otherTag = `"sivu-verify-none"`

// foreignOrigin is the origin of a page in a browser. The name leads nowhere (RFC 6761).
const foreignOrigin = "https://sivu-verify.invalid"

// tryMethods makes requests that have to be refused. As a service may allow them after
// all, a method that it says it allows is not sent; see also client.message.
func (m *matrix) tryMethods(ctx context.Context, address string) {
	plain := m.ask(ctx, request{address: address})
	for _, method := range otherMethods {
		if plain == nil {
			return
		}
		r := request{method: method, address: address}
		if names(plain.Header, "Allow", method) {
			m.findIn(ruleMethodStatus, r, "405", "not sent, because Allow names it")
			continue
		}
		if a := m.expect(ctx, r, http.StatusMethodNotAllowed, ruleMethodStatus); a != nil {
			m.checkError(r, a)
		}
	}
}

// tryOptions makes a request with OPTIONS, plain and as the preflight of a browser, which
// has to get the same response (contract.md 4.3).
func (m *matrix) tryOptions(ctx context.Context, address string) {
	r := request{method: http.MethodOptions, address: address}
	plain := m.ask(ctx, r)
	if plain == nil {
		return
	}
	switch {
	case !m.isDirect(r, plain, "200"):
	case plain.Status != http.StatusOK:
		m.findIn(ruleOptionsStatus, r, "200", plain.short())
	default:
		m.checkFields(r, plain)
		m.require(string(plain.Body) == optionsBody, ruleOptionsBody, r, optionsBody, plain.excerpt())
	}
	r.header = []headerField{{"Origin", foreignOrigin}, {"Access-Control-Request-Method", http.MethodGet}}
	a := m.get(ctx, r, "200")
	switch {
	case a == nil:
		return
	case a.Status != plain.Status:
		m.findIn(rulePreflight, r, plain.short()+", as without Origin", a.short())
	case a.Sum != plain.Sum:
		m.findIn(rulePreflight, r, plain.excerpt()+", as without Origin", a.excerpt())
	}
	// OPTIONS may be left out: browsers never ask for it.
	const name = "Access-Control-Allow-Methods"
	methods := listOf(a.Header, name)
	slices.Sort(methods)
	came := strings.Join(slices.Compact(methods), ", ")
	m.require(came == allowedMethods || came == "GET, HEAD", rulePreflight, r, name+": "+allowedMethods, showField(a.Header, name))
	m.checkCORS(r, a)
}

// tryOrigin makes a request as a page of another origin does.
func (m *matrix) tryOrigin(ctx context.Context, address string) {
	r := request{address: address, header: []headerField{{"Origin", foreignOrigin}}}
	if a := m.get(ctx, r, "200"); a != nil {
		m.checkCORS(r, a)
	}
}

// headFields are the fields that HEAD must have as GET does. Others, such as Date, Age or
// the number of a request, differ between any two responses.
var headFields = []string{
	"Content-Type", "Allow", "Vary", "ETag", "Last-Modified", "Cache-Control",
	"Access-Control-Allow-Origin", "Content-Encoding", "Content-Language",
}

func (m *matrix) tryHead(ctx context.Context, address string) {
	get := m.ask(ctx, request{address: address})
	if get == nil || get.Fault != "" || isRedirect(get.Status) {
		return // found by the requests with GET
	}
	r := request{method: http.MethodHead, address: address}
	head := m.expect(ctx, r, get.Status, ruleHead)
	if head == nil {
		return
	}
	for _, name := range headFields {
		m.require(sameField(get.Header, head.Header, name), ruleHead, r, showField(get.Header, name), showField(head.Header, name))
	}
	const name = "Content-Length" // may be left out (RFC 9110, section 8.6)
	due, came := get.Header.Get(name), head.Header.Get(name)
	if due == "" && get.Header.Get("Content-Encoding") == "" {
		due = strconv.FormatInt(get.Size, 10)
	}
	m.require(came == "" || due == "" || came == due, ruleHead, r, name+": "+due, name+": "+came)
	m.require(!m.client.trailing(ctx, r), ruleHead, r, "no body", "a body")
}

// sameField compares a field of two responses. Entity tags are compared weakly (RFC 9110,
// section 8.8.3.2): Apache sends that of a file as a weak one while the file is younger
// than a second or so, and as a strong one afterwards.
func sameField(a, b http.Header, name string) bool {
	return slices.EqualFunc(a.Values(name), b.Values(name), func(a, b string) bool {
		return a == b || name == "ETag" && weak(a) == weak(b)
	})
}

func weak(tag string) string { return strings.TrimPrefix(tag, "W/") }

// ifNoneMatch returns If-None-Match with the tag of an answer in place of "%", or nil
// where it has none, or the pattern weakens a tag that is weak already.
func ifNoneMatch(of *answer, pattern string) []headerField {
	tag := of.Header.Get("ETag")
	if tag == "" || strings.HasPrefix(pattern, "W/") && strings.HasPrefix(tag, "W/") {
		return nil
	}
	return []headerField{{"If-None-Match", strings.ReplaceAll(pattern, "%", tag)}}
}

// ifModifiedSince returns If-Modified-Since with the date of an answer, moved by so much,
// or nil where it has none.
func ifModifiedSince(of *answer, later time.Duration) []headerField {
	at, err := http.ParseTime(of.Header.Get("Last-Modified"))
	if err != nil {
		return nil
	}
	return []headerField{{"If-Modified-Since", at.Add(later).UTC().Format(http.TimeFormat)}}
}

func (m *matrix) tryConditions(ctx context.Context, address string) {
	plain := m.askGood(ctx, address)
	if plain == nil {
		return
	}
	other, date := ifNoneMatch(plain, otherTag), ifModifiedSince(plain, 0)
	var both []headerField // another tag, and the same date: the date does not count
	if other != nil && date != nil {
		both = slices.Concat(other, date)
	}
	for _, c := range []struct {
		header []headerField // nil where the response has no validator for it
		due    int
	}{
		{ifNoneMatch(plain, "%"), http.StatusNotModified},
		{ifNoneMatch(plain, "*"), http.StatusNotModified},
		{ifNoneMatch(plain, otherTag+", %"), http.StatusNotModified},
		{ifNoneMatch(plain, "%, "+otherTag), http.StatusNotModified},
		{ifNoneMatch(plain, "W/%"), http.StatusNotModified}, // as caches ask that changed the coding
		{other, http.StatusOK},
		{date, http.StatusNotModified},
		{ifModifiedSince(plain, -24*time.Hour), http.StatusOK},
		{both, http.StatusOK},
	} {
		m.tryCondition(ctx, request{address: address, header: c.header}, c.due, plain, plain)
	}
}

// tryCondition makes a conditional request, if it has a header, with a validator of one
// answer. body is the answer that a 200 has to equal.
func (m *matrix) tryCondition(ctx context.Context, r request, due int, validator, body *answer) {
	if r.header == nil {
		return
	}
	sentence := map[int]string{http.StatusNotModified: "304", http.StatusOK: "200 and the plain bytes"}[due]
	a := m.get(ctx, r, sentence)
	switch {
	case a == nil:
	case a.Status != due:
		m.findIn(ruleConditional, r, sentence, a.short())
	case due == http.StatusOK:
		m.require(a.Sum == body.Sum, ruleConditional, r, sentence, m.came(a))
	default:
		tag := validator.Header.Get("ETag")
		m.require(tag == "" || weak(a.Header.Get("ETag")) == weak(tag), ruleConditional, r, "ETag: "+tag, showField(a.Header, "ETag"))
		m.require(!m.client.trailing(ctx, r), ruleConditional, r, "304 without a body", "304 with a body")
	}
}

// tryOtherVariant requests the api variant with the tag of the plain one: where a cache
// confuses them, clients keep the wrong one.
func (m *matrix) tryOtherVariant(ctx context.Context, address, other string) {
	plain, variant := m.askGood(ctx, address), m.askGood(ctx, other)
	if plain != nil && variant != nil && plain.Sum != variant.Sum {
		m.tryCondition(ctx, request{address: other, header: ifNoneMatch(plain, "%")}, http.StatusOK, plain, variant)
	}
}

// tryCompressedTag requests a compressed response again, with its own tag.
func (m *matrix) tryCompressedTag(ctx context.Context, address string) {
	coded := []headerField{{"Accept-Encoding", "gzip"}}
	packed := m.ask(ctx, request{address: address, header: coded})
	if packed == nil || packed.Status != http.StatusOK || packed.Header.Get("Content-Encoding") == "" {
		return
	}
	if tagged := ifNoneMatch(packed, "%"); tagged != nil {
		m.tryCondition(ctx, request{address: address, header: append(tagged, coded...)}, http.StatusNotModified, packed, packed)
	}
}

func (m *matrix) tryCodings(ctx context.Context, address string) {
	plain := m.askGood(ctx, address)
	if plain == nil || plain.Header.Get("Content-Encoding") != "" {
		return
	}
	for _, c := range codings {
		r := request{address: address, header: []headerField{{"Accept-Encoding", c.accept}}}
		m.tryCoding(ctx, r, strings.Fields(c.may), plain)
	}
}

func (m *matrix) tryCoding(ctx context.Context, r request, may []string, plain *answer) {
	const due = "the bytes of the plain answer"
	a := m.ask(ctx, r)
	if a == nil {
		return
	}
	coding := strings.ToLower(a.Header.Get("Content-Encoding"))
	switch {
	case isRedirect(a.Status):
		m.findIn(ruleRedirect, r, due, a.short())
		return
	case a.Status != http.StatusOK:
		m.findIn(ruleCompression, r, due, a.short())
		return
	case a.Long && !plain.Long:
		m.findIn(ruleCompression, r, due, "more than is read of any body")
		return
	case a.Sum != plain.Sum:
		m.findIn(ruleCompression, r, due, m.came(a))
	}
	if coding == "" || coding == "identity" {
		return
	}
	m.require(slices.Contains(may, coding), ruleCompression, r, "a coding that was asked for", "Content-Encoding: "+coding)
	m.require(names(a.Header, "Vary", "Accept-Encoding"), ruleCompression, r, "Vary: Accept-Encoding", showField(a.Header, "Vary"))
	m.require(names(a.Header, "Vary", "Accept"), ruleVary, r, "Vary: Accept", showField(a.Header, "Vary"))
	// HEAD may leave the coding out, and must not name another.
	r.method = http.MethodHead
	if head := m.expect(ctx, r, http.StatusOK, ruleHead); head != nil {
		came := strings.ToLower(head.Header.Get("Content-Encoding"))
		m.require(came == "" || came == coding, ruleHead, r, "Content-Encoding: "+coding, "Content-Encoding: "+came)
	}
}
