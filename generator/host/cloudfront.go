package host

var cloudfrontPlan = &plan{
	name: "cloudfront", title: "CloudFront Functions over S3", styles: allStyles,
	cache:   cacheMinute,
	publish: true,
	Forget:  "cloudfront/forget.sh",
	Vars:    []string{"BUCKET", "DISTRIBUTION"},
	Tools:   []string{"awscli"},
	AWS:     true,
}

// cloudfront puts the routing before an S3 bucket, as CloudFront Functions. The
// address that it makes is the key of the cache, so the cache policy leaves the
// query out. Such functions cannot change bodies: api variants are files.
var cloudfront = &Host{
	Name:   cloudfrontPlan.name,
	Title:  cloudfrontPlan.title,
	Level:  Full,
	Styles: cloudfrontPlan.styles,
	Tried:  "the functions run under Node in the conformance test, with a stand-in for CloudFront and S3, and in njs 0.7.9, of which the maker's runtime is made, with the same stand-in around it (make emulators)",
	Cannot: []Exception{
		{"cors-header", "CloudFront sends it with the answer for a missing file only to requests that name their origin"},
	},

	Configure: func(c *Config) ([]File, error) {
		return cloudfrontPlan.fill(c,
			part{"cloudfront/viewer-request.js", "viewer-request.js", "a CloudFront Function of runtime cloudfront-js-2.0, for the viewer request; setup.sh makes and publishes it", 0},
			part{"cloudfront/viewer-response.js", "viewer-response.js", "a CloudFront Function of runtime cloudfront-js-2.0, for the viewer response; setup.sh makes and publishes it", 0},
			part{"cloudfront/response-headers-policy.json", "response-headers-policy.json",
				"a response headers policy; setup.sh makes it", 0},
			part{"cloudfront/distribution.json", "distribution.json", "your repository, in deploy/; setup.sh fills in what AWS names, and makes the distribution of it", 0},
			part{"cloudfront/setup.sh", "setup.sh", "your repository, in deploy/; makes functions and distribution, and updates them: BUCKET=name REGION=region sh deploy/setup.sh", 0o755},
			part{cloudfrontPlan.Forget, "forget.sh", "your repository, in deploy/; sivu publish runs it when something changed", 0o755})
	},
	Upload: cloudfrontPlan.upload,
}
