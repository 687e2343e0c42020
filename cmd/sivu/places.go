package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"example.org/sivu/generator"
	"example.org/sivu/generator/fsutil"
)

// checkApart keeps what a build writes beside the snapshot out of the content
// folder, and out of the output folder, from where it would be published. name is
// one that fsutil.Resolve returned.
func checkApart(name string, options *generator.Options) error {
	for _, folder := range []struct{ what, name string }{
		{"content", options.Content}, {"output", options.Out},
	} {
		if folder.name == "" {
			continue // there is none: the build writes an archive
		}
		real, err := fsutil.Resolve(folder.name)
		if err != nil {
			continue // the build says what is wrong with it
		}
		below, err := filepath.Rel(real, name)
		if err == nil && below != ".." && !strings.HasPrefix(below, ".."+string(filepath.Separator)) {
			return fmt.Errorf("it lies in the %s folder; choose another place", folder.what)
		}
	}
	return nil
}
