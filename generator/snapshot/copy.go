package snapshot

import (
	"errors"
	"io"
	"os"
	"time"
)

// copyFile copies through a name of its own, so that a copy is there whole or
// not at all.
func copyFile(root *disk, from, to string) error {
	const part = stateDir + "/stage/copy"
	in, err := root.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := root.create(part, os.O_TRUNC, fileMode)
	if err != nil {
		return err
	}
	_, err = io.Copy(struct{ io.Writer }{out}, in)
	err = errors.Join(err, out.Close(), root.Chmod(part, info.Mode().Perm()), root.root.Chtimes(part, time.Time{}, info.ModTime()))
	if err != nil {
		return err
	}
	return root.Rename(part, to)
}
