package preview

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// maxHops is how many symlinks may lead from one to the next.
const maxHops = 40

// symlinks knows what else is told when a file changes: the settings, and
// symlinks that lead there.
type symlinks struct {
	content string
	site    string              // the file with the settings
	from    map[string][]string // by full path: the paths that are told
}

func newSymlinks(content, siteFile string) symlinks {
	s := symlinks{content: content, site: filepath.Join(content, "site.yaml"), from: map[string][]string{}}
	if siteFile != "" {
		s.site = s.underContent(siteFile)
	}
	s.add(s.site, SitePath)
	s.followSite()
	return s
}

// followSite learns where the settings lie, if they are a symlink.
func (s *symlinks) followSite() {
	for _, hop := range s.hops(s.site) {
		s.add(hop, SitePath)
	}
}

// underContent spells a file that lies in the content folder as events do, which
// may name that folder by another path.
func (s *symlinks) underContent(file string) string {
	file = filepath.Clean(file)
	content, err := filepath.Abs(s.content)
	if err != nil {
		return file
	}
	whole, err := filepath.Abs(file)
	if err != nil {
		return file
	}
	if below, ok := strings.CutPrefix(whole, content+string(filepath.Separator)); ok {
		return filepath.Join(s.content, below)
	}
	return file
}

func (s *symlinks) add(full, told string) {
	if !slices.Contains(s.from[full], told) {
		s.from[full] = append(s.from[full], told)
	}
}

// follow learns where a symlink to a page leads. Those that leave the content
// folder, and to folders, are problems of the page; they are not followed.
func (s *symlinks) follow(link string) {
	told := s.relative(link)
	if info, err := os.Stat(link); told == "" || err == nil && info.IsDir() {
		return
	}
	hops := s.hops(link)
	if slices.ContainsFunc(hops, func(hop string) bool { return s.relative(hop) == "" }) {
		return
	}
	for _, hop := range hops {
		s.add(hop, told)
	}
}

// hops returns the paths that a symlink leads through, one after the other.
func (s *symlinks) hops(link string) []string {
	var hops []string
	for range maxHops {
		target, err := os.Readlink(link)
		if err != nil {
			break
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(link), target)
		}
		link = filepath.Clean(target)
		hops = append(hops, link)
	}
	return hops
}

// to returns the paths that are told when a file changes, beside its own.
func (s *symlinks) to(full string) []string { return s.from[full] }

// isSite reports whether a file is that with the settings.
func (s *symlinks) isSite(full string) bool { return full == s.site }

// folders returns the folders in which a change matters.
func (s *symlinks) folders() []string {
	all := map[string]struct{}{}
	for full := range s.from {
		all[filepath.Dir(full)] = struct{}{}
	}
	return slices.Collect(maps.Keys(all))
}

// relative returns a path below the content folder, or "".
func (s *symlinks) relative(full string) string {
	if s.content == "." {
		if filepath.IsAbs(full) || full == ".." || strings.HasPrefix(full, ".."+string(filepath.Separator)) {
			return ""
		}
		return filepath.ToSlash(full)
	}
	below, ok := strings.CutPrefix(full, s.content+string(filepath.Separator))
	if !ok {
		return ""
	}
	return filepath.ToSlash(below)
}
