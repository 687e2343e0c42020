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

// rebaseAll gives the files of one base another base, as a folder does. With
// variants, the api variants are made of the plain ones.
func rebaseAll(t testing.TB, files map[string]string, base string, variants bool) map[string]string {
	t.Helper()
	possible, err := findLinks([]byte(files["pages/index.json"]))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for name := range files {
		answer, ok := api.ParseAnswer(name)
		if !ok {
			t.Fatalf("%s is no answer", name)
		}
		from, source := name, answer.Variant()
		if variants && source == api.API {
			from, source = plainVariant(name), api.Plain
		}
		body, ok := rebase([]byte(files[from]), source, possible, answer, base)
		if !ok {
			t.Fatalf("%s is refused:\n%s", name, files[from])
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
func TestRebase(t *testing.T) {
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
							continue // see TestRebaseOneFilePage
						}
						if diff := cmp.Diff(want, rebaseAll(t, from, other, variants)); diff != "" {
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
func TestRebaseOneFilePage(t *testing.T) {
	const base = "https://api.example.fi"
	files := rebaseAll(t, made(t, api.Links{Base: base, Style: style(t, "file")}, 1, "a", "b"), base, true)
	want := made(t, api.Links{Base: base, Style: style(t, "file+query")}, 1, "a", "b")
	if diff := cmp.Diff(want, files); diff != "" {
		t.Error(diff)
	}
}

// FuzzRebase gives pages of any text another base. Both are made by the encoder.
func FuzzRebase(f *testing.F) {
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
		if diff := cmp.Diff(want, rebaseAll(t, from, other, variants)); diff != "" {
			t.Error(diff)
		}
	})
}

// What a build does not write is refused, and no link in it is left as it is.
func TestRebaseRefuses(t *testing.T) {
	const base, id, address = "http://a", "6ba7b810-9dad-51d1-80b4-00c04fd430c8", "http://a/pages/6ba7b810-9dad-51d1-80b4-00c04fd430c8/"
	possible := []api.Links{{Base: base, Style: style(t, "query")}}
	const item = `{"language":"fi","meta":{},"created":"","modified":"","url":"` + address + `"`
	const record, list = item + `,"content":"","embeds":[]}`, `{"count":1,"next":null,"previous":null,"results":[` + item + `}]}`
	for file, whole := range map[string]string{"pages/" + id + "/index.json": record, "pages/index.json": list} {
		answer, _ := api.ParseAnswer(file)
		want := strings.ReplaceAll(whole, base, "http://new")
		if got, ok := rebase([]byte(whole), api.Plain, possible, answer, "http://new"); !ok || string(got) != want {
			t.Errorf("%s: got %s, want %s", whole, got, want)
		}
		bodies := []string{
			``, `null`, `[]`, `"a"`, `{`, `{}`, `{"a":1,}`, `{} x`, whole + "x", " " + whole[1:], strings.ReplaceAll(whole, base, "http://ab"), strings.ReplaceAll(whole, base, "http://a/v1"),
			strings.Replace(whole, `"url"`, `"uri"`, 1), strings.Replace(whole, id, strings.ToUpper(id), 1), strings.Replace(whole, id, "x"+id, 1),
		}
		for i := range whole {
			bodies = append(bodies, whole[:i])
		}
		for _, body := range bodies {
			if got, ok := rebase([]byte(body), api.Plain, possible, answer, "http://new"); ok {
				t.Errorf("%s: %s is taken, and becomes %s", file, body, got)
			}
		}
	}
}

// Whatever is taken is the same with its own base.
func FuzzRebaseAnything(f *testing.F) {
	f.Add([]byte(`{"url":"http://a/pages/6ba7b810-9dad-51d1-80b4-00c04fd430c8/","content":"","a":[[{}]]}`), true)
	f.Add([]byte(`{"count":0,"next":null,"previous":null,"results":[]}`), false)
	f.Fuzz(func(t *testing.T, body []byte, isRecord bool) {
		answer := api.FirstListPath(api.Plain)
		if isRecord {
			answer, _ = api.ParseAnswer("pages/6ba7b810-9dad-51d1-80b4-00c04fd430c8/index.json")
		}
		possible := []api.Links{{Base: "http://a", Style: style(t, "query")}}
		if got, ok := rebase(body, api.Plain, possible, answer, "http://a"); ok && string(got) != string(body) {
			t.Errorf("with its own base %q becomes %q", body, got)
		}
	})
}
