package source

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"example.org/sivu/generator/diag"
)

// follow returns what a symlink to a file leads to. It reports one that leads
// anywhere else, and then returns nil.
func (w *listedFolder) follow(full string) fs.FileInfo {
	at := diag.Position{File: full}
	const hint = "put the file itself in its place, or name the symlink under \"exclude\" in site.yaml"
	if leaves(w.fsys, full) {
		w.report(ruleFileKind.At(at, "the symlink leaves the content folder").WithHint(hint))
		return nil
	}
	info, err := fs.Stat(w.fsys, full)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		w.report(ruleFileKind.At(at, "the symlink leads to nothing").WithHint(hint))
	case err != nil:
		w.report(ruleFileKind.At(at, "the symlink cannot be followed: %s", diag.Clean(cause(err).Error())).WithHint(hint))
	case info.IsDir():
		w.report(ruleFileKind.At(at, "the symlink leads to a folder; folders are not followed").
			WithHint("put the folder itself in its place, or name the symlink under \"exclude\" in site.yaml"))
	default:
		return info
	}
	return nil
}

// maxSymlinks is how many symlinks may lead from one to the next.
const maxSymlinks = 40

// leaves reports whether the names that a symlink leads through show that it
// leaves the file system. What it cannot tell is left to the file system,
// which lets nothing out.
func leaves(fsys fs.FS, name string) bool {
	for range maxSymlinks {
		target, err := fs.ReadLink(fsys, name)
		if err != nil {
			return false
		}
		if filepath.IsAbs(target) || path.IsAbs(target) {
			return true
		}
		name = path.Join(path.Dir(name), filepath.ToSlash(target))
		if name == ".." || strings.HasPrefix(name, "../") {
			return true
		}
	}
	return false
}

// kindOfFile names what is neither a file nor a symlink.
func kindOfFile(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeNamedPipe != 0:
		return "a FIFO"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "a special file"
}
