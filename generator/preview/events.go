package preview

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"example.org/sivu/generator/diag"
)

const (
	maxStreams = 256 // of events, that are open at once
	maxChanged = 200 // records that an event names; beyond that any may have changed
)

// moment is what is shown from one Show to the next.
type moment struct {
	version int64
	site    Site
	state   func() ([]byte, error) // the body of state.json, made when first asked for
}

// state is the body of /_preview/state.json; the page browser relies on it.
type state struct {
	Version   int64       `json:"version"`
	Base      string      `json:"base"`
	Snapshot  bool        `json:"snapshot"`
	Languages []string    `json:"languages"`
	Failed    bool        `json:"failed"`
	Problems  diag.Report `json:"problems"`
	Pages     []Page      `json:"pages"`
}

func (s *Server) newMoment(version int64, site Site) *moment {
	return &moment{version: version, site: site, state: sync.OnceValues(func() ([]byte, error) {
		return json.Marshal(state{
			Version: version, Base: s.options.Base, Snapshot: s.options.Snapshot,
			Languages: site.Languages, Failed: site.Failed, Problems: site.Report, Pages: site.Pages,
		})
	})}
}

// notice is the data of the event "state"; the page browser relies on it.
type notice struct {
	Version  int64       `json:"version"`
	Changed  []uuid.UUID `json:"changed"` // null: any
	Failed   bool        `json:"failed"`
	Errors   int         `json:"errors"`
	Warnings int         `json:"warnings"`
}

// subscriber is an open stream of events. Changes that it was not sent yet are
// put together, so that a slow one costs no more than a fast one.
type subscriber struct {
	ready   chan struct{} // holds a token while there is something to send
	changed []uuid.UUID   // since the last event, in order; guarded by Server.mu
	any     bool          // any record may have changed
}

// add notes a change. Server.mu is held.
func (sub *subscriber) add(changed []uuid.UUID) {
	sub.any = sub.any || changed == nil
	for _, id := range changed {
		if len(sub.changed) <= maxChanged && !slices.Contains(sub.changed, id) {
			sub.changed = append(sub.changed, id)
		}
	}
	select {
	case sub.ready <- struct{}{}:
	default:
	}
}

// subscribe returns a new subscriber, to which all is new, if there is room for it.
func (s *Server) subscribe() (*subscriber, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.subscribers) >= maxStreams {
		return nil, false
	}
	sub := &subscriber{ready: make(chan struct{}, 1)}
	sub.add(nil)
	s.subscribers[sub] = struct{}{}
	return sub, true
}

func (s *Server) unsubscribe(sub *subscriber) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.subscribers, sub)
}

// next returns the data of the event that is due to a subscriber.
func (s *Server) next(sub *subscriber) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	changed := append([]uuid.UUID{}, sub.changed...)
	if sub.any || len(changed) > maxChanged {
		changed = nil
	}
	sub.changed, sub.any = nil, false
	now := s.shown.Load()
	return json.Marshal(notice{
		Version: now.version, Changed: changed, Failed: now.site.Failed,
		Errors: now.site.Report.Errors, Warnings: now.site.Report.Warnings,
	})
}

// serveEvents streams events until the client goes or the server ends (HTML,
// server-sent events).
func (s *Server) serveEvents(w http.ResponseWriter, r *http.Request) {
	sub, ok := s.subscribe()
	if !ok {
		sendText(w, r, http.StatusServiceUnavailable, "too many streams are open\n")
		return
	}
	defer s.unsubscribe(sub)
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	if r.Method != http.MethodHead {
		s.stream(r.Context(), sub, w)
	}
}

// stream sends a subscriber every change, and comments in between, so that a
// client that is gone is noticed.
func (s *Server) stream(ctx context.Context, sub *subscriber, w http.ResponseWriter) {
	beat := time.NewTicker(s.heartbeat)
	defer beat.Stop()
	control := http.NewResponseController(w)
	for text := "retry: 500\n\n"; ; {
		control.SetWriteDeadline(time.Now().Add(writeTimeout)) // a writer that knows no deadlines is one of a test
		if _, err := w.Write([]byte(text)); err != nil || control.Flush() != nil {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-beat.C:
			text = ": still here\n\n"
		case <-sub.ready:
			data, err := s.next(sub)
			if err != nil {
				s.log(fmt.Errorf("cannot send an event: %w", err))
				return
			}
			text = "event: state\ndata: " + string(data) + "\n\n"
		}
	}
}
