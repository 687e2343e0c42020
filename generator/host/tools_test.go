package host

import (
	"regexp"
	"testing"
)

// firstRuntimes are the dates that the runtime in the first release of a major
// version of wrangler knows: the dependency workerd of wrangler@4.0.0 is
// 1.20250310.0. An upload takes any release of the major version.
var firstRuntimes = map[string]string{"4": "2025-03-10"}

// TestCompatibilityDate wants a date that every release knows which upload.sh may
// get. The tool refuses others, or takes an older one in its place.
func TestCompatibilityDate(t *testing.T) {
	files, err := written(cloudflareWorkers, siteConfigs(t, cloudflareWorkers)["plain"])
	if err != nil {
		t.Fatal(err)
	}
	date := regexp.MustCompile(`"compatibility_date": "(\d{4}-\d\d-\d\d)"`).FindStringSubmatch(files["wrangler.jsonc"])
	major := regexp.MustCompile(`wrangler@(\d+) `).FindStringSubmatch(files["upload.sh"])
	if date == nil || major == nil {
		t.Fatalf("wrangler.jsonc has the date %q, upload.sh the version %q", date, major)
	}
	if known := firstRuntimes[major[1]]; date[1] > known {
		t.Errorf("the compatibility date is %s, and wrangler@%s knows dates up to %q", date[1], major[1], known)
	}
}
