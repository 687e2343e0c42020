package main

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// edit replaces a text in a file that the host wrote. That it is there is part
// of the test: it is what the documentation tells people to change.
func edit(t *testing.T, name, old, new string) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), old) {
		t.Fatalf("%s does not have %q", name, old)
	}
	writePublic(t, name, strings.Replace(string(text), old, new, 1))
}

func layNginx(t *testing.T, s *served) (check, serve []string) {
	serve = []string{"-p", s.dir + "/", "-c", "nginx.conf"}
	return append([]string{"-t"}, serve...), serve
}

// layNginxBrotli does what the comment in the configuration says.
func layNginxBrotli(t *testing.T, s *served) (check, serve []string) {
	const module = "/usr/lib/nginx/modules/ngx_http_brotli_static_module.so"
	if _, err := os.Stat(module); err != nil {
		if os.Getenv(requireHosts) != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	edit(t, s.path("nginx.conf"), "events {", "load_module "+module+";\nevents {")
	snippets, _ := filepath.Glob(s.path("snippets/*.conf"))
	for _, name := range snippets {
		edit(t, name, "# brotli_static on;", "brotli_static on;")
	}
	return layNginx(t, s)
}

// apacheMain is what a distribution has around a site. %s are the folder for
// what the server writes, and the site.
const apacheMain = `
ServerRoot /usr/lib/apache2
PidFile "%[1]s/apache.pid"
ErrorLog "%[1]s/error.log"
User www-data
Group www-data
LoadModule mpm_event_module modules/mod_mpm_event.so
LoadModule authz_core_module modules/mod_authz_core.so
LoadModule alias_module modules/mod_alias.so
LoadModule autoindex_module modules/mod_autoindex.so
LoadModule deflate_module modules/mod_deflate.so
LoadModule dir_module modules/mod_dir.so
LoadModule filter_module modules/mod_filter.so
LoadModule headers_module modules/mod_headers.so
LoadModule mime_module modules/mod_mime.so
LoadModule rewrite_module modules/mod_rewrite.so
TypesConfig /etc/mime.types
AddType application/x-gzip .gz .tgz
AddLanguage br .br
AddOutputFilterByType DEFLATE text/html
<Directory />
  Options FollowSymLinks
  AllowOverride None
  Require all denied
</Directory>
<FilesMatch "^\.ht">
  Require all denied
</FilesMatch>
%[2]s
`

// layApache includes the virtual host.
func layApache(t *testing.T, s *served) (check, serve []string) {
	hosts, _ := filepath.Glob(s.path("sivu*.conf"))
	return layApacheSite(t, s, "Include \""+hosts[0]+"\"")
}

// layHtaccess serves the folder of the snapshot as somebody's server would.
func layHtaccess(t *testing.T, s *served) (check, serve []string) {
	alias := ""
	if prefix := s.config.Prefix(); prefix != "" {
		alias = "Alias " + prefix + " \"" + s.root + "\""
	}
	return layApacheSite(t, s, fmt.Sprintf(`
ServerName somebody.example
ServerTokens Prod
Listen %s
DocumentRoot "%[2]s"
%[3]s
<Directory "%[2]s">
  Options Indexes FollowSymLinks
  AllowOverride FileInfo
  Require all granted
</Directory>`, s.config.Listen, s.root, alias))
}

func layApacheSite(t *testing.T, s *served, site string) (check, serve []string) {
	main := s.path("apache2.conf")
	writePublic(t, main, fmt.Sprintf(apacheMain, s.dir, site))
	return []string{"-t", "-f", main}, []string{"-D", "FOREGROUND", "-f", main}
}

// layCaddy runs the Caddyfile, without the port that Caddy itself is
// configured at: several tests may run here.
func layCaddy(t *testing.T, s *served) (check, serve []string) {
	name := s.path("Caddyfile")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	writePublic(t, name, fmt.Sprintf("{\n\tadmin off\n\tauto_https off\n}\n%s", text))
	file := []string{"--config", name, "--adapter", "caddyfile"}
	return append([]string{"validate"}, file...), append([]string{"run"}, file...)
}

// layVarnish runs Varnish in front of the plain file server.
func layVarnish(t *testing.T, s *served) (check, serve []string) {
	work := s.path("work")
	if err := os.MkdirAll(work, 0o755); err != nil {
		t.Fatal(err)
	}
	file := []string{"-f", s.path("sivu.vcl"), "-n", work}
	return append([]string{"-C"}, file...),
		append([]string{"-F", "-a", s.config.Listen, "-s", "malloc,64m", "-T", "none"}, file...)
}

func layLighttpd(t *testing.T, s *served) (check, serve []string) {
	file := []string{"-f", s.path("lighttpd.conf")}
	return append([]string{"-tt"}, file...), append([]string{"-D"}, file...)
}

// debianLighttpd are the lines of Debian's lighttpd.conf that say how addresses
// are read and what is served.
const debianLighttpd = `
server.modules = ( "mod_indexfile", "mod_access", "mod_alias", "mod_redirect" )
server.document-root = "/var/www/html"
server.feature-flags += ("server.h2proto" => "enable")
server.feature-flags += ("server.h2c" => "enable")
server.http-parseopts = (
  "header-strict"           => "enable",
  "host-strict"             => "enable",
  "host-normalize"          => "enable",
  "url-normalize-unreserved"=> "enable",
  "url-normalize-required"  => "enable",
  "url-ctrls-reject"        => "enable",
  "url-path-2f-decode"      => "enable",
  "url-path-dotseg-remove"  => "enable",
)
index-file.names = ( "index.php", "index.html" )
url.access-deny = ( "~", ".inc" )
static-file.exclude-extensions = ( ".php", ".pl", ".fcgi" )
%s
include "%s"
server.modules += ( "mod_dirlisting", "mod_staticfile" )
`

// layLighttpdDebian includes the snippet where Debian includes it.
func layLighttpdDebian(t *testing.T, s *served) (check, serve []string) {
	snippets, _ := filepath.Glob(s.path("conf-available/*.conf"))
	host, port, err := net.SplitHostPort(s.config.Listen)
	if err != nil {
		t.Fatal(err)
	}
	listen := fmt.Sprintf("server.bind = %q\nserver.port = %s", host, port)
	main := s.path("debian.conf")
	writePublic(t, main, fmt.Sprintf(debianLighttpd, listen, snippets[0]))
	return []string{"-tt", "-f", main}, []string{"-D", "-f", main}
}
