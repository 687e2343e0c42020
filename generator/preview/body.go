package preview

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"net/http"
	"slices"

	"golang.org/x/text/language"

	"example.org/sivu/generator/api"
)

// serveBody answers with the content of a record as a document.
func (s *Server) serveBody(w http.ResponseWriter, r *http.Request, id string) {
	h := w.Header()
	h.Set("Content-Security-Policy", bodyPolicy) // a frame has to show errors too
	answer, err := s.answer(api.Folder + "/" + id + "/" + api.IndexName(api.Plain))
	switch {
	case errors.Is(err, errNoAnswers):
		sendNote(w, r, http.StatusServiceUnavailable, "There is nothing to show now.")
		return
	case err == nil && answer == nil:
		sendNote(w, r, http.StatusNotFound, "This record is gone.")
		return
	case err == nil:
		answer, err = bodyDocument(answer, &s.shown.Load().site.Media)
	}
	if err != nil {
		s.serveFailure(w, r, err)
		return
	}
	h.Set("Content-Type", "text/html; charset=utf-8")
	s.send(w, r, answer)
}

// sendNote answers with a document that stands in a frame in place of a record.
func sendNote(w http.ResponseWriter, r *http.Request, status int, note string) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-cache")
	sendBody(w, r, status, fmt.Appendf(nil, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"+
		"<meta name=\"viewport\" content=\"width=device-width\">\n<title>%s</title>\n<link rel=\"stylesheet\" href=\"%sbody.css\">\n"+
		"</head>\n<body>\n<p>%[1]s</p>\n</body>\n</html>\n", note, besidePrefix))
}

// bodyDocument makes a document of a record in detail. Its content stands in it
// as it is, but for addresses of media that are here: what keeps it harmless is the
// policy that comes with it.
func bodyDocument(detail []byte, media *Media) ([]byte, error) {
	var record struct {
		Language string
		Meta     struct{ Title string }
		Content  string
	}
	if err := json.Unmarshal(detail, &record); err != nil {
		return nil, fmt.Errorf("the record is not as the contract says: %w", err)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "<!doctype html>\n<html lang=\"%s\" dir=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n"+
		"<meta name=\"viewport\" content=\"width=device-width\">\n<title>%s</title>\n<base target=\"_blank\">\n"+
		"<link rel=\"stylesheet\" href=\"%sbody.css\">\n</head>\n<body>\n%s\n</body>\n</html>\n",
		html.EscapeString(record.Language), direction(record.Language), html.EscapeString(record.Meta.Title),
		besidePrefix, media.localize(record.Content))
	return b.Bytes(), nil
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
