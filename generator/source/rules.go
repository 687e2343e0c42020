package source

import "example.org/sivu/generator/diag"

// Rules are all rules of this package: first those of site.yaml and of files
// as files, then those of one page.
var Rules = []*diag.Rule{
	ruleSite, ruleUnreadable, ruleFileKind, ruleFileName, ruleFileSize, ruleEncoding, ruleChanged, ruleForeign, ruleDangling,
	ruleNoPages, ruleSitemap, ruleIDs, MovedPage, ruleNoBody,
	ruleSyntax, ruleMetaType, ruleFieldType, ruleControl, ruleLanguage, ruleLanguageFolder, ruleKind, ruleKindKeys, ruleID, ruleDate,
	ruleURL, ruleAlias, ruleTitle, ruleEmbed, ruleOutside, ruleUnknownField, ruleCutValue, ruleAhead, ruleModified, ruleRepeated,
}

// contractRule returns a rule without which a snapshot breaks the contract:
// site.yaml cannot lower it.
func contractRule(name, doc string) *diag.Rule {
	return &diag.Rule{Name: name, Doc: doc, Severity: diag.Error, Contract: true}
}

func warningRule(name, doc string) *diag.Rule {
	return &diag.Rule{Name: name, Doc: doc, Severity: diag.Warning}
}

var (
	ruleSite       = contractRule("site", "site.yaml is correct YAML and has known keys with values that sivu understands")
	ruleUnreadable = contractRule("unreadable", "every file and folder below the content folder can be read")
	ruleFileKind   = contractRule("file-kind",
		"the content folder holds files, folders and symlinks to files inside it, nested at most 64 levels deep")
	ruleFileName = contractRule("file-name",
		"names are UTF-8 without control characters and backslashes, and differ in more than letter case and Unicode form")
	ruleFileSize = contractRule("file-size", "a source page is at most 16 MiB")
	ruleEncoding = contractRule("encoding", "a source page is UTF-8 and holds no NUL")
	// A page is never published half from one text and half from another.
	ruleChanged  = contractRule("changed-meanwhile", "a source stays as it is while sivu is at work")
	ruleForeign  = warningRule("foreign-format", "the content folder holds no pages in formats that sivu does not read, such as AsciiDoc")
	ruleDangling = warningRule("dangling-symlink", "symlinks lead to files; those that lead to nothing are left out")
	// A wrong folder or setting must not take a whole site down.
	ruleNoPages = contractRule("no-pages", "a site has pages, unless it is meant to be empty")

	ruleSyntax    = contractRule("syntax", "front matter is closed, at most 64 KiB of correct YAML or TOML, and no field is given twice")
	ruleMetaType  = contractRule("meta-type", "a meta key has a name, and its value is a string or null")
	ruleFieldType = contractRule("field-type", "a field of sivu's own has a value of the form that sivu asks for")
	ruleControl   = contractRule("control-character", "names and values hold no control characters other than tabs and line feeds")
	ruleLanguage  = contractRule("language", "every page has a language, one of the site's")
	// Pages of another language than their folder's would be published without a word.
	ruleLanguageFolder = &diag.Rule{
		Name: "language-folder", Doc: "a page in a folder named after a language is in that language, unless its suffix or a field says otherwise",
		Severity: diag.Error,
	}
	ruleKind         = contractRule("kind", "a page's kind is one that sivu knows")
	ruleKindKeys     = contractRule("kind-keys", "a page has the meta keys of its kind, with the values that they may have")
	ruleID           = contractRule("id", "every page has an id, a UUID, or the site a namespace to derive it from")
	ruleDate         = contractRule("date", "a page's dates can be found and read, and it was not modified before it was created")
	ruleURL          = contractRule("meta-url", "meta.url is a path below the page's language, or one of the site's exceptions")
	ruleAlias        = warningRule("alias", "the addresses of the field \"aliases\" are paths of the site; others are left out")
	ruleTitle        = contractRule("title", "every page has a title")
	ruleEmbed        = warningRule("embed-address", "the addresses of the field \"embeds\" are absolute https addresses; others are left out")
	ruleOutside      = warningRule("outside-body", "an HTML document has no text outside its body, where it is left out")
	ruleUnknownField = warningRule("unknown-field",
		"no meta key looks like a misspelt field that sivu knows, and the metas of an HTML document whose names begin with \"sivu.\" are such fields")
	ruleAhead    = warningRule("future-date", "no date in a page's fields is more than a day after the time of the build")
	ruleModified = warningRule("modified-unchanged", "in check: a page whose text changed in the last commit or since has another \"modified\" than before")
	ruleRepeated = warningRule("repeated-field", "no field is given twice in the front matter of a page that was written for Hugo, where the last counts")
	ruleCutValue = warningRule("cut-value", "a text in front matter that holds \" #\" stands in quotes: YAML takes what follows for a comment")
)
