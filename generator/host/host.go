// Package host knows the ways to serve a snapshot: what each can keep of the
// contract, its configuration, its limits, and how files get there.
package host

import "net/url"

// Level is how much of the contract a host can keep.
type Level string

// The levels, from the fullest.
const (
	Full     Level = "full contract"                 // every sentence
	Routing  Level = "routing, some headers missing" // every address answers
	Walkable Level = "walkable"                      // links that name files lead everywhere
)

// Host is one way to serve a snapshot. A new one is one new file and one line
// in Hosts.
type Host struct {
	Name   string // on the command line
	Title  string // as its maker calls it
	Level  Level
	Styles []string    // link styles that work, the default first
	Cannot []Exception // the documented exceptions
	Limits Limits

	Codings []string // precompressed siblings that it serves: gz, br, zst
	Auto    []string // those of them that it sends without further ado; nil: all
	Edge    bool     // its code can make the api variants: half the files
	Uses    []string // flags of sivu host that say something here: root, listen, origin
	Tried   string   // how the configuration was tried, for people

	// InRoot returns the files that lie in the snapshot itself. nil: none.
	InRoot func(c *Config) ([]File, error)
	// Configure returns the files beside it, and where each goes. nil: none.
	Configure func(c *Config) ([]File, error)
	// Upload returns the files that bring a snapshot there: a script, or
	// samples for CI. nil: none.
	Upload func(c *Config) ([]File, error)
}

// Exception is one rule of verify that a host cannot keep.
type Exception struct {
	Rule string // name of a verify.Rule
	Why  string
}

// Limits are what a host takes; 0 is no limit that matters.
type Limits struct {
	Files     int    // in all
	FileBytes int64  // of one file
	Bytes     int64  // in all
	InFolder  int    // entries in one folder
	Source    string // where the maker says so, and for which plan
}

// Config is what a configuration is made for.
type Config struct {
	Base      *url.URL // the base address; its path is the prefix, without a slash at its end
	Root      string   // folder of the snapshot on the server
	Listen    string   // address that a server listens on: "host:port", ":port" or a port; "" chooses
	Origin    string   // "host:port" of the plain file server that a cache fetches from; "" chooses
	Links     string   // link style
	Edge      bool     // the api variants are made by the host
	ListPages int      // of the snapshot; 0 where it is not known
}

// Prefix returns the path of the base address: "" or "/v1".
func (c *Config) Prefix() string { return c.Base.EscapedPath() }

// File is one file of a configuration.
type File struct {
	Name  string // slash-separated, below the folder that is asked for
	Data  []byte
	Mode  uint32 // 0 is 0644
	Where string // where it goes, for people
}

// AutoCodings returns the siblings that are of use with the configuration as it is
// written.
func (h *Host) AutoCodings() []string {
	if h.Auto != nil {
		return h.Auto
	}
	return h.Codings
}

// Hosts are all hosts, the fullest level first.
var Hosts = []*Host{
	nginx,
	apache,
	caddy,
	varnish,
	fastly,
	cloudflarePages,
	cloudflareWorkers,
	cloudfront,
	vercel,
	netlify,

	lighttpd,
	netlifyRedirects,
	vercelRewrites,

	firebase,
	azure,
	s3Website,
	s3Compatible,
	githubPages,
	gitlabPages,
	fileServer,
}

// Named returns the host of that name.
func Named(name string) (*Host, bool) {
	for _, h := range Hosts {
		if h.Name == name {
			return h, true
		}
	}
	return nil, false
}
