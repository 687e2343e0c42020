package verify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// mostWindow is what a zstd decoder must be able to remember for HTTP
// (RFC 9659).
const mostWindow = 8 << 20

// read reads an answer, decoded, and never more of it than the request allows:
// neither of what comes nor of what it decompresses to. The error is the cause that
// ctx ended for, as it does when timeout fires.
func (c *client) read(ctx context.Context, timeout *time.Timer, response *http.Response, r request) (*answer, error) {
	a := &answer{Status: response.StatusCode, Header: response.Header}
	most := min(c.mostBody, r.want.most())
	if r.most > 0 {
		most = min(most, r.most)
	}
	a.Most = most
	coming := &incoming{from: response.Body, left: most + 1}
	plain := io.Reader(coming)
	if hasBody(response) && coding(response.Header) != "" {
		// What comes slowly must not keep others from unpacking; a larger body is too
		// much to keep beside others.
		first, err := io.ReadAll(io.LimitReader(coming, mostTogether))
		if err != nil {
			return a.fail(coming, err), context.Cause(ctx)
		}
		leave, err := c.enterDecoding(ctx, timeout)
		if err != nil {
			return nil, err
		}
		defer leave()
		decoded, err := c.unpacker.reader(response.Header, io.MultiReader(bytes.NewReader(first), coming))
		if err != nil {
			return a.fail(coming, err), context.Cause(ctx)
		}
		plain = &unpacked{decoded, c.budget}
	}
	keep := most
	if r.want == wantSum {
		keep = mostShown
	} else if due := response.ContentLength; 0 < due && due <= most {
		a.Body = make([]byte, 0, due)
	}
	err := a.fill(plain, most, keep)
	if a.Size > most || coming.left <= 0 {
		a.Long = true
	} else if err != nil {
		a.fail(coming, err)
	}
	return a, context.Cause(ctx)
}

// enterDecoding waits until a body may be unpacked. The timeout of the request begins
// anew then: the service has no part in the wait. The caller calls leave when the body
// is read.
func (c *client) enterDecoding(ctx context.Context, timeout *time.Timer) (leave func(), err error) {
	if timeout.Stop() {
		defer timeout.Reset(c.timeout)
	}
	select {
	case c.decoding <- struct{}{}:
		return func() { <-c.decoding }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// fill reads a body. Of that it keeps some bytes, and takes the hash of all.
func (a *answer) fill(from io.Reader, most, keep int64) error {
	var sum maphash.Hash
	sum.SetSeed(hashSeed)
	part := make([]byte, 32<<10)
	for a.Size <= most {
		n, err := from.Read(part)
		sum.Write(part[:n])
		a.Size += int64(n)
		a.Body = append(a.Body, part[:min(int64(n), keep-int64(len(a.Body)))]...)
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
	}
	a.Sum = digest(sum.Sum64())
	return nil
}

// unpacked is what a body decompresses to, which counts as what came does.
type unpacked struct {
	from   io.Reader
	budget *budget
}

func (u *unpacked) Read(p []byte) (int, error) {
	n, err := u.from.Read(p)
	if !u.budget.read(n) && err == nil {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

func hasBody(response *http.Response) bool {
	return response.Request.Method != http.MethodHead &&
		response.StatusCode != http.StatusNotModified && response.StatusCode != http.StatusNoContent
}

// fail makes a the answer that did not come whole.
func (a *answer) fail(coming *incoming, err error) *answer {
	a.Fault = fmt.Sprintf("%d, and then %s", a.Status, err)
	if coming.err != nil {
		a.Fault = fmt.Sprintf("%d, and the body ended early, after %d bytes", a.Status, coming.read)
		if due := a.Header.Get("Content-Length"); due != "" {
			a.Fault += " of " + due
		}
	} else if coding := a.Header.Get("Content-Encoding"); coding != "" {
		a.Fault = fmt.Sprintf("%d, and a body that is not %s: %s", a.Status, strconv.Quote(coding), err)
	}
	a.Status = 0
	return a
}

// incoming is a body as it comes. It remembers its own error, which a decoder
// would hide.
type incoming struct {
	from io.Reader
	read int64
	left int64
	err  error // but io.EOF
}

func (i *incoming) Read(p []byte) (int, error) {
	if i.left <= 0 {
		return 0, io.EOF
	}
	n, err := i.from.Read(p[:min(int64(len(p)), i.left)])
	i.read += int64(n)
	i.left -= int64(n)
	if err != nil && err != io.EOF {
		i.err = err
	}
	return n, err
}

// coding returns the Content-Encoding of an answer, "" where it has none.
func coding(h http.Header) string {
	coding := strings.ToLower(strings.Join(h.Values("Content-Encoding"), ", "))
	if coding == "identity" {
		return ""
	}
	return coding
}

// unpacker undoes the Content-Encoding of one answer after the other.
type unpacker struct{ zstd *zstd.Decoder }

// reader returns what an answer decompresses to. It is good until the next call.
func (u *unpacker) reader(h http.Header, from io.Reader) (io.Reader, error) {
	switch coding(h) {
	case "gzip", "x-gzip":
		return gzip.NewReader(from)
	case "br":
		return brotli.NewReader(from), nil
	case "zstd":
		if u.zstd != nil {
			return u.zstd, u.zstd.Reset(from)
		}
		d, err := zstd.NewReader(from, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(mostWindow))
		u.zstd = d
		return d, err
	}
	return nil, errors.New("sivu asks for gzip, br and zstd only")
}

func (u *unpacker) close() {
	if u.zstd != nil {
		u.zstd.Close()
	}
}
