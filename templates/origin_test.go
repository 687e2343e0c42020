package templates_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// A client under development on another port of this machine reads the pages; a
// website cannot, neither from its own address, nor from a frame without one, nor
// by giving its name the address of this machine.
func TestWhoCanRead(t *testing.T) {
	testAll(t)
	l := smallLibrary(t)
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Write([]byte("<!doctype html><title>a client</title><p>a client</p>"))
	}))
	t.Cleanup(other.Close)
	_, port, _ := strings.Cut(strings.TrimPrefix(other.URL, "http://"), ":")
	b := open(t, l, "/")
	b.excuse("a request elsewhere")
	b.excuse("CORS")
	b.excuse("net::ERR_FAILED")
	b.excuse("421")
	const read = `fetch(%q).then((answer) => answer.text(), () => 'refused')`
	from := func(address, script string) string {
		t.Helper()
		b.do(chromedp.Navigate(address))
		return eval[string](b, script)
	}
	pages := fmt.Sprintf(read, l.base+"/pages/")
	for _, address := range []string{other.URL, "http://localhost:" + port} {
		if got := from(address, pages); !strings.HasPrefix(got, `{"count":5,`) {
			t.Errorf("a client at %s reads %.80s", address, got)
		}
	}
	const stranger = "http://stranger.example:"
	for _, script := range []string{pages, fmt.Sprintf(read, l.base+"/_preview/state.json")} {
		if got := from(stranger+port, script); got != "refused" {
			t.Errorf("a website reads %.80s", got)
		}
	}
	inFrame := fmt.Sprintf(`new Promise((resolve) => {
		addEventListener('message', ({ data }) => resolve(data));
		const frame = document.createElement('iframe');
		frame.sandbox = 'allow-scripts';
		frame.srcdoc = "<script>" + %q + ".then((text) => parent.postMessage(text, '*'))</script>";
		document.body.append(frame);
	})`, pages)
	if got := from(other.URL, inFrame); got != "refused" {
		t.Errorf("a frame without an origin reads %.80s", got)
	}
	_, own, _ := strings.Cut(strings.TrimPrefix(l.base, "http://"), ":")
	if got := from(stranger+own+"/pages/", `document.body.innerText`); !strings.Contains(got, "only requests that name its own address") {
		t.Errorf("a name of a stranger leads to %.80s", got)
	}
}
