package host

import (
	"errors"
	"flag"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.org/sivu/generator/baseurl"
)

var updateServers = flag.Bool("update-servers", false, "write the goldens of server configurations anew")

var servers = []*Host{nginx, apache, caddy, varnish, fastly, lighttpd}

func baseOf(t *testing.T, address string) baseurl.URL {
	t.Helper()
	base, err := baseurl.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return base
}

// written returns all files of a host, by their names.
func written(h *Host, c *Config) (map[string]string, error) {
	all := map[string]string{}
	for _, produce := range []func(*Config) ([]File, error){h.RootFiles, h.ConfigFiles, h.UploadFiles} {
		files, err := produce(c)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			all[file.Name] = string(file.Data)
		}
	}
	return all, nil
}

// TestServerGoldens compares all that is written for two services with what was
// looked at: one with all that can be given, and one with as little as possible.
func TestServerGoldens(t *testing.T) {
	configs := map[string]*Config{
		"plain": {Base: baseOf(t, "https://api.example.fi")},
		"prefix": {Base: baseOf(t, "https://api.example.fi/v1"), Root: "/srv/my snapshot", Listen: "127.0.0.1:8080",
			Origin: "bucket.example.net:80"},
	}
	const dir = "testdata/servers"
	due := map[string]bool{}
	for _, h := range servers {
		for name, c := range configs {
			files, err := written(h, c)
			if err != nil {
				t.Fatalf("%s: %v", h.Name, err)
			}
			for file, text := range files {
				if filepath.Ext(file) == ".yml" {
					continue // samples for CI are no matter of servers
				}
				golden := filepath.Join(dir, h.Name, name, filepath.FromSlash(file))
				due[golden] = true
				compareGolden(t, golden, text)
			}
		}
	}
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && !due[name] {
			t.Errorf("%s is a golden of nothing", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func compareGolden(t *testing.T, golden, text string) {
	t.Helper()
	if *updateServers {
		if err := errors.Join(os.MkdirAll(filepath.Dir(golden), 0o755), os.WriteFile(golden, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), text); diff != "" {
		t.Errorf("%s (-want +got), accepted with -update-servers:\n%s", golden, diff)
	}
}

// TestIPv6 looks at how the servers want an address with colons.
func TestIPv6(t *testing.T) {
	for _, c := range []struct {
		host       *Host
		file, want string
	}{
		{nginx, "sites-available/sivu.conf", "listen [::1]:8080;"},
		{apache, "sivu.conf", "Listen [::1]:8080\n<VirtualHost [::1]:8080>"},
		{caddy, "Caddyfile", "http://:8080 {\n\tbind [::1]\n"},
		{lighttpd, "lighttpd.conf", `server.bind = "[::1]"`},
	} {
		files, err := written(c.host, &Config{Base: baseOf(t, "http://[::1]:8080"), Listen: "[::1]:8080"})
		if err != nil || !strings.Contains(files[c.file], c.want) {
			t.Errorf("%s: %v, %s does not have %q", c.host.Name, err, c.file, c.want)
		}
	}
}

// TestServersSayWhereFilesGo wants a place for each file, and no name twice.
func TestServersSayWhereFilesGo(t *testing.T) {
	for _, h := range servers {
		files, err := h.ConfigFiles(&Config{Base: baseOf(t, "https://api.example.fi/v1")})
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, file := range files {
			if file.Where == "" || seen[file.Name] || !fs.ValidPath(file.Name) {
				t.Errorf("%s: file %q goes to %q", h.Name, file.Name, file.Where)
			}
			seen[file.Name] = true
		}
	}
}

// wantRefusal wants an error that says what is wrong and what to do.
func wantRefusal(t *testing.T, err error, problem string) {
	t.Helper()
	var refusal *Refusal
	switch {
	case !errors.As(err, &refusal):
		t.Errorf("error %v, want a refusal that says %q", err, problem)
	case !strings.Contains(refusal.Problem, problem) || refusal.Hint == "":
		t.Errorf("refused because %q, hint %q, want a refusal that says %q", refusal.Problem, refusal.Hint, problem)
	}
}

// TestHostileRoots gives each server folders that mean something in its
// language. Those that are taken are served for real in the conformance test.
func TestHostileRoots(t *testing.T) {
	for _, c := range []struct {
		root    string
		refused []*Host // of those that hold the root in a file
		problem string
	}{
		{"/srv/a b", nil, ""},
		{"/srv/it's", nil, ""},
		{"/srv/a;b#c&d|e", nil, ""},
		{"/srv/a(b)~c,d=e!f:g@h", nil, ""},
		{"/srv/käyttö", nil, ""},
		{"/srv/[[.Root]]", []*Host{apache}, "a bracket"},
		{`/srv/a"; return 200; #`, []*Host{lighttpd}, "a quotation mark"},
		{`/srv/a\`, []*Host{apache, caddy, lighttpd}, "a backslash"},
		{"/srv/$host", []*Host{nginx, apache, lighttpd}, "a dollar sign"},
		{"/srv/{$HOME}", []*Host{nginx, apache, caddy, lighttpd}, ""},
		{"/srv/{env.HOME}", []*Host{caddy}, "a brace"},
		{"/srv/`a`", []*Host{caddy}, "a backquote"},
		{"/srv/*", []*Host{apache}, "an asterisk"},
		{"/srv/%{HTTP_HOST}", []*Host{caddy}, "a brace"},
		{"/srv/a\nb", servers, "control character"},
		{"/srv/a\x00b", servers, "control character"},
		{"/srv/a\u202eb", servers, "control character"},
		{"/srv/\xff", servers, "UTF-8"},
		{"public", servers, "absolute"},
		{"../public", servers, "absolute"},
		{"/", servers, "whole file system"},
		{"/srv/..", servers, "whole file system"},
	} {
		for _, h := range servers {
			_, err := h.ConfigFiles(&Config{Base: baseOf(t, "https://api.example.fi"), Root: c.root})
			if slices.Contains(c.refused, h) {
				wantRefusal(t, err, c.problem)
			} else if err != nil {
				t.Errorf("%s refuses the root %q: %v", h.Name, c.root, err)
			}
		}
	}
}

// TestRootQuoting looks at the very words.
func TestRootQuoting(t *testing.T) {
	for _, c := range []struct {
		host             *Host
		file, root, want string
	}{
		{nginx, "snippets/sivu.conf", `/srv/a "b" \c; d`, `root "/srv/a \"b\" \\c; d";`},
		{apache, "sivu.conf", `/srv/a "b"; d`, `DocumentRoot "/srv/a \"b\"; d"`},
		{caddy, "Caddyfile", `/srv/a "b" #c`, `root * "/srv/a \"b\" #c"`},
		{lighttpd, "conf-available/50-sivu.conf", `/srv/a # 'b'`, `"/pages/" => "/srv/a # 'b'/pages/"`},
		{nginx, "snippets/sivu.conf", "/srv//a/./b/", `root "/srv/a/b";`},
		{nginx, "snippets/sivu.conf", "", `root "/var/www/sivu";`},
	} {
		files, err := written(c.host, &Config{Base: baseOf(t, "https://api.example.fi"), Root: c.root})
		if err != nil {
			t.Errorf("%s, %q: %v", c.host.Name, c.root, err)
		} else if !strings.Contains(files[c.file], c.want) {
			t.Errorf("%s, %q: %s does not have %s", c.host.Name, c.root, c.file, c.want)
		}
	}
}

func TestHostileBases(t *testing.T) {
	for address, problem := range map[string]string{
		"https://api.example.fi/a%20b":     "the path",
		"https://api.example.fi/v1;return": "the path",
		"https://api.example.fi/$host":     "the path",
		"https://api.example.fi/a%22b":     "the path",
		"https://api.example.fi/a%0Ab":     "the path",
		"https://api.example.fi/(a+)+":     "the path",
		"https://api.example.fi/[[.Root]]": "the path",
	} {
		for _, h := range servers {
			_, err := h.ConfigFiles(&Config{Base: baseOf(t, address)})
			wantRefusal(t, err, problem)
		}
	}
	// Of these, there is no base address that a host could be given.
	for address, problem := range map[string]string{
		"https://api.example.fi/{x}":         "cannot stand in an address",
		"https://api.example.fi/../x":        "in its path",
		"https://api.example.fi/a/./b":       "in its path",
		"https://api.example.fi//a":          "in its path",
		"https://api.example.fi/käyttö":      "cannot stand in an address",
		"https://käyttö.example.fi":          "cannot stand in an address",
		"https://a'b.example.fi":             "not a host name",
		"https://user:secret@api.example.fi": "user info",
		"https://api.example.fi?x=1":         "query",
		"https://api.example.fi#x":           "fragment",
		"ftp://api.example.fi":               "does not begin with",
		"/v1":                                "does not begin with",
	} {
		_, err := baseurl.Parse(address)
		if err == nil || !strings.Contains(err.Error(), problem) {
			t.Errorf("%s: error %v, want one that says %q", address, err, problem)
		} else if strings.Contains(err.Error(), "secret") {
			t.Errorf("a password is shown: %v", err)
		}
	}
	for _, h := range servers {
		_, err := h.ConfigFiles(new(Config))
		wantRefusal(t, err, "no base address")
		for _, address := range []string{"http://[::1]:8080/a.b/c-d_e~f", "https://xn--kytt-loa4m.example.fi", "http://127.0.0.1", "https://api.example.fi/a/", "https://api.example.fi/"} {
			if _, err := h.ConfigFiles(&Config{Base: baseOf(t, address)}); err != nil {
				t.Errorf("%s: %v", address, err)
			}
		}
	}
}

// TestPrefixIsNoPattern wants the characters of a prefix to mean themselves.
func TestPrefixIsNoPattern(t *testing.T) {
	for _, h := range servers {
		files, err := written(h, &Config{Base: baseOf(t, "https://api.example.fi/v1.2")})
		if err != nil {
			t.Fatal(err)
		}
		for name, text := range files {
			if strings.Contains(text, "^/v1.2") {
				t.Errorf("%s: %s has the prefix as a pattern", h.Name, name)
			}
		}
	}
}

func TestEndpoints(t *testing.T) {
	for text, want := range map[string]endpoint{
		"8080":             {"", 8080, true},
		":8080":            {"", 8080, true},
		"127.0.0.1:80":     {"127.0.0.1", 80, true},
		"[::1]:65535":      {"::1", 65535, true},
		"localhost:1":      {"localhost", 1, true},
		"api-1.example.:9": {},
		"":                 {"", defaultPort, false},
	} {
		got, err := parseEndpoint(text, endpoint{Port: defaultPort}, "listen address", "--listen", "x")
		if want == (endpoint{}) {
			wantRefusal(t, err, "neither a name nor an address")
		} else if err != nil || got != want {
			t.Errorf("%q: %+v, %v, want %+v", text, got, err, want)
		}
	}
	for _, text := range []string{"0", "65536", "-1", "http", ":", "a:b:c", "::1", "80;x", "127.0.0.1:80 default_server", "127.0.0.1:80;\nroot /",
		"a b:80", "$host:80", "*:80", "unix:/run/x:80", "http://127.0.0.1:80", "\"x\":80"} {
		for _, h := range servers {
			for _, c := range []*Config{{Listen: text}, {Origin: text}} {
				c.Base = baseOf(t, "https://api.example.fi")
				_, err := h.ConfigFiles(c)
				wantRefusal(t, err, "")
			}
		}
	}
}

func FuzzServerConfigs(f *testing.F) {
	f.Add("https://api.example.fi/v1", "/srv/a b", "127.0.0.1:80", "x:1")
	f.Add("http://[::1]:80", `/"\$`, ":0", "")
	f.Fuzz(func(t *testing.T, base, root, listen, origin string) {
		u, err := baseurl.Parse(base)
		if err != nil {
			t.Skip()
		}
		for _, h := range servers {
			files, err := written(h, &Config{Base: u, Root: root, Listen: listen, Origin: origin})
			if err != nil {
				wantRefusal(t, err, "")
				continue
			}
			lines := map[string]int{}
			for name, text := range files {
				lines[name] = strings.Count(text, "\n")
			}
			plain, err := written(h, &Config{Base: sameShape(u), Root: "/srv/a", Listen: sameEndpoint(listen), Origin: sameEndpoint(origin)})
			if err != nil {
				t.Fatal(err)
			}
			for name, text := range plain {
				// Tags of prefixes are parts of names of files.
				if n, ok := lines[name]; ok && n != strings.Count(text, "\n") {
					t.Errorf("%s: %s has %d lines for %q %q %q %q", h.Name, name, n, base, root, listen, origin)
				}
			}
		}
	})
}

// sameShape returns a harmless base that makes as many lines.
func sameShape(u baseurl.URL) baseurl.URL {
	u.Hostname = "api.example.fi"
	return u
}

// sameEndpoint returns a harmless endpoint that makes as many lines.
func sameEndpoint(text string) string {
	e, err := parseEndpoint(text, endpoint{}, "", "", "")
	switch {
	case err != nil || !e.Given:
		return ""
	case e.Host == "":
		return ":80"
	case net.ParseIP(e.Host) == nil:
		return "localhost:80"
	}
	return "127.0.0.1:80"
}
