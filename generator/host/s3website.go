package host

// s3Website is a bucket that serves its files itself. Everybody may read them, and
// list them: where they may not, S3 answers 403 for missing files.
var s3Website = &Host{
	Name:       "s3-website",
	Title:      "S3 website",
	Level:      Walkable,
	TestedWith: "a stand-in in the conformance test",
	Cannot: filesOnly(
		Exception{"cors-header", "S3 sends it only to requests that name their origin"},
		Exception{"not-found-status", "it ignores the query, so page=0 answers as the list does"},
		Exception{"slash-redirect", "S3 redirects to folders with status 302"},
	),

	Configure: []Part{
		{Template: "s3-website/website.json", Name: "website.json",
			Where: "aws s3api put-bucket-website --bucket NAME --website-configuration file://website.json"},
		{Template: "s3-website/cors.json", Name: "cors.json",
			Where: "aws s3api put-bucket-cors --bucket NAME --cors-configuration file://cors.json"},
		{Template: "s3-website/policy.json", Name: "policy.json",
			Where: "with the bucket in place of NAME: " + "aws s3api put-public-access-block --bucket NAME --public-access-block-configuration " + "BlockPublicAcls=true,IgnorePublicAcls=true,BlockPublicPolicy=false,RestrictPublicBuckets=false; then " + "aws s3api put-bucket-policy --bucket NAME --policy file://policy.json"},
	},
	Deploy: Deploy{
		Cache:  cacheMinute,
		Mount:  (*Config).Prefix,
		Bucket: true,
		Vars:   []string{"BUCKET"},
		AWS:    true,
	},
}
