// Package host describes the hosts that can serve a snapshot: the rules of the
// contract that each keeps, its limits, and the files that configure it and upload
// a snapshot to it.
package host

import (
	"slices"

	"example.org/sivu/generator/baseurl"
)

// Level is how much of the contract a host can keep.
type Level string

// The levels, from the fullest.
const (
	Full     Level = "full contract"                 // every sentence
	Routing  Level = "routing, some headers missing" // every address answers
	Walkable Level = "walkable"                      // links that name files lead everywhere
)

// Host is one way to serve a snapshot. A new one is one new file, its templates,
// and one line in [Hosts].
type Host struct {
	Name   string // on the command line
	Title  string // as its maker calls it
	Level  Level
	Cannot []Exception // the documented exceptions
	Limits Limits

	Codings          []string // precompressed variants that it serves: gz, br, zst
	DefaultEncodings []string // those of them that its configuration has switched on; nil: all
	Edge             bool     // its code can make the api variants: half the files
	Flags            []string // flags of sivu host that it uses: root, listen, origin
	TestedWith       string   // how the configuration was tested, for people

	InRoot    []Part // files that lie in the snapshot itself
	Configure []Part // files beside it
	Deploy    Deploy // how a snapshot gets there

	quoting   *quoting              // of a server that reads the files
	checkRoot func(c *Config) error // returns why InRoot cannot be written
}

// Exception is one rule of verify that a host cannot keep.
type Exception struct {
	Rule string `json:"rule"` // name of a verify.Rule
	Why  string `json:"why"`
}

// Limits are the limits of a host; 0 is no limit that matters.
type Limits struct {
	Files     int    `json:"files,omitempty"`      // in all
	FileBytes int64  `json:"file_bytes,omitempty"` // of one file
	Bytes     int64  `json:"bytes,omitempty"`      // in all
	InFolder  int    `json:"in_folder,omitempty"`  // entries in one folder
	Source    string `json:"source,omitempty"`     // where the maker says so, and for which plan
}

// Config has the settings of a configuration for a host.
type Config struct {
	Base      baseurl.URL
	Root      string // folder of the snapshot on the server
	Listen    string // address that a server listens on: "host:port", ":port" or a port; "" chooses
	Origin    string // "host:port" of the plain file server that a cache fetches from; "" chooses
	Links     string // link style; "" is the host's default
	Edge      bool   // the api variants are made by the host
	ListPages int    // of the snapshot; 0 where it is not known
}

// Prefix returns the path of the base address: "" or "/v1". Templates are given it only
// where it is a safe word in every language.
func (c *Config) Prefix() string { return c.Base.Prefix }

// File is one file of a configuration.
type File struct {
	Name  string // slash-separated, below the output folder
	Data  []byte
	Mode  uint32 // 0 is 0644
	Where string // where it goes, for people
}

// Styles returns the link styles that work, the default first: those that name files, and
// on hosts that look at the query the contract's own.
func (h *Host) Styles() []string {
	if h.Level == Walkable {
		return []string{"file+query", "file"}
	}
	return []string{"query", "file+query", "file"}
}

// AutoCodings returns the precompressed variants that the configuration uses as
// it is written.
func (h *Host) AutoCodings() []string {
	if h.DefaultEncodings != nil {
		return h.DefaultEncodings
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
	i := slices.IndexFunc(Hosts, func(h *Host) bool { return h.Name == name })
	if i < 0 {
		return nil, false
	}
	return Hosts[i], true
}
