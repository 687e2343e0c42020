package markup_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/parser"

	"example.org/sivu/generator/markup"
	"example.org/sivu/generator/page"
)

// benchmarkBody is a page of about 4 kB of Markdown and 5 kB of HTML.
func benchmarkBody() []byte {
	var b strings.Builder
	b.WriteString("# Vuokra-asunnon hakeminen\n\n")
	for range 7 {
		b.WriteString("## Näin haet asuntoa\n\n" +
			"Voit hakea asuntoa *kunnalta*, yksityiseltä **vuokranantajalta** tai säätiöltä. Lue lisää sivulta\n" +
			"[Työnhaku](tyo/index.md) ja [Asuminen](/fi/asuminen), tai [Kelan sivuilta](https://www.kela.fi/asumistuki?x=1&y=2).\n\n" +
			"- ensimmäinen kohta, jossa on `koodia`\n- toinen kohta\n- kolmas kohta: <https://example.fi/>\n\n" +
			"<p class=\"note\" lang=\"fi\">Muista hakea ajoissa.</p>\n\n" +
			"| Tuki | Määrä |\n|:-----|------:|\n| asumistuki | 400 € |\n| toimeentulotuki | 500 € |\n\n")
	}
	return []byte(b.String())
}

func BenchmarkRender(b *testing.B) {
	body := benchmarkBody()
	r := markup.NewRenderer(markup.Options{}, testIndex())
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		r.Render(0, page.Markdown, body)
	}
}

func BenchmarkClean(b *testing.B) {
	body := bytes.Clone(markup.NewRenderer(markup.Options{}, testIndex()).Render(0, page.Markdown, benchmarkBody()).Content)
	r := markup.NewRenderer(markup.Options{}, testIndex())
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		r.Render(0, page.HTML, body)
	}
}

func BenchmarkGoldmark(b *testing.B) {
	body := benchmarkBody()
	md := goldmark.New(goldmark.WithExtensions(markup.Extensions()...), goldmark.WithParserOptions(parser.WithAutoHeadingID()))
	var out bytes.Buffer
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		out.Reset()
		if err := md.Convert(body, &out); err != nil {
			b.Fatal(err)
		}
	}
}
