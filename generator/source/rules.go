package source

import (
	"slices"

	"example.org/sivu/generator/diag"
)

// Rules are all that this package asks of a content folder and its pages.
var Rules = slices.Concat(folderRules, pageRules)

// pageRules are the rules of one page on its own.
var pageRules = []*diag.Rule{
	ruleSyntax,
	ruleMetaType,
	ruleFieldType,
	ruleControl,
	ruleLanguage,
	ruleKind,
	ruleKindKeys,
	ruleID,
	ruleDate,
	ruleURL,
	ruleTitle,
	ruleEmbed,
	ruleOutside,
	ruleUnknownField,
}

var (
	ruleSyntax = &diag.Rule{
		Name:     "syntax",
		Doc:      "front matter is closed, at most 64 KiB of correct YAML or TOML, and no field is given twice",
		Severity: diag.Error, Contract: true,
	}
	ruleMetaType = &diag.Rule{
		Name:     "meta-type",
		Doc:      "a meta key has a name, and its value is a string or null",
		Severity: diag.Error, Contract: true,
	}
	ruleFieldType = &diag.Rule{
		Name:     "field-type",
		Doc:      "a field of sivu's own has a value of the form that sivu asks for",
		Severity: diag.Error, Contract: true,
	}
	ruleControl = &diag.Rule{
		Name:     "control-character",
		Doc:      "names and values hold no control characters other than tabs and line feeds",
		Severity: diag.Error, Contract: true,
	}
	ruleLanguage = &diag.Rule{
		Name:     "language",
		Doc:      "every page has a language, one of the site's",
		Severity: diag.Error, Contract: true,
	}
	ruleKind = &diag.Rule{
		Name:     "kind",
		Doc:      "a page's kind is one that sivu knows",
		Severity: diag.Error, Contract: true,
	}
	ruleKindKeys = &diag.Rule{
		Name:     "kind-keys",
		Doc:      "a page has the meta keys of its kind, with the values that they may have",
		Severity: diag.Error, Contract: true,
	}
	ruleID = &diag.Rule{
		Name:     "id",
		Doc:      "every page has an id, a UUID, or the site a namespace to derive it from",
		Severity: diag.Error, Contract: true,
	}
	ruleDate = &diag.Rule{
		Name:     "date",
		Doc:      "a page's dates can be found and read, and it was not modified before it was created",
		Severity: diag.Error, Contract: true,
	}
	ruleURL = &diag.Rule{
		Name:     "meta-url",
		Doc:      "meta.url is a path below the page's language, or one of the site's exceptions",
		Severity: diag.Error, Contract: true,
	}
	ruleTitle = &diag.Rule{
		Name:     "title",
		Doc:      "every page has a title",
		Severity: diag.Error, Contract: true,
	}
	ruleEmbed = &diag.Rule{
		Name:     "embed-address",
		Doc:      "the addresses of the field \"embeds\" are absolute https addresses; others are left out",
		Severity: diag.Warning,
	}
	ruleOutside = &diag.Rule{
		Name:     "outside-body",
		Doc:      "an HTML document has no text outside its body, where it is left out",
		Severity: diag.Warning,
	}
	ruleUnknownField = &diag.Rule{
		Name:     "unknown-field",
		Doc:      "the metas of an HTML document whose names begin with \"sivu.\" are fields that sivu knows",
		Severity: diag.Warning,
	}
)
