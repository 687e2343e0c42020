package preview

import (
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/language"

	"example.org/sivu/generator/api"
)

// uiPrefix is where everything lies that is no part of the contract, but for
// the page browser itself.
const uiPrefix = "/_preview/"

const (
	// browserPolicy is that of the page browser. The images are those of pages.
	browserPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
		"img-src 'self' https: http: data:; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

	// bodyPolicy is that of the content of a record, which is not trusted: no
	// script runs, and its links open in a new window.
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

// serveUI answers with the page browser and what it needs.
func (s *Server) serveUI(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", browserPolicy)
	h.Set("Referrer-Policy", "no-referrer")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		h.Set("Allow", "GET, HEAD")
		sendText(w, r, http.StatusMethodNotAllowed, "only GET and HEAD are answered here\n")
		return
	}
	name := strings.TrimPrefix(r.URL.Path, uiPrefix)
	id, isBody := strings.CutPrefix(name, "body/")
	record := api.Folder + "/" + id + "/" + api.IndexName(api.Plain)
	switch {
	case r.URL.Path == "/":
		s.serveAsset(w, r, "index.html")
	case name == "state.json":
		body, err := s.shown.Load().state()
		if err != nil {
			s.serveFailure(w, r, err)
			return
		}
		h.Set("Content-Type", "application/json")
		send(w, r, body)
	case name == "events":
		s.serveEvents(w, r)
	case isBody && isAnswer(record):
		s.serveBody(w, r, record)
	default:
		s.serveAsset(w, r, name)
	}
}

// serveAsset answers with a file of the page browser.
func (s *Server) serveAsset(w http.ResponseWriter, r *http.Request, name string) {
	kind, known := assetTypes[path.Ext(name)]
	body, err := []byte(nil), fs.ErrNotExist
	if s.options.Browser != nil && known && fs.ValidPath(name) {
		body, err = fs.ReadFile(s.options.Browser, name)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		sendText(w, r, http.StatusNotFound, "not found\n")
	case err != nil:
		s.serveFailure(w, r, err)
	default:
		w.Header().Set("Content-Type", kind)
		send(w, r, body)
	}
}

func (s *Server) serveFailure(w http.ResponseWriter, r *http.Request, err error) {
	s.log(fmt.Errorf("cannot answer %s: %w", r.URL.Path, err))
	sendText(w, r, http.StatusInternalServerError, "this cannot be shown; the reason is where the preview was started\n")
}

// serveBody answers with the content of a record, given by its file, as a
// document. It has the policy of bodies also where the record cannot be shown,
// as a frame has to show that too.
func (s *Server) serveBody(w http.ResponseWriter, r *http.Request, record string) {
	h := w.Header()
	h.Set("Content-Security-Policy", bodyPolicy)
	h.Set("Cache-Control", "no-cache")
	h.Set("Content-Type", "text/html; charset=utf-8")
	answer, err := s.answer(record)
	switch {
	case errors.Is(err, errNoAnswers):
		sendBody(w, r, http.StatusServiceUnavailable, noteDocument("There is nothing to show now."))
		return
	case err == nil && answer == nil:
		sendBody(w, r, http.StatusNotFound, noteDocument("This record is gone."))
		return
	}
	var body []byte
	if err == nil {
		body, err = bodyDocument(answer, &s.shown.Load().site.Media)
	}
	if err != nil {
		s.serveFailure(w, r, err)
		return
	}
	send(w, r, body)
}

// document returns an HTML document. The attributes of its root and the content
// are HTML, the title is text, and head stands before the style sheet.
func document(attributes, title, head, content string) []byte {
	return fmt.Appendf(nil, "<!doctype html>\n<html %s>\n<head>\n<meta charset=\"utf-8\">\n"+
		"<meta name=\"viewport\" content=\"width=device-width\">\n<title>%s</title>\n%s"+
		"<link rel=\"stylesheet\" href=\"%sbody.css\">\n</head>\n<body>\n%s\n</body>\n</html>\n",
		attributes, html.EscapeString(title), head, uiPrefix, content)
}

// noteDocument returns what a frame shows in place of a record.
func noteDocument(note string) []byte {
	return document(`lang="en"`, note, "", "<p>"+html.EscapeString(note)+"</p>")
}

// bodyDocument returns a record in detail as a document. Its content stands in it
// as it is, but for addresses of media that are here: the policy that comes with it
// keeps it harmless.
func bodyDocument(detail []byte, media *Media) ([]byte, error) {
	var record struct {
		Language string
		Meta     struct{ Title string }
		Content  string
	}
	if err := json.Unmarshal(detail, &record); err != nil {
		return nil, fmt.Errorf("the record is not as the contract says: %w", err)
	}
	attributes := fmt.Sprintf(`lang="%s" dir="%s"`, html.EscapeString(record.Language), direction(record.Language))
	return document(attributes, record.Meta.Title, "<base target=\"_blank\">\n", media.localize(record.Content)), nil
}

// rightToLeft are the scripts in use that are written from right to left (ISO
// 15924).
var rightToLeft = []string{"Adlm", "Arab", "Aran", "Hebr", "Mand", "Mend", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa", "Yezi"}

// direction returns the direction of a language's script: the one that the tag
// names, else the one that the language is usually written in.
func direction(tag string) string {
	parsed, err := language.Parse(tag)
	if err != nil {
		return "auto"
	}
	script, confidence := parsed.Script()
	switch {
	case confidence == language.No, script.String() == "Zzzz": // not known
		return "auto"
	case slices.Contains(rightToLeft, script.String()):
		return "rtl"
	}
	return "ltr"
}

// followsLink reports whether a browser asks for a page of the site, as it does
// where a link in the content of a record is followed: its address, such as
// /fi/asuminen, is none of the contract, and the client would rather have HTML
// than JSON (RFC 9110, 12.5.1).
func followsLink(r *http.Request) bool {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	first, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if first == api.Folder || "/"+first+"/" == uiPrefix {
		return false
	}
	accept := weights(r.Header.Values("Accept"))
	for _, kind := range []string{"application/json", "application/*", "*/*"} {
		if json, ok := accept[kind]; ok {
			return accept["text/html"] > json
		}
	}
	return accept["text/html"] > 0
}

// serveLink sends a browser to the view of the page browser that finds the record
// with an address of the site.
func serveLink(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Location", "/#/at/"+strings.Trim(r.URL.EscapedPath(), "/"))
	h.Set("Vary", "Accept")
	h.Set("Cache-Control", "no-cache")
	sendBody(w, r, http.StatusFound, nil)
}
