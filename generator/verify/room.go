package verify

import "context"

// room is the memory that one task of a walk may take: a little beside that of
// others, or, one task at a time, as much as the largest record needs.
type room struct {
	large chan struct{} // taken by the task with the large room
	whole bool          // this one has it
}

type roomKey struct{}

// withRoom returns a context for a task that opens records. The caller calls leave
// when it is done with what it opened.
func withRoom(ctx context.Context, large chan struct{}) (inner context.Context, leave func()) {
	r := &room{large: large}
	return context.WithValue(ctx, roomKey{}, r), func() {
		if r.whole {
			<-r.large
		}
	}
}

// roomOf returns the room of a task, or nil where it has none: then nobody minds.
func roomOf(ctx context.Context) *room {
	r, _ := ctx.Value(roomKey{}).(*room)
	return r
}

// enlarge waits for the large room. A task that has it never waits for another.
func (r *room) enlarge(ctx context.Context) error {
	select {
	case r.large <- struct{}{}:
		r.whole = true
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
