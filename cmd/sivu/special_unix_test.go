//go:build unix

package main

import (
	"net"
	"os"
	"syscall"

	"github.com/rogpeppe/go-internal/testscript"
)

// special FIFO|SOCKET|DEVICE FILE makes what is neither a file nor a folder.
// Only root can make a device; it is one like /dev/zero.
func cmdSpecial(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: special fifo|socket|device file")
	}
	name := ts.MkAbs(args[1])
	switch args[0] {
	case "fifo":
		ts.Check(syscall.Mkfifo(name, 0o644))
	case "socket":
		makeSocket(ts, name)
	case "device":
		const zero = 1<<8 | 5
		ts.Check(syscall.Mknod(name, syscall.S_IFCHR|0o666, zero))
	default:
		ts.Fatalf("unknown kind %s", args[0])
	}
}

// makeSocket makes a socket under a short name, as it must have one, and then
// moves it within its file system.
func makeSocket(ts *testscript.TestScript, name string) {
	dir, err := os.MkdirTemp("", "s")
	ts.Check(err)
	defer os.RemoveAll(dir)
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: dir + "/s", Net: "unix"})
	ts.Check(err)
	listener.SetUnlinkOnClose(false)
	ts.Check(os.Rename(dir+"/s", name))
	ts.Check(listener.Close())
}
