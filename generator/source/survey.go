package source

// HeadField is a field of a head, as the file spells it: for programs that look at pages
// before they have settings.
type HeadField struct {
	Name  string
	Value any  // nil, or a string, []any or map[string]any
	Own   bool // the format itself says that the field is sivu's
}

// Survey returns the fields of a source of any format, and the range of its body. Of a head
// with broken syntax it returns the fields that were found.
func Survey(text []byte, format *Format) (fields []HeadField, body Span) {
	p := &reading{Reader: NewReader(new(Site), nil), file: new(File), format: format, text: text}
	format.read(p)
	if language := &p.head.language; language.line > 0 {
		language.own = ownLanguage
		p.head.fields = append(p.head.fields, *language)
	}
	for i := range p.head.fields {
		f := &p.head.fields[i]
		fields = append(fields, HeadField{f.name, f.data(), f.own != notOwn})
	}
	return fields, Span{p.head.bodyStart, p.head.bodyEnd}
}

// data returns the value of a field as [HeadField] has it.
func (f *field) data() any {
	switch f.shape {
	case scalar:
		return f.value
	case list:
		items := make([]any, len(f.items))
		for i := range f.items {
			items[i] = f.items[i].data()
		}
		return items
	case table:
		values := make(map[string]any, len(f.items))
		for i := range f.items {
			values[f.items[i].name] = f.items[i].data()
		}
		return values
	}
	return nil
}

// IsDate reports whether a text is a date as fields give it.
func IsDate(text string) bool {
	_, ok := parseDate(text, nil)
	return ok
}

// IsLanguage reports whether a text is the tag of a language, as site.yaml has them.
func IsLanguage(tag string) bool { return isLanguageTag(tag) }
