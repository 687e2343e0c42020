package page

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestTime(t *testing.T) {
	helsinki := time.FixedZone("", 2*3600)
	tests := map[string]struct {
		at      time.Time
		want    string
		seconds string
	}{
		"the contract's form":      {time.Date(2019, 5, 6, 8, 6, 31, 4512000, time.UTC), "2019-05-06T08:06:31.004512Z", "2019-05-06T08:06:31"},
		"whole seconds":            {time.Date(2019, 5, 6, 8, 6, 31, 0, time.UTC), "2019-05-06T08:06:31.000000Z", "2019-05-06T08:06:31"},
		"another zone":             {time.Date(2019, 5, 6, 0, 6, 31, 0, helsinki), "2019-05-05T22:06:31.000000Z", "2019-05-05T22:06:31"},
		"finer digits are cut":     {time.Date(2019, 5, 6, 8, 6, 31, 999_999_999, time.UTC), "2019-05-06T08:06:31.999999Z", "2019-05-06T08:06:31"},
		"also before 1970":         {time.Date(1969, 12, 31, 23, 59, 59, 999_999_999, time.UTC), "1969-12-31T23:59:59.999999Z", "1969-12-31T23:59:59"},
		"one nanosecond":           {time.Date(1969, 12, 31, 23, 59, 59, 1, time.UTC), "1969-12-31T23:59:59.000000Z", "1969-12-31T23:59:59"},
		"1970":                     {time.Unix(0, 0), "1970-01-01T00:00:00.000000Z", "1970-01-01T00:00:00"},
		"the first instant":        {time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC), "0001-01-01T00:00:00.000000Z", "0001-01-01T00:00:00"},
		"the zero time":            {time.Time{}, "0001-01-01T00:00:00.000000Z", "0001-01-01T00:00:00"},
		"the last instant":         {time.Date(9999, 12, 31, 23, 59, 59, 999_999_999, time.UTC), "9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59"},
		"a year of two digits":     {time.Date(87, 2, 28, 1, 2, 3, 0, time.UTC), "0087-02-28T01:02:03.000000Z", "0087-02-28T01:02:03"},
		"just inside by zone":      {time.Date(10000, 1, 1, 1, 59, 59, 0, helsinki), "9999-12-31T23:59:59.000000Z", "9999-12-31T23:59:59"},
		"just inside at the start": {time.Date(1, 1, 1, 2, 0, 0, 0, helsinki), "0001-01-01T00:00:00.000000Z", "0001-01-01T00:00:00"},
		"a leap day":               {time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC), "2024-02-29T12:00:00.000000Z", "2024-02-29T12:00:00"},
	}
	for what, test := range tests {
		t.Run(what, func(t *testing.T) {
			got, ok := TimeOf(test.at)
			if !ok || got.String() != test.want {
				t.Errorf("got %s, %v, want %s", got, ok, test.want)
			}
			if seconds := string(got.AppendSeconds([]byte("at "))); seconds != "at "+test.seconds {
				t.Errorf("seconds are %q, want %q", seconds, "at "+test.seconds)
			}
			if std := got.Std(); !std.Equal(test.at.Truncate(time.Microsecond)) && test.at.Nanosecond()%1000 == 0 || std.Location() != time.UTC {
				t.Errorf("as a time.Time it is %s", std)
			}
			if back, ok := TimeOf(got.Std()); !ok || back != got {
				t.Errorf("there and back it is %s", back)
			}
		})
	}
}

func TestTimeOutOfRange(t *testing.T) {
	helsinki := time.FixedZone("", 2*3600)
	for _, at := range []time.Time{
		time.Date(0, 12, 31, 23, 59, 59, 999_999_999, time.UTC),
		time.Date(1, 1, 1, 1, 59, 59, 999_999_999, helsinki),
		time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(9999, 12, 31, 22, 0, 0, 0, time.FixedZone("", -2*3600)),
		time.Date(-1, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Unix(1<<62, 0),
		time.Unix(-1<<62, 0),
	} {
		if got, ok := TimeOf(at); ok || got != 0 {
			t.Errorf("%s became %s", at, got)
		}
	}
}

// Times are ordered as their timestamps are.
func TestTimeOrder(t *testing.T) {
	at := []Time{minTime, minTime + 1, -1_000_000, -1, 0, 1, 999_999, 1_000_000, maxTime - 1, maxTime}
	for i := 1; i < len(at); i++ {
		if a, b := at[i-1].String(), at[i].String(); a >= b {
			t.Errorf("%s is not before %s", a, b)
		}
	}
}

// contractKinds is contract.md 2.3, by hand: what
// must be there, what comes together, what is known, and what is null.
const contractKinds = `
page: must title url; may description? windowtitle
front: must title url description? windowtitle localinfodoc# textbannercolor?; may socialmedia-image
article: must title url; together imagebanner? imagebanneralt? imagebannerlink@; may description? windowtitle
feedback: must feedback-sent email feedback-sending-error page-address invalid-feedback feedback feedback-captcha-infotext feedback-missing-field feedback-captcha-reloadtext name feedback-thankyoupage url invalid-email title send-feedback feedback-captcha-errortext; may description? windowtitle
feedback-thanks: must title url; null feedback-sent email feedback-sending-error page-address invalid-feedback feedback feedback-captcha-infotext feedback-missing-field feedback-captcha-reloadtext name invalid-email send-feedback feedback-captcha-errortext
not-found: must title; may availablelanguagestext; no url
`

func TestKinds(t *testing.T) {
	marks := map[Value]string{Text: "", TextOrNull: "?", Digits: "#", AbsoluteAddress: "@"}
	names := func(what string, keys []Key) string {
		if len(keys) == 0 {
			return ""
		}
		list := []string{"; " + what}
		for _, key := range keys {
			list = append(list, key.Name+marks[key.Value])
		}
		return strings.Join(list, " ")
	}
	var b strings.Builder
	for _, k := range Kinds {
		rest := names("must", k.Required) + names("together", k.Together) + names("may", k.Optional)
		if len(k.Nulls) > 0 {
			rest += "; null " + strings.Join(k.Nulls, " ")
		}
		if k.NoURL {
			rest += "; no url"
		}
		fmt.Fprintf(&b, "%s: %s\n", k.Name, strings.TrimPrefix(rest, "; "))
		if k.Doc == "" || KindNamed(k.Name) != k {
			t.Errorf("%s: doc %q, found by name: %v", k.Name, k.Doc, KindNamed(k.Name) == k)
		}
	}
	if diff := cmp.Diff(strings.Split(contractKinds[1:], "\n"), strings.Split(b.String(), "\n")); diff != "" {
		t.Errorf("kinds (-want +got):\n%s", diff)
	}
	if got := strings.Join(KindNames(), " "); got != "page front article feedback feedback-thanks not-found" {
		t.Errorf("the names are %s", got)
	}
	for _, name := range []string{"", "Page", "artikel", "feedback "} {
		if KindNamed(name) != nil {
			t.Errorf("%q is a kind", name)
		}
	}
}

func TestMeta(t *testing.T) {
	m := Meta{{Key: "title", Value: "Sivu"}, {Key: "imagebanneralt", Null: true}}
	if e := m.Get("title"); e == nil || e.Value != "Sivu" {
		t.Errorf("title is %+v", e)
	}
	if e := m.Get("imagebanneralt"); e == nil || !e.Null {
		t.Errorf("imagebanneralt is %+v", e)
	}
	if e := m.Get("Title"); e != nil {
		t.Errorf("Title is %+v", e)
	}
	m.Get("title").Value = "Uusi"
	if m[0].Value != "Uusi" {
		t.Error("Get returns a copy")
	}
}
