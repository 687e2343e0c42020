package main

import "testing"

func TestGCPercent(t *testing.T) {
	for live, want := range map[uint64]int{0: 800, 4 << 20: 800, 5 << 20: 400, 16 << 20: 200, 32 << 20: 100, 33 << 20: 50, 1 << 30: 50} {
		if got := gcPercent(live); got != want {
			t.Errorf("with %d bytes live: got %d, want %d", live, got, want)
		}
	}
}
