package verify

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// checkMeta checks the meta object of a record in a language (contract.md 2.3).
// part ends with a dot.
func (c *checker) checkMeta(address, part, tag string, meta *value) {
	for _, m := range meta.members {
		if m.value.kind != kindString && m.value.kind != kindNull {
			c.find(ruleMetaValue, address, "", part+clipKey(m.key)+" is a string or null", showValue(&m.value))
		}
	}
	if _, ok := meta.string("title"); !ok {
		came := "missing"
		if title, ok := meta.get("title"); ok {
			came = showValue(title)
		}
		c.find(ruleMetaTitle, address, "", part+"title is a string", came)
	}
	c.checkKnownKeys(address, part, meta)
	path, ok := meta.get("url")
	switch {
	case !ok:
	case path.kind == kindNull:
		c.find(ruleMetaURL, address, "", part+"url is a path, or not there", "null")
	case path.kind == kindString:
		c.checkPath(address, part, tag, path.text)
	}
}

func clipKey(key string) string {
	if isName(key) {
		return key
	}
	return show(key)
}

// checkKnownKeys checks the keys whose values the contract tells more of.
func (c *checker) checkKnownKeys(address, part string, meta *value) {
	for _, known := range [...]struct {
		key, due string
		ok       func(string) bool
	}{
		{"windowtitle", "a string", func(string) bool { return true }},
		{"socialmedia-image", "a string", func(string) bool { return true }},
		{"availablelanguagestext", "a string", func(string) bool { return true }},
		{"localinfodoc", "a string of digits", isDigits},
		{"imagebannerlink", "an absolute address", func(s string) bool { return isAbsolute(s, "https", "http") }},
	} {
		v, ok := meta.get(known.key)
		if ok && (v.kind == kindNull || v.kind == kindString && !known.ok(v.text)) {
			c.find(ruleMetaKnown, address, "", part+known.key+" is "+known.due, showValue(v))
		}
	}
}

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// isAbsolute reports whether an address has a host and one of these schemes.
func isAbsolute(address string, schemes ...string) bool {
	u, err := url.Parse(address)
	return err == nil && slices.Contains(schemes, u.Scheme) && u.Host != ""
}

// checkPath checks meta.url. A first segment that is not the record's language
// may be an exception, as palaute is; whether it names another language is
// known only when all records have been seen.
func (c *checker) checkPath(address, part, tag, path string) {
	bad := strings.ContainsAny(path, "?#\\") || strings.ContainsFunc(path, unicode.IsControl)
	for segment := range strings.SplitSeq(path, "/") {
		bad = bad || segment == "" || segment == "." || segment == ".."
	}
	first, _, _ := strings.Cut(path, "/")
	switch {
	case bad:
		c.find(ruleMetaURL, address, "", part+"url as in fi/asuminen: segments with one slash between them", show(path))
	case tag == "" || first == tag:
	default:
		c.spoken.stray(&c.mu, stray{first, address, part + "url begins with " + clipKey(tag) + "/", path})
	}
}

// languages are those of the records that were seen, and the paths that may
// begin with one of another record.
type languages struct {
	seen   map[string]bool
	strays []stray
}

type stray struct{ first, address, due, came string }

func (l *languages) add(mu *sync.Mutex, tag string) {
	const most = 1000
	mu.Lock()
	defer mu.Unlock()
	if l.seen == nil {
		l.seen = map[string]bool{}
		for _, observed := range strings.Fields("fi en sv ru et so es tr zh fa ar fr") {
			l.seen[observed] = true
		}
	}
	if len(l.seen) < most {
		l.seen[strings.ToLower(tag)] = true
	}
}

func (l *languages) stray(mu *sync.Mutex, s stray) {
	const most = 10_000
	mu.Lock()
	defer mu.Unlock()
	if len(l.strays) < most && isLanguage(s.first) {
		l.strays = append(l.strays, s)
	}
}

// checkStrays judges the paths that begin with another segment than the
// language of their record.
func (c *checker) checkStrays() {
	for _, s := range c.spoken.strays {
		if c.spoken.seen[strings.ToLower(s.first)] {
			c.find(ruleMetaURLLanguage, s.address, "", s.due, fmt.Sprintf("%s, of another language", show(s.came)))
		}
	}
}
