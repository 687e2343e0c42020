//go:build darwin || freebsd || netbsd

package source

import (
	"io/fs"
	"syscall"
)

// changeTime is documented for Linux.
func changeTime(info fs.FileInfo) int64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return stat.Ctimespec.Nano() / 1000
	}
	return 0
}
