package settings

import (
	"slices"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/lint"
	"example.org/sivu/generator/markup"
	"example.org/sivu/generator/source"
)

// HostLimit is checked before anyone uploads: most hosts refuse such a snapshot only
// when all of it is there.
var HostLimit = &diag.Rule{
	Name:     "host-limit",
	Doc:      "a snapshot stays within what the host that it is for takes",
	Severity: diag.Warning,
}

// MissingMedia is a rule of the preview alone: a build cannot tell where a site
// keeps its images.
var MissingMedia = &diag.Rule{
	Name:     "missing-media",
	Doc:      "in the preview: an image, sound or film with a relative address lies in the content folder",
	Severity: diag.Warning,
}

// Rules returns all rules that site.yaml can name.
func Rules() []*diag.Rule {
	rules := append(slices.Concat(source.Rules, markup.Rules), HostLimit, MissingMedia)
	for _, rule := range lint.Rules {
		rules = append(rules, rule.Rule)
	}
	return rules
}
