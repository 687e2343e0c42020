package verify

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
)

// matrixInput is what a walk knows of a service.
type matrixInput struct {
	lists int            // list pages that there are, at least 1
	seen  map[int]digest // plain list pages 1, 2 and the last, where the walk opened them
	ids   []string       // some records, the first of some list pages; none in an empty collection
}

// matrix makes the requests that no walk makes: all that the contract and DESIGN.md say
// of queries, paths, methods and headers. Its tables are in http_matrix_cases.go.
type matrix struct {
	*checker
	matrixInput

	client    *client
	templates *strings.Replacer

	// References are the bodies that are known to be right: those that the walk read, or
	// else those at the addresses of its links.
	digests map[string]digest // by name
	names   map[digest]string
}

// unknownID is an id that no record has.
const unknownID = "6e6f7420-6865-4265-8e6f-742068657265"

// Names of references, as findings show them.
const (
	withFormat = " with format=api"

	refList1, refList1API       = "list page 1", refList1 + withFormat
	refList2, refList2API       = "list page 2", refList2 + withFormat
	refListLast, refListLastAPI = "the last list page", refListLast + withFormat
	refRecord, refRecordAPI     = "the record", refRecord + withFormat
	refNone                     = "404"
)

// The two resources (contract.md 4.1, 4.2).
const (
	allLists  = "/pages/"
	oneRecord = "/pages/{id}/"
)

// trial is one thing that is tried, in as many requests as it takes.
type trial func(context.Context)

func (c *checker) checkRequests(ctx context.Context, client *client, in matrixInput) {
	m := &matrix{checker: c, client: client, matrixInput: in, digests: map[string]digest{}, names: map[digest]string{}}
	m.templates = m.newTemplates()
	m.refer(ctx)
	trials := m.trials()
	var done atomic.Int64
	each(ctx, c, slices.Values(trials), func(try trial) {
		try(ctx)
		if ctx.Err() == nil {
			c.Progress("requests", int(done.Add(1)), len(trials))
		}
	})
}

// newTemplates returns what the templates of the tables stand for.
func (m *matrix) newTemplates() *strings.Replacer {
	pairs := []string{"{unknown}", unknownID}
	// Without the first list page, nobody knows how many there are.
	if _, read := m.seen[1]; read {
		pairs = append(pairs, "{last}", strconv.Itoa(m.lists), "{beyond}", strconv.Itoa(m.lists+1))
	}
	if len(m.ids) > 0 {
		pairs = append(pairs, "{id}", m.ids[0], "{bare}", strings.ReplaceAll(m.ids[0], "-", ""))
	}
	for _, id := range m.ids {
		if upper := strings.ToUpper(id); upper != id {
			pairs = append(pairs, "{ID}", upper)
			break
		}
	}
	return strings.NewReplacer(pairs...)
}

// address fills in a template. ok is false where the collection has nothing to fill in.
func (m *matrix) address(path, query string) (address string, ok bool) {
	if query != "" {
		path += "?" + strings.TrimPrefix(query, "?")
	}
	path = m.templates.Replace(path)
	return m.base + path, !strings.Contains(path, "{")
}

// linked returns the address of list page n as links of this service have it.
func (m *matrix) linked(n int, api bool) string { return form{m.base, m.Links, api}.list(n) }

// record returns the address of a record, as linked does; "" where there is none.
func (m *matrix) record(api bool) string {
	if len(m.ids) == 0 {
		return ""
	}
	return form{m.base, m.Links, api}.record(m.ids[0])
}

func (m *matrix) refer(ctx context.Context) {
	for i, pair := range [][2]string{{refList1, refList1API}, {refList2, refList2API}, {refListLast, refListLastAPI}} {
		if i < m.lists {
			n := []int{1, 2, m.lists}[i]
			m.addReference(ctx, pair[0], m.linked(n, false), m.seen[n])
			m.addReference(ctx, pair[1], m.linked(n, true), 0)
		}
	}
	if len(m.ids) > 0 {
		m.addReference(ctx, refRecord, m.record(false), 0)
		m.addReference(ctx, refRecordAPI, m.record(true), 0)
	}
}

// addReference adds the body at an address, whose hash is sum, if it is not 0. Where it
// cannot be read, or is another reference, that is one finding, and no case compares with
// it.
func (m *matrix) addReference(ctx context.Context, name, address string, sum digest) {
	if sum == 0 {
		a := m.ask(ctx, request{address: address})
		if a == nil || !m.checkHeaders(address, a) {
			return
		}
		sum = a.Sum
	}
	other, again := m.names[sum]
	if again && len(m.ids) > 0 {
		m.find(mistaken(name, other), address, name, "the bytes of "+other)
		return
	}
	if !again {
		m.names[sum] = name
	}
	m.digests[name] = sum
}

// mistaken returns the rule that is broken where one reference comes in place of another:
// that of the variant, or else that of the page.
func mistaken(due, came string) *Rule {
	if strings.HasSuffix(due, withFormat) != strings.HasSuffix(came, withFormat) {
		return ruleFormatQuery
	}
	return rulePageQuery
}

// is reports whether an answer is the reference of that name, or that is not known.
func (m *matrix) is(a *answer, name string) bool {
	if name == refNone {
		return a.Status == http.StatusNotFound
	}
	due, known := m.digests[name]
	return !known || a.Status == http.StatusOK && a.Sum == due
}

// came says what an answer is.
func (m *matrix) came(a *answer) string {
	if a.Status != http.StatusOK {
		return a.short()
	}
	if name, known := m.names[a.Sum]; known {
		return name
	}
	return fmt.Sprintf("200 and %s", a.excerpt())
}

// ask returns the answer to a request, or nil where the verification has ended.
func (m *matrix) ask(ctx context.Context, r request) *answer {
	a, err := m.client.do(ctx, r)
	if err != nil {
		m.fail(err)
		return nil
	}
	return a
}

// askGood returns the answer to a plain GET, or nil where it is not a success.
func (m *matrix) askGood(ctx context.Context, address string) *answer {
	a := m.ask(ctx, request{address: address})
	if a == nil || a.Status != http.StatusOK {
		return nil
	}
	return a
}

// get is ask for what has to answer directly. Where it does not, that is a finding.
func (m *matrix) get(ctx context.Context, r request, due string) *answer {
	a := m.ask(ctx, r)
	if a != nil && m.Lenient && addsSlash(r.address, a) {
		r.address = redirectTarget(r.address, a)
		return m.get(ctx, r, due)
	}
	if !m.isDirect(r, a, due) {
		return nil
	}
	return a
}

// isDirect reports whether an answer came, and is no redirect; else that is a finding.
func (m *matrix) isDirect(r request, a *answer, due string) bool {
	switch {
	case a == nil:
		return false
	case a.Fault != "":
		r.loose = false
		m.findIn(ruleStatus, r, due, a.Fault)
		return false
	case isRedirect(a.Status):
		m.findIn(ruleRedirect, r, due, a.short())
		return false
	}
	return true
}

// addsSlash reports whether an answer redirects to the same address with a slash at its
// end, as many services do for every path: then what is there is checked. It can do so
// once only.
func addsSlash(address string, a *answer) bool {
	from, err := url.Parse(address)
	if err != nil || !isRedirect(a.Status) || strings.HasSuffix(from.Path, "/") {
		return false
	}
	to, err := url.Parse(redirectTarget(address, a))
	return err == nil && to.Scheme == from.Scheme && to.Host == from.Host && to.RawQuery == from.RawQuery &&
		strings.HasSuffix(to.Path, "/") && path.Clean(to.Path) == path.Clean(from.Path)
}
