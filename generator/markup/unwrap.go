package markup

import "bytes"

// unwrap returns what lies between the tags of a body that looks like one
// div.xmldoc, with or without the comment before it, and the offset of that. A
// div with another attribute or class is more than a wrapper, and stays.
func unwrap(body []byte) (inner []byte, offset int, ok bool) {
	rest := bytes.TrimLeft(body, whitespace)
	if comment, found := bytes.CutPrefix(rest, []byte("<!--")); found {
		text, after, ended := bytes.Cut(comment, []byte("-->"))
		if !ended || !bytes.HasPrefix(bytes.TrimLeft(text, whitespace), []byte("modified:")) {
			return nil, 0, false
		}
		rest = bytes.TrimLeft(after, whitespace)
	}
	inner, ok = cutWrapperStart(rest)
	if !ok {
		return nil, 0, false
	}
	offset = len(body) - len(inner)
	inner, ok = cutWrapperEnd(inner)
	return inner, offset, ok
}

// cutWrapperStart returns what follows the start tag of a div whose only
// attribute is the class xmldoc.
func cutWrapperStart(s []byte) ([]byte, bool) {
	s, ok := cutName(s, "<div")
	if !ok || len(s) == 0 || !isSpace(s[0]) {
		return nil, false
	}
	if s, ok = cutName(bytes.TrimLeft(s, whitespace), "class"); !ok {
		return nil, false
	}
	if s, ok = bytes.CutPrefix(bytes.TrimLeft(s, whitespace), []byte("=")); !ok {
		return nil, false
	}
	s = bytes.TrimLeft(s, whitespace)
	for _, value := range []string{`"xmldoc"`, `'xmldoc'`, "xmldoc"} {
		if after, found := bytes.CutPrefix(s, []byte(value)); found {
			return bytes.CutPrefix(bytes.TrimLeft(after, whitespace), []byte(">"))
		}
	}
	return nil, false
}

// cutWrapperEnd returns what stands before the end tag of a div that ends s.
func cutWrapperEnd(s []byte) ([]byte, bool) {
	s, ok := bytes.CutSuffix(bytes.TrimRight(s, whitespace), []byte(">"))
	s = bytes.TrimRight(s, whitespace)
	n := len(s) - len("</div")
	if !ok || n < 0 || !bytes.EqualFold(s[n:], []byte("</div")) {
		return nil, false
	}
	return s[:n], true
}

// cutName returns what follows a name of HTML, in any letter case.
func cutName(s []byte, name string) ([]byte, bool) {
	if len(s) < len(name) || !bytes.EqualFold(s[:len(name)], []byte(name)) {
		return nil, false
	}
	return s[len(name):], true
}
