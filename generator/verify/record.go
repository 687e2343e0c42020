package verify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"
	"golang.org/x/text/language"
)

// stampForm is the one form of created and modified (contract.md 2.1).
const stampForm = "2006-01-02T15:04:05.000000Z"

// hashOfRecord returns a hash of all of a record but its url. It is not 0.
func hashOfRecord(v *value) uint32 {
	var h maphash.Hash
	h.SetSeed(hashSeed)
	v.without("url").hash(&h)
	return max(1, uint32(h.Sum64()))
}

// openRecord opens and checks a record. came is its address in the list.
func (w *walk) openRecord(ctx context.Context, k *listed, id uuid.UUID, came string, inList *value) {
	address := w.recordAddress(id, came)
	r := w.newRoom()
	defer r.leave()
	d := w.fetch(ctx, address, wantRecord, r, false)
	if ctx.Err() != nil {
		return
	}
	w.Progress(w.stage, int(w.opened.Add(1)), w.total())
	if d == nil || !w.checkObject(address, d) {
		return
	}
	if _, other, ok := w.checkURL(address, "", w.form, d.value); ok && other != id {
		w.find(ruleURL, address, "url with "+id.String()+", as in the address", other.String())
	}
	hash := hashOfRecord(d.value)
	switch {
	case w.plain == nil:
		k.detail = hash
	case k.detail == hash:
		return
	case k.detail != 0: // of the plain record only the hash was kept
		if plain := w.fetch(ctx, w.plain.form.record(id.String()), wantRecord, r, true); plain != nil {
			w.compareVariants(address, "", plain.value, d.value)
		}
		return
	}
	if !w.equalShared(address, inList, d.value) {
		w.checkShared(address, "", d.value)
	}
	w.checkDetail(address, d.value)
}

// checkObject checks the bytes and the keys of a record in detail, and reports whether it
// is an object.
func (c *checker) checkObject(address string, d *document) bool {
	c.findIssues(address, d.issues)
	if d.kind != kindObject {
		c.find(ruleRecordTypes, address, "an object", d.kind.String())
		return false
	}
	c.checkKeys(ruleRecordKeys, address, "", d.value, detailKeys)
	return true
}

// recordAddress returns where to open a record: at its url, where a client could follow
// it, and it is right but for its style.
func (w *walk) recordAddress(id uuid.UUID, came string) string {
	target := func(f form) string { return f.record(id.String()) }
	due := target(w.form)
	if came == due || !below(w.base, came) {
		return due
	}
	rule := ruleForLink(ruleURL, w.form, target, came)
	if rule == ruleLinkStyle || rule == ruleQueryOrder || rule == ruleURL && w.Lenient {
		return came
	}
	return due
}

// total returns how many records are to be opened, as far as is known.
func (w *walk) total() int {
	if w.Sample > 0 && w.count > 0 {
		return min(w.Sample, w.count)
	}
	return max(w.count, 0)
}

// equalShared compares a record in the list with the one in detail, but for its url.
func (w *walk) equalShared(address string, inList, v *value) bool {
	due, came, order := changes(inList, v, []string{"language", "meta", "created", "modified"})
	switch {
	case due != "":
		w.find(ruleRecordEqual, address, "as in the list, "+due, came)
	case order:
		w.find(ruleKeyOrder, address, "keys of meta as in the list", "another order")
	}
	return due == ""
}

// changes compares the values of keys in two records. due and came show the first
// difference, or are ""; then order reports whether keys in them have another order.
func changes(a, b *value, keys []string) (due, came string, order bool) {
	for _, key := range keys {
		m, okA := a.get(key)
		n, okB := b.get(key)
		switch {
		case !okA && !okB, okA && okB && reflect.DeepEqual(m, n):
		case !okA:
			return "no " + key, key + " is " + showValue(n), false
		case !okB:
			return key + " is " + showValue(m), "no " + key, false
		case m.equal(n):
			order = true
		default:
			due, came = m.difference(n)
			return key + " with " + due, key + " with " + came, false
		}
	}
	return "", "", order
}

// compareList compares a record in an api list page with the one in the plain list page,
// of which only a hash was kept.
func (w *walk) compareList(ctx context.Context, l *list, part string, id uuid.UUID, v *value) {
	number := w.records[id].list
	list := w.plain.lists[number-1]
	address := cmp.Or(list.address, w.plain.form.list(int(number)))
	d := w.fetch(ctx, address, wantList, nil, true)
	if d == nil {
		return
	}
	if d.sum != list.digest {
		w.find(ruleWalkBack, address, fmt.Sprintf("list page %d as before", number), "another body")
		return
	}
	for _, plain := range d.elements("results") {
		if other, ok := plain.id(); ok && other == id {
			w.compareVariants(l.address, part, &plain, v)
			return
		}
	}
}

func (w *walk) compareVariants(address, part string, plain, v *value) {
	keys := plain.without("url").keys()
	for _, key := range v.without("url").keys() {
		if !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	due, came, order := changes(plain, v, keys)
	switch {
	case due != "":
		w.find(ruleVariantsEqual, address, part+"as in the plain variant, "+due, came)
	case order || !slices.Equal(plain.keys(), v.keys()):
		w.find(ruleKeyOrder, address, part+"keys as in the plain variant", "another order")
	}
}

// checkShared checks the values that a record has in the list and in detail, but for its
// url. part is the path of the record in the body: "", or it ends with a dot.
func (c *checker) checkShared(address, part string, v *value) {
	tag := ""
	if m, ok := c.member(address, part, v, "language", kindString); ok && isLanguage(m.text) {
		tag = m.text
		c.addLanguage(tag)
	} else if ok {
		c.find(ruleLanguage, address, part+"language is a tag of BCP 47, such as fi", show(m.text))
	}
	for _, key := range []string{"created", "modified"} {
		if m, ok := c.member(address, part, v, key, kindString); ok {
			if _, ok := parseStamp(m.text); !ok {
				c.find(ruleTimestamp, address, part+key+" as in 2019-05-06T08:06:31.004512Z", show(m.text))
			}
		}
	}
	created, okC := stampIn(v, "created")
	modified, okM := stampIn(v, "modified")
	if okC && okM && modified.Before(created) {
		c.find(ruleDateOrder, address, part+"modified not before created, "+created.Format(stampForm), modified.Format(stampForm))
	}
	if meta, ok := c.member(address, part, v, "meta", kindObject); ok {
		c.checkMeta(address, part+"meta.", tag, meta)
	}
}

// member returns the value of a key of a record. One of another kind is a finding.
func (c *checker) member(address, part string, v *value, key string, due kind) (*value, bool) {
	m, ok := v.get(key)
	if ok && m.kind != due {
		c.find(ruleRecordTypes, address, part+key+" is "+due.String(), part+key+" is "+showValue(m))
	}
	return m, ok && m.kind == due
}

func stampIn(v *value, key string) (time.Time, bool) {
	text, _ := v.string(key)
	return parseStamp(text)
}

// parseStamp reads an instant in exactly the form of the contract.
func parseStamp(text string) (time.Time, bool) {
	t, err := time.Parse(stampForm, text)
	return t, err == nil && len(text) == len(stampForm) && t.Year() > 0
}

// isLanguage reports whether a tag is well-formed, known or not.
func isLanguage(tag string) bool {
	const longest = 100
	if len(tag) > longest || strings.Contains(tag, "_") {
		return false
	}
	_, err := language.Parse(tag)
	var unknown language.ValueError
	return err == nil || errors.As(err, &unknown)
}

// checkURL checks the url of a record, and returns it and its id.
func (c *checker) checkURL(address, part string, f form, v *value) (came string, id uuid.UUID, ok bool) {
	m, ok := c.member(address, part, v, "url", kindString)
	if !ok {
		return "", id, false
	}
	came = m.text
	text := idIn(came)
	if id, ok = parseID(text); !ok {
		rule := ruleIDForm
		if !below(f.base, came) {
			rule = ruleLinkBase
		}
		c.find(rule, address, part+"url is "+f.record("<id>")+", the id in the form 8-4-4-4-12", show(came))
		return came, id, false
	}
	if text != id.String() {
		c.find(ruleIDCase, address, part+"url with "+id.String(), show(came))
	}
	target := func(f form) string { return f.record(text) }
	if came != target(f) {
		c.find(ruleForLink(ruleURL, f, target, came), address, part+"url is "+target(f), show(came))
	}
	return came, id, true
}

func (c *checker) checkDetail(address string, v *value) {
	if content, ok := c.member(address, "", v, "content", kindString); ok {
		modified, known := stampIn(v, "modified")
		c.checkContent(address, content.text, modified, known)
	}
	c.member(address, "", v, "embeds", kindArray)
	for _, embed := range v.elements("embeds") {
		if uri, ok := embed.string("uri"); !ok || len(embed.items) != 1 || !isAbsolute(uri, "https") {
			c.find(ruleEmbeds, address, `{"uri":"https://…"}`, showValue(&embed))
		}
	}
}

// isAbsolute reports whether an address has a host and one of these schemes.
func isAbsolute(address string, schemes ...string) bool {
	u, err := url.Parse(address)
	return err == nil && slices.Contains(schemes, u.Scheme) && u.Host != ""
}

// checkMeta checks the meta object of a record in a language (contract.md 2.3). part ends
// with a dot.
func (c *checker) checkMeta(address, part, tag string, meta *value) {
	for _, m := range meta.items {
		if m.kind != kindString && m.kind != kindNull {
			c.find(ruleMetaValue, address, part+showKey(m.key)+" is a string or null", showValue(&m))
		}
	}
	if title, ok := meta.get("title"); !ok {
		c.find(ruleMetaTitle, address, part+"title is a string", "missing")
	} else if title.kind != kindString {
		c.find(ruleMetaTitle, address, part+"title is a string", showValue(title))
	}
	for _, known := range knownMeta {
		v, ok := meta.get(known.key)
		if ok && (v.kind == kindNull || v.kind == kindString && known.ok != nil && !known.ok(v.text)) {
			c.find(known.rule, address, part+known.key+" is "+known.due, showValue(v))
		}
	}
	if path, ok := meta.string("url"); ok {
		c.checkPath(address, part, tag, path)
	}
}

// knownMeta are the keys of meta with a value that is neither null nor any string.
var knownMeta = []struct {
	key  string
	rule *Rule
	due  string
	ok   func(text string) bool
}{
	{"windowtitle", ruleMetaKnown, "a string", nil},
	{"socialmedia-image", ruleMetaKnown, "a string", nil},
	{"availablelanguagestext", ruleMetaKnown, "a string", nil},
	{"localinfodoc", ruleMetaKnown, "a string of digits", func(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }},
	{"imagebannerlink", ruleMetaKnown, "an absolute address", func(s string) bool { return isAbsolute(s, "https", "http") }},
	{"url", ruleMetaURL, "a path, or not there", nil}, // see also checkPath
}

// checkPath checks meta.url. A first segment that is not the language of the record may
// be an exception, as palaute is: whether it is another language is known when all
// records have been seen.
func (c *checker) checkPath(address, part, tag, path string) {
	first, _, _ := strings.Cut(path, "/")
	switch {
	case !isPath(path), strings.ContainsAny(path, "?#\\"), strings.ContainsFunc(path, unicode.IsControl):
		c.find(ruleMetaURL, address, part+"url as in fi/asuminen: segments with one slash between them", show(path))
	case tag != "" && first != tag:
		c.addPrefix(prefix{first, address, part + "url begins with " + showKey(tag) + "/", path})
	}
}

// observedLanguages are the languages that the contract names (contract.md 2.1).
const observedLanguages = "fi en sv ru et so es tr zh fa ar fr"

// prefix is the first segment of a path that is not the language of its record.
type prefix struct{ first, address, due, path string }

func (c *checker) addLanguage(tag string) {
	const most = 1000
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.languages) < most {
		c.languages[strings.ToLower(tag)] = true
	}
}

func (c *checker) addPrefix(p prefix) {
	const most = 10_000
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.prefixes) < most && isLanguage(p.first) {
		c.prefixes = append(c.prefixes, p)
	}
}

func (c *checker) checkPrefixes() {
	for _, p := range c.prefixes {
		if c.languages[strings.ToLower(p.first)] {
			c.find(ruleMetaURLLanguage, p.address, p.due, show(p.path)+", of another language")
		}
	}
}
