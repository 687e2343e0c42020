package preview

import (
	"errors"
	"fmt"
	"net/http"

	"example.org/sivu/generator/api"
)

const (
	methods = "GET, HEAD, OPTIONS" // of the contract (contract.md 4)

	optionsBody     = `{}`
	unavailableBody = `{"detail":"Service unavailable."}`
	failedBody      = `{"detail":"Internal server error."}`
)

// errorBodies are the bodies of the statuses that are no success.
var errorBodies = map[int]string{
	http.StatusNotFound:            api.NotFoundBody,
	http.StatusMethodNotAllowed:    api.MethodNotAllowedBody,
	http.StatusInternalServerError: failedBody,
	http.StatusServiceUnavailable:  unavailableBody,
}

// serveContract answers as the contract says.
func (s *Server) serveContract(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Allow", methods)
	h.Set("Vary", "Accept")
	s.allowOrigin(h, r.Header.Values("Origin"))
	to := route(r.Method, r.URL.EscapedPath(), r.URL.RawQuery)
	switch {
	case to.location != "":
		h.Set("Location", to.location)
		h.Set("Cache-Control", "no-cache")
		sendBody(w, r, to.status, nil)
	case to.file != "":
		s.serveFile(w, r, to.file)
	case to.status == http.StatusOK:
		serveOptions(w, r)
	default:
		s.serveError(w, r, to.status)
	}
}

// serveFile answers with a file of the snapshot.
func (s *Server) serveFile(w http.ResponseWriter, r *http.Request, file string) {
	body, err := s.answer(file)
	switch {
	case errors.Is(err, errNoAnswers):
		w.Header().Set("Retry-After", "1")
		s.serveError(w, r, http.StatusServiceUnavailable)
	case err != nil:
		s.log(fmt.Errorf("cannot answer %s: %w", r.URL.Path, err))
		s.serveError(w, r, http.StatusInternalServerError)
	case body == nil:
		s.serveError(w, r, http.StatusNotFound)
	default:
		s.send(w, r, body)
	}
}

var errNoAnswers = errors.New("there are no answers yet")

// answer returns a file of what is shown now, or nil.
func (s *Server) answer(file string) ([]byte, error) {
	answers := s.shown.Load().site.Answers
	if answers == nil {
		return nil, errNoAnswers
	}
	body, err := answers.Answer(file)
	var gone *goneError
	if errors.As(err, &gone) {
		if !s.gone.Swap(true) {
			s.log(gone)
		}
		return nil, errNoAnswers
	}
	if err == nil {
		s.gone.Store(false)
	}
	return body, err
}

// serveOptions answers OPTIONS, also where a browser asks before a request to
// another origin (Fetch, CORS-preflight request).
func serveOptions(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	if r.Header.Get("Origin") != "" && r.Header.Get("Access-Control-Request-Method") != "" {
		h.Set("Access-Control-Allow-Methods", methods)
		h.Set("Access-Control-Allow-Headers", "*")
		h.Set("Access-Control-Max-Age", "600")
	}
	h.Set("Cache-Control", "no-cache")
	sendBody(w, r, http.StatusOK, []byte(optionsBody))
}

func (s *Server) serveError(w http.ResponseWriter, r *http.Request, status int) {
	w.Header().Set("Cache-Control", "no-cache")
	sendBody(w, r, status, []byte(errorBodies[status]))
}
