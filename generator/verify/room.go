package verify

import (
	"context"
	"fmt"
)

// Of each record some memory is kept, and a large body takes some four times its
// size while it is checked. So that a service never makes verify take more than
// 200 MB, its records may be less large where there are many. Measured at the most:
// 155 MB with bodies of 31 MB after 300,000 records, and 174 MB with bodies of 4 MB
// after 1,090,000.
const (
	manyRecords    = 300_000
	mostBodyOfMany = 4 << 20 // bytes of the body of a record, where more are known
)

// mostOfRecord returns how many bytes of the body of a record are read, where so many
// records are known.
func mostOfRecord(known int64) int64 {
	if known > manyRecords {
		return mostBodyOfMany
	}
	return mostBody
}

// dueSize says how large a body may be, as in Finding.Due.
func dueSize(most int64) string {
	due := fmt.Sprintf("at most %d MiB", most>>20)
	if most == mostBodyOfMany {
		due += fmt.Sprintf(", where a service has more than %d records", manyRecords)
	}
	return due
}

// room is the memory that one task of a walk may take: a little beside that of
// others, or, one task at a time, as much as the largest record needs.
type room struct {
	large chan struct{} // taken by the task with the large room
	most  int64         // bytes of the body of a record
	whole bool          // this one has it
}

type roomKey struct{}

// withRoom returns a context for a task that opens records. The caller calls leave
// when it is done with what it opened.
func withRoom(ctx context.Context, large chan struct{}, most int64) (inner context.Context, leave func()) {
	r := &room{large: large, most: most}
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
