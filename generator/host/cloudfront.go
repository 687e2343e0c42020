package host

// cloudfront puts the routing before an S3 bucket, as CloudFront Functions. The
// address that it makes is the key of the cache, so the cache policy leaves the
// query out. Such functions cannot change bodies: api variants are files.
var cloudfront = &Host{
	Name:       "cloudfront",
	Title:      "CloudFront Functions over S3",
	Level:      Full,
	TestedWith: "the functions run under Node in the conformance test, with a stand-in for CloudFront and S3, and in njs 0.7.9, of which the maker's runtime is made, with the same stand-in around it (make emulators)",
	Cannot: []Exception{
		{"cors-header", "CloudFront sends it with the answer for a missing file only to requests that name their origin"},
	},

	Configure: []Part{
		{Template: "cloudfront/viewer-request.js", Name: "viewer-request.js",
			Where: "a CloudFront Function of runtime cloudfront-js-2.0, for the viewer request; setup.sh makes and publishes it"},
		{Template: "cloudfront/viewer-response.js", Name: "viewer-response.js",
			Where: "a CloudFront Function of runtime cloudfront-js-2.0, for the viewer response; setup.sh makes and publishes it"},
		{Template: "cloudfront/response-headers-policy.json", Name: "response-headers-policy.json",
			Where: "a response headers policy; setup.sh makes it"},
		{Template: "cloudfront/distribution.json", Name: "distribution.json",
			Where: "your repository, in deploy/; setup.sh fills in what AWS names, and makes the distribution of it"},
		{Template: "cloudfront/setup.sh", Name: "setup.sh", Mode: 0o755,
			Where: "your repository, in deploy/; makes functions and distribution, and updates them: BUCKET=name REGION=region sh deploy/setup.sh"},
		{Template: "cloudfront/forget.sh", Name: "forget.sh", Mode: 0o755,
			Where: "your repository, in deploy/; sivu publish runs it when something changed"},
	},
	Deploy: Deploy{
		Cache:  cacheMinute,
		Bucket: true,
		Forget: "cloudfront/forget.sh",
		Vars:   []string{"BUCKET", "DISTRIBUTION"},
		Tools:  []string{"awscli"},
		AWS:    true,
	},
}
