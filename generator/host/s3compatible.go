package host

import "slices"

var s3CompatiblePlan = &plan{
	name: "s3-compatible", title: "S3-compatible object stores", styles: fileStyles,
	cache: cacheMinute, folder: inPrefix,
	publish: true,
	Secrets: []string{"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"},
	Vars:    []string{"AWS_ENDPOINT_URL", "AWS_REGION", "BUCKET"},
}

// s3Compatible is a bucket of any store that speaks the S3 API and lets everybody read
// objects by their keys, with or without a cache before it.
var s3Compatible = &Host{
	Name:   s3CompatiblePlan.name,
	Title:  s3CompatiblePlan.title,
	Level:  Walkable,
	Styles: s3CompatiblePlan.styles,
	Tried:  "publishing to versitygw in the conformance test, and to MinIO (make emulators); Cloudflare R2, Google Cloud Storage, DigitalOcean Spaces, Backblaze B2 and Garage were not tried",
	Cannot: slices.Concat(ignoresQuery, noHeaders, ownMethods, []Exception{
		{"cors-header", "most stores send it only to requests that name their origin"},
		{"not-found-body", "it has an answer of its own for objects that are missing, mostly in XML"},
		{"not-found-status", "it ignores the query, so page=0 answers as the list does; some say 403 of what is missing"},
		{"slash-redirect", "it knows no folders"},
		{"redirect", "it knows no folders"},
		{"content-type", "its answers for what is missing are no JSON"},
	}),

	Configure: func(c *Config) ([]File, error) {
		return s3CompatiblePlan.fill(c,
			part{"s3-compatible/stores.md", "stores.md", "to be read: what is known of each store", 0},
			part{"s3-website/policy.json", "policy.json", "the policy of the bucket, with its name in place of NAME, where the store knows policies: everybody may read the snapshot, and not .sivu/", 0},
			part{"s3-website/cors.json", "cors.json", "the CORS configuration of the bucket: aws s3api put-bucket-cors --bucket NAME --cors-configuration file://cors.json", 0},
			part{"s3-compatible/forget-cloudflare.sh", "forget-cloudflare.sh", "your repository, in deploy/, where Cloudflare stands before the bucket; sivu publish runs it with --on-change 'sh deploy/forget-cloudflare.sh'", 0o755})
	},
	Upload: s3CompatiblePlan.upload,
}
