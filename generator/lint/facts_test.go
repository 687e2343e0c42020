package lint

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/page"
)

var fields = reflect.TypeFor[page.Record]()

// Every field of a record is a fact, and the only one that tells records apart
// which differ in that field.
func TestFactsAreFields(t *testing.T) {
	for i := range fields.NumField() {
		var a, b page.Record
		r := rand.New(rand.NewPCG(1, uint64(i)))
		for reflect.DeepEqual(a, b) {
			alter(r, &b, i)
		}
		fact := Facts(1) << i
		if fact.agree(&a, &b) || !(^fact).agree(&a, &b) {
			t.Errorf("%s: not exactly fact %d tells the records apart", fields.Field(i).Name, i)
		}
	}
	if URLPosition != 1<<(fields.NumField()-1) {
		t.Error("there are more facts than fields")
	}
}

// alter gives field i of a record one of a few values.
func alter(r *rand.Rand, p *page.Record, i int) {
	n := r.IntN(3)
	switch field := reflect.ValueOf(p).Elem().Field(i).Addr().Interface().(type) {
	case *string:
		*field = []string{"", "fi", "en"}[n]
	case *[]string:
		*field = [][]string{nil, {"fi"}, {"en"}}[n]
	case *uuid.UUID:
		*field = uuid.UUID{15: byte(n)}
	case **page.Kind:
		*field = page.KindNamed([]string{"page", "article", "not-found"}[n])
	case *page.Time:
		*field = page.Time(n)
	case *uint32:
		*field = uint32(n)
	case *page.Position:
		*field = page.Position{Line: int32(n), Column: 1}
	default:
		panic(fmt.Sprintf("no values of %T are known", field))
	}
}

// observe returns the facts on which the findings of a rule turn out to depend.
func observe(rule Rule) Facts {
	find := func(c *Collection) (found []diag.Diagnostic) {
		rule.Check(c, func(d diag.Diagnostic) { found = append(found, d) })
		return found
	}
	var observed Facts
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		c := &Collection{Languages: []string{"fi", "en"}, Pages: newPages(6)}
		for k := range c.Pages {
			for i := range fields.NumField() {
				alter(r, c.Pages[k], i)
			}
			c.Pages[k].Path = fmt.Sprint(k, c.Pages[k].Path)
		}
		before := find(c)
		for i := range fields.NumField() {
			other := &Collection{Languages: c.Languages, Pages: clonePages(c.Pages)}
			for k := range other.Pages {
				alter(r, other.Pages[k], i)
			}
			if Path == 1<<i {
				for k := range other.Pages {
					other.Pages[k].Path = fmt.Sprint(k, other.Pages[k].Path)
				}
			}
			if !cmp.Equal(before, find(other), cmp.Comparer(func(a, b *diag.Rule) bool { return a == b })) {
				observed |= 1 << i
			}
		}
	}
	return observed
}

// A rule declares exactly the facts that it reads.
func TestRulesDeclareFacts(t *testing.T) {
	check := func(rule Rule) error {
		if observed := observe(rule); observed != rule.Reads {
			return fmt.Errorf("%s declares the facts %b, and reads %b", rule.Name, rule.Reads, observed)
		}
		return nil
	}
	for _, rule := range Rules {
		if err := check(rule); err != nil {
			t.Error(err)
		}
	}
	outdated := Rule{&diag.Rule{Name: "outdated"}, Path | Language, func(c *Collection, report func(diag.Diagnostic)) {
		for i := range c.Pages {
			if p := c.Pages[i]; p.Language == "fi" && p.Modified == 0 {
				report(duplicateID.At(at(p, page.Position{}), "outdated"))
			}
		}
	}}
	if check(outdated) == nil {
		t.Error("a rule that reads modified, and does not declare it, passes")
	}
	outdated.Reads |= Modified
	if err := check(outdated); err != nil {
		t.Error(err)
	}
}

func newPages(n int) []*page.Record {
	pages := make([]*page.Record, n)
	for i := range pages {
		pages[i] = new(page.Record)
	}
	return pages
}

func clonePages(pages []*page.Record) []*page.Record {
	clones := newPages(len(pages))
	for i, p := range pages {
		*clones[i] = *p
	}
	return clones
}
