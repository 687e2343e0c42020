//go:build unix

package main

import (
	"bytes"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"example.org/sivu/generator/folder"
)

// TestWait has another build at work on the folder. Without --wait that is an error;
// with it, sivu says what it waits for, and goes on when that build ends, or ends
// itself at Ctrl-C.
func TestWait(t *testing.T) {
	out := builtSite(t)
	other, err := folder.Open(out, folder.Options{})
	if err != nil {
		t.Fatal(err)
	}
	build := []string{"build", "--quiet", "--content", "testdata/site/content", "--out", out}
	text, err := exec.Command("sivu", build...).CombinedOutput()
	if err == nil || !strings.Contains(string(text), "is in use: another build is at work on it; wait until it ends, or let --wait do so") {
		t.Errorf("%v: %s", err, text)
	}
	for _, interrupt := range []bool{true, false} {
		command := exec.Command("sivu", append(build, "--wait")...)
		var said lineWriter
		said.line = make(chan string, 10)
		command.Stderr = &said
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		if line := <-said.line; !strings.HasPrefix(line, "waiting for another build on ") {
			t.Errorf("said %q", line)
		}
		if interrupt {
			command.Process.Signal(syscall.SIGINT)
			if err := command.Wait(); err == nil || command.ProcessState.ExitCode() != exitFailed {
				t.Errorf("interrupted while it waited: %v", err)
			}
			if line := <-said.line; line != "sivu: interrupted; the output folder is as it was" {
				t.Errorf("said %q", line)
			}
			continue
		}
		if err := other.Abort(); err != nil {
			t.Fatal(err)
		}
		if err := command.Wait(); err != nil {
			t.Errorf("after the other build: %v", err)
		}
	}
}

// lineWriter passes on the lines that are written to it.
type lineWriter struct {
	rest []byte
	line chan string
}

func (w *lineWriter) Write(b []byte) (int, error) {
	w.rest = append(w.rest, b...)
	for {
		line, rest, ok := bytes.Cut(w.rest, []byte("\n"))
		if !ok {
			return len(b), nil
		}
		w.line <- string(line)
		w.rest = rest
	}
}
