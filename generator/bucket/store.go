package bucket

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/url"
	"strings"
	"sync/atomic"
	"time"
	"unicode"
	"unicode/utf8"
)

// Store is a bucket of an object store, as far as a publisher needs one. Any number
// of goroutines may use it. Its errors are for people, and retries are over when
// there is one; the context's own error is returned as it is.
type Store interface {
	// Get returns an object of at most limit bytes. The error wraps [fs.ErrNotExist]
	// where there is none, and [ErrTooLarge] where it is larger.
	Get(ctx context.Context, key string, limit int64) (*Object, error)

	// Put writes an object if the condition holds, and returns its new ETag. The
	// error wraps [ErrCondition] where it does not hold, and [ErrUnsupported] where
	// the store says that it knows no conditions. A store may know none and not say so.
	Put(ctx context.Context, key string, data []byte, h Headers, c Condition) (etag string, err error)

	// List returns the objects whose keys begin with a prefix, in the order of their
	// keys, and ends with the first error.
	List(ctx context.Context, prefix string) iter.Seq2[Listed, error]

	// Delete removes an object. One that is not there is no error.
	Delete(ctx context.Context, key string) error
}

// Errors that a [Store] wraps.
var (
	ErrCondition   = errors.New("the condition of the request does not hold")
	ErrUnsupported = errors.New("the store does not know conditional requests")
	ErrTooLarge    = errors.New("the object is too large")
)

// Object is the answer to a GET.
type Object struct {
	Data    []byte
	ETag    string // without quotes
	Headers Headers
	Age     time.Duration // since it was written, by the clock of the store
}

// Listed is one object of a list.
type Listed struct {
	Key  string
	ETag string // without quotes
}

// Headers are those that a store keeps with an object and sends with it.
type Headers struct{ ContentType, CacheControl string }

// Condition is that of a conditional PUT (RFC 9110, 13.1). The zero value is none.
type Condition struct {
	Match string // the ETag that the object has to have
	None  bool   // there has to be no object
}

// Address is a bucket and a prefix of keys in it: s3://BUCKET/PREFIX.
type Address struct {
	Bucket string
	Prefix string // without slashes at its ends
}

// ParseAddress reads s3://BUCKET or s3://BUCKET/PREFIX.
func ParseAddress(text string) (Address, error) {
	refuse := func(reason string) (Address, error) {
		return Address{}, &Error{fmt.Sprintf("%q is not the address of a bucket: %s", text, reason), "write it as in s3://my-bucket or s3://my-bucket/v1", nil}
	}
	rest, ok := strings.CutPrefix(text, "s3://")
	if !ok {
		return refuse("it does not begin with s3://")
	}
	var a Address
	a.Bucket, a.Prefix, _ = strings.Cut(rest, "/")
	a.Prefix = strings.TrimSuffix(a.Prefix, "/")
	const longest = 512 // of 1,024 bytes that a key may have
	switch {
	case a.Bucket == "":
		return refuse("it names no bucket")
	case strings.Trim(a.Bucket, "abcdefghijklmnopqrstuvwxyz0123456789.-_") != "" || len(a.Bucket) < 3 || len(a.Bucket) > 63:
		return refuse("the name of a bucket has 3 to 63 lower-case letters, digits, hyphens and dots")
	case !utf8.ValidString(a.Prefix) || strings.ContainsFunc(a.Prefix, unicode.IsControl) || strings.ContainsAny(a.Prefix, "?#\\"):
		return refuse("the prefix has a character that keys should not have")
	case len(a.Prefix) > longest:
		return refuse("the prefix is too long")
	}
	if a.Prefix != "" {
		for part := range strings.SplitSeq(a.Prefix, "/") {
			if part == "" || part == "." || part == ".." {
				return refuse("the prefix has an empty part, or a part of dots alone")
			}
		}
	}
	return a, nil
}

// Key returns the key of a name below the address.
func (a Address) Key(name string) string {
	if a.Prefix == "" {
		return name
	}
	return a.Prefix + "/" + name
}

// url returns the address of a name below this one, for messages.
func (a Address) url(name string) string {
	return "s3://" + a.Bucket + "/" + (&url.URL{Path: a.Key(name)}).EscapedPath()
}

// String returns the address as ParseAddress reads it.
func (a Address) String() string {
	return strings.TrimSuffix("s3://"+a.Bucket+"/"+a.Prefix, "/")
}

// Error is a failure for people, with a hint.
type Error struct {
	Message string
	Hint    string // "" where there is none
	Cause   error  // or nil; Message has what it says
}

func (e *Error) Error() string { return e.Message }

func (e *Error) Unwrap() error { return e.Cause }

// area is the part of a store below an address; its objects are named from there. It
// counts requests, and the bytes that are sent.
type area struct {
	store Store
	at    Address

	requests, bytes atomic.Int64
}

func (a *area) get(ctx context.Context, name string, limit int64) (*Object, error) {
	a.requests.Add(1)
	return a.store.Get(ctx, a.at.Key(name), limit)
}

func (a *area) put(ctx context.Context, name string, data []byte, h Headers, c Condition) (etag string, err error) {
	a.requests.Add(1)
	a.bytes.Add(int64(len(data)))
	return a.store.Put(ctx, a.at.Key(name), data, h, c)
}

// list counts the pages of a list, of a thousand objects each.
func (a *area) list(ctx context.Context, prefix string) iter.Seq2[Listed, error] {
	return func(yield func(Listed, error) bool) {
		const page = 1000
		a.requests.Add(1)
		n := 0
		for o, err := range a.store.List(ctx, a.at.Key(prefix)) {
			if n++; n > page {
				n = 1
				a.requests.Add(1)
			}
			o.Key = strings.TrimPrefix(o.Key, a.at.Key(""))
			if !yield(o, err) {
				return
			}
		}
	}
}

func (a *area) delete(ctx context.Context, name string) error {
	a.requests.Add(1)
	return a.store.Delete(ctx, a.at.Key(name))
}
