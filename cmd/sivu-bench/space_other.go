//go:build !(darwin || freebsd || linux)

package main

import "math"

// free does not know what there is here.
func free(string) (bytes, files int64, err error) { return math.MaxInt64, math.MaxInt64, nil }
