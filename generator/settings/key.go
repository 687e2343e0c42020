package settings

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"

	"example.org/sivu/generator/baseurl"
)

// Key returns a hash of everything that all pages depend on: the program, the site's
// settings without the severity of rules, and the form of the snapshot. What a
// previous build found can be used again only where its key is the same. It is nil
// where that cannot be told.
func (s *Settings) Key() []byte {
	program := programIdentity()
	if program == nil {
		return nil
	}
	site := *s.Site
	site.Name, site.Rules, site.BaseURL, site.Links = "", nil, baseurl.URL{}, ""
	hostName := ""
	if s.Host != nil {
		hostName = s.Host.Name
	}
	text, err := json.Marshal([]any{
		"sivu build cache 5", program, site, fmt.Sprint(s.Site.Timezone),
		s.API.Base, s.API.Style.Name, hostName, s.Edge, slices.Sorted(slices.Values(s.Precompress)),
	})
	if err != nil {
		return nil
	}
	key := sha256.Sum256(text)
	return key[:]
}

// ContentPath returns the absolute path of the content folder.
func (s *Settings) ContentPath() string {
	path, err := filepath.Abs(s.Content)
	if err != nil {
		return s.Content
	}
	return path
}

// programIdentity tells this program from any other build of it. It is nil where
// that cannot be told.
func programIdentity() []string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return nil
	}
	identity := []string{info.GoVersion, info.Main.Version, info.Main.Sum}
	exact := info.Main.Sum != ""
	for _, setting := range info.Settings {
		switch setting.Key {
		case "vcs.revision":
			identity, exact = append(identity, setting.Value), true
		case "vcs.modified":
			exact = exact && setting.Value == "false"
		}
	}
	if exact {
		return identity
	}
	name, err := os.Executable()
	if err != nil {
		return nil
	}
	stat, err := os.Stat(name)
	if err != nil {
		return nil
	}
	return append(identity, fmt.Sprint(stat.Size(), stat.ModTime().UnixNano()))
}
