package host

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"net"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"example.org/sivu/generator/api"
)

// The defaults of a [Config].
const (
	defaultRoot   = "/var/www/sivu"
	defaultPort   = 80
	defaultOrigin = "127.0.0.1:8080"

	defaultTLSPort = 443 // TLS is added by hand
)

// values are the data of all templates. Every value that goes into a
// configuration language was checked, and is in a form that needs no escapes.
type values struct {
	Config
	Deploy
	Host *Host

	BaseURL    string // for comments and redirects
	Site       string // BaseURL without its path
	ServerName string // of the base address: "api.example.fi" or "[::1]"
	Pattern    string // Prefix as a regular expression
	Tag        string // Prefix as part of an identifier: "" or "_v1"
	Root       string // quoted for the language, as the three below it
	PagesDir   string
	NotFound   string
	BadMethod  string
	Listen     endpoint
	Origin     endpoint
	OriginName string // as in the Host header
	ErrorCache string
	Folder     string // of the snapshot in the site, with a slash before it
}

// endpoint is an address to listen at or to fetch from.
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

// quoting is how a configuration language writes a path: in quotation marks, with a
// backslash before some characters. Others it cannot hold.
type quoting struct{ escaped, cannot string }

// quote returns a path as one word of the language.
func (q *quoting) quote(path string) string {
	b := []byte{'"'}
	for i := range len(path) {
		if strings.IndexByte(q.escaped, path[i]) >= 0 {
			b = append(b, '\\')
		}
		b = append(b, path[i])
	}
	return string(append(b, '"'))
}

// values checks a configuration for the host. Its errors are of type [*Refusal].
func (h *Host) values(c *Config) (*values, error) {
	v := &values{Config: *c, Deploy: h.Deploy, Host: h, ErrorCache: cacheError}
	v.Links = cmp.Or(c.Links, h.Styles()[0])
	for _, set := range []func(*Config) error{v.setBase, v.setListen, v.setOrigin, v.setRoot} {
		if err := set(c); err != nil {
			return nil, err
		}
	}
	if h.Deploy.Mount != nil {
		v.Folder = h.Deploy.Mount(c)
	}
	return v, nil
}

// ListenIP reports whether the server listens at an address of its own.
func (v *values) ListenIP() bool { return net.ParseIP(v.Listen.Host) != nil }

// ResourceName returns a name for the resources of the site in a maker's account.
// Two sites have two names, however much their addresses look alike, and with the
// longest ending that is put behind it a name keeps to 64 characters.
func (v *values) ResourceName() string {
	const most, ofHash = 32, 4
	words := strings.Trim(notWord.ReplaceAllString(v.Base.Host()+v.Prefix(), "-"), "-")
	hash := sha256.Sum256([]byte(v.BaseURL))
	return fmt.Sprintf("sivu-%s-%x", words[:min(len(words), most)], hash[:ofHash])
}

// Link returns a pattern of grep -E for the address in the field next of the first
// list page, where there is one, or in the field url of its records.
func (v *values) Link(field string) string {
	style, _ := api.StyleNamed(v.Links)
	links := api.Links{Base: v.BaseURL, Style: style}
	if field == "next" {
		return regexp.QuoteMeta(string(links.AppendList(nil, 2, api.Plain)))
	}
	record := regexp.QuoteMeta(string(links.AppendRecord(nil, uuid.Nil, api.Plain)))
	return strings.Replace(record, uuid.Nil.String(), "[0-9a-f-]{36}", 1)
}

// Drops returns the endings of precompressed variants that the host does not send.
func (v *values) Drops() []string {
	return slices.DeleteFunc([]string{"gz", "br", "zst"}, func(coding string) bool { return slices.Contains(v.Host.Codings, coding) })
}

// wordPrefix matches a path of unreserved characters (RFC 3986, 2.3). Servers
// compare paths before or after they decode them, each in its own way, but agree on
// these characters, and no configuration language gives them a meaning.
var (
	wordPrefix = regexp.MustCompile(`^(?:/[A-Za-z0-9._~-]+)*$`)
	hostName   = regexp.MustCompile(`^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$`)
	notWord    = regexp.MustCompile(`[^A-Za-z0-9]`)
)

func (v *values) setBase(c *Config) error {
	if c.Base.IsZero() {
		return &Refusal{"there is no base address", "give --base-url, such as https://api.example.fi/v1"}
	}
	if !wordPrefix.MatchString(c.Prefix()) {
		return &Refusal{
			fmt.Sprintf("the path %q of the base address has more than letters, digits, %q and single slashes", c.Prefix(), "-._~"),
			"choose a path that all servers read alike, such as /v1",
		}
	}
	v.BaseURL, v.Site = c.Base.String(), c.Base.Origin()
	v.ServerName = endpoint{Host: c.Base.Hostname}.Bracketed()
	v.Pattern = regexp.QuoteMeta(c.Prefix())
	v.Tag = notWord.ReplaceAllString(c.Prefix(), "_")
	return nil
}

// setListen sets the address to listen on; by default the port of the base address.
func (v *values) setListen(c *Config) (err error) {
	otherwise := endpoint{Port: defaultPort}
	if port, err := strconv.ParseUint(c.Base.Port, 10, 16); err == nil && port > 0 && (c.Base.Scheme == "http" || port != defaultTLSPort) {
		otherwise.Port = int(port)
	}
	v.Listen, err = parseEndpoint(c.Listen, otherwise, "listen address", "--listen", "127.0.0.1:8080")
	return err
}

func (v *values) setOrigin(c *Config) (err error) {
	origin := cmp.Or(c.Origin, defaultOrigin)
	v.Origin, err = parseEndpoint(origin, endpoint{}, "origin", "--origin", defaultOrigin)
	v.OriginName = v.Origin.Bracketed()
	if v.Origin.Port != defaultPort {
		v.OriginName = v.Origin.Address()
	}
	if err == nil && v.Origin.Host == "" {
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

func (v *values) setRoot(c *Config) error {
	const plainName = "serve the snapshot from a folder with a plain name, such as " + defaultRoot
	root := cmp.Or(c.Root, defaultRoot)
	refusal := func(problem, hint string) error {
		return &Refusal{fmt.Sprintf("the root %q %s", root, problem), hint}
	}
	switch {
	case !utf8.ValidString(root):
		return refusal("is not valid UTF-8", plainName)
	case strings.ContainsFunc(root, func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }):
		return refusal("has a line break or another control character", plainName)
	case !strings.HasPrefix(root, "/"):
		return refusal("is not an absolute path", "give the folder of the snapshot as the server sees it, such as "+defaultRoot)
	case path.Clean(root) == "/":
		return refusal("is the whole file system", "give the folder of the snapshot, such as "+defaultRoot)
	}
	q := v.Host.quoting
	if q == nil {
		return nil
	}
	root = path.Clean(root)
	if i := strings.IndexAny(root, q.cannot); i >= 0 {
		return refusal("has "+obstacles[root[i]]+", which the configuration of "+v.Host.Title+" cannot hold", plainName)
	}
	v.Root = q.quote(root)
	v.PagesDir = q.quote(root + "/" + api.Folder + "/")
	v.NotFound = q.quote(root + "/" + api.NotFoundFile)
	v.BadMethod = q.quote(root + "/" + api.MethodNotAllowedFile)
	return nil
}

// obstacles are names of characters, for messages.
var obstacles = map[byte]string{
	'$': "a dollar sign", '"': "a quotation mark", '\\': "a backslash", '{': "a brace", '}': "a brace",
	'*': "an asterisk", '?': "a question mark", '[': "a bracket", ']': "a bracket", '`': "a backquote", '%': "a percent sign",
}
