package source

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"example.org/sivu/generator/baseurl"
	"example.org/sivu/generator/diag"
)

var testRules = []*diag.Rule{
	{Name: "broken-link", Doc: "links lead somewhere", Severity: diag.Warning},
	{Name: "title", Doc: "every page has a title", Severity: diag.Error, Contract: true},
}

// readSite reads a site.yaml and returns what was reported, one
// "position: message" each, with the hint below it where there is one.
func readSite(text string) (*Site, []string) {
	var problems []string
	site := ReadSite([]byte(text), "site.yaml", testRules, func(d diag.Diagnostic) {
		line := d.Pos.String() + ": " + d.Message
		if d.Hint != "" {
			line += "\n" + d.Hint
		}
		problems = append(problems, line)
	})
	return site, problems
}

// plainSite is a Site without what go-cmp cannot look into.
func plainSite(s *Site) (Site, string) {
	plain, zone := *s, s.Timezone.String()
	plain.Timezone = nil
	return plain, zone
}

func TestReadSite(t *testing.T) {
	site, problems := readSite(`
base_url: HTTPS://API.example.fi:443/sivut/
namespace: 0E6F3C1A-9dad-11d1-80b4-00c04fd430c8
languages: [fi, en, no, zh-Hans]
default_language: EN
dates: [git, mtime]
timezone: Europe/Helsinki
fields: {created: date, modified: lastmod, language: ~, title: name}
title_from: path
ignore: [weight, aliases]
skip_if: [draft, untranslated]
exclude: ["drafts/**", base-l10n, ./old/]
unprefixed: [palaute]
kinds: {article: {require: [description]}, page: ~}
links: file+query
html: trusted
assets: https://www.example.fi/files
rules: {broken-link: error, title: error}
`)
	if problems != nil {
		t.Fatalf("problems:\n%s", strings.Join(problems, "\n"))
	}
	got, zone := plainSite(site)
	want := Site{
		Name:            "site.yaml",
		BaseURL:         baseurl.URL{Scheme: "https", Hostname: "api.example.fi", Prefix: "/sivut"},
		Namespace:       uuid.MustParse("0e6f3c1a-9dad-11d1-80b4-00c04fd430c8"),
		Languages:       []string{"fi", "en", "no", "zh-Hans"},
		DefaultLanguage: "en",
		Dates:           []string{"git", "mtime"},
		Fields:          map[string]string{"created": "date", "modified": "lastmod", "language": "", "title": "name"},
		TitleFrom:       []string{TitlePath},
		Ignore:          []string{"weight", "aliases"},
		SkipIf:          []string{"draft", "untranslated"},
		Exclude:         []string{"drafts/**", "base-l10n", "old"},
		Unprefixed:      []string{"palaute"},
		Require:         map[string][]string{"article": {"description"}},
		Links:           "file+query",
		TrustHTML:       true,
		Assets:          "https://www.example.fi/files/",
		Rules:           map[string]diag.Severity{"broken-link": diag.Error, "title": diag.Error},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("site (-want +got):\n%s", diff)
	}
	if zone != "Europe/Helsinki" {
		t.Errorf("timezone %s", zone)
	}
}

func TestReadSiteDefaults(t *testing.T) {
	for _, text := range []string{"", "# nothing\n", "~", "links:\nlanguages: ~\nbase_url:\n"} {
		site, problems := readSite(text)
		if problems != nil {
			t.Errorf("%q: problems %q", text, problems)
		}
		got, _ := plainSite(site)
		want := Site{
			Name:      "site.yaml",
			Languages: []string{"fi", "en", "sv", "ru", "et", "so", "es", "tr", "zh", "fa", "ar", "fr"},
			Dates:     []string{"fields", "git"},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
		if site.Timezone != time.UTC {
			t.Errorf("%q: timezone %v, want UTC", text, site.Timezone)
		}
	}
}

func TestReadSiteProblems(t *testing.T) {
	const address = "write it as in \"https://api.example.fi\""
	tests := []struct {
		name, text string
		want       []string
	}{
		{"broken YAML", "links: query\nhtml: a: b", []string{"site.yaml:2:8: the value contains \": \"\nput it in quotes: html: \"a: b\""}},
		{"a list", "- a", []string{"site.yaml:1:1: the file holds a list; it is a map of keys and values\nwrite each key in a line of its own, as in \"base_url: https://api.example.fi\""}},
		{"unknown key", "links: query\n\nlanguage: [fi]\n", []string{"site.yaml:3:1: unknown key \"language\"\ndid you mean \"languages\"?"}},
		{"unknown key like no other", "xyzzyxyzzy: 1", []string{`site.yaml:1:1: unknown key "xyzzyxyzzy"` + "\n" +
			`known are "base_url", "namespace", "languages", "default_language", "dates", "timezone", "fields", "title_from", "ignore", "skip_if", "exclude", "unprefixed", "kinds", "links", "html", "assets", "rules", ` +
			`"generator", "layout", "language_aliases", "site", "addresses", "root_language", "fallback", "join", "sidecar", "markers", "permalinks" and "rendered"`}},
		{"duplicate key", "html: strict\nhtml: trusted", []string{"site.yaml:2:1: \"html\" is given twice, first in line 1\nkeep one of the two"}},

		{"base_url with a query", "base_url: https://a.fi/?x=1", []string{"site.yaml:1:11: base_url \"https://a.fi/?x=1\" has a query\nleave out everything from the \"?\" on"}},
		{"base_url as a list", "base_url: [a]", []string{"site.yaml:1:11: base_url is a list; it is a string"}},
		{"base_url empty", `base_url: ""`, []string{"site.yaml:1:11: base_url is empty"}},
		{"base_url with a control character", `base_url: "https://a.fi/\e[2J"`, []string{"site.yaml:1:11: base_url holds the control character U+001B"}},
		{"assets without a scheme", "assets: www.example.fi", []string{"site.yaml:1:9: assets \"www.example.fi\" does not begin with http:// or https://\n" + address}},

		{"languages as a string", "languages: fi", []string{"site.yaml:1:12: languages is a string; it is a list\nwrite it as \"[a, b]\", or as lines that begin with \"- \""}},
		{"no languages", "languages: []", []string{"site.yaml:1:12: languages is empty\nname the site's languages, the reference language first"}},
		{"bad languages", "languages:\n  - fi\n  - fi_FI\n  - a\n  - ''\n  - ~\n  - [x]\n", []string{
			"site.yaml:3:5: \"fi_FI\" is not a language tag of BCP 47\nwrite it as in \"fi\", \"pt-BR\" or \"zh-Hans\"",
			"site.yaml:4:5: \"a\" is not a language tag of BCP 47\nwrite it as in \"fi\", \"pt-BR\" or \"zh-Hans\"",
			"site.yaml:5:5: an item of languages is empty",
			"site.yaml:6:5: an item of languages is null; it is a string",
			"site.yaml:7:5: an item of languages is a list; it is a string",
		}},
		{"language twice", "languages: [fi, en, fi]", []string{"site.yaml:1:21: \"fi\" is listed twice in languages\nkeep one of the two"}},
		{"language twice but for letter case", "languages: [pt-BR, pt-br]", []string{"site.yaml:1:20: \"pt-BR\" and \"pt-br\" are the same language tag\nkeep one of the two"}},
		{"foreign default language", "default_language: de\nlanguages: [fi, en]", []string{"site.yaml:1:19: default_language \"de\" is not one of the site's languages\nname it under \"languages\", or choose one of \"fi\" and \"en\""}},

		{"unknown dates", "dates: [field, git, git, svn]", []string{
			"site.yaml:1:9: an item of dates is \"field\"\ndid you mean \"fields\"?",
			"site.yaml:1:21: \"git\" is listed twice in dates\nkeep one of the two",
			"site.yaml:1:26: an item of dates is \"svn\"\nit can be \"fields\", \"git\" or \"mtime\"",
		}},
		{"no dates", "dates: []", []string{"site.yaml:1:8: dates is empty\nname at least one of \"fields\", \"git\" and \"mtime\""}},
		{"timezone", "timezone: Helsinki", []string{"site.yaml:1:11: timezone \"Helsinki\" is not known\nwrite a name of the IANA database, as in \"Europe/Helsinki\""}},
		{"timezone of the machine", "timezone: Local", []string{"site.yaml:1:11: timezone \"Local\" is not known\nwrite a name of the IANA database, as in \"Europe/Helsinki\""}},
		{"timezone outside the database", "timezone: ../../etc/passwd", []string{"site.yaml:1:11: timezone \"../../etc/passwd\" is not known\nwrite a name of the IANA database, as in \"Europe/Helsinki\""}},

		{"unknown field", "fields: {create: date}", []string{"site.yaml:1:10: unknown field \"create\"\ndid you mean \"created\"?"}},
		{"fields as a list", "fields: [a]", []string{"site.yaml:1:9: fields is a list; it is a map"}},
		{"field of two meanings", "fields: {created: date, modified: date}", []string{"site.yaml:1:35: the field \"date\" would be both \"created\" and \"modified\"\ngive \"created\" another name under \"fields\", or ~ for none"}},
		{"field that has a meaning", "fields:\n  title: description", []string{"site.yaml:2:10: the field \"description\" would be both \"description\" and \"title\"\ngive \"description\" another name under \"fields\", or ~ for none"}},
		{"fields that change places", "fields: {title: description, description: title}", nil},
		{"field as a map", "fields: {title: {a: b}}", []string{"site.yaml:1:17: \"title\" is a map; it is a string"}},
		{"title_from", "title_from: {a: b}", []string{"site.yaml:1:13: title_from is a map; it is a list\nwrite it as \"[a, b]\", or as lines that begin with \"- \""}},

		{"pattern", "exclude: ['a[', '/b', '../c', 'd/../../e']", []string{
			"site.yaml:1:11: \"a[\" is not a pattern\nwrite paths with *, **, ?, [abc] and {a,b}; each bracket and brace is closed",
			"site.yaml:1:17: \"/b\" does not lie below the content folder\nwrite the path as seen from the content folder, as in \"drafts/**\"",
			"site.yaml:1:23: \"../c\" does not lie below the content folder\nwrite the path as seen from the content folder, as in \"drafts/**\"",
			"site.yaml:1:31: \"d/../../e\" does not lie below the content folder\nwrite the path as seen from the content folder, as in \"drafts/**\"",
		}},
		{"unprefixed", "unprefixed: [/palaute]", []string{"site.yaml:1:14: the path \"/palaute\" begins with a slash\nwrite a path of the site, as in \"palaute\""}},
		{"unknown kind", "kinds: {artikle: {require: [a]}}", []string{"site.yaml:1:9: unknown kind \"artikle\"\ndid you mean \"article\"?"}},
		{"unknown key of a kind", "kinds: {article: {requires: [a]}}", []string{"site.yaml:1:19: unknown key \"requires\"\ndid you mean \"require\"?"}},
		{"kind as a list", "kinds: {article: [a]}", []string{"site.yaml:1:18: the kind \"article\" is a list; it is a map"}},

		{"links", "links: files", []string{"site.yaml:1:8: links is \"files\"\ndid you mean \"file\"?"}},
		{"html", "html: yes", []string{"site.yaml:1:7: html is \"yes\"\nit can be \"strict\" or \"trusted\""}},
		{"unknown rule", "rules: {broken-links: off}", []string{"site.yaml:1:9: unknown rule \"broken-links\"\ndid you mean \"broken-link\"?"}},
		{"unknown severity", "rules: {broken-link: fatal}", []string{"site.yaml:1:22: the rule \"broken-link\" is \"fatal\"\nit can be \"error\", \"warning\" or \"off\""}},
		{"contract rule", "rules:\n  title: warning\n", []string{"site.yaml:2:10: the rule \"title\" cannot be lowered to warning\nthe contract rests on it: every page has a title"}},

		{"all in one run", "link: query\nhtml: x\nassets: ftp://a\n", []string{
			"site.yaml:1:1: unknown key \"link\"\ndid you mean \"links\"?",
			"site.yaml:2:7: html is \"x\"\nit can be \"strict\" or \"trusted\"",
			"site.yaml:3:9: assets \"ftp://a\" does not begin with http:// or https://\n" + address,
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, got := readSite(test.text)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("problems of %q (-want +got):\n%s", test.text, diff)
			}
		})
	}
}

func TestReadSiteNamespace(t *testing.T) {
	for _, text := range []string{
		"abc",
		"00000000-0000-0000-0000-000000000000",
		"{0e6f3c1a-9dad-11d1-80b4-00c04fd430c8}",
		"urn:uuid:0e6f3c1a-9dad-11d1-80b4-00c04fd430c8",
		"0e6f3c1a9dad11d180b400c04fd430c8",
		"0e6f3c1a-9dad-11d1-80b4-00c04fd430cg",
	} {
		site, problems := readSite("namespace: '" + text + "'")
		if len(problems) != 1 || !strings.HasPrefix(problems[0], "site.yaml:1:12: namespace ") {
			t.Errorf("%s: problems %q", text, problems)
			continue
		}
		fresh := regexp.MustCompile(`write "namespace: ([0-9a-f-]{36})", and keep it`).FindStringSubmatch(problems[0])
		if fresh == nil {
			t.Errorf("%s: no fresh namespace in %q", text, problems[0])
		} else if _, again := readSite("namespace: " + fresh[1]); again != nil {
			t.Errorf("the namespace of the hint is refused: %q", again)
		}
		if site.Namespace != uuid.Nil {
			t.Errorf("%s: namespace %s", text, site.Namespace)
		}
	}
}

func TestReadSiteTooLarge(t *testing.T) {
	_, problems := readSite(strings.Repeat("#", maxSiteSize+1))
	if diff := cmp.Diff([]string{"site.yaml: the file has 1048577 bytes; at most 1048576 are read"}, problems); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestIsLanguageTag(t *testing.T) {
	for _, tag := range []string{"fi", "en", "so", "zh", "no", "fi-FI", "zh-Hans-CN", "pt-br", "sr-Latn", "es-419", "x-klingon", "qq", "de-1996"} {
		if !isLanguageTag(tag) {
			t.Errorf("%q is refused", tag)
		}
	}
	for _, tag := range []string{"", "f", "fi_FI", "fi-", "-fi", "fi--FI", "fi FI", "fi/FI", "suomeksi!", "ää", "fi.FI", "123", "fi-FI-FI-", "abcdefghij"} {
		if isLanguageTag(tag) {
			t.Errorf("%q is accepted", tag)
		}
	}
}

func FuzzReadSite(f *testing.F) {
	for _, seed := range []string{
		"base_url: https://a.fi/x\nlanguages: [fi, no]\n", "fields: {created: date, language: ~}\n", "kinds: {article: {require: [a]}}\n",
		"rules: {title: off}\n", "exclude: ['a[', 'b/**']\n", "dates: [&x fields, *x]\n", "namespace: [a]\n", "- a\n", "links:\n", "timezone: UTC\nassets: http://[::1]/\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > MaxFrontMatterSize {
			return
		}
		site, problems := readSite(text)
		if site == nil {
			if len(problems) == 0 {
				t.Errorf("%q: no site, and no problem", text)
			}
			return
		}
		if len(site.Languages) == 0 || len(site.Dates) == 0 || site.Timezone == nil {
			t.Errorf("%q: a site without languages, dates or timezone", text)
		}
		for _, address := range []string{site.BaseURL.String(), strings.TrimSuffix(site.Assets, "/")} {
			if again, err := baseurl.Parse(address); address != "" && (err != nil || again.String() != address) {
				t.Errorf("%q: address %q: %v", text, address, err)
			}
		}
		for _, problem := range problems {
			if diag.Clean(strings.ReplaceAll(problem, "\n", " ")) != strings.ReplaceAll(problem, "\n", " ") {
				t.Errorf("%q: unsafe text in %q", text, problem)
			}
		}
	})
}
