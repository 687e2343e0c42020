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

// maxWindow is the window that a zstd decoder must support for HTTP (RFC 9659).
const maxWindow = 8 << 20

// read reads a response, decompressed, up to the limit of the request: of what is
// received, and of what it decompresses to. The error is the cause that ctx ended for, as
// it does when timeout fires.
func (c *client) read(ctx context.Context, timeout *time.Timer, response *http.Response, r request) (*answer, error) {
	a := &answer{Status: response.StatusCode, Header: response.Header, Most: min(c.maxBody, r.want.most())}
	if r.most > 0 {
		a.Most = min(a.Most, r.most)
	}
	raw := &received{LimitedReader: io.LimitedReader{R: response.Body, N: a.Most + 1}}
	plain := io.Reader(raw)
	if hasBody(response) && coding(response.Header) != "" {
		// A body that is received slowly must not keep others from being decompressed; a
		// larger body is too much to keep beside others.
		first, err := io.ReadAll(io.LimitReader(raw, maxTogether))
		if err != nil {
			return a.fail(raw, err), context.Cause(ctx)
		}
		running := timeout.Stop() // the service is not to blame for the wait
		c.decoding.Lock()
		defer c.decoding.Unlock()
		if running {
			timeout.Reset(c.timeout)
		}
		decoded, err := decode(coding(response.Header), io.MultiReader(bytes.NewReader(first), raw))
		if err != nil {
			return a.fail(raw, err), context.Cause(ctx)
		}
		plain = &countedReader{decoded, c.budget}
	}
	keep := a.Most
	if r.want == wantSum {
		keep = maxShown
	} else if due := response.ContentLength; 0 < due && due <= a.Most {
		a.Body = make([]byte, 0, due)
	}
	err := a.fill(plain, keep)
	if a.Long = a.Size > a.Most || raw.N <= 0; !a.Long && err != nil {
		a.fail(raw, err)
	}
	return a, context.Cause(ctx)
}

// fill reads a body, keeps that many bytes of it, and takes the hash of all.
func (a *answer) fill(from io.Reader, keep int64) error {
	var sum maphash.Hash
	sum.SetSeed(hashSeed)
	part := make([]byte, 32<<10)
	for a.Size <= a.Most {
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

func hasBody(response *http.Response) bool {
	return response.Request.Method != http.MethodHead &&
		response.StatusCode != http.StatusNotModified && response.StatusCode != http.StatusNoContent
}

// fail makes a the answer of a response that did not come whole.
func (a *answer) fail(raw *received, err error) *answer {
	a.Fault = fmt.Sprintf("%d, and then %s", a.Status, err)
	if raw.err != nil {
		a.Fault = fmt.Sprintf("%d, and the body ended early, after %d bytes", a.Status, a.Most+1-raw.N)
		if due := a.Header.Get("Content-Length"); due != "" {
			a.Fault += " of " + due
		}
	} else if coding := a.Header.Get("Content-Encoding"); coding != "" {
		a.Fault = fmt.Sprintf("%d, and a body that is not %s: %s", a.Status, strconv.Quote(coding), err)
	}
	a.Status = 0
	return a
}

// received is a body as it is received. It keeps its error, which a decoder would hide.
type received struct {
	io.LimitedReader
	err error // but io.EOF
}

func (r *received) Read(p []byte) (int, error) {
	n, err := r.LimitedReader.Read(p)
	if err != nil && err != io.EOF {
		r.err = err
	}
	return n, err
}

// coding returns the Content-Encoding of a response, or "".
func coding(h http.Header) string {
	coding := strings.ToLower(strings.Join(h.Values("Content-Encoding"), ", "))
	if coding == "identity" {
		return ""
	}
	return coding
}

// decode returns the decompressed body.
func decode(coding string, body io.Reader) (io.Reader, error) {
	switch coding {
	case "gzip", "x-gzip":
		return gzip.NewReader(body)
	case "br":
		return brotli.NewReader(body), nil
	case "zstd":
		return zstd.NewReader(body, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
	}
	return nil, errors.New("sivu asks for gzip, br and zstd only")
}
