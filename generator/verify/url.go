package verify

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
)

// URL checks the service at a base address, such as "https://api.example.fi/v1": it
// walks it, and then makes the requests of the request matrix. An error, often an
// [Error], means that nothing answered, or that ctx ended.
func URL(ctx context.Context, base string, o Options) (*Report, error) {
	o.Jobs = cmp.Or(max(o.Jobs, 0), defaultJobs)
	client, err := newClient(base, o)
	if err != nil {
		return nil, err
	}
	defer client.close()
	c, inner := newChecker(ctx, client.base.String(), o)
	defer c.fail(nil)
	c.opener, c.isGood, c.shown = client, c.checkHeaders, client.budget.allow
	defer client.budget.begin(c.fail)()
	if c.begin(inner) {
		walk := c.walkBoth(inner, true)
		if inner.Err() == nil {
			c.part = 2
			c.checkRequests(inner, client, walk.matrixInput())
		}
	}
	var spent *spentError
	switch err := context.Cause(inner); {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case errors.As(err, &spent):
		c.findSpent(spent)
	case err != nil:
		return nil, err
	}
	c.report.Requests = client.requests()
	return c.finish(), nil
}

func (w *walk) matrixInput() matrixInput {
	in := matrixInput{lists: max(1, w.due()), seen: map[int]digest{}}
	last := len(w.lists)
	for _, number := range []int{1, 2, in.lists} {
		if number <= last && w.lists[number-1].digest != 0 {
			in.seen[number] = w.lists[number-1].digest
		}
	}
	for i, l := range w.lists {
		if l.order != 0 && (len(in.ids) == 0 || i == last/2 || i == last-1) {
			in.ids = append(in.ids, l.first.String())
		}
	}
	return in
}

// begin opens the first list page, and reports whether there is one to walk from. Where
// there is none, it names the cause, which every other request would only repeat.
func (c *checker) begin(ctx context.Context) bool {
	address := form{c.base, c.Links, false}.list(1)
	a := c.open(ctx, address, wantList, nil)
	switch {
	case a == nil:
		return false
	case isRedirect(a.Status):
		c.find(ruleRedirect, address, "200", a.short())
		c.hintRedirect(address, a)
		return false
	case a.Status == http.StatusOK && isWebPage(a.Body):
		c.find(ruleJSON, address, "JSON", a.excerpt())
		c.stop("this host answers %s with a page of its own", strings.TrimPrefix(address, c.base))
	case a.Status >= http.StatusBadRequest:
		c.find(ruleStatus, address, "200", a.short())
		c.stop("the first list page answers %s", a.short())
	default:
		return true
	}
	c.hintBase(ctx)
	return false
}

func isWebPage(body []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(bytes.TrimPrefix(body, []byte("\xEF\xBB\xBF")), " \t\r\n"), []byte("<"))
}

func (c *checker) hintRedirect(address string, a *answer) {
	to := redirectTarget(address, a)
	home, ok := strings.CutSuffix(to, strings.TrimPrefix(address, c.base))
	switch {
	case to == "":
		c.stop("the redirect has no Location")
	case !ok || home == c.base:
		c.stop("the address sends clients to %s", to)
		c.hint("give the base address of a service that answers by itself")
	default:
		c.stop("the address sends clients to %s", home)
		c.hint("verify that address: %s", home)
	}
}

// redirectTarget returns the absolute address that a redirect leads to, or "".
func redirectTarget(address string, a *answer) string {
	from, err := url.Parse(address)
	if err != nil {
		return ""
	}
	to, err := from.Parse(a.Header.Get("Location"))
	if err != nil {
		return ""
	}
	return to.String()
}

// hintBase gives hints about the base address, where there is no list page.
func (c *checker) hintBase(ctx context.Context) {
	if outer, inside := strings.CutSuffix(c.base, "/pages"); inside {
		c.hint("%s, %s", baseHint, outer)
		return
	}
	if c.Links != LinksQuery {
		c.hint("%s; and is the snapshot one of link style %s?", baseHint, c.Links)
		return
	}
	a := c.open(ctx, form{c.base, LinksFile, false}.list(1), wantList, nil)
	if a == nil {
		return
	}
	root, _, err := parseJSON(a.Body)
	if err != nil || a.Status != http.StatusOK {
		c.hint(baseHint)
		return
	}
	if results := root.elements("results"); len(results) > 0 {
		if address, _ := results[0].string("url"); !namesFile(address) {
			c.hint("a plain file server ignores the query: build with --host files, and verify with it too")
			return
		}
	}
	c.hint("for a plain file server give --host files")
}
