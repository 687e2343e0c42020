package markup

import "bytes"

// An open element stands on the cleaner's stack, which at every moment is the
// stack that a parser of the output would have.
type open struct {
	el      *element
	at      int  // offset of its start tag in the source
	implied bool // the parser opens it without a tag
}

func (c *cleaner) push(el *element, implied bool) {
	c.stack = append(c.stack, open{el: el, at: c.at, implied: implied})
}

// inTable reports whether the innermost element holds table parts only.
func (c *cleaner) inTable() bool {
	return len(c.stack) > 0 && c.stack[len(c.stack)-1].el.is(rowContext)
}

// find returns the place on the stack of the innermost el, or -1. It does not
// look beyond an element with one of the traits in stop.
func (c *cleaner) find(el *element, stop trait) int {
	for i := len(c.stack) - 1; i >= 0; i-- {
		switch e := c.stack[i].el; {
		case e == el:
			return i
		case e.traits&stop != 0:
			return -1
		}
	}
	return -1
}

// innermost returns the place on the stack below n of the innermost element for
// which is reports true, or -1. It does not look beyond one for which stop does.
func (c *cleaner) innermost(n int, is, stop func(e *element) bool) int {
	for i := n - 1; i >= 0; i-- {
		switch e := c.stack[i].el; {
		case is(e):
			return i
		case stop(e):
			return -1
		}
	}
	return -1
}

// closeFrom ends the elements of the stack from place i on, innermost first.
// With omit, what follows in the output ends them too as far as their end tags
// are optional, and those are left out.
func (c *cleaner) closeFrom(i int, omit bool) {
	lowest := i
	for omit && lowest < len(c.stack) && c.stack[lowest].el.is(optionalEnd) {
		lowest++
	}
	for j := len(c.stack) - 1; j >= lowest; j-- {
		if o := c.stack[j]; !o.implied {
			c.out = append(append(append(c.out, "</"...), o.el.name...), '>')
		}
	}
	c.stack = c.stack[:i]
}

// room reports whether n more elements may be opened, and an error if not.
func (c *cleaner) room(n int) bool {
	if len(c.stack)+n <= maxDepth {
		return true
	}
	if !c.tooDeep {
		c.tooDeep = true
		c.warn(ruleDepth, c.at, "close those that are open, or nest fewer", "elements are nested more than %d levels deep", maxDepth)
	}
	return false
}

// prepare ends and opens what the standard asks for before the start tag of
// el. Where the tag can not stand it reports that as a problem, and false.
func (c *cleaner) prepare(el *element) bool {
	if el.is(tablePart) {
		return c.prepareTablePart(el)
	}
	if c.inTable() {
		if el == elementTable {
			c.closeFrom(c.find(elementTable, 0), false)
		} else if !c.openCell() {
			return false
		}
	}
	switch el {
	case elementA:
		if i := c.find(el, marker); i >= 0 {
			c.closeFrom(i, false)
		}
	case elementLi, elementDd, elementDt:
		c.closeItem(el)
	case elementRt, elementRp:
		c.closeRuby()
	case elementForm:
		if c.find(el, 0) >= 0 {
			c.refuseTag()
			return false
		}
	case elementButton, elementOption:
		if i := c.find(el, scope); i >= 0 {
			c.closeFrom(i, false)
		}
	}
	if el.is(closesP) {
		if i := c.find(elementP, scope); i >= 0 {
			// Whether a table ends a paragraph depends on the doctype. Where el ends
			// a heading around the paragraph too, that one's end tag comes next.
			c.closeFrom(i, el != elementTable && !(el.is(heading) && c.headingBefore(i) >= 0))
		}
	}
	if el.is(heading) {
		if i := c.headingBefore(len(c.stack)); i >= 0 {
			c.closeFrom(i, false)
		}
	}
	return el.is(void) || c.room(1)
}

// closeItem ends the list item that a new one ends.
func (c *cleaner) closeItem(el *element) {
	i := c.innermost(len(c.stack), func(e *element) bool {
		return e == el || el != elementLi && (e == elementDd || e == elementDt)
	}, func(e *element) bool {
		return e.is(special) && e != elementAddress && e.name != "div" && e != elementP
	})
	if i >= 0 {
		c.closeFrom(i, true)
	}
}

// headingBefore returns the place of the heading that another is about to begin in
// when the elements from place n on are closed, or -1. The parser ends it only where
// nothing else is open in it.
func (c *cleaner) headingBefore(n int) int {
	return c.innermost(n, func(e *element) bool { return e.is(heading) }, func(e *element) bool { return e.is(special | marker) })
}

// closeRuby ends what the parser ends before an rt or rp.
func (c *cleaner) closeRuby() {
	if c.find(elementRuby, scope) < 0 {
		return
	}
	i := len(c.stack)
	for i > 0 && (c.stack[i-1].el.is(optionalEnd) || c.stack[i-1].el == elementRt || c.stack[i-1].el == elementRp) {
		i--
	}
	if top := len(c.stack) - 1; i == top && c.stack[top].el != elementP {
		c.stack = c.stack[:top] // the tag that follows ends it
		return
	}
	c.closeFrom(i, false)
}

// prepareTablePart is prepare for what may only stand in a table.
func (c *cleaner) prepareTablePart(el *element) bool {
	table := c.find(elementTable, 0)
	if table < 0 {
		c.refuseTag()
		return false
	}
	if i := c.cell(); i > table {
		c.closeFrom(i, c.stack[i].el != elementCaption)
	}
	for len(c.stack)-1 > table && !c.holds(el) {
		c.closeFrom(len(c.stack)-1, true)
	}
	switch el {
	case elementCol:
		return c.imply(elementColgroup, 0)
	case elementTr:
		return c.imply(elementTbody, 1)
	case elementTd, elementTh:
		return c.imply(elementTr, 1)
	}
	return c.room(1)
}

// imply opens what the parser opens between a table and a part of it: parent,
// and a tbody around a tr. It leaves room for n more elements.
func (c *cleaner) imply(parent *element, n int) bool {
	var missing []*element
	top := c.stack[len(c.stack)-1].el
	if top == elementTable && parent == elementTr {
		missing = append(missing, elementTbody)
	}
	if top == elementTable || parent == elementTr && top != elementTr {
		missing = append(missing, parent)
	}
	if !c.room(n + len(missing)) {
		return false
	}
	for _, el := range missing {
		c.push(el, true)
	}
	return true
}

// cell returns the place of the innermost td, th or caption, or -1.
func (c *cleaner) cell() int {
	return c.innermost(len(c.stack), func(e *element) bool { return e.is(marker) && e.is(tablePart) }, func(*element) bool { return false })
}

// holds reports whether the innermost element, a part of a table, may hold el.
func (c *cleaner) holds(el *element) bool {
	top := c.stack[len(c.stack)-1].el
	switch el {
	case elementTd, elementTh:
		return top != elementColgroup
	case elementTr:
		return top != elementColgroup && top != elementTr
	case elementCol:
		return top == elementColgroup
	}
	return false
}

// openCell opens a cell for what stands in a table but in none of its cells: a
// parser would move it out, to before the table.
func (c *cleaner) openCell() bool {
	if top := c.stack[len(c.stack)-1].el; top == elementColgroup {
		c.closeFrom(len(c.stack)-1, true)
	}
	if !c.imply(elementTr, 1) {
		return false
	}
	if row := &c.stack[len(c.stack)-1]; row.implied && row.at == c.at {
		row.implied = false
		c.out = append(c.out, "<tr>"...)
	}
	c.push(elementTd, false)
	c.out = append(c.out, "<td>"...)
	return true
}

// endTag writes an end tag that ends an open element, after those of the
// elements in it.
func (c *cleaner) endTag() {
	raw := c.raw()
	name := tagName(raw[2:])
	plain := len(bytes.Trim(raw[2+len(name):], whitespace)) == 1
	if !plain {
		name, _ = c.z.TagName()
	}
	el := c.known(name)
	if el == nil {
		if i := c.find(blocks[string(name)], scope); i >= 0 {
			c.closeFrom(i+1, true)
			c.closeFrom(i, false)
		}
		c.noscript = c.noscript && string(name) != "noscript"
		return
	}
	if el == elementBr && !(c.opts.Trusted && c.inDrawing()) && (!c.inTable() || c.openCell()) {
		c.out = append(c.out, "<br>"...) // so says the standard
	}
	i := c.match(el)
	if i < 0 {
		c.strayDiv = c.strayDiv || el == elementDiv && c.find(el, 0) < 0 && c.find(elementTable, 0) < 0
		return
	}
	open := c.stack[i].el
	if open == elementRuby {
		c.endRuby(i)
	}
	c.closeFrom(i+1, open.is(special|closesP))
	c.stack = c.stack[:i]
	if plain && open == el {
		c.out = append(c.out, raw...)
		return
	}
	c.out = append(append(append(c.out, "</"...), open.name...), '>')
}

// endRuby lets the end tag of a ruby end the rt or rp that is open in it.
func (c *cleaner) endRuby(i int) {
	if i == len(c.stack)-2 && (c.stack[i+1].el == elementRt || c.stack[i+1].el == elementRp) {
		c.stack = c.stack[:i+1]
	}
}

// match returns the place on the stack of the element that an end tag of el
// ends, or -1.
func (c *cleaner) match(el *element) int {
	switch {
	case el.is(void):
		return -1
	case el == elementLi:
		return c.find(el, scope|list)
	case el.is(tablePart) || el == elementTable:
		return c.matchTablePart(el)
	case el.is(formatting):
		return c.find(el, scope)
	case el.is(heading):
		return c.innermost(len(c.stack), func(e *element) bool { return e.is(heading) }, func(e *element) bool { return e.is(scope) })
	case el.is(special | closesP):
		return c.find(el, scope)
	}
	return c.innermost(len(c.stack), func(e *element) bool { return e == el }, func(e *element) bool { return e.is(special|scope) && e != elementP })
}

// matchTablePart is match for a table and its parts.
func (c *cleaner) matchTablePart(el *element) int {
	i := c.innermost(len(c.stack), func(e *element) bool { return e == el }, func(e *element) bool {
		// An end tag of another cell, and that of a row inside a caption, end nothing.
		return e == elementTable || e.is(marker) && e.is(tablePart) && (el.is(marker) || e == elementCaption && el != elementTable)
	})
	if el == elementColgroup && i != len(c.stack)-1 {
		return -1
	}
	return i
}
