package host

import (
	"fmt"
	"slices"
)

// netlify runs the routing as an edge function.
var netlify = &Host{
	Name:       "netlify",
	Title:      "Netlify with an edge function",
	Level:      Full,
	Edge:       true,
	TestedWith: "the edge function runs under Node in the conformance test, with a stand-in for Netlify",
	Limits:     netlifyLimits,

	Configure: []Part{
		{Template: "netlify/sivu.js", Name: "netlify/edge-functions/sivu.js", Where: netlifyWhere},
		{Template: "netlify/netlify.toml", Name: "netlify.toml", Where: netlifyWhere},
	},
	Deploy: netlifyDeploy(nil, nil, "netlify.toml", "netlify/edge-functions/sivu.js"),
}

func netlifyDeploy(mount func(*Config) string, atRoot []string, beside ...string) Deploy {
	return Deploy{
		Cache:   cacheDeploy,
		Mount:   mount,
		AtRoot:  atRoot,
		Beside:  beside,
		Script:  "netlify/upload.sh",
		Secrets: []string{"NETLIFY_AUTH_TOKEN"},
		Vars:    []string{"NETLIFY_SITE_ID"},
		Tools:   []string{"npm"},
	}
}

const netlifyWhere = "your repository, in deploy/; upload.sh takes it along to the root of the project"

var netlifyLimits = Limits{InFolder: 54_000, Source: "Netlify's limits"}

// netlifyRedirects routes with rules alone. Rules cannot look at a number, so
// each list page has two of its own: an unknown one has to answer 404.
var netlifyRedirects = &Host{
	Name:       "netlify-redirects",
	Title:      "Netlify with _redirects and _headers",
	Level:      Routing,
	TestedWith: "a simulator of the rules in the conformance test; an earlier form of it ran in the maker's emulator",
	Limits:     netlifyLimits,
	Cannot: slices.Concat(firstCounts, []Exception{
		{"allow-header", "Netlify keeps _headers from setting Allow"},
		{"error-headers", "Netlify keeps _headers from setting Allow"},
	}, onlyRules("Netlify"), []Exception{
		{"slash-redirect", "Netlify takes a path with and without a slash at its end for the same"},
	}),

	InRoot: []Part{
		notFoundPage,
		{Template: "netlify-redirects/_headers", Name: "_headers", Where: inSnapshot},
		{Template: "netlify-redirects/_redirects", Name: "_redirects", Where: inSnapshot + ", anew with each build, as it has two lines per list page"},
	},
	checkRoot: checkRules,
	Configure: []Part{
		{Template: "netlify-redirects/netlify.toml", Name: "netlify.toml", Where: netlifyWhere},
	},
	Deploy: netlifyDeploy((*Config).Prefix, []string{"404.html", "_headers", "_redirects"}, "netlify.toml"),
}

// checkRules checks the number of rules up to which Netlify promises that a deploy
// succeeds.
func checkRules(c *Config) error {
	const mostRules, otherRules = 10_000, 7
	const most = (mostRules - otherRules) / 2
	const instead = "netlify, which routes with an edge function"
	switch {
	case c.ListPages < 1:
		return &Refusal{"the rules of netlify-redirects need the number of list pages", "give the folder of a snapshot with --snapshot, or choose " + instead}
	case c.ListPages > most:
		return &Refusal{
			fmt.Sprintf("netlify-redirects takes %s list pages, as each needs two of %s rules, and the snapshot has %s",
				grouped(most), grouped(mostRules), grouped(int64(c.ListPages))),
			"choose " + instead,
		}
	}
	return nil
}
