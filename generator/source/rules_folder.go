package source

import "example.org/sivu/generator/diag"

// folderRules are the rules of site.yaml and of files as files.
var folderRules = []*diag.Rule{
	ruleSite,
	ruleUnreadable,
	ruleFileKind,
	ruleFileName,
	ruleFileSize,
	ruleEncoding, ruleChanged,
	ruleForeign,
	ruleNoPages,
}

var (
	ruleSite = &diag.Rule{
		Name:     "site",
		Doc:      "site.yaml is correct YAML and has known keys with values that sivu understands",
		Severity: diag.Error, Contract: true,
	}
	ruleUnreadable = &diag.Rule{
		Name:     "unreadable",
		Doc:      "every file and folder below the content folder can be read",
		Severity: diag.Error, Contract: true,
	}
	ruleFileKind = &diag.Rule{
		Name:     "file-kind",
		Doc:      "the content folder holds files, folders and symlinks to files inside it, nested at most 64 levels deep",
		Severity: diag.Error, Contract: true,
	}
	ruleFileName = &diag.Rule{
		Name:     "file-name",
		Doc:      "names are UTF-8 without control characters and backslashes, and differ in more than letter case and Unicode form",
		Severity: diag.Error, Contract: true,
	}
	ruleFileSize = &diag.Rule{
		Name:     "file-size",
		Doc:      "a source page is at most 16 MiB",
		Severity: diag.Error, Contract: true,
	}
	ruleEncoding = &diag.Rule{
		Name:     "encoding",
		Doc:      "a source page is UTF-8 and holds no NUL",
		Severity: diag.Error, Contract: true,
	}
	// A page is never published half from one text and half from another.
	ruleChanged = &diag.Rule{
		Name:     "changed-meanwhile",
		Doc:      "a source stays as it is while sivu is at work",
		Severity: diag.Error, Contract: true,
	}
	ruleForeign = &diag.Rule{
		Name:     "foreign-format",
		Doc:      "the content folder holds no pages in formats that sivu does not read, such as MDX",
		Severity: diag.Warning,
	}
	// A wrong folder or setting must not take a whole site down.
	ruleNoPages = &diag.Rule{
		Name:     "no-pages",
		Doc:      "a site has pages, unless it is meant to be empty",
		Severity: diag.Error, Contract: true,
	}
)
