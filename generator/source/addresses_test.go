package source

import "testing"

func TestAliases(t *testing.T) {
	tests := []struct {
		name     string
		site     func(*Site)
		text     string
		want     []string
		problems []string
	}{
		{"a text, with its language", nil, "aliases: /fi/old/", []string{"fi/old"}, nil},
		{"a list, relative to the page's address", nil, "aliases: [old, ../older/, b/c]", []string{"fi/a/b/c", "fi/a/old", "fi/older"}, nil},
		{"of a site whose language has no prefix", func(s *Site) { s.RootLanguage = "fi" }, "aliases: [/2017/06/13/old/, /en/old, /]", []string{"en/old", "fi", "fi/2017/06/13/old"}, nil},
		{"on the site's own address", func(s *Site) { s.Web = "https://a.fi/" }, "aliases: [https://a.fi/fi/x/, https://b.fi/fi/x]", []string{"fi/x"},
			[]string{"4:31: warning: the alias \"https://b.fi/fi/x\" is an address of another site, and is left out [alias] | write a path of the site, as in \"/old/page\""}},
		{"the page's own address, and one twice", nil, "aliases: [/fi/a/b, /fi/c, /fi/c/]", []string{"fi/c"}, nil},
		{"null, and ignored", func(s *Site) { s.Ignore = []string{"redirects"}; s.Fields = map[string]string{"aliases": "redirects"} }, "redirects: [/x]\naliases: ~", nil, nil},
		{"no addresses", nil, "aliases: [/fi/a?b=1, ~, [/fi/c], /fi/d]", []string{"fi/d"}, []string{
			"4:11: warning: the alias \"/fi/a?b=1\" has a query, and is left out [alias] | write a path of the site, as in \"/old/page\"",
			"4:22: warning: the alias \"\" is null, and is left out [alias] | write a path of the site, as in \"/old/page\"",
			"4:25: warning: the alias \"\" is a list, and is left out [alias] | write a path of the site, as in \"/old/page\"",
		}},
		{"a map", nil, "aliases: {a: b}", nil, []string{"4:1: error: \"aliases\" is a map; it is a list of addresses [field-type]"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			site := testSite()
			if test.site != nil {
				test.site(site)
			}
			doc, problems := read(site, "fi/a/b.md", front("title: T\ncreated: 2020-01-01\n"+test.text))
			wantEqual(t, "aliases", doc.Page.Aliases, test.want)
			wantEqual(t, "problems", problems, test.problems)
		})
	}
}
