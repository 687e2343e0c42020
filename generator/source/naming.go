package source

import (
	"slices"
	"strings"

	"example.org/sivu/generator/page"
)

// naming is what site.yaml says of the names of fields.
type naming struct {
	front    map[string]meaning // of front matter
	document map[string]meaning // of an HTML document's metas
	ignored  map[string]bool
	joined   map[string]string // what stands between the items of a list
	skipping []condition
	fold     bool // names are in lower case here, as letter case does not matter in those of pages
}

// meaning is sivu's name for a field: one of its own, or a meta key.
type meaning struct {
	own own
	key string
}

func newNaming(site *Site) naming {
	n := naming{
		front: make(map[string]meaning), document: make(map[string]meaning), ignored: make(map[string]bool), joined: make(map[string]string),
		fold: site.Generator == page.Hugo,
	}
	if n.fold {
		names := commonKeys
		for _, kind := range page.Kinds {
			names = slices.Concat(names, keysOf(kind))
		}
		for _, key := range names {
			n.front[key] = meaning{key: key}
		}
	}
	for o := ownID; o < ownCount; o++ {
		if _, ok := site.Fields[ownNames[o]]; !ok {
			n.front[ownNames[o]] = meaning{own: o}
		}
	}
	for name, theirs := range site.Fields {
		if theirs == "" {
			continue
		}
		m := meaning{own: own(max(slices.Index(ownNames[:], name), 0)), key: name}
		n.front[n.name(theirs)], n.document[n.name(theirs)] = m, m
	}
	for _, name := range site.Ignore {
		n.ignored[n.name(name)] = true
	}
	for name, separator := range site.Join {
		n.joined[n.name(name)] = separator
	}
	for _, text := range site.SkipIf {
		c := parseCondition(n.name(text))
		if n.skipping = append(n.skipping, c); len(c.path) > 1 {
			n.ignored[c.path[0]] = true // a map that is looked into could not be a meta key
		}
	}
	return n
}

// commonKeys are the meta keys of any page (contract.md 2.3).
var commonKeys = []string{"title", "url", "description", "windowtitle"}

// keysOf returns the meta keys of a kind.
func keysOf(kind *page.Kind) (names []string) {
	for _, key := range slices.Concat(kind.Required, kind.Together, kind.Optional) {
		names = append(names, key.Name)
	}
	return names
}

// name returns a name of pages as the maps have it.
func (n *naming) name(of string) string {
	if n.fold {
		return strings.ToLower(of)
	}
	return of
}

// find returns the first of some fields with a name as the maps have it, or nil.
func (n *naming) find(fields []field, name string) *field {
	i := slices.IndexFunc(fields, func(f field) bool { return n.name(f.name) == name })
	if i < 0 {
		return nil
	}
	return &fields[i]
}

// skips reports whether a field says that its page is to be left out.
func (n *naming) skips(name string, f *field) bool {
	return slices.ContainsFunc(n.skipping, func(c condition) bool {
		if c.name == name {
			return c.holds(f)
		}
		if c.path[0] != name {
			return false
		}
		value := f
		for _, key := range c.path[1:] {
			if value = n.find(value.items, key); value == nil {
				return false
			}
		}
		return c.holds(value)
	})
}

// FieldName returns the name of a field of sivu's own, such as "id", in the site's
// pages; "" where site.yaml gives the name back to meta.
func (s *Site) FieldName(own string) string {
	if name, ok := s.Fields[own]; ok {
		return name
	}
	return own
}

// MetaKey returns the meta key that a field of that name becomes, in the head of
// an HTML document or in front matter. It reports false for a field that is
// sivu's own, ignored or under "skip_if".
func (s *Site) MetaKey(field string, document bool) (key string, ok bool) {
	names := newNaming(s)
	name := names.name(field)
	m, renamed := names.front[name]
	if document {
		m, renamed = names.document[name]
	}
	if !renamed {
		m.key = field
	}
	isCondition := slices.ContainsFunc(names.skipping, func(c condition) bool { return c.name == name })
	return m.key, m.own == notOwn && !names.ignored[name] && !isCondition
}

// condition is an item of "skip_if".
type condition struct {
	name  string   // of a field
	path  []string // the field, and keys of maps in it, that the name can stand for, too
	value string   // that leaves a page out; "" for those that are true
}

// parseCondition reads "name", "name.key", "name=value" or "name.key=value".
func parseCondition(text string) (c condition) {
	c.name, c.value, _ = strings.Cut(text, "=")
	c.path = strings.Split(c.name, ".")
	return c
}

// holds reports whether a field that the condition names leaves the page out.
func (c *condition) holds(f *field) bool {
	if f.shape != scalar || c.value == "" {
		return f.shape == scalar && isTrue(f.value)
	}
	return strings.EqualFold(f.value, c.value)
}
