package markup

import "bytes"

// maxCrowd is how much of Markdown one body may hold, in the units that
// [crowded] counts. goldmark keeps a node of several hundred bytes for almost
// each of them, and a few for a block, all at the same time.
const maxCrowd = 1_000_000

// The weights of what stands in a line. No byte weighs more than all of them.
const (
	lineWeight  = 1
	blockWeight = 3 // on top of its line
	markWeight  = 2
)

// crowded returns where a body of Markdown has more lines, blocks and marks
// than maxCrowd, or -1. It counts what looks like one, also in code, so that
// nothing can hide from it. 16 MiB of paragraphs of 300 bytes with two links each
// stay below.
func crowded(body []byte) int {
	if len(body) <= maxCrowd/(lineWeight+blockWeight+markWeight) {
		return -1
	}
	weight, blank := 0, true
	for at := 0; at < len(body); {
		line := body[at:]
		if i := bytes.IndexByte(line, '\n'); i >= 0 {
			line = line[:i+1]
		}
		if text := bytes.TrimSpace(line); len(text) == 0 {
			blank = true
		} else {
			weight += lineWeight
			if blank || isIn(text[0], "#>-+*=|~`<:[0123456789") {
				weight += blockWeight
			}
			blank = false
		}
		for i := 0; i < len(line); i++ {
			if isMark(line, i) {
				weight += markWeight
			}
			if weight > maxCrowd {
				return at + i
			}
		}
		at += len(line)
	}
	return -1
}

// isMark reports whether the byte of a line could begin or end something in
// its text: a link, emphasis, code, a cell, a tag, an autolink.
func isMark(line []byte, at int) bool {
	switch line[at] {
	case '[', ']', '*', '_', '~', '`', '|', '<', '@':
		return true
	case ':':
		return bytes.HasPrefix(line[at:], []byte("://"))
	case 'w':
		return bytes.HasPrefix(line[at:], []byte("www."))
	}
	return false
}
