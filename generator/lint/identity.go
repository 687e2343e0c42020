package lint

import (
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
	eachDuplicate(c, func(p *page.Record) uuid.UUID { return p.ID }, func(first, p *page.Record) {
		if p.ID != uuid.Nil && !isSameRecord(p, first) {
			report(duplicateID.At(at(p, p.IDPosition), "id %s is also that of %s", p.ID, diag.Quote(first.Path)).
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
	eachDuplicate(c, func(p *page.Record) [2]string { return [2]string{p.Topic, p.Language} }, func(first, p *page.Record) {
		if p.Topic != "" {
			report(duplicateRecord.At(at(p, page.Position{}), "this page and %s are both the topic %s in %s",
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
	eachDuplicate(c, func(p *page.Record) string { return p.URL }, func(first, p *page.Record) {
		if p.URL != "" && !isSameRecord(p, first) {
			report(duplicateURL.At(at(p, p.URLPosition), "meta.url %s is also that of %s", diag.Quote(p.URL), diag.Quote(first.Path)).
				WithHint(`give one of them another "slug" or "url"`))
		}
	})
}
