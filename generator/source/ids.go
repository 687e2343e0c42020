package source

import (
	"github.com/google/uuid"

	"example.org/sivu/generator/diag"
)

// IDsFile is the name of the file beside site.yaml that keeps the ids of a rendered
// site's pages, which cannot keep one of their own.
const IDsFile = "ids.yaml"

// ReadIDs reads the loaded text of an ids.yaml: a map of meta.url to ids. Problems go to
// report, at their places in the file of that name.
func ReadIDs(text []byte, name string, report func(diag.Diagnostic)) map[string]uuid.UUID {
	problem := func(line, column int, message, hint string) {
		d := ruleIDs.At(diag.Position{File: name, Line: line, Column: column}, "%s", message)
		d.Hint = hint
		report(d)
	}
	root, _ := parseYAML(text, leniency{}, problem)
	if root == nil {
		return nil
	}
	if root.shape != table {
		problem(root.valueLine, root.valueColumn, "the file holds "+root.shape.String()+"; it is a map of meta.url to ids",
			"write each page in a line of its own, or remove the file and let \"sivu ids --write\" write it")
		return nil
	}
	ids, urls := make(map[string]uuid.UUID, len(root.items)), make(map[uuid.UUID]string, len(root.items))
	for i := range root.items {
		f := &root.items[i]
		id, ok := parseID(f.value)
		switch {
		case !ok || f.shape != scalar:
			problem(f.valueLine, f.valueColumn, diag.Quote(f.value)+" is not a UUID", "write 32 hexadecimal digits in groups of 8-4-4-4-12, or remove the line")
		case urls[id] != "":
			problem(f.valueLine, f.valueColumn, "the id is also that of "+diag.Quote(urls[id]), "remove the line of the page that is gone")
		default:
			ids[f.name], urls[id] = id, f.name
		}
	}
	return ids
}

// idOf returns the id that ids.yaml keeps for a page.
func (s *Site) idOf(language, name string) (uuid.UUID, bool) {
	if s.Rendered == nil {
		return uuid.Nil, false
	}
	id, ok := s.Rendered.IDs[deriveURL(language, name, "")]
	return id, ok
}

// MovedID returns the meta.url under which ids.yaml keeps an id that a page without one
// of its own had before it moved: one of its aliases. It is "" where there is none.
func (s *Site) MovedID(aliases []string) string {
	if s.Rendered != nil {
		for _, alias := range aliases {
			if _, ok := s.Rendered.IDs[alias]; ok {
				return alias
			}
		}
	}
	return ""
}

// MovedPage is reported before a page that moved gets another id.
var MovedPage = &diag.Rule{
	Name:     "moved-page",
	Doc:      "a rendered page that moved keeps the id that ids.yaml has for its old address",
	Severity: diag.Error,
}
