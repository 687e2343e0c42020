package templates_test

import (
	"bytes"
	"image"
	"image/png"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// picture returns an image that is so many pixels wide.
func picture(t *testing.T, width int) string {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, width, 40))); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const (
	picturePage = "---\ntitle: Kuvia\ncreated: 2026-11-20\n---\n\nTeksti.\n\n![pallo](kuvat/pallo.png)\n\n<img src=\"/kuvat/merkki.svg\" alt=\"merkki\">\n"
	pictureSVG  = `<svg xmlns="http://www.w3.org/2000/svg" width="77" height="20"><title>merkki</title><style>rect { fill: teal }</style><rect width="77" height="20"/>` +
		`<script>document.documentElement.setAttribute('width', '99')</script></svg>`
)

// An author puts images beside a page, and changes one: each is seen at once, also
// where the site's files are asked from elsewhere; one that is missing is a problem
// with its place.
func TestImagesAreSeen(t *testing.T) {
	testAll(t)
	for _, assets := range []string{"", "https://files.example/x"} {
		t.Run(assets, func(t *testing.T) {
			d := newDesk(t, "fi/kuvia.md", picturePage, "kuvat/merkki.svg", pictureSVG, "fi/kuvat/toinen.png", picture(t, 9))
			settings := regexp.MustCompile(`(?m)^assets:.*$`).ReplaceAllString(d.read("site.yaml"), "")
			if assets != "" {
				settings += "\nassets: " + assets + "\n"
			}
			d.save("site.yaml", settings)
			b := openAt(t, d.base, "/#/records?text=kuvia")
			b.excuse("404")                // the image that is missing
			b.excuse("files.example")      // where it is asked from instead
			b.excuse("net::ERR_")          // as nobody is there
			b.excuse("Blocked script")     // in the image that is a document
			b.excuse("policy: script-src") // and its policy
			b.click(".record-link")
			b.see("h1", "Kuvia")
			b.see(".problem:last-child .problem-message", `the file "fi/kuvat/pallo.png" is not in the content folder`)
			b.see(".problem:last-child .place", d.content+"/fi/kuvia.md:8:1")
			widths := func(want string) {
				t.Helper()
				b.until(`document.querySelector('iframe')`)
				address, got := eval[string](b, `document.querySelector('iframe').src`), ""
				for begin := time.Now(); got != want; time.Sleep(20 * time.Millisecond) {
					var err error
					got, err = b.frameValue(address, `[...document.images].map((image) => image.complete ? image.naturalWidth : '-').join(' ')`)
					if time.Since(begin) > patience {
						t.Fatalf("the images are %q wide, want %q (%v)", got, want, err)
					}
				}
			}
			widths("0 77")
			d.save("fi/kuvat/pallo.png", picture(t, 30))
			widths("30 77")
			b.until(`![...document.querySelectorAll('.problem')].some((problem) => problem.textContent.includes('missing-media'))`)
			d.save("fi/kuvat/pallo.png", picture(t, 50))
			widths("50 77")

			id := eval[string](b, `location.hash.split('/').pop()`)
			if content := eval[string](b, `fetch('/pages/`+id+`/').then((answer) => answer.text())`); !strings.Contains(content, `src=\"`+assets+`/fi/kuvat/pallo.png\"`) {
				t.Errorf("the answer is not what a host would give: %s", content)
			}
			b.do(chromedp.Navigate(d.base + "/kuvat/merkki.svg"))
			if got := eval[string](b, `document.documentElement.getAttribute('width') + ' ' + getComputedStyle(document.querySelector('rect')).fill`); got != "77 rgb(0, 128, 128)" {
				t.Errorf("a script ran in an image, or it has no colour: %s", got)
			}
		})
	}
}
