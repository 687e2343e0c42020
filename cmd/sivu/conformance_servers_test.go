package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"example.org/sivu/generator/host"
	"example.org/sivu/generator/verify"
)

// realServer says how a server is run with the configuration of a host.
type realServer struct {
	host    string
	variant string // of the host's configuration; "" where there is one
	program string
	packed  bool     // the snapshot has siblings
	codings []string // what compressed answers come in
	// lay puts what the program needs beside the files of the host. It returns
	// the arguments that test the configuration, and those that serve in the
	// foreground.
	lay func(t *testing.T, s *served) (check, serve []string)
}

var (
	onlyGzip = []string{"gz"}
	allThree = []string{"gz", "br", "zst"}
)

var realServers = []realServer{
	{host: "nginx", program: "nginx", packed: true, codings: onlyGzip, lay: layNginx},
	{host: "nginx", variant: "brotli", program: "nginx", packed: true, codings: []string{"gz", "br"}, lay: layNginxBrotli},
	{host: "nginx", variant: "unpacked", program: "nginx", codings: onlyGzip, lay: layNginx},
	{host: "apache", program: "apache2", packed: true, codings: allThree, lay: layApache},
	{host: "apache", variant: "unpacked", program: "apache2", codings: onlyGzip, lay: layApache},
	{host: "apache", variant: "htaccess", program: "apache2", packed: true, codings: allThree, lay: layHtaccess},
	{host: "caddy", program: "caddy", packed: true, codings: allThree, lay: layCaddy},
	{host: "caddy", variant: "unpacked", program: "caddy", codings: onlyGzip, lay: layCaddy},
	{host: "varnish", program: "varnishd", packed: true, codings: onlyGzip, lay: layVarnish},
	{host: "lighttpd", program: "lighttpd", packed: true, lay: layLighttpd},
	{host: "lighttpd", variant: "debian", program: "lighttpd", lay: layLighttpdDebian},
}

// TestRealServers runs each server that is a program here with the
// configuration that sivu writes for it, and asks it everything.
func TestRealServers(t *testing.T) {
	inTestAll(t)
	for _, server := range realServers {
		for _, prefix := range []string{"", "/v1"} {
			name := strings.Join(slices.DeleteFunc([]string{server.host, server.variant, strings.Trim(prefix, "/")}, func(s string) bool { return s == "" }), "-")
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				s := serve(t, server, prefix, "query")
				conforms(t, s)
				askMore(t, s, server.codings)
			})
		}
	}
}

// TestRealServerWalk walks the links of the other styles, which lead to files.
func TestRealServerWalk(t *testing.T) {
	inTestAll(t)
	for _, links := range []string{"file", "file+query"} {
		t.Run(links, func(t *testing.T) {
			t.Parallel()
			conforms(t, serve(t, realServers[0], "/v1", links))
		})
	}
}

// TestRealServerRoots serves a snapshot from a folder whose name has all that the
// configuration of a server says it can hold.
func TestRealServerRoots(t *testing.T) {
	inTestAll(t)
	for _, server := range realServers {
		if server.variant != "" {
			continue
		}
		t.Run(server.host, func(t *testing.T) {
			t.Parallel()
			s := serve(t, server, "/v1", "query", func(c *host.Config) {
				for _, part := range []string{" b", "'c", `"d`, ";e", "#f", "$g", "{h}", `\i`, "`j`", "*k", "[l]", "%m", "%{n}", "(o", "&p", "käyttö", "~"} {
					longer := *c
					longer.Root += part
					h, _ := host.Named(server.host)
					if _, err := h.ConfigFiles(&longer); err == nil {
						c.Root = longer.Root
					}
				}
			})
			if !strings.Contains(s.root, " b'c") {
				t.Fatalf("the root is only %q", s.root)
			}
			askOne(t, s, due{"GET", "/pages/?page=2", 200, "@page-2.json"})
			askOne(t, s, due{"GET", "/pages/?page=x", 404, notFoundAnswer})
			askOne(t, s, due{"POST", "/pages/", 405, badMethodAnswer})
		})
	}
}

// conforms verifies the service. What is found must be what the host is known
// not to keep: no more and no less.
func conforms(t *testing.T, s *served) {
	t.Helper()
	report, err := verify.URL(t.Context(), s.base(), verify.Options{Links: s.config.Links, Jobs: 8, Rate: 10_000})
	if err != nil {
		t.Fatal(err)
	}
	if report.Stopped != "" || report.Records < 100 {
		t.Errorf("verify opened %d records: %s", report.Records, report.Stopped)
	}
	broken := map[string]bool{}
	for _, f := range report.Findings {
		if f.Note {
			continue
		}
		broken[f.Rule.Name] = true
		if !slices.ContainsFunc(s.host.Cannot, func(e host.Exception) bool { return e.Rule == f.Rule.Name }) {
			t.Errorf("%s: %s %s: due %s, came %s", f.Rule.Name, f.Request, f.Address, f.Due, f.Came)
		}
	}
	for _, exception := range s.host.Cannot {
		if !broken[exception.Rule] {
			t.Errorf("%s keeps %s, which is an exception of it", s.host.Name, exception.Rule)
		}
	}
}

// serve builds the sample site for a host, writes the host's configuration, and
// runs the server with it until the test ends.
func serve(t *testing.T, server realServer, prefix, links string, changes ...func(*host.Config)) *served {
	t.Helper()
	program := programOf(t, server.program)
	s := prepare(t, server, prefix, links, changes...)
	check, run := server.lay(t, s)
	if out, err := exec.CommandContext(t.Context(), program, check...).CombinedOutput(); err != nil {
		t.Fatalf("%s does not take its configuration: %v\n%s", server.program, err, out)
	}
	start(t, s, s.config.Listen, program, run...)
	return s
}
