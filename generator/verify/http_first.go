package verify

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
	"strings"
)

// begin looks at the first list page, and reports whether there is one to walk
// from. Where there is none, every request would find that anew: the cause is
// named in place of it.
func (c *checker) begin(ctx context.Context, o opener) (bool, error) {
	address := form{c.base, c.Links, false}.list(1)
	a, err := o.open(ctx, address, wantList)
	switch {
	case err != nil:
		return false, err
	case isRedirect(a.Status):
		c.find(ruleRedirect, address, "", "200", a.short())
		c.tellTarget(address, a)
		return false, nil
	case a.Status == http.StatusOK && isWebPage(a.Body):
		c.find(ruleJSON, address, "", "JSON", a.excerpt())
		c.stop("this host answers " + strings.TrimPrefix(address, c.base) + " with a page of its own")
	case a.Status >= http.StatusBadRequest:
		c.find(ruleStatus, address, "", "200", a.short())
		c.stop("the first list page answers " + a.short())
	default:
		return true, nil
	}
	return false, c.hintPlace(ctx, o)
}

func isWebPage(body []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(bytes.TrimPrefix(body, []byte("\xEF\xBB\xBF")), " \t\r\n"), []byte("<"))
}

// tellTarget says where an address leads that redirects.
func (c *checker) tellTarget(address string, a *answer) {
	to, ok := redirectTarget(address, a)
	if !ok {
		c.stop("the redirect has no Location")
		return
	}
	home, ok := strings.CutSuffix(to, strings.TrimPrefix(address, c.base))
	if !ok || home == c.base {
		c.stop("the address sends clients to " + to)
		c.hint("give the base address of a service that answers by itself")
		return
	}
	c.stop("the address sends clients to " + home)
	c.hint("verify that address: " + home)
}

// redirectTarget returns the absolute address that a redirect leads to.
func redirectTarget(address string, a *answer) (string, bool) {
	from, err := url.Parse(address)
	if err != nil {
		return "", false
	}
	to, err := from.Parse(a.Header.Get("Location"))
	if err != nil {
		return "", false
	}
	return to.String(), true
}

// hintPlace says where list pages are, if that can be found out.
func (c *checker) hintPlace(ctx context.Context, o opener) error {
	outer, inside := strings.CutSuffix(c.base, "/pages")
	if inside {
		c.hint(baseHint + ", " + outer)
		return nil
	}
	if c.Links != LinksQuery {
		c.hint(baseHint + "; and is the snapshot one of link style " + c.Links + "?")
		return nil
	}
	a, err := o.open(ctx, form{c.base, LinksFile, false}.list(1), wantList)
	if err != nil {
		return err
	}
	root, _, err := parseJSON(a.Body)
	switch {
	case a.Status != http.StatusOK || err != nil:
		c.hint(baseHint)
	case !hasFileLinks(root):
		c.hint("a plain file server ignores the query: build with --host files, and verify with it too")
	default:
		c.hint("for a plain file server give --host files")
	}
	return nil
}
