package verify

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
)

// usualPageSize is how many records a list page has (contract.md 8).
const usualPageSize = 10

var (
	envelopeKeys = []string{"count", "next", "previous", "results"}
	recordKeys   = []string{"language", "meta", "created", "modified", "url"}
	detailKeys   = []string{"language", "meta", "created", "modified", "url", "content", "embeds"}
)

// list is one list page as it was answered.
type list struct {
	number   int
	address  string
	digest   digest // of the body
	count    int    // -1 where it is none
	next     string // "" is null
	previous string
	results  []value
	odd      bool // next is neither an address nor null
	broken   bool // there is no telling what results are
}

// document is a body that was read as JSON.
type document struct {
	*value
	sum   digest // of the body
	flaws []flaw
}

// fetch opens an address that must be good, and reads it as JSON. It returns nil
// where that cannot be done. All that is wrong there is a finding, unless quiet.
func (c *checker) fetch(ctx context.Context, o opener, address string, w want, quiet bool) (*document, error) {
	a, err := o.open(ctx, address, w)
	if err != nil {
		return nil, err
	}
	if !quiet {
		return c.readJSON(address, a, w), nil
	}
	if a.Status != http.StatusOK || a.Fault != "" || a.Long {
		return nil, nil
	}
	v, flaws, err := parseJSON(a.Body)
	if err != nil {
		return nil, nil
	}
	return &document{v, a.Sum, flaws}, nil
}

// readJSON understands an answer that must be good as JSON. It returns nil where
// that cannot be done. All that is wrong there is a finding.
func (c *checker) readJSON(address string, a *answer, w want) *document {
	if !c.isGood(address, a, w) {
		return nil
	}
	v, flaws, err := parseJSON(a.Body)
	c.findFlaws(address, flaws)
	if err != nil {
		c.find(ruleJSON, address, "", "JSON", err.Error())
		return nil
	}
	return &document{v, a.Sum, flaws}
}

func (c *checker) findFlaws(address string, flaws []flaw) {
	for _, f := range flaws {
		c.find(f.rule, address, "", f.due, fmt.Sprintf("%s at byte %d", f.came, f.offset))
	}
}

// isGood reports whether an answer has a body to read. Where it has none, that
// is a finding.
func (c *checker) isGood(address string, a *answer, w want) bool {
	switch {
	case a.Long:
		c.find(ruleBodySize, address, "", dueSize(a.Most), "more")
		return false
	case c.answered != nil:
		return c.answered(address, a)
	case a.Status == http.StatusOK && a.Fault == "":
		return true
	case a.Fault != "":
		c.find(ruleLinkTarget, address, "", "an answer", a.Fault)
	default:
		c.find(ruleLinkTarget, address, "", "an answer", "nothing is there")
	}
	return false
}

// readList understands a body as a list page, and checks its envelope. It
// returns nil for what is none.
func (c *checker) readList(number int, address string, d *document) *list {
	v := d.value
	if v.kind != kindObject {
		c.find(ruleEnvelopeTypes, address, "", "an object", v.kind.String())
		return nil
	}
	c.checkKeys(ruleEnvelopeKeys, address, "", v, envelopeKeys)
	l := &list{number: number, address: address, digest: d.sum, count: -1}
	l.next, l.odd = c.link(address, v, "next")
	l.previous, _ = c.link(address, v, "previous")
	if count, ok := v.get("count"); ok {
		n, err := strconv.Atoi(count.text)
		if count.kind == kindNumber && err == nil && n >= 0 && strconv.Itoa(n) == count.text {
			l.count = n
		} else {
			c.find(ruleEnvelopeTypes, address, "", "count is an integer from 0", "count is "+showValue(count))
		}
	}
	results, ok := v.get("results")
	if l.broken = !ok || results.kind != kindArray; !l.broken {
		l.results = results.items
	} else if ok {
		c.find(ruleEnvelopeTypes, address, "", "results is an array", "results is "+results.kind.String())
	}
	return l
}

// link returns what stands under next or previous, and whether that is no link
// at all.
func (c *checker) link(address string, v *value, key string) (link string, odd bool) {
	m, ok := v.get(key)
	switch {
	case !ok:
		return "", true
	case m.kind == kindNull:
		return "", false
	case m.kind == kindString && m.text != "":
		return m.text, false
	}
	c.find(ruleEnvelopeTypes, address, "", key+" is an address or null", key+" is "+showValue(m))
	return "", true
}

// checkKeys checks which keys an object has, and their order. part names the
// object in its answer, and ends with a dot where it is not the whole.
func (c *checker) checkKeys(missing *Rule, address, part string, v *value, due []string) {
	var known, extra, lacking []string
	for _, key := range v.keys() {
		switch {
		case !slices.Contains(due, key):
			extra = append(extra, part+key)
		case !slices.Contains(known, key):
			known = append(known, key)
		}
	}
	var order []string
	for _, key := range due {
		if slices.Contains(known, key) {
			order = append(order, key)
		} else {
			lacking = append(lacking, part+key)
		}
	}
	if len(lacking) > 0 {
		c.find(missing, address, "", shownKeys(lacking), "missing")
	}
	if len(extra) > 0 {
		c.find(ruleExtraKey, address, "", "no other keys than "+shownKeys(due), shownKeys(extra))
	}
	if !slices.Equal(known, order) {
		c.find(ruleKeyOrder, address, "", part+"{"+shownKeys(order)+"}", part+"{"+shownKeys(known)+"}")
	}
}
