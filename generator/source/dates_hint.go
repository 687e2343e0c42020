package source

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const dateForms = "write it as 2019-05-06, 2019-05-06 08:06 or 2019-05-06T08:06:31.004512Z"

var (
	// numericDate is a date of three numbers, and maybe a time of day.
	numericDate = regexp.MustCompile(`^(\d{1,4}) ?[./-] ?(\d{1,2}) ?([./-]) ?(\d{1,4})\.?( \d\d:\d\d(?::\d\d)?)?$`)

	// calendarDate is a date in the right form.
	calendarDate = regexp.MustCompile(`^(\d{4})-(0[1-9]|1[0-2])-(\d\d)`)
)

// otherLayouts are forms of dates that [parseDate] does not read and that mean
// one date only.
var otherLayouts = []string{
	"2 January 2006", "2 Jan 2006", "2. January 2006", "January 2, 2006", "Jan 2, 2006", "January 2 2006", "Jan 2 2006",
	"Monday, 2 January 2006", "Monday, January 2, 2006", "20060102",
	"2006-01-02T15:04:05-0700", "2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05 -07:00", "2006-01-02 15:04:05 Z07:00",
	time.RFC1123Z, time.RFC850, time.ANSIC, time.RubyDate,
	"Mon, 2 Jan 2006 15:04:05 -0700", "Mon, 2 Jan 2006 15:04:05 GMT",
}

// dateHint returns how to write what a text most likely means that is not a
// date, and else which forms there are.
func dateHint(text string) string {
	if m := numericDate.FindStringSubmatch(text); m != nil {
		if hint := numericDateHint(m[1], m[2], m[4], m[3], m[5]); hint != "" {
			return hint
		}
	}
	for _, layout := range otherLayouts {
		if t, err := time.Parse(layout, text); err == nil {
			form := time.DateOnly
			if strings.Contains(layout, "15:04") {
				form = time.RFC3339
			}
			return writeDates([]time.Time{t}, form, "")
		}
	}
	if m := calendarDate.FindStringSubmatch(text); m != nil {
		year, month, day := number(m[1]), time.Month(number(m[2])), number(m[3])
		switch last := time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC).Day(); {
		case year <= 1 || year == 9999:
			return "a date is of the years 0001 to 9999 in UTC"
		case day > last:
			return fmt.Sprintf("%s %d has %d days", month, year, last)
		}
	}
	return dateForms
}

// numericDateHint returns a hint for three numbers, and "" where they can be no
// date, or where the year has not four digits. Between points the day comes
// first; otherwise that is not known.
func numericDateHint(a, b, c, separator, clock string) string {
	var readings [][3]string // year, month, day
	switch {
	case len(a) == 4:
		readings = [][3]string{{a, b, c}}
	case len(c) == 4:
		readings = [][3]string{{c, b, a}, {c, a, b}}
	}
	var dates []time.Time
	for _, r := range readings {
		text := fmt.Sprintf("%s-%02d-%02d", r[0], number(r[1]), number(r[2]))
		t, err := time.Parse(time.DateOnly, text)
		if _, ok := parseDate(text+clock, nil); err != nil || !ok || len(dates) > 0 && (separator == "." || dates[0].Equal(t)) {
			continue
		}
		dates = append(dates, t)
	}
	return writeDates(dates, time.DateOnly, clock)
}

func writeDates(dates []time.Time, layout, clock string) string {
	var hints []string
	for _, t := range dates {
		written := t.Format(layout) + clock
		if _, ok := parseDate(written, nil); ok {
			hints = append(hints, written+" for "+t.Format("2 January 2006"))
		}
	}
	if len(hints) == 0 {
		return ""
	}
	return "write " + strings.Join(hints, ", or ")
}

// number returns the value of a few digits.
func number(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}
