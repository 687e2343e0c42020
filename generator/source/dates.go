package source

import (
	"slices"
	"strings"
	"time"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/page"
)

// found is a date and where it comes from.
type found struct {
	time   page.Time
	known  bool
	origin string // as a message names it, unless it is a field
	field  *field
}

// from names where the date comes from.
func (f *found) from() string {
	if f.field != nil {
		return "the field " + diag.Quote(f.field.name)
	}
	return f.origin
}

// findDates finds when the page was created and modified: each from the first
// of the site's sources that knows it, and where only one is known, both from
// that one.
func (p *reading) findDates() {
	var created, modified found
	for _, source := range p.site.Dates {
		switch source {
		case DatesFields:
			p.dateFromField(&created, ownCreated)
			p.dateFromField(&modified, ownModified)
		case DatesGit:
			if created.known && modified.known || p.git == nil {
				continue // history is long: it is asked for only where it is needed
			}
			if dates, ok := p.git(p.file.Path, !created.known && !modified.known); ok {
				created.offer(dates.Created, "git")
				modified.offer(dates.Modified, "git")
			}
		case DatesMtime:
			if t, ok := page.TimeOf(time.UnixMicro(p.file.ModTime)); ok {
				modified.offer(t, "the file's modification time")
			}
		}
	}
	switch {
	case created.known && !modified.known:
		modified = created
	case modified.known && !created.known:
		created = modified
	}
	if p.datesReported {
		return
	}
	if !created.known {
		p.reportNoDates()
		return
	}
	p.doc.Page.Created, p.doc.Page.Modified = created.time, modified.time
	p.checkOrder(created, modified)
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

func (f *found) offer(t page.Time, origin string) {
	if !f.known {
		*f = found{time: t, known: true, origin: origin}
	}
}

// dateFromField takes a date from one of sivu's own fields.
func (p *reading) dateFromField(f *found, o own) {
	value, ok := p.given(o)
	if p.own[o] != nil && p.own[o].shape > null {
		p.datesReported = true
	}
	if !ok || f.known {
		return
	}
	t, ok := parseDate(value, p.site.Timezone)
	if !ok {
		p.datesReported = true
		p.problem(ruleDate.At(p.at(p.own[o]), "%s is not a date", diag.Quote(value)).
			WithHint("%s", dateHint(value)))
		return
	}
	*f = found{time: t, known: true, field: p.own[o]}
}

// reportNoDates tells what the site's sources of dates would need.
func (p *reading) reportNoDates() {
	d := ruleDate.At(p.top(), "no date of the page is known")
	name := p.site.fieldName(ownCreated)
	otherCase := p.letterCaseHint(name, p.site.fieldName(ownModified))
	switch {
	case otherCase != "" && !p.head.document:
		d.Hint = otherCase
	case len(p.site.Dates) == 0:
		d.Hint = "name where dates come from in site.yaml, as in \"dates: [fields, git]\""
	case slices.Contains(p.site.Dates, DatesFields) && name != "":
		d.Hint = "give the page a field " + diag.Quote(name) + ", or name more of fields, git and mtime under \"dates\" in site.yaml"
	default:
		d.Hint = "commit the file, or name more of fields, git and mtime under \"dates\" in site.yaml"
	}
	p.problem(d)
}

// parseDate reads a date as fields give it: RFC 3339, or that with a space for
// the "T", without seconds, without a zone, or the date alone, which is its
// midnight. A date without a zone is of the zone given; nil is UTC. Digits
// finer than a microsecond are cut. It reports false for any other form, for
// a date that the calendar lacks, and for a year outside 0001 to 9999 in UTC.
func parseDate(text string, zone *time.Location) (page.Time, bool) {
	if zone == nil {
		zone = time.UTC
	}
	s := dateScanner{rest: text, ok: true}
	year, month, day := s.number(4), s.after("-", 2), s.after("-", 2)
	var hour, minute, second, nanosecond int
	if s.rest != "" {
		s.oneOf("Tt ")
		hour, minute = s.number(2), s.after(":", 2)
		if strings.HasPrefix(s.rest, ":") {
			second, nanosecond = s.after(":", 2), s.fraction()
		}
		if s.rest != "" {
			zone = s.zone()
		}
	}
	if !s.ok || s.rest != "" || month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59 {
		return 0, false
	}
	// Day 0 of the next month is the last of this one.
	if day > time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day() {
		return 0, false
	}
	return page.TimeOf(time.Date(year, time.Month(month), day, hour, minute, second, nanosecond, zone))
}

// dateScanner takes a date apart. Once something is wrong, ok stays false.
type dateScanner struct {
	rest string
	ok   bool
}

// number takes a number of exactly so many digits.
func (s *dateScanner) number(digits int) int {
	if len(s.rest) < digits {
		s.ok = false
		return 0
	}
	n := 0
	for _, c := range []byte(s.rest[:digits]) {
		s.ok = s.ok && '0' <= c && c <= '9'
		n = n*10 + int(c-'0')
	}
	s.rest = s.rest[digits:]
	return n
}

// oneOf takes one of the given characters and returns it.
func (s *dateScanner) oneOf(characters string) byte {
	if s.rest == "" || strings.IndexByte(characters, s.rest[0]) < 0 {
		s.ok = false
		return 0
	}
	c := s.rest[0]
	s.rest = s.rest[1:]
	return c
}

// after takes a separator and the number after it.
func (s *dateScanner) after(separator string, digits int) int {
	s.oneOf(separator)
	return s.number(digits)
}

// fraction takes the digits of a second's fraction, where there are any, and
// returns them as nanoseconds.
func (s *dateScanner) fraction() int {
	if !strings.HasPrefix(s.rest, ".") {
		return 0
	}
	digits := s.rest[1:]
	s.rest = strings.TrimLeft(digits, "0123456789")
	digits = digits[:len(digits)-len(s.rest)]
	s.ok = s.ok && digits != ""
	n := 0
	for i := range 9 {
		n *= 10
		if i < len(digits) {
			n += int(digits[i] - '0')
		}
	}
	return n
}

// zone takes "Z" or the distance from UTC.
func (s *dateScanner) zone() *time.Location {
	c := s.oneOf("Zz+-")
	if c != '+' && c != '-' {
		return time.UTC
	}
	hours, minutes := s.number(2), s.after(":", 2)
	s.ok = s.ok && hours <= 23 && minutes <= 59
	distance := (hours*60 + minutes) * 60
	if c == '-' {
		distance = -distance
	}
	return time.FixedZone("", distance)
}
