package api

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"

	"example.org/sivu/generator/page"
)

func TestString(t *testing.T) {
	tests := map[string]string{
		"":                          `""`,
		"Näin / <b> & > مرحبا 你好 😀": `"Näin / <b> & > مرحبا 你好 😀"`,
		`a"b\c`:                     `"a\"b\\c"`,
		"\b\f\n\r\t":                `"\b\f\n\r\t"`,
		"\x00\x01\x1b\x1f":          `"\u0000\u0001\u001b\u001f"`,
		"\x7f\u0080":                "\"\x7f\u0080\"",
		"a\u2028b\u2029":            `"a\u2028b\u2029"`,
		"\u2027\u202a\u20a8":        "\"\u2027\u202a\u20a8\"",
		"…€":                        `"…€"`,
	}
	for in, want := range tests {
		if got := string(AppendString(nil, in)); got != want {
			t.Errorf("%q: got %s, want %s", in, got, want)
		}
	}
}

func FuzzString(f *testing.F) {
	f.Add("plain")
	f.Add("\u2028\u2029\"\\\x00\xe2\x80")
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) {
			return
		}
		encoded := AppendString(nil, s)
		var back string
		if err := json.Unmarshal(encoded, &back); err != nil || back != s {
			t.Fatalf("%q became %s, which reads as %q (%v)", s, encoded, back, err)
		}
		if again := AppendString([]byte{}, []byte(s)); string(again) != string(encoded) {
			t.Fatalf("bytes and string differ: %s, %s", again, encoded)
		}
	})
}

func testPage() *page.Page {
	created, _ := page.TimeOf(must("2015-03-02T10:11:25.123456789+02:00"))
	modified, _ := page.TimeOf(must("2019-05-06T08:06:31Z"))
	return &page.Page{
		Record: page.Record{ID: testID, Language: "fi", Created: created, Modified: modified},
		Meta: page.Meta{
			{Key: "title", Value: "Vuokra-asunto"},
			{Key: "imagebanneralt", Null: true},
			{Key: "url", Value: "fi/asuminen"},
		},
	}
}

func TestRecord(t *testing.T) {
	p := testPage()
	l := links(t, "query")
	head := AppendItem(nil, p)
	tail := AppendSuffix(nil, []page.Embed{{URI: "https://a.example/1"}, {URI: "https://a.example/2"}},
		p.Modified.AppendSeconds([]byte("<!-- modified: ")), []byte(` --><div class="xmldoc">`), []byte("<p>a</p></div>"))
	const shared = `{"language":"fi","meta":{"title":"Vuokra-asunto","imagebanneralt":null,"url":"fi/asuminen"},` +
		`"created":"2015-03-02T08:11:25.123456Z","modified":"2019-05-06T08:06:31.000000Z",` +
		`"url":"https://api.example.fi/v1/pages/6ba7b810-9dad-51d1-80b4-00c04fd430c8/`
	const rest = `"content":"<!-- modified: 2019-05-06T08:06:31 --><div class=\"xmldoc\"><p>a</p></div>",` +
		`"embeds":[{"uri":"https://a.example/1"},{"uri":"https://a.example/2"}]}`
	if diff := cmp.Diff(shared+`",`+rest, string(l.AppendDetail(nil, head, tail, p.ID, Plain))); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(shared+`?format=api",`+rest, string(l.AppendDetail(nil, head, tail, p.ID, API))); diff != "" {
		t.Error(diff)
	}
	got := string(l.AppendEnvelope(nil, List{Count: 1, Number: 1, Records: []Record{{p.ID, head}}}, Plain))
	if diff := cmp.Diff(`{"count":1,"next":null,"previous":null,"results":[`+shared+`"}]}`, got); diff != "" {
		t.Error(diff)
	}
}

func TestEmpty(t *testing.T) {
	for _, v := range Variants {
		got := string(links(t, "query").AppendEnvelope(nil, List{Number: 1}, v))
		if want := `{"count":0,"next":null,"previous":null,"results":[]}`; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if got := string(AppendSuffix(nil, nil)); got != `,"content":"","embeds":[]}` {
		t.Errorf("an empty tail is %s", got)
	}
}

// Any number of records is split into pages of ten that lead to each other and
// hold every record once.
func TestEnvelopeWalk(t *testing.T) {
	l := links(t, "query")
	for _, count := range []int{0, 1, 9, 10, 11, 20, 101} {
		for _, v := range Variants {
			suffix := ""
			if v == API {
				suffix = "?format=api"
			}
			var seen, pages int
			for n := 1; ; n++ {
				var e struct {
					Count          int
					Next, Previous *string
					Results        []struct{ URL string }
				}
				list := List{Count: count, Number: n}
				for i := (n - 1) * PageSize; i < min(n*PageSize, count); i++ {
					list.Records = append(list.Records, Record{ID: uuid.UUID{byte(i)}, Item: []byte(`{"language":"fi"`)})
				}
				body := l.AppendEnvelope(nil, list, v)
				if split, ok := l.SplitEnvelope(body, n, v, nil); !ok || !cmp.Equal(split, list, cmpopts.EquateEmpty()) {
					t.Fatalf("%s is split into %+v, %v", body, split, ok)
				}
				if err := json.Unmarshal(body, &e); err != nil {
					t.Fatalf("%s: %v", body, err)
				}
				for _, r := range e.Results {
					if want := fmt.Sprintf("%s/pages/%s/%s", l.Base, uuid.UUID{byte(seen)}, suffix); r.URL != want {
						t.Fatalf("record %d is %s, want %s", seen, r.URL, want)
					}
					seen++
				}
				pages++
				if (e.Previous == nil) != (n == 1) || n > 1 && *e.Previous != string(l.AppendList(nil, n-1, v)) {
					t.Errorf("page %d of %d records: previous is wrong: %s", n, count, body[:80])
				}
				if e.Next == nil {
					break
				}
				if *e.Next != string(l.AppendList(nil, n+1, v)) || !strings.Contains(*e.Next, "page=") {
					t.Errorf("page %d of %d records: next is %s", n, count, *e.Next)
				}
			}
			if seen != count || pages != ListPages(count) {
				t.Errorf("%d records: walked %d on %d pages, want %d pages", count, seen, pages, ListPages(count))
			}
		}
	}
}
func must(s string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		panic(err)
	}
	return t
}

// FuzzSplitEnvelope splits list pages of records whose texts are hostile, and pages
// that are damaged: what can be split is what the records are encoded as.
func FuzzSplitEnvelope(f *testing.F) {
	f.Add(3, uint8(0), uint8(0), "title", `"}]}`, 0, byte(0))
	f.Add(25, uint8(1), uint8(1), "url", `https://api.example.fi/v1/pages/03000000-0000-0000-0000-000000000000/`, 40, byte('x'))
	f.Add(11, uint8(2), uint8(0), `a\`, `\"{[`, 200, byte('"'))
	f.Fuzz(func(t *testing.T, count int, style, variant uint8, key, text string, at int, b byte) {
		if count < 0 || count > 40 || !utf8.ValidString(key) || !utf8.ValidString(text) {
			return
		}
		l := Links{Base: "https://api.example.fi/v1", Style: Styles[int(style)%len(Styles)]}
		v := Variants[int(variant)%len(Variants)]
		for n := 1; n <= ListPages(count); n++ {
			list := List{Count: count, Number: n}
			for i := (n - 1) * PageSize; i < min(n*PageSize, count); i++ {
				p := testPage()
				p.Meta = append(p.Meta, page.Entry{Key: key, Value: text})
				list.Records = append(list.Records, Record{ID: uuid.UUID{byte(i)}, Item: AppendItem(nil, p)})
			}
			body := l.AppendEnvelope(nil, list, v)
			split, ok := l.SplitEnvelope(body, n, v, nil)
			if !ok || !cmp.Equal(split, list, cmpopts.EquateEmpty()) {
				t.Fatalf("%s is split into %+v, %v; want %+v", body, split, ok, list)
			}
			if at >= 0 && at < len(body) {
				body[at] = b
			}
			if split, ok = l.SplitEnvelope(body, n, v, nil); ok && string(l.AppendEnvelope(nil, split, v)) != string(body) {
				t.Fatalf("%s is split into %+v", body, split)
			}
			if _, ok := l.SplitEnvelope(body[:len(body)-1-int(b)%len(body)], n, v, nil); ok {
				t.Fatalf("a page that was cut off is split")
			}
		}
	})
}
