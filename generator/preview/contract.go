package preview

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"example.org/sivu/generator/api"
)

const methods = "GET, HEAD, OPTIONS" // of the contract (contract.md 4)

// errorBodies are the bodies by their status.
var errorBodies = map[int]string{
	http.StatusNotFound:            api.NotFoundBody,
	http.StatusMethodNotAllowed:    api.MethodNotAllowedBody,
	http.StatusInternalServerError: `{"detail":"Internal server error."}`,
	http.StatusServiceUnavailable:  `{"detail":"Service unavailable."}`,
}

// route maps a request to the status of its answer (contract.md 11). The
// path is the escaped one. With status 200 the target is a file that a
// snapshot can have, though this one need not have it, or "" for OPTIONS; with 308 it is
// the location.
func route(method, escapedPath, rawQuery string) (status int, target string) {
	switch method {
	case http.MethodGet, http.MethodHead:
	case http.MethodOptions:
		return http.StatusOK, ""
	default:
		return http.StatusMethodNotAllowed, ""
	}
	path, err := url.PathUnescape(escapedPath)
	name, ok := strings.CutPrefix(path, "/")
	if err != nil || !ok || strings.Count(path, "/") != strings.Count(escapedPath, "/") { // an escaped slash is none
		return http.StatusNotFound, ""
	}
	if isAnswer(name + "/" + api.IndexName(api.Plain)) { // a folder without the slash
		location := path + "/"
		if rawQuery != "" {
			location += "?" + unprintable.ReplaceAllStringFunc(rawQuery, url.PathEscape)
		}
		return http.StatusPermanentRedirect, location
	}
	if strings.HasSuffix(name, "/") {
		name += fileName(rawQuery, name == api.Folder+"/")
	}
	if !isAnswer(name) {
		return http.StatusNotFound, ""
	}
	return http.StatusOK, name
}

// unprintable matches the bytes of a query that a header cannot hold.
var unprintable = regexp.MustCompile(`[^!-~]+`)

// isAnswer reports whether a snapshot can have a file, and it answers a request.
func isAnswer(file string) bool {
	_, ok := api.ParseAnswer(file)
	return ok
}

// fileName returns the name of the file that a query picks in a folder, or "".
// Of a repeated parameter the last one counts. Others are passed over, also those
// that merely look alike.
func fileName(rawQuery string, list bool) string {
	variant, page, paged := api.Plain, "", false
	for parameter := range strings.SplitSeq(rawQuery, "&") {
		name, value, _ := strings.Cut(parameter, "=")
		switch unescape(name) {
		case "page":
			page, paged = unescape(value), list
		case "format":
			variant = api.Plain
			if unescape(value) == "api" {
				variant = api.API
			}
		}
	}
	if !paged {
		return api.IndexName(variant)
	}
	n, err := strconv.Atoi(page)
	if err != nil || strconv.Itoa(n) != page {
		return ""
	}
	return api.ListName(n, variant)
}

// unescape returns text as it is where it is not rightly escaped.
func unescape(s string) string {
	if plain, err := url.QueryUnescape(s); err == nil {
		return plain
	}
	return s
}

// serveContract answers as the contract says.
func (s *Server) serveContract(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Allow", methods)
	h.Set("Vary", "Accept")
	h.Set("Cache-Control", "no-cache")
	s.allowOrigin(h, r.Header.Values("Origin"))
	status, target := route(r.Method, r.URL.EscapedPath(), r.URL.RawQuery)
	switch {
	case status == http.StatusPermanentRedirect:
		h.Set("Location", target)
		sendBody(w, r, status, nil)
	case status != http.StatusOK:
		sendBody(w, r, status, []byte(errorBodies[status]))
	case target != "":
		s.serveFile(w, r, target)
	default:
		if r.Header.Get("Origin") != "" && r.Header.Get("Access-Control-Request-Method") != "" { // Fetch, CORS-preflight request
			h.Set("Access-Control-Allow-Methods", methods)
			h.Set("Access-Control-Allow-Headers", "*")
			h.Set("Access-Control-Max-Age", "600")
		}
		sendBody(w, r, status, []byte("{}"))
	}
}

// serveFile answers with a file of the snapshot.
func (s *Server) serveFile(w http.ResponseWriter, r *http.Request, file string) {
	body, err := s.answer(file)
	status := http.StatusNotFound
	switch {
	case errors.Is(err, errNoAnswers):
		w.Header().Set("Retry-After", "1")
		status = http.StatusServiceUnavailable
	case err != nil:
		s.log(fmt.Errorf("cannot answer %s: %w", r.URL.Path, err))
		status = http.StatusInternalServerError
	case body != nil:
		send(w, r, body)
		return
	}
	sendBody(w, r, status, []byte(errorBodies[status]))
}

var errNoAnswers = errors.New("there are no answers yet")

// answer returns a file of what is shown now, or nil. That a folder is gone is logged
// once, until it is there again.
func (s *Server) answer(file string) ([]byte, error) {
	answers := s.shown.Load().site.Answers
	if answers == nil {
		return nil, errNoAnswers
	}
	body, err := answers.Answer(file)
	isGone := errors.Is(err, errNoAnswers)
	if wasGone := s.isGone.Swap(isGone); isGone && !wasGone {
		s.log(err)
	}
	return body, err
}
