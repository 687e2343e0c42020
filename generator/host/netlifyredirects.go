package host

import (
	"fmt"
	"slices"
)

var netlifyRedirectsPlan = &plan{
	name: "netlify-redirects", title: "Netlify with _redirects and _headers", styles: allStyles,
	cache: cacheDeploy, folder: inPrefix,
	AtRoot:  []string{"404.html", "_headers", "_redirects"},
	Beside:  []string{"netlify.toml"},
	script:  "netlify/upload.sh",
	Secrets: []string{"NETLIFY_AUTH_TOKEN"},
	Vars:    []string{"NETLIFY_SITE_ID"},
	Tools:   []string{"npm"},
}

// netlifyRedirects routes with rules alone. Rules cannot look at a number, so
// each list page has two of its own: an unknown one has to answer 404.
var netlifyRedirects = &Host{
	Name:   netlifyRedirectsPlan.name,
	Title:  netlifyRedirectsPlan.title,
	Level:  Routing,
	Styles: netlifyRedirectsPlan.styles,
	Tried:  "a simulator of the rules in the conformance test; an earlier form of it ran in the maker's emulator",
	Limits: netlifyLimits,
	Cannot: slices.Concat(firstCounts, []Exception{
		{"allow-header", "Netlify keeps _headers from setting Allow"},
		{"error-headers", "Netlify keeps _headers from setting Allow"},
		{"method-status", "rules cannot answer 405; Netlify answers other methods for a file in its own way"},
		{"method-body", "rules cannot give a body"},
		{"options-status", "rules cannot answer OPTIONS"},
		{"options-body", "rules cannot give a body"},
		{"preflight", "rules cannot answer OPTIONS"},
		{"slash-redirect", "Netlify takes a path with and without a slash at its end for the same"},
	}),

	InRoot: func(c *Config) ([]File, error) {
		if err := checkRules(c.ListPages); err != nil {
			return nil, err
		}
		files, err := netlifyRedirectsPlan.fill(c,
			part{"netlify-redirects/_headers", "_headers", inSnapshot, 0},
			part{"netlify-redirects/_redirects", "_redirects", inSnapshot + ", anew with each build, as it has two lines per list page", 0})
		if err != nil {
			return nil, err
		}
		return append([]File{notFoundPage()}, files...), nil
	},
	Configure: func(c *Config) ([]File, error) {
		return netlifyRedirectsPlan.fill(c, part{"netlify-redirects/netlify.toml", "netlify.toml", netlifyWhere, 0})
	},
	Upload: netlifyRedirectsPlan.upload,
}

// checkRules keeps to the number of rules up to which Netlify says that it can
// take them; beyond it, deploys may fail.
func checkRules(listPages int) error {
	const mostRules, otherRules = 10_000, 7
	const most = (mostRules - otherRules) / 2
	const instead = "netlify, which routes with an edge function"
	switch {
	case listPages < 1:
		return &Refusal{"the rules of netlify-redirects need the number of list pages", "give the folder of a snapshot with --snapshot, or choose " + instead}
	case listPages > most:
		return &Refusal{
			fmt.Sprintf("netlify-redirects takes %s list pages, as each needs two of %s rules, and the snapshot has %s",
				grouped(most), grouped(mostRules), grouped(int64(listPages))),
			"choose " + instead,
		}
	}
	return nil
}
