package verify

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"
)

// otherTag is an entity tag that nothing has.
const otherTag = `"sivu-verify-none"`

// validators are what an answer sent to ask again with. Either may be "".
type validators struct{ tag, modified string }

// conditionalCase is one way to ask again (RFC 9110, section 13.1).
type conditionalCase struct {
	header func(v validators) []headerField // nil where the answer sent nothing for it
	due    int
}

var conditionalCases = []conditionalCase{
	{func(v validators) []headerField { return v.tagged("%") }, http.StatusNotModified},
	{func(v validators) []headerField { return v.tagged("*") }, http.StatusNotModified},
	{func(v validators) []headerField { return v.tagged(otherTag + ", %") }, http.StatusNotModified},
	{func(v validators) []headerField { return v.tagged("%, " + otherTag) }, http.StatusNotModified},
	{validators.weakened, http.StatusNotModified},
	{func(v validators) []headerField { return v.tagged(otherTag) }, http.StatusOK},
	{func(v validators) []headerField { return v.since(0) }, http.StatusNotModified},
	{func(v validators) []headerField { return v.since(-24 * time.Hour) }, http.StatusOK},
	{validators.precedence, http.StatusOK},
}

// tagged returns If-None-Match with the tag for "%".
func (v validators) tagged(pattern string) []headerField {
	if v.tag == "" {
		return nil
	}
	return []headerField{{"If-None-Match", strings.ReplaceAll(pattern, "%", v.tag)}}
}

// weakened is what a cache asks that changed the coding of a body: the tags are
// compared weakly.
func (v validators) weakened() []headerField {
	if strings.HasPrefix(v.tag, "W/") {
		return nil
	}
	return v.tagged("W/%")
}

func (v validators) since(later time.Duration) []headerField {
	at, err := http.ParseTime(v.modified)
	if err != nil {
		return nil
	}
	return []headerField{{"If-Modified-Since", at.Add(later).UTC().Format(http.TimeFormat)}}
}

// precedence is a tag that is another, and a date that is not: the date does
// not count.
func (v validators) precedence() []headerField {
	tagged, since := v.tagged(otherTag), v.since(0)
	if tagged == nil || since == nil {
		return nil
	}
	return append(tagged, since...)
}

func (m *matrix) conditionalTrials() []trial {
	addresses := []string{m.linked(allLists, "", false), m.linked(oneRecord, "", false)}
	others := func(ctx context.Context) error { return m.tryOtherVariant(ctx, allLists) }
	more := func(ctx context.Context) error { return m.tryOtherVariant(ctx, oneRecord) }
	return slices.Concat(eachOf(addresses, m.tryConditions), eachOf(addresses, m.tryCompressedTag), []trial{others, more})
}

func validatorsOf(a *answer) validators {
	return validators{a.Header.Get("ETag"), a.Header.Get("Last-Modified")}
}

func (m *matrix) tryConditions(ctx context.Context, address string) error {
	plain, err := m.client.open(ctx, address, wantSum)
	if err != nil || plain.Status != http.StatusOK {
		return err
	}
	v := validatorsOf(plain)
	for _, c := range conditionalCases {
		if header := c.header(v); header != nil {
			if err := m.tryCondition(ctx, request{address: address, header: header}, c.due, v, plain); err != nil {
				return err
			}
		}
	}
	return nil
}

// tryCondition asks once. plain is what a 200 has to hold.
func (m *matrix) tryCondition(ctx context.Context, r request, due int, v validators, plain *answer) error {
	dueText := map[int]string{http.StatusNotModified: "304", http.StatusOK: "200 and the plain bytes"}[due]
	a, ok, err := m.get(ctx, r, dueText)
	if err != nil || !ok {
		return err
	}
	find := func(due, came string) { m.find(ruleConditional, r.address, r.label(), due, came) }
	switch {
	case a.Status != due:
		find(dueText, a.short())
	case due == http.StatusOK:
		if a.Sum != plain.Sum {
			find(dueText, m.came(a))
		}
	default:
		if tag := a.Header.Get("ETag"); v.tag != "" && weak(tag) != weak(v.tag) {
			find("ETag: "+v.tag, showField(a.Header, "ETag"))
		}
		follows, known, err := m.client.trailing(ctx, r)
		if known && follows {
			find("304 without a body", "304 with a body")
		}
		return err
	}
	return nil
}

func weak(tag string) string { return strings.TrimPrefix(tag, "W/") }

// tryOtherVariant asks for the api variant with the validator of the plain one:
// where a cache mixes them up, clients keep the wrong one.
func (m *matrix) tryOtherVariant(ctx context.Context, folder string) error {
	address, other := m.linked(folder, "", false), m.linked(folder, "", true)
	if address == "" {
		return nil
	}
	plain, err := m.client.open(ctx, address, wantSum)
	if err != nil || plain.Status != http.StatusOK {
		return err
	}
	variant, err := m.client.open(ctx, other, wantSum)
	if err != nil || variant.Status != http.StatusOK || variant.Sum == plain.Sum {
		return err
	}
	v := validatorsOf(plain)
	header := v.tagged("%")
	if header == nil {
		return nil
	}
	return m.tryCondition(ctx, request{address: other, header: header}, http.StatusOK, v, variant)
}

// tryCompressedTag asks again for a compressed answer, with its own tag.
func (m *matrix) tryCompressedTag(ctx context.Context, address string) error {
	coded := headerField{"Accept-Encoding", "gzip"}
	packed, err := m.client.do(ctx, request{address: address, header: []headerField{coded}})
	if err != nil || packed.Status != http.StatusOK || packed.Header.Get("Content-Encoding") == "" {
		return err
	}
	v := validatorsOf(packed)
	header := v.tagged("%")
	if header == nil {
		return nil
	}
	return m.tryCondition(ctx, request{address: address, header: append(header, coded)}, http.StatusNotModified, v, packed)
}
