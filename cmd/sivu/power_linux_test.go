package main

import (
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// powered is an ext4 file system in a file, whose power can be cut.
type powered struct {
	t          *testing.T
	image, dir string
}

func newPowered(t *testing.T) *powered {
	t.Helper()
	p := &powered{t, filepath.Join(t.TempDir(), "image"), t.TempDir()}
	f, err := os.Create(p.image)
	if err == nil {
		err = errors.Join(f.Truncate(64<<20), f.Close(), exec.Command("mkfs.ext4", "-q", "-F", p.image).Run())
	}
	if err != nil {
		t.Skipf("needs mkfs.ext4 (%v); install e2fsprogs for this test", err)
	}
	if text, err := exec.Command("mount", "-o", "loop", p.image, p.dir).CombinedOutput(); err != nil {
		t.Skipf("needs the right to mount a file as a file system (%v: %s); run as root for this test", err, text)
	}
	t.Cleanup(p.unmount)
	return p
}

// unmount takes the file system away. A process that was killed a moment ago may
// still hold it.
func (p *powered) unmount() {
	p.t.Helper()
	err := unix.Unmount(p.dir, 0)
	for err == unix.EBUSY {
		time.Sleep(time.Millisecond)
		err = unix.Unmount(p.dir, 0)
	}
	if err != nil {
		p.t.Fatalf("unmounting: %v", err)
	}
}

// cut drops all that was written and is not on the device, as a power loss does.
func (p *powered) cut() {
	p.t.Helper()
	const ext4Shutdown, withoutFlush = 0x8004587d, 2
	f, err := os.Open(p.dir)
	if err == nil {
		err = errors.Join(unix.IoctlSetPointerInt(int(f.Fd()), ext4Shutdown, withoutFlush), f.Close())
	}
	if err != nil {
		p.t.Fatalf("cutting the power: %v", err)
	}
}

// restore brings the file system back with what is on the device.
func (p *powered) restore() {
	p.t.Helper()
	p.unmount()
	if text, err := exec.Command("mount", "-o", "loop", p.image, p.dir).CombinedOutput(); err != nil {
		p.t.Fatalf("mounting: %v: %s", err, text)
	}
}

// TestPowerLoss cuts the power during builds, and after them. What a client then
// finds is whole; recover or a build makes the folder exactly what it was or was to
// be; and a build that said it was done has not been lost.
func TestPowerLoss(t *testing.T) {
	t.Parallel()
	losses := 6
	if text := os.Getenv(killsVariable); text != "" {
		losses, _ = strconv.Atoi(text)
		losses /= 4
	}
	p, k := newPowered(t), newKilled(t, 150, 2)
	k.out = filepath.Join(p.dir, "public")
	start := time.Now()
	k.build(0)
	longest, old, seen := time.Since(start), 0, map[string]int{}
	for n := range losses {
		next := 1 - old
		moment, after := time.Duration(rand.Int64N(int64(longest))), ""
		switch n % 3 {
		case 0:
			moment = time.Hour // the build comes to its end
		case 1:
			moment, after = moment/8, filepath.Join(k.out, ".sivu", "commit")
		}
		isDone := runAndKill(after, moment, k.sivu, k.args(next, k.out)...) == nil
		p.cut()
		p.restore()
		walkAsClient(t, k.out, nothing)
		was := k.equals()
		switch {
		case isDone && !slices.Equal(was, []int{next}):
			t.Errorf("the power was cut after a build had ended, and the folder holds %v, not %d", was, next)
		case len(was) == 0:
			seen["left files of both"]++
		default:
			seen[[]string{"left the new", "left the old"}[(was[0]+next)%2]]++
		}
		if n%2 == 0 {
			k.run("recover", "--out", k.out)
			if was = k.equals(); len(was) != 1 {
				t.Fatal("recover left neither the old nor the new snapshot")
			}
			old = was[0]
		} else {
			k.build(next)
			old = next
		}
		if now := k.equals(); !slices.Equal(now, []int{old}) {
			t.Fatalf("the folder holds %v, not %d", now, old)
		}
	}
	t.Logf("after %d power losses: %v", losses, seen)
}
