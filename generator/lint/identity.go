package lint

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/cespare/xxhash/v2"
	"github.com/google/uuid"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/page"
)

var duplicateID = &diag.Rule{
	Name:     "duplicate-id",
	Doc:      "every record has an id of its own",
	Severity: diag.Error,
	Contract: true,
}

func checkIDs(c *Collection, report func(diag.Diagnostic)) {
	id := groupKey{
		func(p *page.Record) uint64 { return xxhash.Sum64(p.ID[:]) },
		func(a, b *page.Record) int { return bytes.Compare(a.ID[:], b.ID[:]) },
	}
	c.eachDuplicate(id, func(first, p *page.Record) {
		if p.ID != uuid.Nil && !isSameRecord(p, first) {
			report(duplicateID.At(at(p, p.IDPlace), "id %s is also that of %s", p.ID, diag.Quote(first.Path)).
				WithHint("give one of them an id of its own"))
		}
	})
}

var duplicateRecord = &diag.Rule{
	Name:     "duplicate-record",
	Doc:      "a topic has one source page per language",
	Severity: diag.Error,
	Contract: true,
}

func checkTopics(c *Collection, report func(diag.Diagnostic)) {
	record := groupKey{
		func(p *page.Record) uint64 { return byTopic.hash(p) ^ xxhash.Sum64String(p.Language) },
		func(a, b *page.Record) int {
			return cmp.Or(byTopic.compare(a, b), strings.Compare(a.Language, b.Language))
		},
	}
	c.eachDuplicate(record, func(first, p *page.Record) {
		if p.Topic != "" {
			report(duplicateRecord.At(at(p, page.Place{}), "this page and %s are both the topic %s in %s",
				diag.Quote(first.Path), diag.Quote(p.Topic), diag.Quote(p.Language)).
				WithHint(`remove one of them, or give one another path or "topic"`))
		}
	})
}

var duplicateURL = &diag.Rule{
	Name:     "duplicate-url",
	Doc:      "no two pages have one meta.url",
	Severity: diag.Warning,
}

func checkURLs(c *Collection, report func(diag.Diagnostic)) {
	url := groupKey{
		func(p *page.Record) uint64 { return xxhash.Sum64String(p.URL) },
		func(a, b *page.Record) int { return strings.Compare(a.URL, b.URL) },
	}
	c.eachDuplicate(url, func(first, p *page.Record) {
		if p.URL != "" && !isSameRecord(p, first) {
			report(duplicateURL.At(at(p, p.URLPlace), "meta.url %s is also that of %s", diag.Quote(p.URL), diag.Quote(first.Path)).
				WithHint(`give one of them another "slug" or "url"`))
		}
	})
}
