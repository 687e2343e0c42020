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
// symlinks that lead there. A full path of it is spelled in one way only, as
// events name it: below the content folder as the caller named that, elsewhere
// free of symlinks in the folders on the way.
type symlinks struct {
	content string              // as the caller named it, clean
	real    string              // the same folder, free of symlinks
	site    string              // the file with the settings
	from    map[string][]string // by full path: the paths that are told
}

// newSymlinks looks at the content folder as it is now.
func newSymlinks(content, siteFile string) symlinks {
	s := symlinks{content: content, real: content, from: map[string][]string{}}
	if whole, err := filepath.Abs(content); err == nil {
		s.real = whole
	}
	if real, err := filepath.EvalSymlinks(s.real); err == nil {
		s.real = real
	}
	s.site = filepath.Join(content, "site.yaml")
	if siteFile != "" {
		s.site = s.oneName(siteFile)
	}
	s.followSite()
	return s
}

// oneName spells the path of a file in the one way. The file may be a symlink.
func (s *symlinks) oneName(file string) string {
	whole, err := filepath.Abs(file)
	if err != nil {
		return filepath.Clean(file)
	}
	places := s.way(filepath.Dir(whole))
	return filepath.Join(places[len(places)-1], filepath.Base(whole))
}

// followSite learns where the settings lie: a change of any symlink on the way
// there is one of the settings.
func (s *symlinks) followSite() {
	for full, told := range s.from {
		s.from[full] = slices.DeleteFunc(told, func(path string) bool { return path == SitePath })
		if len(s.from[full]) == 0 {
			delete(s.from, full)
		}
	}
	s.add(s.site, SitePath)
	for _, place := range s.way(s.absolute(s.site)) {
		s.add(place, SitePath)
	}
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
	places := s.way(s.absolute(link))
	if slices.ContainsFunc(places, func(place string) bool { return s.relative(place) == "" }) {
		return
	}
	for _, place := range places {
		if place != link {
			s.add(place, told)
		}
	}
}

// followAgain learns anew where those lead that lead through a place.
func (s *symlinks) followAgain(place string) {
	for _, told := range slices.Clone(s.from[place]) {
		if told == SitePath {
			s.followSite()
		} else {
			s.follow(filepath.Join(s.content, filepath.FromSlash(told)))
		}
	}
}

// way returns the places that an absolute path leads through: the symlinks on
// the way, in any of its folders too, and in the end the file or where it would
// be.
func (s *symlinks) way(full string) []string {
	var places []string
	done, rest := splitRoot(full)
	if below, ok := below(full, s.real); ok { // which needs no looking at
		done, rest = s.real, splitPath(below)
	}
	for hops := 0; len(rest) > 0; {
		next := filepath.Join(done, rest[0])
		rest = rest[1:]
		target, err := os.Readlink(next)
		if err != nil || hops == maxHops {
			done = next
			continue
		}
		hops++
		places = append(places, s.named(next))
		onward := splitPath(target)
		if filepath.IsAbs(target) {
			done, onward = splitRoot(target)
		}
		rest = slices.Concat(onward, rest)
	}
	return append(places, s.named(done))
}

// splitRoot splits an absolute path into its root and the names below it.
func splitRoot(full string) (root string, names []string) {
	volume := filepath.VolumeName(full)
	return volume + string(filepath.Separator), splitPath(full[len(volume):])
}

func splitPath(path string) []string {
	return slices.DeleteFunc(strings.Split(filepath.Clean(path), string(filepath.Separator)), func(name string) bool { return name == "" || name == "." })
}

// below returns the path of a file below a folder.
func below(full, folder string) (string, bool) {
	return strings.CutPrefix(full, strings.TrimSuffix(folder, string(filepath.Separator))+string(filepath.Separator))
}

// named spells a path that is free of symlinks as events name it.
func (s *symlinks) named(full string) string {
	if full == s.real {
		return s.content
	}
	if path, ok := below(full, s.real); ok {
		return filepath.Join(s.content, path)
	}
	return full
}

// absolute is the inverse of named.
func (s *symlinks) absolute(full string) string {
	if path := s.relative(full); path != "" {
		return filepath.Join(s.real, filepath.FromSlash(path))
	}
	return full
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
	path, ok := below(full, s.content)
	if !ok {
		return ""
	}
	return filepath.ToSlash(path)
}
