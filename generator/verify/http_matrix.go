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

// matrixInput holds the results of a walk that the matrix needs.
type matrixInput struct {
	lists int            // list pages that there are, at least 1
	seen  map[int]digest // plain list pages 1, 2 and the last, where the walk opened them
	ids   []string       // some records, the first of some list pages; none in an empty collection
}

// matrix makes the requests that no walk makes: all that the contract says
// of queries, paths, methods and headers. Its tables are in http_matrix_cases.go.
type matrix struct {
	*checker
	matrixInput

	client    *client
	templates *strings.Replacer

	digests map[string]digest // of references, by their names
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

// trial is one thing that is tried, in as many requests as it takes.
type trial func(context.Context)

func (c *checker) checkRequests(ctx context.Context, client *client, in matrixInput) {
	m := &matrix{checker: c, client: client, matrixInput: in, digests: map[string]digest{}, names: map[digest]string{}}
	references := m.references()
	m.templates = m.newTemplates(references)
	for _, r := range references {
		m.addReference(ctx, r)
	}
	trials := m.trials()
	var done atomic.Int64
	each(ctx, c, slices.Values(trials), func(try trial) {
		try(ctx)
		if ctx.Err() == nil {
			c.Progress("requests", int(done.Add(1)), len(trials))
		}
	})
}

// reference is a body that is known to be right, at an address as the links of the
// service have it.
type reference struct {
	name, address string
	sum           digest // 0 where the walk did not read it
}

func (m *matrix) references() (all []reference) {
	add := func(name string, address func(form) string, sum digest) {
		plain, api := form{m.base, m.Links, false}, form{m.base, m.Links, true}
		all = append(all, reference{name, address(plain), sum}, reference{name + withFormat, address(api), 0})
	}
	for i, name := range []string{refList1, refList2, refListLast} {
		if n := []int{1, 2, m.lists}[i]; i < m.lists {
			add(name, func(f form) string { return f.list(n) }, m.seen[n])
		}
	}
	if len(m.ids) > 0 {
		add(refRecord, func(f form) string { return f.record(m.ids[0]) }, 0)
	}
	return all
}

// newTemplates returns the values of the templates in the tables: ids, numbers of list
// pages, and the addresses of references by their names.
func (m *matrix) newTemplates(references []reference) *strings.Replacer {
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
	for _, r := range references {
		pairs = append(pairs, "{"+r.name+"}", strings.TrimPrefix(r.address, m.base))
	}
	return strings.NewReplacer(pairs...)
}

// address fills in a template. ok is false where the collection has nothing to fill in.
func (m *matrix) address(template string) (address string, ok bool) {
	target := m.templates.Replace(template)
	return m.base + target, !strings.Contains(target, "{")
}

// addReference adds a reference. Where it cannot be read, or is another one, that is one
// finding, and no case compares with it.
func (m *matrix) addReference(ctx context.Context, r reference) {
	if r.sum == 0 {
		a := m.ask(ctx, request{address: r.address})
		if a == nil || !m.checkHeaders(r.address, a) {
			return
		}
		r.sum = a.Sum
	}
	other, again := m.names[r.sum]
	if again && len(m.ids) > 0 {
		m.find(mistaken(r.name, other), r.address, r.name, "the bytes of "+other)
		return
	}
	if !again {
		m.names[r.sum] = r.name
	}
	m.digests[r.name] = r.sum
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

// came describes an answer for a finding.
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

// get is ask for an address that has to answer without a redirect. Where it does not,
// that is a finding.
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

// expect is get for an answer that must have a status, or else breaks a rule.
func (m *matrix) expect(ctx context.Context, r request, status int, rule *Rule) *answer {
	due := strconv.Itoa(status)
	a := m.get(ctx, r, due)
	if a != nil && a.Status != status {
		m.findIn(rule, r, due, a.short())
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

func (m *matrix) tryCase(ctx context.Context, q queryCase, r request) {
	a := m.get(ctx, r, q.due)
	switch {
	case a == nil:
	case !m.is(a, q.due) && (q.or == "" || !m.is(a, q.or)):
		due := q.due
		if q.or != "" {
			due += ", or " + q.or
		}
		m.findIn(m.ruleForCase(q, a), r, due+" ("+q.name+")", m.came(a))
	case a.Status == http.StatusOK:
		m.checkHeaders(r.address, a)
	case a.Status == http.StatusNotFound:
		m.checkError(r, a)
	}
}

// ruleForCase returns the rule that a wrong answer breaks. The reference that came says
// more than the case, which may try two things at once.
func (m *matrix) ruleForCase(q queryCase, a *answer) *Rule {
	came, known := m.names[a.Sum]
	switch {
	case q.rule != rulePageQuery && q.rule != ruleFormatQuery:
		return q.rule
	case !known && (q.due == refNone || q.or == refNone):
		return ruleNotFoundStatus
	case q.due == refNone || !known:
		return q.rule
	}
	return mistaken(q.due, came)
}

// tryHidden requests sivu's own files. A service that answers 200 to every path shows
// nothing by that: the rule of unknown paths finds it.
func (m *matrix) tryHidden(ctx context.Context) {
	usual := m.ask(ctx, request{address: m.base + "/sivu-verify-unknown/manifest"})
	for _, path := range hiddenPaths {
		r := request{address: m.base + path, loose: true}
		a := m.get(ctx, r, refNone)
		if a == nil || usual == nil || a.Status == usual.Status && a.Sum == usual.Sum || isRefusal(a) {
			continue
		}
		m.findIn(ruleStateHidden, r, refNone, m.came(a))
		m.hint("upload the snapshot without .sivu")
	}
}

func isRefusal(a *answer) bool { return 400 <= a.Status && a.Status <= 499 }

// tryDots requests the parent folder of the list. It may be the root of the service, and
// must not be a record or a list.
func (m *matrix) tryDots(ctx context.Context) {
	r := request{address: m.base + "/pages/%2e%2e/"}
	a := m.get(ctx, r, refNone)
	root := m.ask(ctx, request{address: m.base + "/"})
	if a == nil || root == nil {
		return
	}
	if _, known := m.names[a.Sum]; known || a.Status != root.Status && !isRefusal(a) {
		m.findIn(ruleNotFoundStatus, r, refNone, m.came(a))
	}
}

// trySlash requests an address without the slash at the end of its path.
func (m *matrix) trySlash(ctx context.Context, address string) {
	r := request{address: address}
	a := m.ask(ctx, r)
	if a == nil {
		return
	}
	path, _, _ := strings.Cut(address, "?")
	due := path + "/" + strings.TrimPrefix(address, path)
	sentence := "308 to " + due + ", or 404"
	to := redirectTarget(address, a)
	switch {
	case a.Fault != "":
		m.findIn(ruleStatus, r, sentence, a.Fault)
	case a.Status == http.StatusNotFound:
		m.checkError(r, a)
	case !isRedirect(a.Status):
		m.findIn(ruleSlash, r, sentence, m.came(a))
	case !strings.HasPrefix(to, m.base+"/"):
		m.findIn(ruleRedirect, r, sentence, a.short())
	case a.Status != http.StatusPermanentRedirect || to != due:
		m.findIn(ruleSlash, r, sentence, a.short())
	}
}
