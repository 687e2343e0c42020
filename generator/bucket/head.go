package bucket

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"
)

// The names of the state, below the address that it has.
const (
	headName   = "head"
	treeFolder = "tree/" // bases and segments, each named by its SHA-256
)

// Limits of a state that is read.
const (
	headLimit     = 64 << 10
	treeLimit     = 2 << 30 // of bases: that of ten million records
	maxSegments   = 16      // more are put together as one
	maxUnfinished = 8       // publications in a row that did not end; then nothing is known
)

// headFormat is the version of head and trees.
const headFormat = 1

// head is the small object from which everything else about the state is found.
type head struct {
	Format      int      `json:"format"`
	Content     string   `json:"content"`     // hash of the tree: of all paths, sizes and SHA-256
	Headers     string   `json:"headers"`     // hash of the table of headers
	Tree        *treeRef `json:"tree"`        // that the bucket holds; null where that is not known
	Files       int      `json:"files"`       // of the tree
	Bytes       int64    `json:"bytes"`       // of the tree
	Left        int      `json:"left"`        // objects that left the tree and are still there
	LeftSince   int64    `json:"left_since"`  // when the first of them left, in seconds since 1970
	Publication int64    `json:"publication"` // counts them
	Lock        *lock    `json:"lock"`        // of the publisher at work, or of one that did not end
}

// treeRef names the objects that an encoded tree is made of. They never change.
type treeRef struct {
	Base     string   `json:"base"`
	Segments []string `json:"segments"` // of the log, in order
}

// lock says that a publisher is at work. It holds as long as its lease, from the last
// write of head on, by the clock of the store.
type lock struct {
	Nonce   string    `json:"nonce"`
	By      string    `json:"by"` // for people
	Since   time.Time `json:"since"`
	Lease   int       `json:"lease"`   // in seconds; 0 where its owner gave it up
	Renewal int       `json:"renewal"` // counts renewals, so that each changes the ETag

	// Plans are the trees that this publisher, and those before it that did not
	// end, were to bring about. Where they differ from Tree, the bytes in the bucket
	// are not known.
	Plans []*treeRef `json:"plans"`
}

// errHead means that head cannot be understood.
var errHead = errors.New("the state is damaged")

// decodeHead reads a head. The error wraps errHead where it is none, and is an
// [*Error] where it is one of another version.
func decodeHead(data []byte) (*head, error) {
	var h head
	if err := json.Unmarshal(data, &h); err != nil {
		return nil, fmt.Errorf("%w: %v", errHead, err)
	}
	if h.Format > headFormat {
		return nil, &Error{fmt.Sprintf("the state of the bucket has format %d, and this version of sivu knows %d", h.Format, headFormat),
			"use a newer sivu, or remove the object head, so that the state is rebuilt from a list of the objects", nil}
	}
	known := h.Format == headFormat && isSum(h.Content) && isSum(h.Headers) &&
		h.Files >= 0 && h.Bytes >= 0 && h.Left >= 0 && h.Publication >= 0 && (h.Tree == nil || h.Tree.isValid())
	if l := h.Lock; l != nil && known {
		const longest = 24 * 60 * 60
		known = l.Nonce != "" && l.Lease >= 0 && l.Lease <= longest && len(l.Plans) <= maxUnfinished &&
			!slices.ContainsFunc(l.Plans, func(t *treeRef) bool { return t == nil || !t.isValid() })
	}
	if !known {
		return nil, errHead
	}
	return &h, nil
}

func (h *head) encode() []byte {
	data, err := json.Marshal(h)
	if err != nil {
		panic(err) // it has strings and numbers alone, and a time of this century
	}
	return append(data, '\n')
}

func (t *treeRef) isValid() bool {
	return isSum(t.Base) && len(t.Segments) <= maxSegments && !slices.ContainsFunc(t.Segments, func(s string) bool { return !isSum(s) })
}

func (t *treeRef) objects() []string { return append([]string{t.Base}, t.Segments...) }

func isSum(s string) bool {
	b, err := hex.DecodeString(s)
	return err == nil && len(b) == 32 && hex.EncodeToString(b) == s
}

// isHeld reports whether the lock still keeps others away, for a head of that age.
// A store tells times in whole seconds.
func (l *lock) isHeld(age time.Duration) bool {
	return l.Lease > 0 && age < l.duration()+2*time.Second
}

func (l *lock) duration() time.Duration { return time.Duration(l.Lease) * time.Second }

// BusyError says that another publisher is at work.
type BusyError struct {
	By    string
	Since time.Time
	Until time.Time // when the lease ends if it is not renewed
}

func (e *BusyError) Error() string {
	return fmt.Sprintf("another publisher is at work: %s, since %s; its lease runs until %s, and is renewed while it works",
		e.By, e.Since.Local().Format(time.DateTime), e.Until.Local().Format(time.TimeOnly))
}
