package host

import (
	"regexp"
	"strings"
	"testing"
)

// TestResourceNames wants names that makers take, of 64 characters at most with what
// is put behind them, and another one for each site.
func TestResourceNames(t *testing.T) {
	taken := regexp.MustCompile(`^[a-z0-9][A-Za-z0-9-]*$`)
	seen := map[string]string{}
	for _, base := range []string{
		"https://api.example.fi", "http://api.example.fi", "https://api.example.fi/v1", "https://api.example.fi-v1", "https://api-example.fi",
		"https://[::1]:8080/v1", "https://" + strings.Repeat("long.", 40) + "example.fi", "https://" + strings.Repeat("long.", 41) + "example.fi",
	} {
		v, err := cloudfront.values(&Config{Base: baseOf(t, base)})
		if err != nil {
			t.Fatal(err)
		}
		name := v.ResourceName()
		if !taken.MatchString(name) || len(name+"-viewer-response") > 64 {
			t.Errorf("%s: no maker takes %q", base, name)
		}
		if other, ok := seen[name]; ok {
			t.Errorf("%s and %s have the name %q", base, other, name)
		}
		seen[name] = base
	}
}
