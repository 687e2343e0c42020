package generator

import "testing"

func TestGCPercent(t *testing.T) {
	for live, want := range map[uint64]int{0: 800, 5 << 20: 800, 10 << 20: 400, 40 << 20: 100, 50 << 20: 40, 80 << 20: 35, 1 << 30: 35} {
		if got := gcPercent(live); got != want {
			t.Errorf("with %d bytes live: got %d, want %d", live, got, want)
		}
	}
}
