package preview

import (
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/page"
)

// made makes the files of a snapshot. Its pages hold a text wherever pages can
// hold one.
func made(t testing.TB, links api.Links, count int, key, text string) map[string]string {
	t.Helper()
	at, ok := page.TimeOf(time.Date(2019, 5, 6, 8, 6, 31, 0, time.UTC))
	if !ok {
		t.Fatal("no such time")
	}
	head := api.AppendItem(nil, &page.Page{Record: page.Record{Language: "fi", Created: at, Modified: at}, Meta: page.Meta{
		{Key: "title", Value: text}, {Key: "url", Value: text}, {Key: "next", Value: text}, {Key: "results", Null: true}, {Key: key, Value: text},
	}})
	tail := api.AppendSuffix(nil, []page.Embed{{URI: text}}, []byte(text))
	files := map[string]string{}
	for _, v := range api.Variants {
		for i := range count {
			id := uuid.UUID{byte(i), 0xFF}
			files[api.RecordFolder(id)+"/"+api.IndexName(v)] = string(links.AppendDetail(nil, head, tail, id, v))
		}
		for n := 1; n <= api.ListPages(count); n++ {
			var records []api.Record
			for i := (n - 1) * api.PageSize; i < min(n*api.PageSize, count); i++ {
				records = append(records, api.Record{ID: uuid.UUID{byte(i), 0xFF}, Item: head})
			}
			list := links.AppendEnvelope(nil, api.List{Count: count, Number: n, Records: records}, v)
			files["pages/"+api.ListName(n, v)] = string(list)
			if n == 1 {
				files["pages/"+api.IndexName(v)] = string(list)
			}
		}
	}
	return files
}

func style(t testing.TB, name string) api.Style {
	t.Helper()
	s, ok := api.StyleNamed(name)
	if !ok {
		t.Fatalf("no link style %q", name)
	}
	return s
}

// rewriteAll gives the files of one base another base, as a folder does. With
// variants, the api variants are made of the plain ones.
func rewriteAll(t testing.TB, files map[string]string, base string, variants bool) map[string]string {
	t.Helper()
	links, err := readLinkForm([]byte(files["pages/index.json"]))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for name := range files {
		b := rewriter{from: links.base, to: inJSON(base)}
		from := name
		if plain := plainVariant(name); variants && plain != "" {
			b.apiVariant, b.query, from = true, links.query, plain
		}
		if links.base == nil {
			got[name] = files[from]
			continue
		}
		body, err := b.rewrite([]byte(files[from]))
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, files[from])
		}
		got[name] = string(body)
	}
	return got
}

// traps are texts that could be taken for links.
var traps = []string{
	"https://api.example.fi/pages/?page=2",
	"https://api.example.fi/v1/pages/",
	`","url":"https://api.example.fi/pages/`,
	`","content":{"url":"https://api.example.fi/pages/x/","results":[{"url":"https://api.example.fi/pages/x/`,
	"}]\\\"\n\x01\u2028\\",
	`\`, `"`, "", "äö مرحبا 😀",
}

// A snapshot of one base address, given another one, is that which is made with
// the other in the first place: every byte of every file, with every link style,
// also where the api variants are made of the plain ones.
func TestRewrite(t *testing.T) {
	t.Parallel()
	const other = "http://127.0.0.1:8765"
	for _, base := range []string{"https://api.example.fi", "https://api.example.fi/v1", "https://api.example.fi/v1/pages", "http://127.0.0.1:87", "http://a.example/a'b&<c>"} {
		for _, s := range api.Styles {
			for i, count := range []int{0, 1, 10, 11, 35} {
				for j, trap := range traps {
					from := made(t, api.Links{Base: base, Style: s}, count, traps[(i+j)%len(traps)], trap)
					want := made(t, api.Links{Base: other, Style: s}, count, traps[(i+j)%len(traps)], trap)
					for _, variants := range []bool{false, true} {
						if variants && s.Name == "file" && count <= api.PageSize {
							continue // see TestRewriteOneFilePage
						}
						if diff := cmp.Diff(want, rewriteAll(t, from, other, variants)); diff != "" {
							t.Errorf("%s, %s, %d records, %q, api variants made: %v (-want +got):\n%s", base, s.Name, count, trap, variants, diff)
						}
					}
				}
			}
		}
	}
}

// A snapshot with file links and one list page does not tell whether its api
// variants carry the query too: those that are made do.
func TestRewriteOneFilePage(t *testing.T) {
	const base = "https://api.example.fi"
	files := rewriteAll(t, made(t, api.Links{Base: base, Style: style(t, "file")}, 1, "a", "b"), base, true)
	want := made(t, api.Links{Base: base, Style: style(t, "file+query")}, 1, "a", "b")
	if diff := cmp.Diff(want, files); diff != "" {
		t.Error(diff)
	}
}

// FuzzRewrite gives pages of any text another base. Both are made by the encoder.
func FuzzRewrite(f *testing.F) {
	f.Add("title", `","url":"https://a.example/pages/"`, "a.example/v1", "127.0.0.1:1", uint8(12), uint8(0))
	f.Add("url", "\\\"\u2028{[", "b", "b/pages/b", uint8(3), uint8(4))
	f.Add("results", `[{"url":"http://b/pages/"}]`, "b", "c", uint8(25), uint8(5))
	f.Fuzz(func(t *testing.T, key, value, base, other string, count, choice uint8) {
		if !utf8.ValidString(key+value) || strings.ContainsFunc(base+other, func(c rune) bool {
			return c == utf8.RuneError || !unicode.IsPrint(c) || strings.ContainsRune(`"\?#`, c)
		}) {
			return // the first is no page, the second no base address
		}
		base, other = "http://"+base, "http://"+other
		s := api.Styles[int(choice)%len(api.Styles)]
		records := int(count) % 30
		variants := choice&0x80 != 0 && (s.Name != "file" || records > api.PageSize)
		from := made(t, api.Links{Base: base, Style: s}, records, key, value)
		want := made(t, api.Links{Base: other, Style: s}, records, key, value)
		if diff := cmp.Diff(want, rewriteAll(t, from, other, variants)); diff != "" {
			t.Error(diff)
		}
	})
}

// What stands where is what counts, also in JSON that sivu would not write; and
// only links below the base are links.
func TestRewriteStructure(t *testing.T) {
	b := rewriter{from: []byte("http://a"), to: []byte("http://new")}
	tests := map[string]string{
		`{"url":"http://a/pages/x/"}`:                                                 `{"url":"http://new/pages/x/"}`,
		" {\n\"url\" : \"http://a/pages/x/\" , \"b\" : [ 1 , { } ] } ":                " {\n\"url\" : \"http://new/pages/x/\" , \"b\" : [ 1 , { } ] } ",
		`{"meta":{"url":"http://a/pages/x/"}}`:                                        `{"meta":{"url":"http://a/pages/x/"}}`,
		`{"content":"\",\"url\":\"http://a/pages/x/\""}`:                              `{"content":"\",\"url\":\"http://a/pages/x/\""}`,
		`{"url":"http://ab/pages/x/"}`:                                                `{"url":"http://ab/pages/x/"}`,
		`{"url":"http://a/v1/pages/x/"}`:                                              `{"url":"http://a/v1/pages/x/"}`,
		`{"url":"http://a/pages"}`:                                                    `{"url":"http://a/pages"}`,
		`{"url":null,"next":null,"previous":1}`:                                       `{"url":null,"next":null,"previous":1}`,
		`{"next":"http://a/pages/?page=2","previous":"http://a/pages/","results":[]}`: `{"next":"http://new/pages/?page=2","previous":"http://new/pages/","results":[]}`,
		`{"results":[{"next":"http://a/pages/","url":"http://a/pages/"},{"meta":{"url":"http://a/pages/"}}]}`: `{"results":[{"next":"http://a/pages/","url":"http://new/pages/"},{"meta":{"url":"http://a/pages/"}}]}`,
		`{"x":[{"url":"http://a/pages/"}],"y":{"results":[{"url":"http://a/pages/"}]}}`:                       `{"x":[{"url":"http://a/pages/"}],"y":{"results":[{"url":"http://a/pages/"}]}}`,
		`{}`: `{}`,
	}
	for body, want := range tests {
		if got, err := b.rewrite([]byte(body)); err != nil || string(got) != want {
			t.Errorf("%s: got %s, %v, want %s", body, got, err, want)
		}
	}
	for _, body := range []string{
		``, `null`, `[]`, `"a"`, `{`, `{"a"`, `{"a":`, `{"a":}`, `{"a":1`, `{"a":1,`, `{"a":1,}`, `{"url":"http://a/pages/`, `{"a":"\`, `{"a":"\"}`,
		`{"a":[}`, `{} x`, `{"results":1}`, `{"results":[1]}`, `{"results":[{}`, `{"results":[{},]}`, `{a:1}`, `{"a" 1}`,
	} {
		if got, err := b.rewrite([]byte(body)); err == nil {
			t.Errorf("%s is taken, and becomes %s", body, got)
		}
	}
}

func FuzzRewriteAnything(f *testing.F) {
	f.Add([]byte(`{"url":"http://a/pages/x/","results":[{"url":"http://a/pages/"}],"a":[[{}]]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		same := rewriter{from: []byte("http://a"), to: []byte("http://a")}
		if got, err := same.rewrite(body); err == nil && string(got) != string(body) {
			t.Errorf("with its own base %q becomes %q", body, got)
		}
	})
}
