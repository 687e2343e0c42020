package verify

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// mostWindow is what a zstd decoder must be able to remember for HTTP
// (RFC 9659).
const mostWindow = 8 << 20

// read reads an answer, decoded, and never more of it than mostBody: neither
// of what comes nor of what it decompresses to.
func (c *client) read(response *http.Response) *answer {
	a := &answer{Status: response.StatusCode, Header: response.Header}
	coming := &incoming{from: response.Body, left: c.mostBody + 1}
	plain := io.Reader(coming)
	if hasBody(response) {
		decoded, err := decoder(response.Header, coming)
		if err != nil {
			return a.fail(coming, err)
		}
		defer decoded.Close()
		plain = decoded
	}
	body, err := io.ReadAll(io.LimitReader(plain, c.mostBody+1))
	if int64(len(body)) > c.mostBody || coming.left <= 0 {
		a.Long = true
		a.Body = body[:min(int64(len(body)), c.mostBody)]
		return a
	}
	if err != nil {
		return a.fail(coming, err)
	}
	a.Body = body
	return a
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

// decoder undoes the Content-Encoding of an answer.
func decoder(h http.Header, from io.Reader) (io.ReadCloser, error) {
	switch coding := strings.ToLower(strings.Join(h.Values("Content-Encoding"), ", ")); coding {
	case "", "identity":
		return io.NopCloser(from), nil
	case "gzip", "x-gzip":
		return gzip.NewReader(from)
	case "br":
		return io.NopCloser(brotli.NewReader(from)), nil
	case "zstd":
		d, err := zstd.NewReader(from, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(mostWindow))
		if err != nil {
			return nil, err
		}
		return d.IOReadCloser(), nil
	}
	return nil, errors.New("sivu asks for gzip, br and zstd only")
}
