package source

import (
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// readBeneath reads a regular file below an open folder into a buffer, with few
// system calls: an [os.File] would register with the poller, for nothing. It reports
// false where anything is in the way: whoever opens the file then gets the reason.
func readBeneath(folder *os.File, name string, buffer []byte) (raw []byte, ok bool) {
	fd, err := unix.Openat2(int(folder.Fd()), name, &unix.OpenHow{
		Flags:   unix.O_RDONLY | unix.O_CLOEXEC | unix.O_NONBLOCK, // of a FIFO
		Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_MAGICLINKS,
	})
	if err != nil {
		return buffer, false
	}
	defer unix.Close(fd)
	var stat unix.Stat_t
	if unix.Fstat(fd, &stat) != nil || stat.Mode&unix.S_IFMT != unix.S_IFREG || stat.Size > MaxFileSize {
		return buffer, false
	}
	buffer = withRoom(buffer, stat.Size)
	n, err := unix.Read(fd, buffer[:cap(buffer)])
	return buffer[:max(n, 0)], err == nil && int64(n) == stat.Size
}

// changeTime returns the last change of a file's content or inode (ctime), in
// microseconds since 1970, or 0 where the system has none. Unlike the time of
// modification, it cannot be set.
func changeTime(info fs.FileInfo) int64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return stat.Ctim.Nano() / 1000
	}
	return 0
}
