package preview

import (
	"regexp"
	"strings"
	"testing"
)

const someID = "6ba7b810-9dad-51d1-80b4-00c04fd430c8"

// Every address that the contract gives an answer to, and those that look alike.
func TestRoute(t *testing.T) {
	t.Parallel()
	const (
		missing = "404"
		moved   = "308 "
	)
	tests := map[string]string{
		// list pages
		"/pages/":                            "pages/index.json",
		"/pages/?":                           "pages/index.json",
		"/pages/?page=1":                     "pages/page-1.json",
		"/pages/?page=2":                     "pages/page-2.json",
		"/pages/?page=999999999":             "pages/page-999999999.json",
		"/pages/?format=api":                 "pages/index.api.json",
		"/pages/?format=api&page=3":          "pages/page-3.api.json",
		"/pages/?page=3&format=api":          "pages/page-3.api.json",
		"/pages/?a=b&page=3&c&format=api&=x": "pages/page-3.api.json",
		"/pages/?page=2&page=3":              "pages/page-3.json",
		"/pages/?page=x&page=3":              "pages/page-3.json",
		"/pages/?page=3&page=x":              missing,
		"/pages/?format=api&format=json":     "pages/index.json",
		"/pages/?format=json&format=api":     "pages/index.api.json",
		"/pages/?format=API":                 "pages/index.json",
		"/pages/?format=json":                "pages/index.json",
		"/pages/?xpage=2":                    "pages/index.json",
		"/pages/?pagex=2":                    "pages/index.json",
		"/pages/?Page=2":                     "pages/index.json",
		"/pages/?page_size=2":                "pages/index.json",
		"/pages/?q=page=2":                   "pages/index.json",
		"/pages/?xformat=api":                "pages/index.json",
		"/pages/?p%61ge=%32":                 "pages/page-2.json",
		"/pages/?page=2;format=api":          missing,
		"/pages/?page=":                      missing,
		"/pages/?page":                       missing,
		"/pages/?page=0":                     missing,
		"/pages/?page=00":                    missing,
		"/pages/?page=02":                    missing,
		"/pages/?page=-1":                    missing,
		"/pages/?page=+1":                    missing,
		"/pages/?page=1.0":                   missing,
		"/pages/?page=1e3":                   missing,
		"/pages/?page=abc":                   missing,
		"/pages/?page=1000000000":            missing,
		"/pages/?page=%D9%A2":                missing, // ARABIC-INDIC DIGIT TWO
		"/pages/?page=2%00":                  missing,
		"/pages/?page=%zz":                   missing,
		"/pages/?page=../404":                missing,
		// records
		"/pages/" + someID + "/":                                       "pages/" + someID + "/index.json",
		"/pages/" + someID + "/?format=api":                            "pages/" + someID + "/index.api.json",
		"/pages/" + someID + "/?page=7":                                "pages/" + someID + "/index.json",
		"/pages/" + strings.ToUpper(someID) + "/":                      missing,
		"/pages/" + strings.ToUpper(someID):                            missing,
		"/pages/{" + someID + "}/":                                     missing,
		"/pages/" + strings.ReplaceAll(someID, "-", "") + "/":          missing,
		"/pages/" + someID[:35] + "/":                                  missing,
		"/pages/" + someID + "0/":                                      missing,
		"/pages/" + strings.Replace(someID, "6", "g", 1) + "/":         missing,
		"/pages/" + someID + "//":                                      missing,
		"/pages/" + someID + "/x":                                      missing,
		"/pages//" + someID + "/":                                      missing,
		"/pages/%36" + someID[1:] + "/":                                "pages/" + someID + "/index.json",
		"/pages/" + someID + "%2F":                                     missing,
		"/pages/" + someID + "/index.json":                             "pages/" + someID + "/index.json",
		"/pages/" + someID + "/index.json?format=api":                  "pages/" + someID + "/index.json",
		"/pages/" + someID + "/index.api.json":                         "pages/" + someID + "/index.api.json",
		"/pages/" + someID + "/index.api.json?format=api":              "pages/" + someID + "/index.api.json",
		"/pages/" + someID + "/page-1.json":                            missing,
		"/pages/" + someID + "/index.xml":                              missing,
		"/pages/" + someID + "/../" + someID + "/":                     missing,
		"/pages/" + someID + "/%2e%2e/index.json":                      missing,
		"/pages/00000000-0000-0000-0000-000000000000/":                 "pages/00000000-0000-0000-0000-000000000000/index.json",
		"/pages/" + strings.Replace(someID, "-", "\u2010", 1) + "/":    missing,
		"/pages/" + strings.Replace(someID, "6ba7b810", "6ba7b81-", 1): missing,
		// list pages by their files
		"/pages/index.json":             "pages/index.json",
		"/pages/index.json?page=2":      "pages/index.json",
		"/pages/index.api.json":         "pages/index.api.json",
		"/pages/page-1.json":            "pages/page-1.json",
		"/pages/page-2.api.json":        "pages/page-2.api.json",
		"/pages/page-2.json?page=3":     "pages/page-2.json",
		"/pages/page-0.json":            missing,
		"/pages/page-02.json":           missing,
		"/pages/page-1000000000.json":   missing,
		"/pages/page-.json":             missing,
		"/pages/page-2.json.json":       missing,
		"/pages/page-2.api.api.json":    missing,
		"/pages/page-page-2.json":       missing,
		"/pages/2.json":                 missing,
		"/pages/page-2":                 missing,
		"/pages/page-2.json/":           missing,
		"/pages/index.json/":            missing,
		"/pages/index":                  missing,
		"/pages/Index.json":             missing,
		"/pages/index.json%00":          missing,
		"/pages/index%2ejson":           "pages/index.json",
		"/pages/.sivu/manifest":         missing,
		"/pages/%2e%2e/.sivu/manifest":  missing,
		"/pages/..%2f.sivu%2fmanifest":  missing,
		"/pages/../pages/":              missing,
		"/pages/page-2.json%3Fpage%3D2": missing,
		// the addresses without the slash
		"/pages":                           moved + "/pages/",
		"/pages?page=2&x":                  moved + "/pages/?page=2&x",
		"/pages/" + someID:                 moved + "/pages/" + someID + "/",
		"/pages/" + someID + "?format=api": moved + "/pages/" + someID + "/?format=api",
		"/pages?\u00e4 b":                  moved + "/pages/?%C3%A4%20b",
		"/pages?a=//evil.example/":         moved + "/pages/?a=//evil.example/",
		// everything else
		"":                     missing,
		"/":                    missing,
		"//":                   missing,
		"//pages/":             missing,
		"/pagesx/":             missing,
		"/pagesx":              missing,
		"/Pages/":              missing,
		"/x/pages/":            missing,
		"pages/":               missing,
		"/404.json":            missing,
		"/405.json":            missing,
		"/.sivu/manifest":      missing,
		"/.sivu/":              missing,
		"/favicon.ico":         missing,
		"/%70ages/":            "pages/index.json",
		"/pages%2F":            missing,
		"/pages/%":             missing,
		"/pages/\x00":          missing,
		"/pages/\\index.json":  missing,
		"/pages;x=1/":          missing,
		"/pages/index.json;v1": missing,
	}
	for address, want := range tests {
		path, query, _ := strings.Cut(address, "?")
		for _, method := range []string{"GET", "HEAD"} {
			status, got := route(method, path, query)
			switch status {
			case 404:
				got += missing
			case 308:
				got = moved + got
			}
			if got != want {
				t.Errorf("%s %q: got %q, want %q", method, address, got, want)
			}
		}
		if status, target := route("OPTIONS", path, query); status != 200 || target != "" {
			t.Errorf("OPTIONS %q: got %d %q", address, status, target)
		}
		for _, method := range []string{"POST", "PUT", "PATCH", "DELETE", "TRACE", "CONNECT", "get", "", "PURGE"} {
			if status, target := route(method, path, query); status != 405 || target != "" {
				t.Errorf("%s %q: got %d %q", method, address, status, target)
			}
		}
	}
}

// closed are all files and all places that a request can lead to.
var (
	closedFiles     = regexp.MustCompile(`^pages/(([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/)?index|page-[1-9][0-9]{0,8})(\.api)?\.json$`)
	closedLocations = regexp.MustCompile(`^/pages/([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/)?(\?[!-~]*)?$`)
)

// Whatever is asked for, what is opened is a file of a snapshot.
func FuzzRoute(f *testing.F) {
	f.Add("GET", "/pages/", "page=2&format=api")
	f.Add("GET", "/pages/"+someID, "format=api\r\nX: y")
	f.Add("HEAD", "/pages/"+someID+"/index.api.json", "")
	f.Add("GET", "/pages/page-12.api.json", "page=%32&page=\x00")
	f.Add("GET", "/pages/%2e%2e/.sivu", "")
	f.Add("OPTIONS", "*", "")
	f.Fuzz(func(t *testing.T, method, path, query string) {
		status, target := route(method, path, query)
		switch {
		case status == 200 && method == "OPTIONS" && target == "":
		case status == 200 && method != "OPTIONS" && closedFiles.MatchString(target):
		case status == 308 && closedLocations.MatchString(target):
		case (status == 404 || status == 405) && target == "":
		default:
			t.Errorf("%s %q ? %q leads to %d %q", method, path, query, status, target)
		}
	})
}
