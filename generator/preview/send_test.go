package preview

import (
	"bytes"
	"strings"
	"testing"
)

// What a client takes, the best first; "plain" where it takes the plain bytes.
func TestAccepted(t *testing.T) {
	tests := map[string]string{
		"-":                                    "plain", // no field at all
		"":                                     "plain",
		"gzip":                                 "gzip plain",
		"gzip, deflate":                        "gzip plain",
		"gzip, deflate, br, zstd":              "zstd br gzip plain",
		"GZIP":                                 "gzip plain",
		"x-gzip":                               "gzip plain",
		"deflate, compress":                    "plain",
		"identity":                             "plain",
		"*":                                    "zstd br gzip plain",
		"*;q=0":                                "",
		"*;q=0, gzip":                          "gzip",
		"*;q=0, identity":                      "plain",
		"identity;q=0":                         "",
		"identity;q=0, gzip":                   "gzip",
		"identity;q=0, *":                      "zstd br gzip",
		"gzip;q=0":                             "plain",
		"gzip;q=0.000":                         "plain",
		"gzip;q=0, *":                          "zstd br plain",
		"br;q=0.5, gzip;q=0.9":                 "gzip br plain",
		"br;q=0.501, gzip;q=0.5, zstd":         "zstd br gzip plain",
		"gzip;q=0.5, identity":                 "plain",
		"gzip;q=0.5, identity;q=0.5":           "gzip plain",
		"gzip;q=0.5, br;q=0.2, identity;q=0.3": "gzip plain",
		"gzip;q=0.5, *;q=0.9":                  "zstd br plain",
		"gzip ; q=1.000 , br ; Q=0.1":          "gzip br plain",
		"gzip;q=1.001":                         "plain",
		"gzip;q=2":                             "plain",
		"gzip;q=-1":                            "plain",
		"gzip;q=.5":                            "plain",
		"gzip;q=0.0000":                        "plain",
		"gzip;q=a":                             "plain",
		"gzip;q=":                              "plain",
		"gzip;level=9":                         "plain",
		"gzip;":                                "gzip plain",
		",, ,gzip,,":                           "gzip plain",
		";q=1":                                 "plain",
	}
	for field, want := range tests {
		fields := []string{field}
		if field == "-" {
			fields = nil
		}
		best, identity := accepted(fields)
		var got []string
		for _, c := range best {
			got = append(got, c.name)
		}
		if identity {
			got = append(got, "plain")
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: got %q, want %q", field, got, want)
		}
	}
	if best, _ := accepted([]string{"gzip", "br;q=0.5"}); len(best) != 2 || best[0].name != "gzip" {
		t.Errorf("of two fields only %v is taken", best)
	}
}

func TestMatchesTag(t *testing.T) {
	const tag = `"abc-br"`
	tests := map[string]bool{
		`"abc-br"`:             true,
		`W/"abc-br"`:           true,
		`*`:                    true,
		`"a", *`:               false,
		`*, "a"`:               false,
		`"a", "abc-br"`:        true,
		`"a","b" , W/"abc-br"`: true,
		`"a,b", "abc-br"`:      true,
		`, ,"abc-br"`:          true,
		`"abc"`:                false,
		`"abc-br`:              false,
		`abc-br`:               false,
		`w/"abc-br"`:           false,
		`"a" x "abc-br"`:       false,
		``:                     false,
		`"abc-gzip"`:           false,
		`"x\"abc-br"`:          false,
	}
	for field, want := range tests {
		if got := matchesTag([]string{field}, tag); got != want {
			t.Errorf("If-None-Match: %s: got %v, want %v", field, got, want)
		}
	}
	if !matchesTag([]string{`"a"`, tag}, tag) {
		t.Error("the second field is not looked at")
	}
}

func FuzzAccepted(f *testing.F) {
	f.Add("gzip;q=0.5, *;q=0", `W/"a", "b"`)
	f.Fuzz(func(t *testing.T, encoding, match string) {
		best, _ := accepted([]string{encoding})
		for _, c := range best {
			if !strings.Contains(strings.ToLower(encoding), c.name) && !strings.Contains(encoding, "*") {
				t.Errorf("%q is taken to accept %s", encoding, c.name)
			}
		}
		if matchesTag([]string{match}, `"tag"`) && !strings.Contains(match, `"tag"`) && !strings.Contains(match, "*") {
			t.Errorf("%q is taken to name the tag", match)
		}
	})
}

// What the codings cost and save, on a body as records have it.
func BenchmarkCodings(b *testing.B) {
	body := []byte(strings.Repeat("<p>Vuokra-asunnon voit etsiä itse. </p>", 40))
	for i := range body {
		if i%37 == 0 {
			body[i] = byte('a' + i*i%26)
		}
	}
	for _, c := range codings {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			var encoded []byte
			for b.Loop() {
				encoded = c.encode(body)
			}
			b.ReportMetric(float64(len(encoded))/float64(len(body)), "ratio")
			if bytes.Equal(encoded, body) {
				b.Error("nothing is compressed")
			}
		})
	}
}
