//go:build race

package main

// underRace says that the race detector is at work: its memory is many times that
// of sivu, so what a process takes says nothing.
const underRace = true
