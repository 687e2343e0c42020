package preview

import (
	"net/http"
	"net/url"
	"strings"

	"example.org/sivu/generator/api"
)

// followsLink reports whether a browser asks for a page of the site, as it does
// where a link in the content of a record is followed: its address, such as
// /fi/asuminen, is none of the contract, and the client would rather have HTML
// than JSON.
func followsLink(r *http.Request) bool {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	first, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	return first != api.Folder && "/"+first+"/" != besidePrefix && prefersHTML(r.Header.Values("Accept"))
}

// serveLink sends a browser to the view of the page browser that finds the record
// with an address of the site.
func serveLink(w http.ResponseWriter, r *http.Request) {
	names := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	for i, name := range names {
		names[i] = url.PathEscape(name)
	}
	h := w.Header()
	h.Set("Location", "/#/at/"+strings.Join(names, "/"))
	h.Set("Vary", "Accept")
	h.Set("Cache-Control", "no-cache")
	sendBody(w, r, http.StatusFound, nil)
}

// prefersHTML reports whether a client names text/html, and likes it better than
// JSON (RFC 9110, 12.5.1).
func prefersHTML(fields []string) bool {
	weights := map[string]int{}
	for _, field := range fields {
		for element := range strings.SplitSeq(field, ",") {
			name, parameters, _ := strings.Cut(element, ";")
			if weight, ok := parseWeight(parameters); ok {
				weights[strings.ToLower(strings.Trim(name, " \t"))] = weight
			}
		}
	}
	json := 0
	for _, name := range []string{"application/json", "application/*", "*/*"} {
		if weight, ok := weights[name]; ok {
			json = weight
			break
		}
	}
	return weights["text/html"] > json
}
