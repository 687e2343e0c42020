//go:build !(linux && amd64)

package main

import "testing"

func TestFaults(t *testing.T) {
	t.Skip("SKIPPED: the injector of faults needs Linux on amd64")
}
