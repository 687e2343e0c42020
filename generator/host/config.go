package host

import (
	"fmt"
	"net"
	"path"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"example.org/sivu/generator/api"
)

// What a configuration is made for where the [Config] does not say.
const (
	defaultRoot   = "/var/www/sivu"
	defaultPort   = 80
	defaultOrigin = "127.0.0.1:8080"

	defaultTLSPort = 443 // TLS is added by hand
)

// server is what the templates of real servers are filled with: a configuration
// whose every value was found to be what it should be, in forms that can be put
// into a configuration language without more ado.
type server struct {
	BaseURL    string // for comments and redirects
	Site       string // BaseURL without its path
	Name       string // of the base address: "api.example.fi" or "[::1]"
	Prefix     string // "" or "/v1"; a safe word in every language
	Pattern    string // Prefix as a regular expression
	Tag        string // Prefix as part of an identifier: "" or "_v1"
	Root       string // quoted for the language, as the three below it
	Pages      string
	NotFound   string
	BadMethod  string
	Listen     endpoint
	Origin     endpoint
	OriginName string // as in the Host header
	Cache      string
	ErrorCache string

	rawRoot string
}

// endpoint is a place to listen at or to fetch from.
type endpoint struct {
	Host  string // a name, an address or ""; IPv6 without brackets
	Port  int
	Given bool // the configuration says so, it was not chosen
}

// Address returns the endpoint as in a URL: "127.0.0.1:80", "[::1]:80" or ":80".
func (e endpoint) Address() string { return net.JoinHostPort(e.Host, strconv.Itoa(e.Port)) }

// URL returns how a client on the same machine reaches the endpoint.
func (e endpoint) URL() string {
	if e.Host == "" {
		e.Host = "127.0.0.1"
	}
	return "http://" + e.Address() + "/"
}

// Bracketed returns the host as in a URL, with brackets around IPv6.
func (e endpoint) Bracketed() string {
	if strings.Contains(e.Host, ":") {
		return "[" + e.Host + "]"
	}
	return e.Host
}

// Key is the name of all answers of the service in a cache.
func (s *server) Key() string { return "sivu" + s.Tag }

// ListenIP reports whether the server listens at an address of its own.
func (s *server) ListenIP() bool { return net.ParseIP(s.Listen.Host) != nil }

// quoter returns a path as one word of a configuration language. Where that
// cannot be done it returns what stands in the way, as in "a dollar sign".
type quoter func(path string) (quoted, obstacle string)

// newServer checks a configuration. Its errors are of type [*Refusal]. A nil
// quoter leaves the root out, for what does not read files.
func newServer(c *Config, program string, quote quoter) (*server, error) {
	s := &server{Cache: cacheMinute, ErrorCache: cacheError}
	for _, check := range []func(*Config) error{s.setBase, s.setListen, s.setOrigin, s.setRoot} {
		if err := check(c); err != nil {
			return nil, err
		}
	}
	if quote == nil {
		return s, nil
	}
	root, obstacle := quote(s.rawRoot)
	if obstacle != "" {
		return nil, &Refusal{
			fmt.Sprintf("the root %q has %s, which the configuration of %s cannot hold", s.rawRoot, obstacle, program),
			"serve the snapshot from a folder with a plain name, such as " + defaultRoot,
		}
	}
	s.Root = root
	s.Pages, _ = quote(s.rawRoot + "/pages/")
	s.NotFound, _ = quote(s.rawRoot + "/" + api.NotFoundFile)
	s.BadMethod, _ = quote(s.rawRoot + "/" + api.MethodNotAllowedFile)
	return s, nil
}

// wordPrefix is a path of unreserved characters (RFC 3986, 2.3). Servers compare
// paths before or after they decode them, each in its own way; of these
// characters all think alike, and no language gives them a meaning.
var (
	wordPrefix = regexp.MustCompile(`^(?:/[A-Za-z0-9._~-]+)*$`)
	hostName   = regexp.MustCompile(`^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$`)
	notWord    = regexp.MustCompile(`[^A-Za-z0-9]`)
)

func (s *server) setBase(c *Config) error {
	if c.Base == nil || (c.Base.Scheme != "http" && c.Base.Scheme != "https") || c.Base.Host == "" {
		return &Refusal{"there is no base address", "give --base-url, such as https://api.example.fi/v1"}
	}
	if c.Base.User != nil || c.Base.RawQuery != "" || c.Base.ForceQuery || c.Base.Fragment != "" {
		return &Refusal{
			fmt.Sprintf("the base address %q has user info, a query or a fragment", c.Base.Redacted()),
			"give scheme, host and path alone, such as https://api.example.fi/v1",
		}
	}
	if name := c.Base.Hostname(); !hostName.MatchString(name) && net.ParseIP(name) == nil {
		return &Refusal{
			fmt.Sprintf("the host %q of the base address is neither a name in ASCII nor an address", name),
			"write a name of other letters as it is in the DNS, such as xn--sivu-loa.example",
		}
	}
	s.Prefix = c.Prefix()
	if !wordPrefix.MatchString(s.Prefix) || path.Clean("/"+s.Prefix) != "/"+strings.TrimPrefix(s.Prefix, "/") {
		return &Refusal{
			fmt.Sprintf("the path %q of the base address has more than letters, digits, %q and single slashes", s.Prefix, "-._~"),
			"choose a path that all servers read alike, such as /v1",
		}
	}
	s.BaseURL = c.Base.String()
	s.Site = c.Base.Scheme + "://" + c.Base.Host
	s.Name = endpoint{Host: c.Base.Hostname()}.Bracketed()
	s.Pattern = regexp.QuoteMeta(s.Prefix)
	s.Tag = notWord.ReplaceAllString(s.Prefix, "_")
	return nil
}

// setListen takes the port of the base address where no other one is given.
func (s *server) setListen(c *Config) (err error) {
	otherwise := endpoint{Port: defaultPort}
	if port, err := strconv.ParseUint(c.Base.Port(), 10, 16); err == nil && port > 0 && (c.Base.Scheme == "http" || port != defaultTLSPort) {
		otherwise.Port = int(port)
	}
	s.Listen, err = parseEndpoint(c.Listen, otherwise, "listen address", "--listen", "127.0.0.1:8080")
	return err
}

func (s *server) setOrigin(c *Config) (err error) {
	origin := c.Origin
	if origin == "" {
		origin = defaultOrigin
	}
	s.Origin, err = parseEndpoint(origin, endpoint{}, "origin", "--origin", defaultOrigin)
	s.OriginName = s.Origin.Bracketed()
	if s.Origin.Port != defaultPort {
		s.OriginName = s.Origin.Address()
	}
	if err == nil && s.Origin.Host == "" {
		err = &Refusal{fmt.Sprintf("the origin %q names no host", origin), "give host and port, such as " + defaultOrigin}
	}
	return err
}

// parseEndpoint reads "host:port", ":port" or a port alone.
func parseEndpoint(text string, otherwise endpoint, what, flag, example string) (endpoint, error) {
	if text == "" {
		return otherwise, nil
	}
	whole := text
	if !strings.Contains(text, ":") {
		whole = ":" + text
	}
	refusal := func(problem string) error {
		return &Refusal{fmt.Sprintf("the %s %q %s", what, text, problem), fmt.Sprintf("give %s host and port, such as %s", flag, example)}
	}
	name, digits, err := net.SplitHostPort(whole)
	if err != nil {
		return endpoint{}, refusal("is not a host and a port")
	}
	port, err := strconv.ParseUint(digits, 10, 16)
	if err != nil || port == 0 {
		return endpoint{}, refusal("has no port from 1 to 65535")
	}
	if name != "" && !hostName.MatchString(name) && net.ParseIP(name) == nil {
		return endpoint{}, refusal("has a host that is neither a name nor an address")
	}
	return endpoint{name, int(port), true}, nil
}

func (s *server) setRoot(c *Config) error {
	root := c.Root
	if root == "" {
		root = defaultRoot
	}
	refusal := func(problem, hint string) error {
		return &Refusal{fmt.Sprintf("the root %q %s", root, problem), hint}
	}
	switch {
	case !utf8.ValidString(root):
		return refusal("is not valid UTF-8", "serve the snapshot from a folder with a plain name, such as "+defaultRoot)
	case strings.ContainsFunc(root, func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }):
		return refusal("has a line break or another control character", "serve the snapshot from a folder with a plain name, such as "+defaultRoot)
	case !strings.HasPrefix(root, "/"):
		return refusal("is not an absolute path", "give the folder of the snapshot as the server sees it, such as "+defaultRoot)
	case path.Clean(root) == "/":
		return refusal("is the whole file system", "give the folder of the snapshot, such as "+defaultRoot)
	}
	s.rawRoot = path.Clean(root)
	return nil
}

// escaped puts a backslash before each of the given characters.
func escaped(s, characters string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune(characters, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// obstacles are names of characters, for messages.
var obstacles = map[rune]string{
	'$': "a dollar sign", '"': "a quotation mark", '\\': "a backslash", '{': "a brace", '}': "a brace",
	'*': "an asterisk", '?': "a question mark", '[': "a bracket", ']': "a bracket", '`': "a backquote", '%': "a percent sign",
}

// obstacle returns the name of the first of the given characters that a text has.
func obstacle(s, characters string) string {
	if i := strings.IndexAny(s, characters); i >= 0 {
		r, _ := utf8.DecodeRuneInString(s[i:])
		return obstacles[r]
	}
	return ""
}
