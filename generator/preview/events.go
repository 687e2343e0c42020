package preview

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/google/uuid"
)

// maxStreams is how many streams of events are open at once.
const maxStreams = 256

// subscriber is an open stream of events. What it was not yet told of is put
// together, so that a slow one costs no more than a fast one.
type subscriber struct {
	ready   chan struct{} // holds a token while there is something to tell
	changed []uuid.UUID   // since it was told last, in order; guarded by Server.mu
	any     bool          // any record may have changed
}

// tell notes a change. Server.mu is held.
func (one *subscriber) tell(changed []uuid.UUID) {
	if changed == nil {
		one.any = true
	}
	for _, id := range changed {
		if len(one.changed) > maxChanged {
			break
		}
		if !slices.Contains(one.changed, id) {
			one.changed = append(one.changed, id)
		}
	}
	select {
	case one.ready <- struct{}{}:
	default:
	}
}

// subscribe begins to tell of changes, and reports whether there is room for it.
// All is new to a new subscriber.
func (s *Server) subscribe() (*subscriber, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.listening) >= maxStreams {
		return nil, false
	}
	one := &subscriber{ready: make(chan struct{}, 1)}
	one.tell(nil)
	s.listening[one] = struct{}{}
	return one, true
}

func (s *Server) unsubscribe(one *subscriber) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.listening, one)
}

// take returns what a subscriber is told now.
func (s *Server) take(one *subscriber) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	changed := one.changed
	switch {
	case one.any:
		changed = nil
	case changed == nil:
		changed = []uuid.UUID{}
	}
	one.changed, one.any = nil, false
	return s.shown.Load().notice(changed)
}

// serveEvents streams events until the client goes or the server ends (HTML,
// server-sent events).
func (s *Server) serveEvents(w http.ResponseWriter, r *http.Request) {
	one, ok := s.subscribe()
	if !ok {
		sendText(w, r, http.StatusServiceUnavailable, "too many streams are open\n")
		return
	}
	defer s.unsubscribe(one)
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	if r.Method == http.MethodHead {
		return
	}
	stream := eventStream{w, http.NewResponseController(w)}
	if stream.write("retry: 500\n\n") == nil {
		s.stream(r.Context(), one, stream)
	}
}

// stream tells a subscriber of every change.
func (s *Server) stream(ctx context.Context, one *subscriber, stream eventStream) {
	beat := time.NewTicker(s.heartbeat)
	defer beat.Stop()
	for {
		text := ": still here\n\n"
		select {
		case <-ctx.Done():
			return
		case <-beat.C:
		case <-one.ready:
			data, err := s.take(one)
			if err != nil {
				s.log(fmt.Errorf("cannot tell of a change: %w", err))
				return
			}
			text = "event: state\ndata: " + string(data) + "\n\n"
		}
		if stream.write(text) != nil {
			return
		}
	}
}

// eventStream writes to a client that may be slow, or gone.
type eventStream struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

func (e eventStream) write(text string) error {
	// A writer that knows no deadlines is one of a test.
	e.control.SetWriteDeadline(time.Now().Add(writeTimeout))
	if _, err := e.w.Write([]byte(text)); err != nil {
		return err
	}
	return e.control.Flush()
}
