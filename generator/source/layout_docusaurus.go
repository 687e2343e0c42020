package source

import "strings"

// layoutDocusaurus is where Docusaurus has translations: those of docs/a.md lie at
// i18n/fr/docusaurus-plugin-content-docs/current/a.md.
const layoutDocusaurus = "i18n/{language}/docusaurus-plugin-content-{section}/{path}"

// docusaurusLanguage returns the language of a path of that layout, and the path of the
// page that it translates.
func (s *Site) docusaurusLanguage(name string) (language, rest string) {
	below, ok := strings.CutPrefix(name, "i18n/")
	if !ok {
		return "", ""
	}
	language, below = s.folderLanguage(below, 0)
	plugin, below, _ := strings.Cut(below, "/")
	section, ok := strings.CutPrefix(plugin, "docusaurus-plugin-content-")
	if language == "" || !ok {
		return "", ""
	}
	if section == "pages" {
		section = "src/pages"
	}
	return language, section + "/" + strings.TrimPrefix(below, "current/")
}
