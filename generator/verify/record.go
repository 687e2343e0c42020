package verify

import (
	"errors"
	"hash/maphash"
	"strings"
	"time"

	"golang.org/x/text/language"
)

// stampForm is the one form of created and modified (contract.md 2.1).
const stampForm = "2006-01-02T15:04:05.000000Z"

// sharedKeys are what a record has in the list and in detail, but for links.
var sharedKeys = []string{"language", "meta", "created", "modified"}

var hashSeed = maphash.MakeSeed()

// hashOf returns a number that texts which differ do not share, save by an
// accident that nobody can bring about.
func hashOf(text []byte) uint64 { return maphash.Bytes(hashSeed, text) }

// hashOfRecord returns a hash of all of a record but its address, which is not 0.
func hashOfRecord(v *value) uint32 {
	var h maphash.Hash
	h.SetSeed(hashSeed)
	v.without("url").hash(&h)
	return max(1, uint32(h.Sum64()))
}

// checkShared checks what a record has in the list and in detail, but for its
// keys and its address. part names the record in the answer, and ends with a
// dot where it is not the whole.
func (c *checker) checkShared(address, part string, v *value) {
	tag := ""
	for _, key := range []string{"language", "created", "modified"} {
		m, ok := v.get(key)
		switch {
		case !ok:
		case m.kind != kindString:
			c.find(ruleRecordTypes, address, "", part+key+" is a string", part+key+" is "+showValue(m))
		case key == "language":
			if tag = m.text; !c.checkLanguage(address, part, tag) {
				tag = ""
			}
		default:
			if _, ok := parseStamp(m.text); !ok {
				c.find(ruleTimestamp, address, "", part+key+" as in 2019-05-06T08:06:31.004512Z", show(m.text))
			}
		}
	}
	created, okC := stampIn(v, "created")
	modified, okM := stampIn(v, "modified")
	if okC && okM && modified.Before(created) {
		c.find(ruleDateOrder, address, "", part+"modified not before created, "+created.Format(stampForm), modified.Format(stampForm))
	}
	meta, ok := v.get("meta")
	switch {
	case !ok:
	case meta.kind != kindObject:
		c.find(ruleRecordTypes, address, "", part+"meta is an object", part+"meta is "+showValue(meta))
	default:
		c.checkMeta(address, part+"meta.", tag, meta)
	}
}

// stampIn returns the instant under a key.
func stampIn(v *value, key string) (time.Time, bool) {
	text, ok := v.string(key)
	if !ok {
		return time.Time{}, false
	}
	return parseStamp(text)
}

// parseStamp reads an instant in exactly the contract's form.
func parseStamp(text string) (time.Time, bool) {
	t, err := time.Parse(stampForm, text)
	return t, err == nil && len(text) == len(stampForm) && t.Year() > 0
}

func (c *checker) checkLanguage(address, part, tag string) bool {
	if !isLanguage(tag) {
		c.find(ruleLanguage, address, "", part+"language is a tag of BCP 47, such as fi", show(tag))
		return false
	}
	c.spoken.add(&c.mu, tag)
	return true
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

// checkURL checks the address that a record gives of itself, and returns its id.
func (c *checker) checkURL(address, part string, f form, v *value) (came string, id uuid, ok bool) {
	m, there := v.get("url")
	if !there {
		return "", id, false
	}
	if m.kind != kindString {
		c.find(ruleRecordTypes, address, "", part+"url is a string", part+"url is "+showValue(m))
		return "", id, false
	}
	came = m.text
	text := idIn(came)
	if id, ok = parseID(text); !ok {
		rule := ruleIDForm
		if !below(f.base, came) {
			rule = ruleLinkBase
		}
		c.find(rule, address, "", part+"url is "+f.record("<id>")+", the id in the form 8-4-4-4-12", show(came))
		return came, id, false
	}
	if text != id.String() {
		c.find(ruleIDCase, address, "", part+"url with "+id.String(), show(came))
	}
	target := func(f form) string { return f.record(text) }
	if came != target(f) {
		c.find(blame(ruleURL, f, target, came), address, "", part+"url is "+target(f), show(came))
	}
	return came, id, true
}

// checkDetail checks what only a record in detail has.
func (c *checker) checkDetail(address string, v *value) {
	if content, ok := v.get("content"); ok {
		if content.kind != kindString {
			c.find(ruleRecordTypes, address, "", "content is a string", "content is "+showValue(content))
		} else {
			modified, ok := stampIn(v, "modified")
			c.checkContent(address, content.text, modified, ok)
		}
	}
	embeds, ok := v.get("embeds")
	if !ok {
		return
	}
	if embeds.kind != kindArray {
		c.find(ruleRecordTypes, address, "", "embeds is an array", "embeds is "+showValue(embeds))
		return
	}
	for i := range embeds.items {
		if embed := &embeds.items[i]; !isEmbed(embed) {
			c.find(ruleEmbeds, address, "", `{"uri":"https://…"}`, showValue(embed))
		}
	}
}

func isEmbed(v *value) bool {
	uri, ok := v.string("uri")
	return ok && len(v.members) == 1 && isAbsolute(uri, "https")
}
