package corpus

import (
	"slices"
	"unsafe"
)

// arena keeps many short lists in a few long ones, for a garbage collector that
// then has little to look at.
type arena[T any] struct {
	apart bool // each list gets memory of its own, as it may outlive the others
	chunk []T
}

// keep returns a copy of a list. It is never nil.
func (a *arena[T]) keep(list []T) []T {
	if a.apart {
		return append(make([]T, 0, len(list)), list...)
	}
	if len(list) > cap(a.chunk)-len(a.chunk) || a.chunk == nil {
		const size = 32 << 10
		a.chunk = make([]T, 0, max(size, len(list)))
	}
	start := len(a.chunk)
	a.chunk = append(a.chunk, list...)
	return slices.Clip(a.chunk[start:])
}

// keepText is keep for texts.
func keepText(a *arena[byte], text string) string {
	b := a.keep([]byte(text))
	return unsafe.String(unsafe.SliceData(b), len(b))
}
