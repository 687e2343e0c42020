package snapshot

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"
)

// recoverBackup puts back what a commit that was cut off had replaced or
// removed. What it had added below pages stays: it is found by its shape at the
// next commit, for which the empty backup folder is the sign.
func (s *Stage) recoverBackup() error {
	if err := s.removeMarked(); err != nil {
		return problem("recover", markDir, err)
	}
	err := fs.WalkDir(s.root.FS(), backupDir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		to := strings.TrimPrefix(name, backupDir+"/")
		if _, ok := parsePath(to); !ok && to != manifest {
			return nil
		}
		if err := s.root.MkdirAll(path.Dir(to), folderMode); err != nil {
			return err
		}
		return s.root.Rename(name, to)
	})
	if err == nil {
		err = s.root.RemoveAll(backupDir)
	}
	if err == nil {
		err = s.root.Mkdir(backupDir, stateMode)
	}
	if err != nil {
		return problem("recover", backupDir, err)
	}
	return nil
}

// mark keeps a copy of an in-root file that is about to be added. Its path does
// not tell whether it is sivu's, and the manifest may never come to know it.
func (m *mover) mark(k key) error {
	path := k.path()
	if err := m.step("mark", path); err != nil {
		return err
	}
	err := m.stage.root.MkdirAll(markDir, folderMode)
	if err == nil {
		err = copyFile(m.stage.root, stageDir+"/"+path, markDir+"/"+path)
	}
	if err != nil {
		return problem("mark", path, err)
	}
	return nil
}

// removeMarked removes the in-root files that a commit which was cut off had
// added, unless someone wrote to them since.
func (s *Stage) removeMarked() error {
	for _, name := range RootNames {
		marked, err := s.root.ReadFile(markDir + "/" + name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		k, _ := topKey(name)
		if !s.isFile(k) {
			continue
		}
		found, err := s.root.ReadFile(name)
		if err == nil && bytes.Equal(found, marked) {
			err = s.root.Remove(name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// copyFile copies through a name of its own, so that a copy is there whole or
// not at all.
func copyFile(root *os.Root, from, to string) error {
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
	out, err := root.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, fileMode)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	err = errors.Join(err, out.Close(), root.Chmod(part, info.Mode().Perm()), root.Chtimes(part, time.Time{}, info.ModTime()))
	if err != nil {
		return err
	}
	return root.Rename(part, to)
}
