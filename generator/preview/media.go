package preview

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/text/unicode/norm"
)

// Media are the images, sounds and films of a content folder, with their text tracks.
// Nothing else of it is served.
type Media struct {
	Assets string                             // address under which content has the files, with a slash at its end; "" for the root
	Files  map[string]MediaFile               // by the path that addresses have, in NFC and without a slash at the front
	Open   func(name string) (fs.File, error) // opens one of them, and follows no symlink out of the folder
}

// MediaFile is one image, sound or film.
type MediaFile struct {
	Name string // below the content folder
	Type string // media type
}

// mediaPolicy is that of images which are documents themselves, as SVG is: no
// script in them runs, and they ask for nothing.
const mediaPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; sandbox"

// serveMedia answers with an image, a sound or a film, whole or in ranges. It
// reports whether the request is for one that is there.
func (s *Server) serveMedia(w http.ResponseWriter, r *http.Request) bool {
	media := &s.shown.Load().site.Media
	file, ok := media.Files[norm.NFC.String(strings.TrimPrefix(r.URL.Path, "/"))]
	if !ok || r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	opened, err := media.Open(file.Name)
	if errors.Is(err, fs.ErrNotExist) {
		return false // the next Show will be without it
	}
	if err == nil {
		defer opened.Close()
		err = sendMedia(w, r, file, opened)
	}
	if err != nil {
		s.serveFailure(w, r, err)
	}
	return true
}

func sendMedia(w http.ResponseWriter, r *http.Request, file MediaFile, opened fs.File) error {
	info, err := opened.Stat()
	if err != nil {
		return err
	}
	content, ok := opened.(io.ReadSeeker)
	if !ok || !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a file", file.Name)
	}
	h := w.Header()
	h.Set("Content-Type", file.Type)
	h.Set("Content-Security-Policy", mediaPolicy)
	h.Set("Cache-Control", "no-cache")
	h.Set("ETag", fmt.Sprintf(`"%x-%x"`, info.Size(), info.ModTime().UnixNano()))
	http.NewResponseController(w).SetWriteDeadline(time.Time{}) // a film is read as it is watched
	http.ServeContent(w, r, "", info.ModTime(), content)
	return nil
}

// localize gives addresses in content that lead to the site's assets the path that
// they have here, where such a file is here.
func (m *Media) localize(content string) string {
	if m.Assets == "" || !strings.Contains(content, m.Assets) {
		return content
	}
	var b strings.Builder
	for tokens := html.NewTokenizer(strings.NewReader(content)); ; {
		kind := tokens.Next()
		if kind == html.ErrorToken { // the end: rendered content has no errors
			return b.String()
		}
		raw := string(tokens.Raw())
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken || !strings.Contains(raw, m.Assets) {
			b.WriteString(raw)
			continue
		}
		token := tokens.Token()
		for i := range token.Attr {
			token.Attr[i].Val = m.localAddresses(token.Attr[i])
		}
		b.WriteString(token.String())
	}
}

// localAddresses returns the value of an attribute with local addresses.
func (m *Media) localAddresses(a html.Attribute) string {
	switch a.Key {
	case "src", "href", "poster":
		return m.localAddress(a.Val)
	case "srcset": // candidates are parted by commas, addresses by spaces
		parts := strings.Fields(a.Val)
		for i, part := range parts {
			address := strings.TrimRight(part, ",")
			parts[i] = m.localAddress(address) + part[len(address):]
		}
		return strings.Join(parts, " ")
	}
	return a.Val
}

func (m *Media) localAddress(address string) string {
	rest, ok := strings.CutPrefix(address, m.Assets)
	if !ok {
		return address
	}
	escaped, _, _ := strings.Cut(rest, "#")
	escaped, _, _ = strings.Cut(escaped, "?")
	name, err := url.PathUnescape(escaped)
	if err != nil {
		return address
	}
	if _, ok := m.Files[norm.NFC.String(name)]; !ok {
		return address
	}
	return "/" + rest
}
