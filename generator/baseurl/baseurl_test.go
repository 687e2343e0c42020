package baseurl

import (
	"strings"
	"testing"

	"example.org/sivu/generator/diag"
)

func TestParse(t *testing.T) {
	good := map[string]string{
		"https://api.example.fi":                 "https://api.example.fi",
		"HTTP://API.Example.FI/":                 "http://api.example.fi",
		"https://example.fi/Sivut/a%20b/":        "https://example.fi/Sivut/a%20b",
		"https://example.fi/a//":                 "https://example.fi/a",
		"http://localhost:8000":                  "http://localhost:8000",
		"http://127.0.0.1:080":                   "http://127.0.0.1",
		"https://example.fi:443/x":               "https://example.fi/x",
		"https://example.fi:80":                  "https://example.fi:80",
		"http://[::1]:8000/":                     "http://[::1]:8000",
		"http://[2001:DB8:0:0::1]/":              "http://[2001:db8::1]",
		"https://xn--l8je6s7a45b.example":        "https://xn--l8je6s7a45b.example",
		"https://example.fi/a@b:c;d=e,f!$&'()*+": "https://example.fi/a@b:c;d=e,f!$&'()*+",
		"https://my_host.example.fi/%C3%A4/~a-b": "https://my_host.example.fi/%C3%A4/~a-b",
	}
	for in, want := range good {
		got, err := Parse(in)
		if got.String() != want || err != nil {
			t.Errorf("Parse(%q) = %q, %v; want %q", in, got, err, want)
		} else if again, err := Parse(got.String()); again != got || err != nil {
			t.Errorf("Parse(%q) = %q, %v; want no change", got, again, err)
		}
	}
	bad := map[string]string{
		"":                                     "is empty",
		"api.example.fi":                       "does not begin with http:// or https://",
		"//api.example.fi":                     "does not begin with http:// or https://",
		"/pages":                               "does not begin with http:// or https://",
		"localhost:8000":                       "does not begin with http:// or https://",
		"ftp://example.fi":                     "does not begin with http:// or https://",
		"https:example.fi":                     "does not begin with http:// or https://",
		"https://":                             "has no host",
		"https:///pages":                       "has no host",
		"https://:8000":                        "has no host",
		"https://example.fi?":                  "has a query",
		"https://example.fi/?a=b":              "has a query",
		"https://example.fi/#":                 "has a fragment",
		"https://example.fi/#a?b":              "has a fragment",
		"https://me@example.fi":                "has user info",
		"https://me:secret@example.fi":         "has user info",
		"https://example.fi:":                  "has an empty port",
		"https://example.fi:0":                 "has a port that is not between 1 and 65535",
		"https://example.fi:65536":             "has a port that is not between 1 and 65535",
		"https://example.fi:http":              "is not an address",
		"https://example.fi/%zz":               "is not an address",
		"https://[::1":                         "is not an address",
		"https://[abc]":                        "is not an address",
		"https://[fe80::1%25eth0]":             "has a host that is not an IPv6 address",
		"https://a..b":                         "has a host that is not a host name",
		"https://-a.fi":                        "has a host that is not a host name",
		"https://a%41.fi":                      "is not an address",
		"https://a!b.fi":                       "has a host that is not a host name",
		"https://example.fi/a/../b":            `has an empty, "." or ".." segment in its path`,
		"https://example.fi//a":                `has an empty, "." or ".." segment in its path`,
		"https://example.fi/.":                 `has an empty, "." or ".." segment in its path`,
		" https://example.fi":                  "holds ' ', which cannot stand in an address",
		"https://example.fi/a b":               "holds ' ', which cannot stand in an address",
		"https://exämple.fi":                   `holds '\u00e4', which cannot stand in an address`,
		"https://example.fi/\x1b[2J":           `holds '\x1b', which cannot stand in an address`,
		"https://example.fi/\"":                `holds '"', which cannot stand in an address`,
		`https://example.fi\a`:                 `holds '\\', which cannot stand in an address`,
		"https://example.fi/\xff":              `holds '\ufffd', which cannot stand in an address`,
		"https://" + strings.Repeat("a", 3000): "is longer than 2048 bytes",
	}
	for in, want := range bad {
		got, err := Parse(in)
		if !got.IsZero() || got.String() != "" || err == nil || err.Error() != diag.Quote(withoutUserInfo(in))+" "+want {
			t.Errorf("Parse(%q) = %q, %v; want an error that it %s", in, got, err, want)
		}
	}
}

// No message shows a password.
func TestErrorHidesUserInfo(t *testing.T) {
	for address, want := range map[string]string{
		"https://user:secret@a.example/x":     `"https://…@a.example/x" has user info`,
		"https://user:se@cret@a.example":      `"https://…@a.example" has user info`,
		"user:secret@a.example":               `"…@a.example" does not begin with http:// or https://`,
		"https://user:sec ret@a.example/a@b":  `"https://…@a.example/a@b" holds ' ', which cannot stand in an address`,
		"https://user:secret@a.example?q#f@g": `"https://…@g" has a fragment`,
	} {
		_, err := Parse(address)
		if err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", address, err, want)
		}
	}
}

func TestParts(t *testing.T) {
	for text, want := range map[string]URL{
		"https://Api.example.fi/v1/":  {"https", "api.example.fi", "", "/v1"},
		"http://[2001:DB8::1]:8080/a": {"http", "2001:db8::1", "8080", "/a"},
		"http://a.example:80":         {"http", "a.example", "", ""},
	} {
		got, err := Parse(text)
		if got != want || err != nil {
			t.Errorf("Parse(%q) = %+v, %v; want %+v", text, got, err, want)
		}
		if got.Origin()+got.Prefix != got.String() || !strings.HasSuffix(got.Origin(), "//"+got.Host()) || strings.HasPrefix(got.Host(), "[") != strings.Contains(got.Hostname, ":") {
			t.Errorf("%q has the origin %q and the host %q", got, got.Origin(), got.Host())
		}
	}
}
