package source

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"example.org/sivu/generator/page"
)

func TestParseDate(t *testing.T) {
	helsinki, err := time.LoadLocation("Europe/Helsinki")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		text string
		zone *time.Location
		want string
	}{
		{"2019-05-06T08:06:31.004512Z", nil, "2019-05-06T08:06:31.004512Z"},
		{"2019-05-06t08:06:31z", nil, "2019-05-06T08:06:31.000000Z"},
		{"2019-05-06 08:06:31Z", nil, "2019-05-06T08:06:31.000000Z"},
		{"2019-05-06T08:06:31+03:00", nil, "2019-05-06T05:06:31.000000Z"},
		{"2019-05-06T00:30:00-23:59", nil, "2019-05-07T00:29:00.000000Z"},
		{"2019-05-06T08:06:31-00:00", helsinki, "2019-05-06T08:06:31.000000Z"},
		{"2019-05-06T08:06Z", nil, "2019-05-06T08:06:00.000000Z"},
		{"2019-05-06 08:06+05:30", nil, "2019-05-06T02:36:00.000000Z"},
		{"2019-05-06 08:06", nil, "2019-05-06T08:06:00.000000Z"},
		{"2019-05-06 08:06:31.5", nil, "2019-05-06T08:06:31.500000Z"},
		{"2019-05-06", nil, "2019-05-06T00:00:00.000000Z"},
		{"2019-05-06", helsinki, "2019-05-05T21:00:00.000000Z"},
		{"2019-12-06 00:00", helsinki, "2019-12-05T22:00:00.000000Z"},
		{"2019-05-06T08:06:31Z", helsinki, "2019-05-06T08:06:31.000000Z"},
		{"2019-05-06T08:06:31.0045129999Z", nil, "2019-05-06T08:06:31.004512Z"},
		{"2019-05-06T08:06:31.99999999999999999999Z", nil, "2019-05-06T08:06:31.999999Z"},
		{"1969-12-31T23:59:59.9999999Z", nil, "1969-12-31T23:59:59.999999Z"},
		{"2020-02-29", nil, "2020-02-29T00:00:00.000000Z"},
		{"0001-01-01", nil, "0001-01-01T00:00:00.000000Z"},
		{"0000-12-31T23:30:00-01:00", nil, "0001-01-01T00:30:00.000000Z"},
		{"9999-12-31T23:59:59.999999999Z", nil, "9999-12-31T23:59:59.999999Z"},
		{"2019-5-6", nil, "2019-05-06T00:00:00.000000Z"},
		{"2019-05-06T08:06:31 Z", nil, "2019-05-06T08:06:31.000000Z"},
		{"2019-05-06T08:06:31+0300", nil, "2019-05-06T05:06:31.000000Z"},
		{"2019-05-06T08:06:31+3:00", nil, "2019-05-06T05:06:31.000000Z"},
		{"2019-05-06  08:06", nil, "2019-05-06T08:06:00.000000Z"},
		{"2015-11-17 10:00:49 -0400", nil, "2015-11-17T14:00:49.000000Z"},
		{"2015-11-17 7:37:00 -0400", nil, "2015-11-17T11:37:00.000000Z"},
		{"2015-11-17 7:37:00", nil, "2015-11-17T07:37:00.000000Z"},
		{"2001-12-14t21:59:43.10-05:00", nil, "2001-12-15T02:59:43.100000Z"},
		{"2001-12-14 21:59:43.10 -5", nil, "2001-12-15T02:59:43.100000Z"},
		{"2001-12-14 21:59:43 UTC", nil, "2001-12-14T21:59:43.000000Z"},
		{"2 January 2024", nil, "2024-01-02T00:00:00.000000Z"},
		{"Jan 2, 2024", nil, "2024-01-02T00:00:00.000000Z"},
		{"Tue, 02 Jan 2024 08:06:00 +0200", nil, "2024-01-02T06:06:00.000000Z"},
		{"2 January 2024", helsinki, "2024-01-01T22:00:00.000000Z"},

		{"", nil, ""},
		{"2019-05-06T08:06:31+300", nil, ""},
		{"2019-05-06T08:06:31 EST", nil, ""},
		{"05/06/2019", nil, ""},
		{"5-6-2019", nil, ""},
		{"2 Jan 06", nil, ""},
		{"2019", nil, ""},
		{"2019-05", nil, ""},
		{"19-05-06", nil, ""},
		{"02019-05-06", nil, ""},
		{"+2019-05-06", nil, ""},
		{"2019/05/06", nil, ""},
		{"20190506", nil, ""},
		{"2019-00-06", nil, ""},
		{"2019-13-06", nil, ""},
		{"2019-05-00", nil, ""},
		{"2019-02-29", nil, ""},
		{"1900-02-29", nil, ""},
		{"2019-04-31", nil, ""},
		{"2019-05-06T", nil, ""},
		{"2019-05-06T08", nil, ""},
		{"2019-05-06T08:6", nil, ""},
		{"2019-05-06T24:00:00Z", nil, ""},
		{"2019-05-06T08:60:00Z", nil, ""},
		{"2019-05-06T08:06:60Z", nil, ""},
		{"2019-05-06T08:06:31.Z", nil, ""},
		{"2019-05-06T08:06:31,5Z", nil, ""},
		{"2019-05-06T08:06.5Z", nil, ""},
		{"2019-05-06T08:06:31+24:00", nil, ""},
		{"2019-05-06T08:06:31+03:60", nil, ""},
		{"2019-05-06T08:06:31ZZ", nil, ""},
		{"2019-05-06Z", nil, ""},
		{"2019-05-06T08:06:31+03:00:00", nil, ""},
		{"ıııııı0:00x", nil, ""}, // letters that are shorter in upper case
		{" 2019-05-06", nil, ""},
		{"2019-05-06 ", nil, ""},
		{"2019-05-06 08:06 ", nil, ""},
		{"2019-05-0６", nil, ""},
		{"0000-01-01", nil, ""},
		{"0001-01-01T00:00:00+00:01", nil, ""},
		{"9999-12-31T23:59:59-00:01", nil, ""},
		{"0001-01-01", helsinki, ""},
	}
	for _, test := range tests {
		got, ok := parseDate(test.text, test.zone)
		switch {
		case ok != (test.want != ""):
			t.Errorf("%q: ok is %t", test.text, ok)
		case ok && got.String() != test.want:
			t.Errorf("%q is %s, want %s", test.text, got, test.want)
		}
	}
}

// dateLayouts are the forms of [parseDate] as the standard library knows them.
var dateLayouts = []string{
	"2006-01-02T15:04:05Z07:00", "2006-01-02 15:04:05Z07:00",
	"2006-01-02T15:04Z07:00", "2006-01-02 15:04Z07:00",
	"2006-01-02T15:04:05", "2006-01-02 15:04:05",
	"2006-01-02T15:04", "2006-01-02 15:04",
	"2006-01-02",
}

// allLayouts are all forms of [parseDate] that [stdDate] needs.
var allLayouts = func() []string {
	layouts := append([]string{"2006-1-2"}, namedLayouts...)
	for _, clock := range []string{"15:04", "15:04:05"} {
		for _, zone := range []string{"", "Z07:00", "-0700", "-07"} {
			layouts = append(layouts, "2006-1-2T"+clock+zone)
		}
	}
	return layouts
}()

var (
	separator = regexp.MustCompile(`^(\d{4}-\d\d?-\d\d?)(?:t|[ \t]+)(\d)`)
	zoneName  = regexp.MustCompile(`(:\d\d(?:\.\d+)?)[ \t]*(?:z|UTC|GMT|Z)$`)
	zone      = regexp.MustCompile(`(:\d\d(?:\.\d+)?)[ \t]*([+-])(\d\d?)`)
	oneDigit  = regexp.MustCompile(`(:.*[+-])(\d)(:\d\d)?$`)
)

// stdDate reads a date with the standard library alone.
func stdDate(text string) (time.Time, error) {
	text = separator.ReplaceAllString(text, "${1}T$2")
	text = zoneName.ReplaceAllString(text, "${1}Z")
	text = zone.ReplaceAllString(text, "$1$2$3")
	text = oneDigit.ReplaceAllString(text, "${1}0$2$3")
	for _, layout := range allLayouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("no layout reads %q", text)
}

// FuzzDate compares with the standard library, which takes the same forms but for
// letter case, blanks, and zones of one digit.
func FuzzDate(f *testing.F) {
	for _, seed := range []string{
		"2019-05-06T08:06:31.004512Z", "2019-05-06 08:06:31+03:00", "2019-05-06 08:06", "2019-05-06", "0000-12-31T23:30:00-01:00",
		"2019-05-06T08:06:31,5Z", "2019-05-06T8:06", "9999-12-31T23:59:59.999999999Z", "2020-02-30", "2019-05-06T24:00", "2019-05-06t08:06z",
		"2015-11-17 7:37:00 -0400", "2015-1-7 7:37 -4", "2 Jan 2024", "2015-11-17 7:37 GMT", "2015-11-17T7:37:00-04",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, ok := parseDate(text, time.UTC)
		if !ok {
			return
		}
		std, err := stdDate(text)
		if want, ok := page.TimeOf(std); err != nil || !ok || want != got {
			t.Fatalf("%q is %s, want %s: %v", text, got, want, err)
		}
	})
}

// FuzzDateLayouts writes times in every form and reads them back.
func FuzzDateLayouts(f *testing.F) {
	f.Add(int64(1557129991), int64(4512000), 10800)
	f.Add(int64(-62135596800), int64(999999999), 0)
	f.Add(int64(253402300799), int64(1), -86340)
	f.Fuzz(func(t *testing.T, seconds, nanoseconds int64, offset int) {
		zone := time.FixedZone("", offset%1440*60)
		std := time.Unix(seconds%253402300799, nanoseconds%1e9).In(zone)
		if std.Year() < 0 || std.Year() > 9999 {
			return
		}
		for i, layout := range dateLayouts {
			if i < 2 {
				layout = layout[:19] + ".000000000" + layout[19:]
			}
			text := std.Format(layout)
			cut, err := time.ParseInLocation(layout, text, zone)
			if err != nil {
				t.Fatal(err)
			}
			want, wantOK := page.TimeOf(cut)
			if got, ok := parseDate(text, zone); ok != wantOK || got != want {
				t.Fatalf("%q is %s, %t; want %s, %t", text, got, ok, want, wantOK)
			}
		}
	})
}

// Git is asked for what a page lacks, and that there is no repository is a problem of the
// site where a page cannot do without: the only one.
func TestHistoryIsAskedOnlyWhereItIsNeeded(t *testing.T) {
	for front, want := range map[string]string{
		"created: 2019-01-01\nmodified: 2019-01-02": "",
		"created: 2019-01-01":                       "asked",
		"modified: 2019-01-01":                      "asked",
		"kind: page":                                "asked1:1: error: no repository [date]",
	} {
		got := ""
		git := func(string) (Dates, bool, error) {
			got = "asked"
			return Dates{}, false, errors.New("no repository")
		}
		site := testSite()
		site.Dates = []string{"fields", "git"}
		_, problems := readWith(NewReader(site, git), "fi/a.md", "---\ntitle: T\n"+front+"\n---\n")
		wantEqual(t, front, got+strings.Join(problems, ""), want)
	}
}

func TestDates(t *testing.T) {
	git := func(path string) (Dates, bool, error) {
		return Dates{Created: 1_000_000, Modified: 2_000_000}, path == "fi/a.md", nil
	}
	const (
		mtime     = "2024-02-29T12:30:00.123456Z"
		gitFirst  = "1970-01-01T00:00:01.000000Z"
		gitLast   = "1970-01-01T00:00:02.000000Z"
		noDate    = "1:1: error: no date of the page is known [date] | "
		moreKinds = `name more of fields, git and mtime under "dates" in site.yaml`
	)
	tests := []struct {
		name              string
		path              string
		dates             []string
		front             string
		created, modified string
		problem           string
	}{
		{"both fields", "fi/a.md", []string{"fields", "git", "mtime"}, "created: 2019-01-01\nmodified: 2019-01-02", "2019-01-01T00:00:00.000000Z", "2019-01-02T00:00:00.000000Z", ""},
		{"one field, the other from git", "fi/a.md", []string{"fields", "git"}, "modified: 2019-01-02", gitFirst, "2019-01-02T00:00:00.000000Z", ""},
		{"only created", "fi/b.md", []string{"fields", "git"}, "created: 2019-01-01", "2019-01-01T00:00:00.000000Z", "2019-01-01T00:00:00.000000Z", ""},
		{"only modified", "fi/b.md", []string{"fields", "git"}, "modified: 2019-01-02", "2019-01-02T00:00:00.000000Z", "2019-01-02T00:00:00.000000Z", ""},
		{"created needs no file time", "fi/b.md", []string{"fields", "mtime"}, "created: 2019-01-01", "2019-01-01T00:00:00.000000Z", "2019-01-01T00:00:00.000000Z", ""},
		{"modified needs no file time", "fi/b.md", []string{"fields", "mtime"}, "modified: 2019-01-01", "2019-01-01T00:00:00.000000Z", "2019-01-01T00:00:00.000000Z", ""},
		{"git before fields", "fi/a.md", []string{"git", "fields"}, "created: 2019-01-01\nmodified: nonsense", gitFirst, gitLast, ""},
		{"not committed", "fi/b.md", []string{"git", "mtime"}, "", mtime, mtime, ""},
		{"git before the file's time", "fi/a.md", []string{"git", "mtime"}, "", gitFirst, gitLast, ""},
		{"fields do not count", "fi/b.md", []string{"mtime"}, "created: 2019-01-01", mtime, mtime, ""},
		{"null is not given", "fi/b.md", []string{"fields", "mtime"}, "created: ~", mtime, mtime, ""},
		{"nothing in fields", "fi/b.md", []string{"fields", "git"}, "", "", "", noDate + `give the page a field "created", or ` + moreKinds},
		{"nothing in git", "fi/b.md", []string{"git"}, "created: 2019-01-01", "", "", noDate + "commit the file, or " + moreKinds},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			site := testSite()
			site.Dates = test.dates
			doc, problems := readWith(NewReader(site, git), test.path, front("title: T\n"+test.front))
			if test.problem != "" {
				wantEqual(t, "problems", problems, []string{test.problem})
				return
			}
			wantEqual(t, "problems", problems, []string(nil))
			wantEqual(t, "dates", []string{doc.Page.Created.String(), doc.Page.Modified.String()}, []string{test.created, test.modified})
		})
	}
}
