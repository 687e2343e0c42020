package host

import "slices"

var s3WebsitePlan = &plan{
	name: "s3-website", title: "S3 website", styles: fileStyles,
	cache: cacheMinute, folder: inPrefix,
	publish: true,
	Vars:    []string{"BUCKET"},
	AWS:     true,
}

// s3Website is a bucket that serves its files itself. Everybody may read them, and
// list them: where they may not, S3 says 403 of what is missing.
var s3Website = &Host{
	Name:   s3WebsitePlan.name,
	Title:  s3WebsitePlan.title,
	Level:  Walkable,
	Styles: s3WebsitePlan.styles,
	Tried:  "a stand-in in the conformance test",
	Cannot: slices.Concat(ignoresQuery, noHeaders, ownMethods, []Exception{
		{"cors-header", "S3 sends it only to requests that name their origin"},
		{"not-found-status", "it ignores the query, so page=0 answers as the list does"},
		{"slash-redirect", "S3 redirects to folders with status 302"},
	}),

	Configure: func(c *Config) ([]File, error) {
		return s3WebsitePlan.fill(c,
			part{"s3-website/website.json", "website.json", "aws s3api put-bucket-website --bucket NAME --website-configuration file://website.json", 0},
			part{"s3-website/cors.json", "cors.json", "aws s3api put-bucket-cors --bucket NAME --cors-configuration file://cors.json", 0},
			part{"s3-website/policy.json", "policy.json", "with the bucket in place of NAME: " +
				"aws s3api put-public-access-block --bucket NAME --public-access-block-configuration " +
				"BlockPublicAcls=true,IgnorePublicAcls=true,BlockPublicPolicy=false,RestrictPublicBuckets=false; then " +
				"aws s3api put-bucket-policy --bucket NAME --policy file://policy.json", 0})
	},
	Upload: s3WebsitePlan.upload,
}
