package author

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path"
	"regexp"
	"slices"

	"github.com/google/uuid"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/source"
)

// WriteID replaces one source of a content folder, by its path there, by a copy
// with an id in its head. Where the site's dates come from mtime, the copy keeps
// it: an id is no change of the page.
func WriteID(content *os.Root, site *source.Site, name string, id uuid.UUID) error {
	info, err := content.Lstat(name)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return errors.New("it is a symlink, and so two pages would have one id; make it a file of its own")
	}
	text, err := content.ReadFile(name)
	if err != nil {
		return err
	}
	text, err = InsertID(text, source.FormatOfFile(name), site, id)
	if err != nil {
		return err
	}
	temporary := path.Join(path.Dir(name), ".sivu-"+uuid.NewString())
	if err := writeFresh(content, temporary, text, info.Mode().Perm()); err != nil {
		return err
	}
	if slices.Contains(site.Dates, source.DatesMtime) {
		err = content.Chtimes(temporary, info.ModTime(), info.ModTime())
	}
	if err == nil {
		err = content.Rename(temporary, name)
	}
	if err != nil {
		content.Remove(temporary)
	}
	return err
}

// InsertID returns the bytes of a source file with an id inserted into its head.
// All other bytes stay, with the byte order mark and the line ends.
//
// It returns an error unless the result reads as the same page with that id.
func InsertID(text []byte, format *source.Format, site *source.Site, id uuid.UUID) ([]byte, error) {
	rest := bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	before := source.ReadHead(rest, format, site)
	insert := insertIntoFrontMatter
	if before.Document {
		insert = insertIntoHTML
	}
	offset, insertion, err := insert(rest, before, site, id.String())
	if err != nil {
		return nil, err
	}
	offset += len(text) - len(rest)
	edited := slices.Concat(text[:offset], []byte(insertion), text[offset:])
	after := source.ReadHead(edited[len(text)-len(rest):], format, site)
	if err := checkInserted(before, after, id.String()); err != nil {
		return nil, fmt.Errorf("the id does not fit into the head as it is written: %w; write it there by hand: %s", err, id)
	}
	return edited, nil
}

// checkInserted returns an error unless two heads differ in the id alone.
func checkInserted(before, after source.Head, id string) error {
	switch {
	case before.Problem != "":
		return fmt.Errorf("the page has an error: %s", before.Problem)
	case before.IDField != "":
		return fmt.Errorf("the page has the field %s already", diag.Quote(before.IDField))
	case after.Problem != "":
		return errors.New(after.Problem)
	case after.ID != id:
		return errors.New("the id would be read as something else")
	case before.Body != after.Body:
		return errors.New("the body would change")
	case before.Fields != after.Fields:
		return errors.New("other fields would change")
	}
	return nil
}

// lineEnd returns the line end of a file: that of its first line.
func lineEnd(text []byte) string {
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// insertIntoFrontMatter returns an insertion into the first line of front matter,
// or front matter where there is none.
func insertIntoFrontMatter(text []byte, head source.Head, site *source.Site, id string) (offset int, insertion string, err error) {
	name := site.FieldName("id")
	if name == "" {
		return 0, "", errors.New("site.yaml gives the name \"id\" back to meta, so that front matter cannot give an id")
	}
	end := lineEnd(text)
	f := head.FrontMatter
	switch {
	case f.Delimiter == "":
		return 0, "---" + end + yamlScalar(name) + ": " + id + end + "---" + end, nil
	case f.After == 0:
		return 0, "", errors.New("the front matter does not end")
	case f.Delimiter == "+++":
		return f.Start, tomlKey(name) + " = \"" + id + "\"" + end, nil
	}
	indent, flow := yamlStyle(text[f.Start:f.End])
	if flow > 0 {
		return f.Start + flow, yamlScalar(name) + ": " + id + ", ", nil
	}
	return f.Start, indent + yamlScalar(name) + ": " + id + end, nil
}

// yamlStart matches the beginning of YAML, after blank lines and comments.
var yamlStart = regexp.MustCompile(`(?m)^( *)[^\s#]`)

// yamlStyle returns how the top-level keys of YAML are indented; or, where they
// stand in braces, the offset behind the opening one.
func yamlStyle(text []byte) (indent string, flow int) {
	m := yamlStart.FindSubmatchIndex(text)
	switch {
	case m == nil:
		return "", 0
	case text[m[3]] == '{':
		return "", m[1]
	}
	return string(text[m[2]:m[3]]), 0
}

// insertIntoHTML returns a meta element of its own: behind the title, else at the
// beginning of the head, else of the document.
func insertIntoHTML(text []byte, head source.Head, _ *source.Site, id string) (offset int, insertion string, err error) {
	meta := `<meta name="dcterms.identifier" content="` + id + `">`
	end := lineEnd(text)
	if title := head.Title; title.End > 0 {
		before := text[bytes.LastIndexByte(text[:title.Start], '\n')+1 : title.Start]
		if len(bytes.Trim(before, " \t")) == 0 {
			return title.End, end + string(before) + meta, nil
		}
		return title.End, meta, nil
	}
	offset = cmp.Or(head.Head.End, head.HTML.End, head.Doctype.End)
	if offset == 0 {
		return 0, meta + end, nil
	}
	// Where a tag ends its line, the element gets a line of its own, with the
	// indentation of the next.
	rest, follower, ok := bytes.Cut(text[offset:], []byte("\n"))
	if !ok || len(follower) == 0 || len(bytes.TrimRight(rest, " \t\r")) > 0 {
		return offset, meta, nil
	}
	indent := follower[:len(follower)-len(bytes.TrimLeft(follower, " \t"))]
	return offset, end + string(indent) + meta, nil
}
