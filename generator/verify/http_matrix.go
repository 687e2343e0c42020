package verify

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// digest is the hash of a body, as by hashOf. 0 is one that is not known.
type digest uint64

func digestOf(body []byte) digest { return digest(hashOf(body)) }

// matrixInput is what a walk knows of a service.
type matrixInput struct {
	Lists   int                // list pages that there are, at least 1
	Seen    map[listKey]digest // the first two and the last, where the walk opened them
	Records []matrixRecord     // a few, the first of some list pages; none in an empty collection
}

// listKey names one list page in one variant.
type listKey struct {
	number int
	api    bool
}

// matrixRecord is a record and its two bodies, where the walk opened them.
type matrixRecord struct {
	ID         string
	Plain, API digest
}

// matrix tries requests that no walk makes: all that the contract and DESIGN.md
// say of queries, paths, methods and headers.
type matrix struct {
	*checker
	client *client
	in     matrixInput
	known  *references
}

// unknownID is an id that no record has.
const unknownID = "6e6f7420-6865-4265-8e6f-742068657265"

// checkRequests runs the request matrix. An error ends the verification.
func (c *checker) checkRequests(ctx context.Context, client *client, in matrixInput) error {
	in.Lists = max(in.Lists, 1)
	m := &matrix{checker: c, client: client, in: in}
	if err := m.refer(ctx); err != nil {
		return err
	}
	trials := m.trials()
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(cap(client.slots))
	var done atomic.Int64
	for _, trial := range trials {
		group.Go(func() error {
			if err := trial(ctx); err != nil {
				return err
			}
			c.advance("requests", int(done.Add(1)), len(trials))
			return nil
		})
	}
	return group.Wait()
}

// trial is one thing that is tried, in as many requests as it takes.
type trial func(context.Context) error

func (m *matrix) trials() []trial {
	var trials []trial
	trials = append(trials, m.queryTrials()...)
	trials = append(trials, m.pathTrials()...)
	trials = append(trials, m.hiddenTrials()...)
	trials = append(trials, m.slashTrials()...)
	trials = append(trials, m.methodTrials()...)
	trials = append(trials, m.headTrials()...)
	trials = append(trials, m.conditionalTrials()...)
	return append(trials, m.compressionTrials()...)
}

// places are what the templates of the tables stand for.
func (m *matrix) places() *strings.Replacer {
	pairs := []string{"{unknown}", unknownID}
	// Without the first list page, nobody knows how many there are.
	if _, read := m.in.Seen[listKey{number: 1}]; read {
		pairs = append(pairs, "{last}", strconv.Itoa(m.in.Lists), "{beyond}", strconv.Itoa(m.in.Lists+1))
	}
	if len(m.in.Records) > 0 {
		id := m.in.Records[0].ID
		pairs = append(pairs, "{id}", id, "{bare}", strings.ReplaceAll(id, "-", ""))
	}
	for _, r := range m.in.Records {
		if upper := strings.ToUpper(r.ID); upper != r.ID {
			pairs = append(pairs, "{ID}", upper)
			break
		}
	}
	return strings.NewReplacer(pairs...)
}

// address fills in a template. ok is false where the collection has nothing to
// fill in.
func (m *matrix) address(path, query string) (address string, ok bool) {
	if query != "" {
		path += "?" + strings.TrimPrefix(query, "?")
	}
	path = m.places().Replace(path)
	return m.base + path, !strings.Contains(path, "{")
}

// Names of what answers are compared with, as findings show them.
const (
	withFormat = " with format=api"

	refList1, refList1API       = "list page 1", refList1 + withFormat
	refList2, refList2API       = "list page 2", refList2 + withFormat
	refListLast, refListLastAPI = "the last list page", refListLast + withFormat
	refRecord, refRecordAPI     = "the record", refRecord + withFormat
	refNone                     = "404"
)

// references are bodies that are known to be right: those that the walk judged,
// and where it did not open one, what is at the address that its links lead to.
type references struct {
	digests map[string]digest
	names   map[digest]string
}

// reference is a body that others are compared with, and an address of it that
// a walk meets.
type reference struct {
	name, address string
	seen          digest
}

func (m *matrix) sources() []reference {
	all := []reference{m.list(refList1, 1, false), m.list(refList1API, 1, true)}
	if m.in.Lists > 1 {
		all = append(all, m.list(refList2, 2, false), m.list(refList2API, 2, true))
	}
	if n := m.in.Lists; n > 2 {
		all = append(all, m.list(refListLast, n, false), m.list(refListLastAPI, n, true))
	}
	if len(m.in.Records) > 0 {
		r := m.in.Records[0]
		all = append(all,
			reference{refRecord, m.linked(oneRecord, "", false), r.Plain},
			reference{refRecordAPI, m.linked(oneRecord, "", true), r.API})
	}
	return all
}

func (m *matrix) list(name string, n int, api bool) reference {
	number := ""
	if n > 1 {
		number = strconv.Itoa(n)
	}
	return reference{name, m.linked(allLists, number, api), m.in.Seen[listKey{n, api}]}
}

// The two resources (contract.md 4.1, 4.2).
const (
	allLists  = "/pages/"
	oneRecord = "/pages/{id}/"
)

// linked returns the address that the links of this service lead to: that of
// the contract, or of a file (DESIGN.md, link styles). It is "" where there is
// no record.
func (m *matrix) linked(folder, number string, api bool) string {
	address, ok := m.address(m.location(folder, number, api))
	if !ok {
		return ""
	}
	return address
}

func (m *matrix) location(folder, number string, api bool) (path, query string) {
	if m.Links != LinksQuery {
		file := "index"
		if number != "" {
			file = "page-" + number
		}
		if api {
			file += ".api"
		}
		return folder + file + ".json", ""
	}
	var pairs []string
	if api {
		pairs = append(pairs, "format=api")
	}
	if number != "" {
		pairs = append(pairs, "page="+number)
	}
	return folder, strings.Join(pairs, "&")
}

// refer learns the references. One that cannot be had, or that is the same as
// another, is a finding here, once, and no case compares with it.
func (m *matrix) refer(ctx context.Context) error {
	m.known = &references{map[string]digest{}, map[digest]string{}}
	for _, s := range m.sources() {
		sum := s.seen
		if sum == 0 {
			a, err := m.client.open(ctx, s.address, wantSum)
			if err != nil {
				return err
			}
			if !m.checkHeaders(s.address, a) {
				continue
			}
			sum = a.Sum
		}
		other, again := m.known.names[sum]
		switch {
		case !again:
			m.known.names[sum] = s.name
		case len(m.in.Records) > 0:
			m.find(mistaken(s.name, other), s.address, "", s.name, "the bytes of "+other)
			continue
		}
		m.known.digests[s.name] = sum
	}
	return nil
}

// mistaken returns the rule that is broken where one reference comes in place
// of another: which variant it is, or else which page.
func mistaken(due, came string) *Rule {
	if strings.HasSuffix(due, withFormat) != strings.HasSuffix(came, withFormat) {
		return ruleFormatQuery
	}
	return rulePageQuery
}

// is reports whether an answer is the reference of that name. Where the
// reference is not known, all are.
func (m *matrix) is(a *answer, name string) bool {
	if name == refNone {
		return a.Status == http.StatusNotFound
	}
	due, known := m.known.digests[name]
	return !known || a.Status == http.StatusOK && a.Sum == due
}

// came says what an answer is.
func (m *matrix) came(a *answer) string {
	if a.Status != http.StatusOK {
		return a.short()
	}
	if name, known := m.known.names[a.Sum]; known {
		return name
	}
	return fmt.Sprintf("200 and %s", a.excerpt())
}

// get asks for an address. ok is false where the answer is none to judge
// further: that it did not come, or leads elsewhere, is found here.
func (m *matrix) get(ctx context.Context, r request, due string) (a *answer, ok bool, err error) {
	if a, err = m.client.do(ctx, r); err != nil {
		return nil, false, err
	}
	switch {
	case a.Fault != "":
		m.find(ruleStatus, r.address, r.label(), due, a.Fault)
	case m.Lenient && addsSlash(r.address, a):
		r.address, _ = redirectTarget(r.address, a)
		return m.get(ctx, r, due)
	case isRedirect(a.Status):
		m.findIn(ruleRedirect, r.loose, r.address, r.label(), due, a.short())
	default:
		return a, true, nil
	}
	return a, false, nil
}

// addsSlash reports whether an answer leads to the same address with a slash at
// its end, as those of many services do for every path: then what is there is
// judged. It can do so once only.
func addsSlash(address string, a *answer) bool {
	from, err := url.Parse(address)
	if err != nil || !isRedirect(a.Status) || strings.HasSuffix(from.Path, "/") {
		return false
	}
	text, _ := redirectTarget(address, a)
	to, err := url.Parse(text)
	return err == nil && to.Scheme == from.Scheme && to.Host == from.Host && to.RawQuery == from.RawQuery &&
		strings.HasSuffix(to.Path, "/") && path.Clean(to.Path) == path.Clean(from.Path)
}
