package work

import "testing"

func TestGCPercent(t *testing.T) {
	for live, want := range map[uint64]int{0: 800, 5 << 20: 800, 10 << 20: 400, 25 << 20: 160, 40 << 20: 160, 70 << 20: 160, 112 << 20: 100, 280 << 20: 40, 1 << 30: 40} {
		if got := gcPercent(live); got != want {
			t.Errorf("with %d bytes live: got %d, want %d", live, got, want)
		}
	}
}

// The limit on memory leaves the heap the room that gcPercent gives it.
func TestMemoryLimit(t *testing.T) {
	for live := uint64(0); live < 4<<30; live += 1 << 20 {
		heap := live + live/100*uint64(gcPercent(live))
		if limit := memoryLimit(live); limit < int64(heap) {
			t.Fatalf("with %d bytes live the heap may grow to %d, but the limit is %d", live, heap, limit)
		}
	}
}
