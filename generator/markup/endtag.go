package markup

import "bytes"

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
		for i := len(c.stack) - 1; i >= 0; i-- {
			if e := c.stack[i].el; e.is(heading) {
				return i
			} else if e.is(scope) {
				return -1
			}
		}
		return -1
	case el.is(special | closesP):
		return c.find(el, scope)
	}
	for i := len(c.stack) - 1; i >= 0; i-- {
		switch e := c.stack[i].el; {
		case e == el:
			return i
		case e.is(special|scope) && e != elementP:
			return -1
		}
	}
	return -1
}

// matchTablePart is match for a table and its parts.
func (c *cleaner) matchTablePart(el *element) int {
	for i := len(c.stack) - 1; i >= 0; i-- {
		e := c.stack[i].el
		if e == el {
			if el == elementColgroup && i != len(c.stack)-1 {
				return -1
			}
			return i
		}
		// An end tag of another cell, and that of a row inside a caption,
		// end nothing.
		if e == elementTable || e.is(marker) && e.is(tablePart) && (el.is(marker) || e == elementCaption && el != elementTable) {
			return -1
		}
	}
	return -1
}
