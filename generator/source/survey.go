package source

import "strings"

// HeadField is a field of a head or of a map in it, as the file spells it: for programs
// that look at pages before they have settings.
type HeadField struct {
	Name  string
	Value string      // of a text
	Shape string      // "a string", "null", "a list" or "a map"
	Items []HeadField // of a list or a map
	Own   bool        // the format itself says that the field is sivu's
}

// IsText reports whether a field has a text that is not blank.
func (f *HeadField) IsText() bool {
	return f.Shape == scalar.String() && strings.TrimSpace(f.Value) != ""
}

// IsList reports whether a field is a list, and IsMap whether it is a map.
func (f *HeadField) IsList() bool { return f.Shape == list.String() }

// IsMap reports whether a field is a map.
func (f *HeadField) IsMap() bool { return f.Shape == table.String() }

// Survey returns the fields of a source of any format, and the range of its body. Of a head
// with broken syntax it returns the fields that were found.
func Survey(text []byte, format *Format) (fields []HeadField, body Span) {
	p := &reading{Reader: NewReader(new(Site), nil), file: new(File), format: format, text: text}
	format.read(p)
	if language := &p.head.language; language.line > 0 {
		language.own = ownLanguage
		p.head.fields = append(p.head.fields, *language)
	}
	return headFields(p.head.fields), Span{p.head.bodyStart, p.head.bodyEnd}
}

func headFields(fields []field) []HeadField {
	var all []HeadField
	for i := range fields {
		f := &fields[i]
		all = append(all, HeadField{f.name, f.value, f.shape.String(), headFields(f.items), f.own != notOwn})
	}
	return all
}

// IsDate reports whether a text is a date as fields give it.
func IsDate(text string) bool {
	_, ok := parseDate(text, nil)
	return ok
}

// IsLanguage reports whether a text is the tag of a language, as site.yaml has them.
func IsLanguage(tag string) bool { return isLanguageTag(tag) }
