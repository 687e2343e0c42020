package api

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
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
		ID:       testID,
		Language: "fi",
		Meta: page.Meta{
			{Key: "title", Value: "Vuokra-asunto"},
			{Key: "imagebanneralt", Null: true},
			{Key: "url", Value: "fi/asuminen"},
		},
		Created:  created,
		Modified: modified,
	}
}

func TestRecord(t *testing.T) {
	p := testPage()
	l := links(t, "query")
	head := AppendHead(nil, p)
	tail := AppendTail(nil, []page.Embed{{URI: "https://a.example/1"}, {URI: "https://a.example/2"}},
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
	got := string(l.AppendEnvelope(nil, List{Count: 1, Number: 1, Results: func(int) Record { return Record{p.ID, head} }}, Plain))
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
	if got := string(AppendTail(nil, nil)); got != `,"content":"","embeds":[]}` {
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
				body := l.AppendEnvelope(nil, List{Count: count, Number: n, Results: func(i int) Record {
					return Record{ID: uuid.UUID{byte((n-1)*PageSize + i)}, Head: []byte(`{"language":"fi"`)}
				}}, v)
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
