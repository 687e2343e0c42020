package source

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/page"
)

// found is a date and its origin.
type found struct {
	time   page.Time
	origin string // "" where no date is known
	field  *field // nil unless the date comes from a field

	written time.Time // in the zone that the field gives
}

// from names the date's origin for a message.
func (f *found) from() string {
	if f.field != nil {
		return f.origin + " " + diag.Quote(f.field.name)
	}
	return f.origin
}

// offer sets the date unless one is known.
func (f *found) offer(t page.Time, origin string, from *field) {
	if f.origin == "" {
		*f = found{time: t, origin: origin, field: from}
	}
}

// findDates sets when the page was created and modified: each from the first of
// the site's sources that has it. Where only one is known, it is used for both.
func (p *reading) findDates() {
	var created, modified found
	for _, source := range p.site.Dates {
		switch source {
		case DatesFields:
			p.dateFromField(&created, ownCreated)
			p.dateFromField(&modified, ownModified)
			p.datesOfRendered(&created, &modified)
		case DatesGit:
			if created.origin != "" && modified.origin != "" || p.git == nil {
				continue // reading the history is slow
			}
			needed := created.origin == "" && modified.origin == ""
			dates, ok, err := p.git(p.file.Path)
			if err != nil && needed {
				p.problem(ruleDate.At(p.top(), "%v", err).AsShared())
				p.datesReported = true
			}
			if ok {
				created.offer(dates.Created, "git", nil)
				modified.offer(dates.Modified, "git", nil)
			}
		case DatesMtime:
			// A checkout changes it: it must not take the place of a date that the page has.
			if t, ok := page.TimeOf(time.UnixMicro(p.file.ModTime)); ok && created.origin == "" {
				modified.offer(t, "the file's modification time", nil)
			}
		}
	}
	if created.origin == "" {
		created = modified
	}
	modified.offer(created.time, created.origin, created.field)
	if created.field != nil && modified.field == nil && modified.time < created.time {
		modified = created // a text is often older than the date that it is given
	}
	if p.datesReported {
		return
	}
	if created.origin == "" {
		p.reportNoDates()
		return
	}
	p.doc.Page.Created, p.doc.Page.Modified = created.time, modified.time
	if p.created = created.written; p.created.IsZero() {
		p.created = created.time.Std().In(p.site.Timezone)
	}
	p.checkOrder(created, modified)
	p.checkAhead(created, modified)
}

// day is how far a date may be ahead: it need not name its zone.
const day = page.Time(24 * time.Hour / time.Microsecond)

// IsAhead reports whether a page has a date that is more than a day after now.
func IsAhead(p *page.Record, now page.Time) bool { return max(p.Created, p.Modified) > now+day }

// checkAhead warns of a page whose fields give a date in the future: the later one, so
// that the outcome changes only where IsAhead does.
func (p *reading) checkAhead(created, modified found) {
	f := modified.field
	if created.time > modified.time {
		f = created.field
	}
	if p.Now == 0 || f == nil || !IsAhead(&p.doc.Page.Record, p.Now) {
		return
	}
	p.problem(ruleAhead.At(p.at(f), "%s is %s, which is in the future", diag.Quote(f.name), diag.Quote(f.value)).
		WithHint("a page is published whatever its date; a field %s holds it back", diag.Quote(cmp.Or(p.site.FieldName(ownNames[ownPublish]), "publish"))))
}

// checkOrder reports a page that was modified before it was created.
func (p *reading) checkOrder(created, modified found) {
	if modified.time >= created.time {
		return
	}
	at := p.top()
	if modified.field != nil {
		at = p.at(modified.field)
	} else if created.field != nil {
		at = p.at(created.field)
	}
	p.problem(ruleDate.At(at, "the page was modified before it was created").
		WithHint("modified %s comes from %s, created %s from %s",
			modified.time, modified.from(), created.time, created.from()))
}

// dateFromField reads the date in one of sivu's own fields.
func (p *reading) dateFromField(f *found, o own) {
	value, ok := p.given(o)
	if p.own[o] != nil && p.own[o].shape > null {
		p.datesReported = true
	}
	if !ok || f.origin != "" {
		return
	}
	if written, t, ok := p.date(o, value); ok {
		f.offer(t, "the field", p.own[o])
		f.written = written
	} else {
		p.datesReported = true
	}
}

// date reads a date in one of sivu's own fields, and reports one that is none.
func (p *reading) date(o own, value string) (written time.Time, t page.Time, ok bool) {
	if written, ok = parseWritten(value, p.site.Timezone); ok {
		t, ok = page.TimeOf(written)
	}
	if !ok {
		hint := dateHint(value)
		if name := ownNames[o]; hint == dateForms && (o == ownPublish || o == ownExpires) {
			hint += fmt.Sprintf("; with \"fields: {%s: ~}\" in site.yaml, it is a meta key", name)
		}
		p.problem(ruleDate.At(p.at(p.own[o]), "%s is not a date", diag.Quote(value)).WithHint("%s", hint))
	}
	return written, t, ok
}

// Period is a time in which a source is read with the same outcome. Its zero value
// is all time.
type Period struct {
	From, Until page.Time // Until is not in it
}

// Holds reports whether an instant is in the period.
func (p Period) Holds(now page.Time) bool { return p == (Period{}) || p.From <= now && now < p.Until }

// Changes returns when the period ends, and false where it does not.
func (p Period) Changes() (page.Time, bool) { return p.Until, p.Until != 0 && p.Until != math.MaxInt64 }

// checkPeriod leaves out a page before the instant in its field "publish", and from
// that in "expires" on.
func (p *reading) checkPeriod() {
	if p.own[ownPublish] == nil && p.own[ownExpires] == nil {
		return
	}
	period := Period{math.MinInt64, math.MaxInt64}
	for _, o := range []own{ownPublish, ownExpires} {
		value, ok := p.given(o)
		if !ok || value == "" {
			continue
		}
		_, t, ok := p.date(o, value)
		switch {
		case !ok:
			continue
		case t <= p.Now:
			period.From = max(period.From, t)
		default:
			period.Until = min(period.Until, t)
		}
		if (t <= p.Now) == (o == ownExpires) {
			p.doc.Skip = true
		}
	}
	p.doc.Period = period
}

// reportNoDates reports a page without dates, with a hint for the site's
// sources of dates.
func (p *reading) reportNoDates() {
	d := ruleDate.At(p.top(), "no date of the page is known")
	name := p.site.FieldName(ownNames[ownCreated])
	otherCase := p.letterCaseHint(name, p.site.FieldName(ownNames[ownModified]))
	switch {
	case otherCase != "" && !p.head.document:
		d.Hint = otherCase
	case p.rendered != nil:
		d.Hint = "give \"rendered\" more sources of dates in site.yaml, or name git or mtime under \"dates\""
	case len(p.site.Dates) == 0:
		d.Hint = "name where dates come from in site.yaml, as in \"dates: [fields, git]\""
	case slices.Contains(p.site.Dates, DatesFields) && name != "":
		d.Hint = "give the page a field " + diag.Quote(name) + ", or name more of fields, git and mtime under \"dates\" in site.yaml"
	default:
		d.Hint = "commit the file, or name more of fields, git and mtime under \"dates\" in site.yaml"
	}
	p.problem(d)
}

// dateForm matches a date of three numbers, the year first: the day, and maybe the time
// of day, its seconds, and the zone. These are the timestamps of YAML 1.1, and those of
// RFC 3339 and ISO 8601 that are like them.
var dateForm = regexp.MustCompile(`^(\d{4})-(\d\d?)-(\d\d?)` +
	`(?:(?:[Tt]|[ \t]+)(\d\d?):(\d\d)(:\d\d(?:\.\d+)?)?(?:[ \t]*(?:([Zz]|UTC|GMT)|([+-])(?:([01]\d|2[0-3])([0-5]\d)|([01]?\d|2[0-3])(?::([0-5]\d))?)))?)?$`)

// namedLayouts are forms of dates that name the month, and so are read in one way only.
// Those that Hugo reads are among them.
var namedLayouts = []string{
	"2 January 2006", "2 Jan 2006", "2. January 2006", "January 2, 2006", "Jan 2, 2006", "January 2 2006", "Jan 2 2006",
	"Monday, 2 January 2006", "Monday, January 2, 2006",
	"Mon, 2 Jan 2006 15:04:05 -0700", "Mon, 2 Jan 2006 15:04:05 GMT", time.ANSIC, time.RubyDate,
}

// parseDate reads a date as fields give it: see [dateForm] and [namedLayouts]. A date
// alone is its midnight, and one without a zone is in the given zone; nil is UTC. Digits
// finer than a microsecond are cut. It reports false for any other form, for a date
// that the calendar lacks, and for a year outside 0001 to 9999 in UTC.
func parseDate(text string, zone *time.Location) (page.Time, bool) {
	t, ok := parseWritten(text, zone)
	if !ok {
		return 0, false
	}
	return page.TimeOf(t)
}

// parseWritten is parseDate with the zone and the day that the text gives.
func parseWritten(text string, zone *time.Location) (time.Time, bool) {
	// The form that programs write needs no regular expression.
	if len(text) >= 20 && text[10] == 'T' && text[13] == ':' && strings.TrimLeft(text[19:], ".0123456789") == "Z" {
		if t, err := time.Parse(time.RFC3339, text); err == nil {
			return t, true
		}
	}
	if zone == nil {
		zone = time.UTC
	}
	m := dateForm.FindStringSubmatch(text)
	if m == nil {
		for _, layout := range namedLayouts {
			if t, err := time.ParseInLocation(layout, text, zone); err == nil {
				return t, true
			}
		}
		return time.Time{}, false
	}
	layout, offset := "2006-01-02T15:04:05", ""
	switch {
	case m[7] != "":
		layout, offset = time.RFC3339, "Z"
	case m[8] != "":
		layout, offset = time.RFC3339, m[8]+pad(m[9]+m[11])+":"+pad(m[10]+m[12])
	}
	t, err := time.ParseInLocation(layout, m[1]+"-"+pad(m[2])+"-"+pad(m[3])+"T"+pad(m[4])+":"+pad(m[5])+cmp.Or(m[6], ":00")+offset, zone)
	return t, err == nil
}

// pad returns up to two digits as two.
func pad(digits string) string { return "00"[min(len(digits), 2):] + digits }

const dateForms = "write it as 2019-05-06, 2019-05-06 08:06 or 2019-05-06T08:06:31.004512Z"

// Forms of dates that [parseDate] does not read, as a number, a year of two digits or the
// name of a zone can be misread. Between points the day comes first; of slashes and hyphens
// both orders are in use.
var (
	dayLayouts = []string{
		"2.1.2006", "2/1/2006", "1/2/2006", "2-1-2006", "1-2-2006", "2006.1.2", "2006/1/2", "2006-1-2", "20060102",
	}
	zoneLayouts = []string{time.RFC850, time.RFC1123, time.UnixDate}
)

// dateHint returns how to write the date that a text most likely means, or the
// forms of dates where that is not clear.
func dateHint(text string) string {
	var hints []string
	offer := func(t time.Time, written string) {
		hint := written + " for " + t.Format("2 January 2006")
		if _, ok := parseDate(written, nil); ok && !slices.Contains(hints, hint) {
			hints = append(hints, hint)
		}
	}
	day, clock, _ := strings.Cut(strings.ReplaceAll(text, ". ", "."), " ")
	for _, layout := range dayLayouts {
		if t, err := time.Parse(layout, strings.TrimSuffix(day, ".")); err == nil {
			offer(t, strings.TrimSpace(t.Format(time.DateOnly)+" "+clock))
		}
	}
	for _, layout := range zoneLayouts {
		if t, err := time.Parse(layout, text); err == nil {
			offer(t, t.Format(time.RFC3339))
		}
	}
	if hints != nil {
		return "write " + strings.Join(hints, ", or ")
	}
	t, err := time.Parse(time.DateOnly, text[:min(len(text), len(time.DateOnly))])
	wrong, _ := errors.AsType[*time.ParseError](err)
	switch {
	case err == nil && (t.Year() <= 1 || t.Year() == 9999):
		return "a date is of the years 0001 to 9999 in UTC"
	case wrong != nil && wrong.Message == ": day out of range":
		month, _ := time.Parse("2006-01", text[:len("2006-01")])
		return fmt.Sprintf("%s has %d days", month.Format("January 2006"), month.AddDate(0, 1, -1).Day())
	}
	return dateForms
}
