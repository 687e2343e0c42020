package preview

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
)

// minPacked is the size from which a body is worth compressing.
const minPacked = 1024

// representation is one of the forms in which a body can be sent.
type representation struct {
	body   []byte
	coding string // "" is none
	tag    string // the entity tag
}

// represent chooses the form that a client likes best.
func (s *Server) represent(r *http.Request, body []byte) representation {
	sum := sha256.Sum256(body)
	tag := hex.EncodeToString(sum[:16])
	plain := representation{body: body, tag: `"` + tag + `"`}
	a := accepted(r.Header.Values("Accept-Encoding"))
	if len(a.codings) == 0 || a.identity && len(body) < minPacked {
		return plain
	}
	best := a.codings[0]
	packed := s.packer.pack(tag, body, best)
	if packed == nil || a.identity && len(packed) >= len(body) {
		return plain
	}
	return representation{packed, best.name, `"` + tag + "-" + best.name + `"`}
}

// send answers GET and HEAD with a body, or says that the client has it already.
// The fields that the body needs, such as Content-Type, are set by the caller.
func (s *Server) send(w http.ResponseWriter, r *http.Request, body []byte) {
	chosen := s.represent(r, body)
	h := w.Header()
	h.Set("ETag", chosen.tag)
	h.Set("Cache-Control", "no-cache")
	h.Set("Vary", strings.TrimPrefix(h.Get("Vary")+", Accept-Encoding", ", "))
	if matchesTag(r.Header.Values("If-None-Match"), chosen.tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Accept-Ranges", "none")
	if chosen.coding != "" {
		h.Set("Content-Encoding", chosen.coding)
	}
	sendBody(w, r, http.StatusOK, chosen.body)
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

// matchesTag reports whether If-None-Match names an entity tag. Weak tags count
// as strong ones (RFC 9110, 13.1.2).
func matchesTag(fields []string, tag string) bool {
	for _, field := range fields {
		if field == "*" {
			return true
		}
		for {
			field = strings.TrimLeft(field, " \t,")
			field = strings.TrimPrefix(field, "W/")
			if !strings.HasPrefix(field, `"`) {
				break
			}
			end := strings.IndexByte(field[1:], '"')
			if end < 0 {
				break
			}
			end += len(`""`)
			if field[:end] == tag {
				return true
			}
			field = field[end:]
		}
	}
	return false
}
