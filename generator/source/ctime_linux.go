package source

import (
	"io/fs"
	"syscall"
)

// changeTime returns when a file or what is known of it changed last, in
// microseconds since 1970, or 0 where the system does not tell. Unlike the time of
// modification, nobody can set it.
func changeTime(info fs.FileInfo) int64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return stat.Ctim.Nano() / 1000
	}
	return 0
}
