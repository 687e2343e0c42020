package preview

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The direction of a language is that of its script.
func TestDirection(t *testing.T) {
	for tag, want := range map[string]string{
		"ar": "rtl", "fa": "rtl", "he": "rtl", "ur": "rtl", "ps": "rtl", "sd": "rtl", "ug": "rtl", "yi": "rtl", "dv": "rtl", "ckb": "rtl",
		"ar-EG": "rtl", "AR": "rtl", "az-Arab": "rtl", "ku-Arab": "rtl", "pa-Arab": "rtl", "pa-PK": "rtl", "syr": "rtl", "nqo": "rtl",
		"fi": "ltr", "en": "ltr", "sv": "ltr", "ru": "ltr", "et": "ltr", "so": "ltr", "es": "ltr", "tr": "ltr", "zh": "ltr", "fr": "ltr",
		"ku": "ltr", "az": "ltr", "pa": "ltr", "ar-Latn": "ltr", "fa-Latn": "ltr", "zh-Hant": "ltr",
		"": "auto", "not a tag": "auto", "x-own": "auto",
	} {
		if got := direction(tag); got != want {
			t.Errorf("%q: got %s, want %s", tag, got, want)
		}
	}
}

// The content of a record is a document of its own, which may do nothing.
func TestBody(t *testing.T) {
	s := serve(t, Options{Browser: browser})
	s.Show(Site{Answers: memory{"pages/" + someID + "/index.json": `{"language":"ar","meta":{"title":"<b> & \"سكن\"","url":null},"created":"",` +
		`"url":"","content":"<!-- modified: 2019-05-06T08:06:31 --><div class=\"xmldoc\"><p>\u2028مرحبا &amp;</p></div>","embeds":[]}`}})
	const want = `<!doctype html>
<html lang="ar" dir="rtl">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>&lt;b&gt; &amp; &#34;سكن&#34;</title>
<base target="_blank">
<link rel="stylesheet" href="/_preview/body.css">
</head>
<body>
<!-- modified: 2019-05-06T08:06:31 --><div class="xmldoc"><p>` + "\u2028" + `مرحبا &amp;</p></div>
</body>
</html>
`
	got := s.ask(t, "GET", "/_preview/body/"+someID)
	if diff := cmp.Diff(want, got.body); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	got.want(t, "headers", 200, want, "Content-Type", "text/html; charset=utf-8", "X-Content-Type-Options", "nosniff", "Referrer-Policy", "no-referrer",
		"Content-Security-Policy", "default-src 'none'; style-src 'self'; img-src https: http: data:; media-src https: http: data:; base-uri 'none'; form-action 'none'; "+
			"frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox")
	s.ask(t, "HEAD", "/_preview/body/"+someID).want(t, "HEAD", 200, "")
	s.ask(t, "POST", "/_preview/body/"+someID).want(t, "POST", 405, "only GET and HEAD are answered here\n")
	s.Show(Site{Answers: memory{"pages/" + someID + "/index.json": `[]`}})
	if got := s.ask(t, "GET", "/_preview/body/"+someID); got.status != 500 {
		t.Errorf("no record: got %d", got.status)
	}
}

// note is the document that stands in a frame in place of a record.
func note(text string) string {
	return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n" +
		"<title>" + text + "</title>\n<link rel=\"stylesheet\" href=\"/_preview/body.css\">\n</head>\n<body>\n<p>" + text + "</p>\n</body>\n</html>\n"
}

// Whatever becomes of a record, its frame may show the answer.
func TestBodyGone(t *testing.T) {
	s := serve(t, Options{Browser: browser})
	address := "/_preview/body/" + someID
	same := []string{"Content-Security-Policy", bodyPolicy, "Cache-Control", "no-cache", "Content-Type", "text/html; charset=utf-8"}
	s.ask(t, "GET", address).want(t, "no answers", 503, note("There is nothing to show now."), same...)
	s.Show(Site{Answers: memory{}})
	s.ask(t, "GET", address).want(t, "gone", 404, note("This record is gone."), same...)
	s.Show(Site{Answers: failing{}})
	if got := s.ask(t, "GET", address); got.status != 500 || got.header.Get("Content-Security-Policy") != bodyPolicy {
		t.Errorf("failing: got %d %v", got.status, got.header)
	}
}
