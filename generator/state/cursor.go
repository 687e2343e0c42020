package state

import "sort"

// Cursor goes through the keys of a state in ascending order. It reads the
// blocks that it comes to, and no others.
type Cursor struct {
	s    *State
	next int // block
	// buffers take turns: the last key and value may lie in the block before the one
	// that was entered last.
	buffers [2][]byte
	in      reader // the rest of block next-1
	key     string // of the block, if some
	value   []byte
	some    bool
	log     []string // keys of the log that are left
	err     error
}

// From returns a cursor that stands before the first key that is not less.
func (s *State) From(key string) *Cursor {
	c := &Cursor{s: s, log: s.sorted}
	c.Seek(key)
	return c
}

// Seek moves a cursor on to before the first key that is not less. A cursor never
// goes back.
func (c *Cursor) Seek(key string) {
	if after := sort.SearchStrings(c.log, key); after > 0 {
		c.log = c.log[after:]
	}
	if i := c.s.find(key); i >= c.next && len(c.s.blocks) > 0 {
		c.enter(i)
	}
	for c.some && c.key < key {
		c.step()
	}
}

// enter moves to the first key of a block.
func (c *Cursor) enter(i int) {
	body, err := c.s.block(c.buffers[0], i)
	c.buffers[0], c.buffers[1] = c.buffers[1], body
	c.next, c.in = i+1, reader{rest: body}
	if err != nil {
		c.err, c.some = err, false
		return
	}
	c.step()
}

// step moves to the next key of the blocks.
func (c *Cursor) step() {
	c.some = false
	switch {
	case c.err != nil:
	case len(c.in.rest) > 0:
		c.key, c.value, c.some = c.in.text(), c.in.bytes(), true
	case c.next < len(c.s.blocks):
		c.enter(c.next)
	}
}

// Next returns the next key and its value, and moves behind it. It reports false
// at the end, and after an error. Both are there until the next call, and must not
// be changed.
func (c *Cursor) Next() (key string, value []byte, ok bool) {
	for c.err == nil {
		switch {
		case !c.some && len(c.log) == 0:
			return "", nil, false
		case len(c.log) > 0 && (!c.some || c.log[0] <= c.key):
			key, value = c.log[0], c.s.changed[c.log[0]]
			c.log = c.log[1:]
			if c.some && c.key == key {
				c.step()
			}
			if value == nil {
				continue // removed
			}
		default:
			key, value = c.key, c.value
			c.step()
		}
		return key, value, true
	}
	return "", nil, false
}

// Err returns the error that ended the reading early: [ErrDamaged], or that of reading a
// block.
func (c *Cursor) Err() error { return c.err }
