package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"example.org/sivu/generator"
)

// checkApart keeps what a build writes beside the snapshot out of the content
// folder, and out of the output folder, from where it would be published. name is
// one that resolve returned.
func checkApart(name string, options *generator.Options) error {
	for _, folder := range []struct{ what, name string }{
		{"content", options.Content}, {"output", options.Out},
	} {
		if folder.name == "" {
			continue // there is none: the build writes an archive
		}
		real, err := resolve(folder.name)
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

// resolve returns the absolute name of a file or folder, with symlinks followed.
// The end of it need not be there.
func resolve(name string) (string, error) {
	full, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	for rest := ""; ; {
		real, err := filepath.EvalSymlinks(full)
		if err == nil {
			return filepath.Join(real, rest), nil
		}
		parent := filepath.Dir(full)
		if !errors.Is(err, fs.ErrNotExist) || parent == full {
			return "", err
		}
		full, rest = parent, filepath.Join(filepath.Base(full), rest)
	}
}
