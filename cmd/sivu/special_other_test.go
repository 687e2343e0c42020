//go:build !unix

package main

import "github.com/rogpeppe/go-internal/testscript"

// special has nothing to make here; scripts ask before they use it.
func cmdSpecial(ts *testscript.TestScript, _ bool, _ []string) {
	ts.Fatalf("there are no such files on this system")
}
