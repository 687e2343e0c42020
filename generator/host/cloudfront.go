package host

var cloudfrontPlan = &plan{
	name: "cloudfront", title: "CloudFront Functions over S3", styles: allStyles,
	cache:  cacheMinute,
	script: "upload/s3.sh",
	Vars:   []string{"BUCKET"},
	Tools:  []string{"awscli"},
	AWS:    true,
}

// cloudfront puts the routing before an S3 bucket, as CloudFront Functions. The
// address that it makes is the key of the cache, so the cache policy leaves the
// query out. Such functions cannot change bodies: api variants are files.
var cloudfront = &Host{
	Name:   cloudfrontPlan.name,
	Title:  cloudfrontPlan.title,
	Level:  Full,
	Styles: cloudfrontPlan.styles,
	Tried:  "the functions run under Node in the conformance test, with a stand-in for CloudFront and S3",

	Configure: func(c *Config) ([]File, error) {
		return cloudfrontPlan.fill(c,
			part{"cloudfront/viewer-request.js", "viewer-request.js", "a CloudFront Function of runtime cloudfront-js-2.0, for the viewer request", 0},
			part{"cloudfront/viewer-response.js", "viewer-response.js", "a CloudFront Function of runtime cloudfront-js-2.0, for the viewer response", 0},
			part{"cloudfront/response-headers-policy.json", "response-headers-policy.json",
				"aws cloudfront create-response-headers-policy --response-headers-policy-config file://response-headers-policy.json", 0},
			part{"cloudfront/distribution.json", "distribution.json", "the default behavior and the error responses of the distribution", 0})
	},
	Upload: cloudfrontPlan.upload,
}
