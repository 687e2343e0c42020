package verify

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// Methods that no address allows (contract.md 1). PROPFIND stands for those
// that a service need not know.
var otherMethods = []string{http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, "PROPFIND"}

func (m *matrix) methodTrials() []trial {
	list, _ := m.address(allLists, "")
	addresses := []string{list}
	if one, ok := m.address(oneRecord, ""); ok {
		addresses = append(addresses, one)
	}
	return slices.Concat(eachOf(addresses, m.tryMethods), eachOf(addresses, m.tryOptions), eachOf(addresses, m.tryOrigin))
}

// tryMethods asks for what has to be refused. The service may be a stranger's,
// and allow it after all: a method that it says it allows is not sent, and
// If-Match names a tag that nothing has, so that a service must not act on the
// others (RFC 9110, section 13.1.1).
func (m *matrix) tryMethods(ctx context.Context, address string) error {
	plain, err := m.client.open(ctx, address, wantSum)
	if err != nil {
		return err
	}
	for _, method := range otherMethods {
		if names(plain.Header, "Allow", method) {
			m.find(ruleMethodStatus, address, method, "405", "not sent, because Allow names it")
			continue
		}
		r := request{method: method, address: address, header: []headerField{{"If-Match", otherTag}}}
		a, ok, err := m.get(ctx, r, "405")
		switch {
		case err != nil:
			return err
		case !ok:
		case a.Status != http.StatusMethodNotAllowed:
			m.find(ruleMethodStatus, address, method, "405", a.short())
		default:
			m.checkError(address, method, a, methodBody, ruleMethodBody)
		}
	}
	return nil
}

// tryOptions asks for OPTIONS, plain and as the preflight of a browser, which
// has to get the same answer (DESIGN.md).
func (m *matrix) tryOptions(ctx context.Context, address string) error {
	r := request{method: http.MethodOptions, address: address}
	plain, ok, err := m.get(ctx, r, "200")
	if err != nil {
		return err
	}
	switch {
	case !ok:
	case plain.Status != http.StatusOK:
		m.find(ruleOptionsStatus, address, r.label(), "200", plain.short())
	default:
		m.checkFields(address, r.label(), plain)
		if string(plain.Body) != optionsBody {
			m.find(ruleOptionsBody, address, r.label(), optionsBody, plain.excerpt())
		}
	}
	r.header = []headerField{{"Origin", foreignOrigin}, {"Access-Control-Request-Method", http.MethodGet}}
	a, ok, err := m.get(ctx, r, "200")
	if err != nil || !ok {
		return err
	}
	m.checkPreflight(r, plain, a)
	return nil
}

// foreignOrigin is where a browser's page could come from. The name leads nowhere
// (RFC 6761).
const foreignOrigin = "https://sivu-verify.invalid"

func (m *matrix) checkPreflight(r request, plain, a *answer) {
	find := func(due, came string) { m.find(rulePreflight, r.address, r.label(), due, came) }
	if a.Status != plain.Status {
		find(plain.short()+", as without Origin", a.short())
	} else if a.Sum != plain.Sum {
		find(plain.excerpt()+", as without Origin", a.excerpt())
	}
	const name = "Access-Control-Allow-Methods"
	if !namesMethods(a.Header, name) {
		find(name+": "+allowedMethods, showField(a.Header, name))
	}
	m.checkCORS(r.address, r.label(), a)
}

// namesMethods reports whether a header names GET and HEAD, and nothing that is
// not allowed. OPTIONS may be left out: browsers never ask for it.
func namesMethods(h http.Header, name string) bool {
	for _, line := range h.Values(name) {
		for part := range strings.SplitSeq(line, ",") {
			switch strings.TrimSpace(part) {
			case http.MethodGet, http.MethodHead, http.MethodOptions:
			default:
				return false
			}
		}
	}
	return names(h, name, http.MethodGet) && names(h, name, http.MethodHead)
}

// tryOrigin asks as a page of another origin does.
func (m *matrix) tryOrigin(ctx context.Context, address string) error {
	r := request{address: address, header: []headerField{{"Origin", foreignOrigin}}}
	a, ok, err := m.get(ctx, r, "200")
	if err == nil && ok {
		m.checkCORS(address, r.label(), a)
	}
	return err
}

// headTrials try HEAD on good addresses, and on some that are not.
func (m *matrix) headTrials() []trial {
	addresses := []string{m.linked(allLists, "", false), m.linked(oneRecord, "", false)}
	if m.in.Lists > 1 {
		addresses = append(addresses, m.linked(allLists, "2", true))
	}
	addresses = append(addresses, m.base+"/pages/"+unknownID+"/", m.base+"/pages/?page=0")
	return eachOf(addresses, m.tryHead)
}

// eachOf returns a trial of each address that there is.
func eachOf(addresses []string, try func(context.Context, string) error) []trial {
	var all []trial
	for _, address := range addresses {
		if address != "" {
			all = append(all, func(ctx context.Context) error { return try(ctx, address) })
		}
	}
	return all
}

func (m *matrix) tryHead(ctx context.Context, address string) error {
	get, err := m.client.open(ctx, address, wantSum)
	if err != nil || get.Fault != "" || isRedirect(get.Status) {
		return err // a finding of what asks with GET
	}
	r := request{method: http.MethodHead, address: address}
	head, ok, err := m.get(ctx, r, strconv.Itoa(get.Status))
	if err != nil || !ok {
		return err
	}
	if head.Status != get.Status {
		m.find(ruleHead, address, r.label(), get.short(), head.short())
		return nil
	}
	for _, name := range headFields {
		if !sameField(get.Header, head.Header, name) {
			m.find(ruleHead, address, r.label(), showField(get.Header, name), showField(head.Header, name))
		}
	}
	m.checkLength(r, get, head)
	follows, known, err := m.client.trailing(ctx, r)
	if known && follows {
		m.find(ruleHead, address, r.label(), "no body", "a body")
	}
	return err
}

// headFields are what HEAD must have as GET does. Others, such as Date, Age or
// the number of a request, differ between any two answers.
var headFields = []string{
	"Content-Type", "Allow", "Vary", "ETag", "Last-Modified", "Cache-Control",
	"Access-Control-Allow-Origin", "Content-Encoding", "Content-Language",
}

// sameField compares a field of two answers. Entity tags are compared weakly (RFC
// 9110, section 8.8.3.2): Apache sends that of a file as a weak one while the file is
// younger than a second or so, and as a strong one afterwards.
func sameField(a, b http.Header, name string) bool {
	return slices.EqualFunc(a.Values(name), b.Values(name), func(a, b string) bool {
		return a == b || name == "ETag" && weak(a) == weak(b)
	})
}

// checkLength judges the Content-Length of HEAD, which may be left out
// (RFC 9110, section 8.6).
func (m *matrix) checkLength(r request, get, head *answer) {
	const name = "Content-Length"
	due := get.Header.Get(name)
	if due == "" && get.Header.Get("Content-Encoding") == "" {
		due = strconv.FormatInt(get.Size, 10)
	}
	if came := head.Header.Get(name); came != "" && due != "" && came != due {
		m.find(ruleHead, r.address, r.label(), name+": "+due, name+": "+came)
	}
}
