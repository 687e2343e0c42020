package preview

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// minEncoded is the size from which a body is worth compressing.
const minEncoded = 1024

// send answers GET and HEAD with a body in the coding that the client likes best,
// or says that the client has it already. The fields that the body needs, such as
// Content-Type, are set by the caller.
func send(w http.ResponseWriter, r *http.Request, body []byte) {
	body, coding, tag := encode(body, r.Header.Values("Accept-Encoding"))
	h := w.Header()
	h.Set("ETag", tag)
	h.Set("Cache-Control", "no-cache")
	h.Set("Vary", strings.TrimPrefix(h.Get("Vary")+", Accept-Encoding", ", "))
	if matchesTag(r.Header.Values("If-None-Match"), tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Accept-Ranges", "none")
	if coding != "" {
		h.Set("Content-Encoding", coding)
	}
	sendBody(w, r, http.StatusOK, body)
}

// sendBody writes a body, or only its length where HEAD was asked for. That the
// client has gone is no problem of ours.
func sendBody(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		w.Write(body)
	}
}

// encode returns a body as it is sent to a client with these fields Accept-Encoding,
// the name of its content coding, which may be "", and its entity tag.
func encode(body []byte, accept []string) (sent []byte, name, tag string) {
	sum := sha256.Sum256(body)
	tag = hex.EncodeToString(sum[:16])
	codings, identity := accepted(accept)
	if len(codings) > 0 && (len(body) >= minEncoded || !identity) {
		best := codings[0]
		if encoded := best.encode(body); len(encoded) < len(body) || !identity {
			body, name, tag = encoded, best.name, tag+"-"+best.name
		}
	}
	return body, name, `"` + tag + `"`
}

var entityTags = regexp.MustCompile(`^(?:[ \t,]*(?:W/)?"[^"]*")*[ \t,]*$`)

// matchesTag reports whether If-None-Match names an entity tag, given with its quotation
// marks. Weak tags count as strong ones (RFC 9110, 13.1.2).
func matchesTag(fields []string, tag string) bool {
	return slices.ContainsFunc(fields, func(field string) bool {
		return field == "*" || entityTags.MatchString(field) && strings.Contains(field, tag)
	})
}

// coding is a content coding (RFC 9110, 8.4.1).
type coding struct {
	name   string
	encode func(plain []byte) []byte
}

// codings are those that are offered, the preferred first: on records zstd is four
// times as fast as the others at nearly their ratio (see BenchmarkCodings).
var codings = []coding{
	{"zstd", func(plain []byte) []byte { return zstandard().EncodeAll(plain, nil) }},
	{"br", encoder(func(w io.Writer) io.WriteCloser { return brotli.NewWriterLevel(w, brotliLevel) })},
	{"gzip", encoder(func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) })},
}

const (
	brotliLevel = 4
	zstdWindow  = 4 << 20 // every client takes up to 8 MB (RFC 9659)
)

func encoder(begin func(io.Writer) io.WriteCloser) func([]byte) []byte {
	return func(plain []byte) []byte {
		var b bytes.Buffer
		w := begin(&b)
		w.Write(plain) // a buffer takes everything
		w.Close()
		return b.Bytes()
	}
}

var zstandard = sync.OnceValue(func() *zstd.Encoder {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(2), zstd.WithWindowSize(zstdWindow), zstd.WithLowerEncoderMem(true))
	if err != nil {
		panic(err) // no such settings
	}
	return encoder
})

// accepted reads Accept-Encoding (RFC 9110, 12.5.3). It returns the codings that a
// client takes, the best first, but none that it likes less than the plain bytes, and
// whether it takes these. Without the field, or with an empty one, they are all that is
// sent.
func accepted(fields []string) (best []coding, identity bool) {
	all := weights(fields)
	weightOf := func(name string) (float64, bool) {
		for _, name := range []string{name, "x-" + name, "*"} { // x-gzip is gzip (RFC 9110, 8.4.1.3)
			if weight, ok := all[name]; ok {
				return weight, true
			}
		}
		return 0, false
	}
	plain, named := weightOf("identity")
	for _, c := range codings {
		if weight, _ := weightOf(c.name); weight > 0 && weight >= plain {
			best = append(best, c)
		}
	}
	slices.SortStableFunc(best, func(x, y coding) int {
		first, _ := weightOf(x.name)
		second, _ := weightOf(y.name)
		return cmp.Compare(second, first)
	})
	return best, !named || plain > 0
}

var weighted = regexp.MustCompile(`^[ \t]*([^; \t]+)[ \t]*(?:;[ \t]*(?:[qQ]=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?))?)?[ \t]*$`)

// weights reads the elements of a field such as Accept and their weights, which
// are 1 where there is none (RFC 9110, 12.4.2). Elements that break its grammar
// are passed over.
func weights(fields []string) map[string]float64 {
	all := map[string]float64{}
	for element := range strings.SplitSeq(strings.Join(fields, ","), ",") {
		if match := weighted.FindStringSubmatch(element); match != nil {
			weight, err := strconv.ParseFloat(match[2], 64)
			if err != nil { // there is none
				weight = 1
			}
			all[strings.ToLower(match[1])] = weight
		}
	}
	return all
}
