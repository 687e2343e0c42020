package host

// s3Compatible is a bucket of any store that speaks the S3 API and lets everybody read
// objects by their keys, with or without a cache before it.
var s3Compatible = &Host{
	Name:       "s3-compatible",
	Title:      "S3-compatible object stores",
	Level:      Walkable,
	TestedWith: "publishing to versitygw in the conformance test, which verifies what it serves, and publishing to MinIO (make emulators); Cloudflare R2, Google Cloud Storage, DigitalOcean Spaces, Backblaze B2 and Garage were not tried",
	Cannot: filesOnly(
		Exception{"cors-header", "most stores send it only to requests that name their origin"},
		Exception{"not-found-body", "it has an answer of its own for objects that are missing, mostly in XML"},
		Exception{"not-found-status", "it ignores the query, so page=0 answers as the list does; some say 403 of what is missing"},
		Exception{"slash-redirect", "it knows no folders"},
		Exception{"redirect", "it knows no folders"},
		Exception{"content-type", "its answers for what is missing are no JSON"},
		Exception{"conditional-request", "some stores compare one ETag alone, and neither lists of them nor dates, and leave it out of their answer 304"},
	),

	Configure: []Part{
		{Template: "s3-compatible/stores.md", Name: "stores.md",
			Where: "to be read: what is known of each store"},
		{Template: "s3-website/policy.json", Name: "policy.json",
			Where: "the policy of the bucket, with its name in place of NAME, where the store knows policies: everybody may read the snapshot, and not .sivu/"},
		{Template: "s3-website/cors.json", Name: "cors.json",
			Where: "the CORS configuration of the bucket: aws s3api put-bucket-cors --bucket NAME --cors-configuration file://cors.json"},
		{Template: "s3-compatible/forget-cloudflare.sh", Name: "forget-cloudflare.sh", Mode: 0o755,
			Where: "your repository, in deploy/, where Cloudflare stands before the bucket; sivu publish runs it with --on-change 'sh deploy/forget-cloudflare.sh'"},
	},
	Deploy: Deploy{
		Cache:   cacheMinute,
		Mount:   (*Config).Prefix,
		Bucket:  true,
		Secrets: []string{"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"},
		Vars:    []string{"AWS_ENDPOINT_URL", "AWS_REGION", "BUCKET"},
	},
}
