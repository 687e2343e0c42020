package preview

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strings"
)

// besidePrefix is where everything lies that is no part of the contract, but for
// the page browser itself.
const besidePrefix = "/_preview/"

const (
	// browserPolicy is that of the page browser. The images are those of pages.
	browserPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
		"img-src 'self' https: http: data:; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

	// bodyPolicy is that of the content of a record, which nobody trusts: no
	// script runs, and what it opens is a window of its own.
	bodyPolicy = "default-src 'none'; style-src 'self'; img-src https: http: data:; media-src https: http: data:; base-uri 'none'; form-action 'none'; " +
		"frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox"
)

// assetTypes are the types of the files of the page browser. Others are not
// served.
var assetTypes = map[string]string{
	".html":  "text/html; charset=utf-8",
	".css":   "text/css; charset=utf-8",
	".js":    "text/javascript; charset=utf-8",
	".mjs":   "text/javascript; charset=utf-8",
	".json":  "application/json",
	".svg":   "image/svg+xml",
	".png":   "image/png",
	".ico":   "image/x-icon",
	".woff2": "font/woff2",
}

// serveBeside answers what is beside the contract.
func (s *Server) serveBeside(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", browserPolicy)
	h.Set("Referrer-Policy", "no-referrer")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		h.Set("Allow", "GET, HEAD")
		sendText(w, r, http.StatusMethodNotAllowed, "only GET and HEAD are answered here\n")
		return
	}
	name := strings.TrimPrefix(r.URL.Path, besidePrefix)
	id, isBody := strings.CutPrefix(name, "body/")
	switch {
	case r.URL.Path == "/":
		s.serveAsset(w, r, "index.html")
	case name == "state.json":
		s.serveState(w, r)
	case name == "events":
		s.serveEvents(w, r)
	case isBody && isID(id):
		s.serveBody(w, r, id)
	default:
		s.serveAsset(w, r, name)
	}
}

func (s *Server) serveState(w http.ResponseWriter, r *http.Request) {
	body, err := s.shown.Load().state()
	if err != nil {
		s.serveFailure(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	s.send(w, r, body)
}

// serveAsset answers with a file of the page browser.
func (s *Server) serveAsset(w http.ResponseWriter, r *http.Request, name string) {
	kind, known := assetTypes[path.Ext(name)]
	if s.options.Browser == nil || !known || !fs.ValidPath(name) {
		sendText(w, r, http.StatusNotFound, "not found\n")
		return
	}
	body, err := fs.ReadFile(s.options.Browser, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		sendText(w, r, http.StatusNotFound, "not found\n")
	case err != nil:
		s.serveFailure(w, r, err)
	default:
		w.Header().Set("Content-Type", kind)
		s.send(w, r, body)
	}
}

func (s *Server) serveFailure(w http.ResponseWriter, r *http.Request, err error) {
	s.log(fmt.Errorf("cannot answer %s: %w", r.URL.Path, err))
	sendText(w, r, http.StatusInternalServerError, "this cannot be shown; the reason is where the preview was started\n")
}
