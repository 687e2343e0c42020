package source

import (
	"io/fs"
	"syscall"
)

// changeTime returns the last change of a file's content or inode (ctime), in
// microseconds since 1970, or 0 where the system has none. Unlike the time of
// modification, it cannot be set.
func changeTime(info fs.FileInfo) int64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return stat.Ctim.Nano() / 1000
	}
	return 0
}
