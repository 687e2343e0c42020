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
)

const (
	maxStreams = 256 // of events, that are open at once
	maxChanged = 200 // records that an event names; beyond that any may have changed
)

// moment is the state of a server from one Show to the next.
type moment struct {
	version int64
	site    Site
	change  *change
	state   func() ([]byte, error) // the body of state.json, made when first asked for
}

// change holds the records that one Show changed. The changes are a linked list, which
// each stream of events follows at its own pace.
type change struct {
	records []uuid.UUID   // nil: any
	over    chan struct{} // closed when there is a next one
	next    *change
}

// state is the body of /_preview/state.json; the page browser relies on it.
type state struct {
	Version  int64  `json:"version"`
	Base     string `json:"base"`
	Snapshot bool   `json:"snapshot"`
	Site
}

func (s *Server) newMoment(version int64, site Site) *moment {
	latest := &change{records: site.Changed, over: make(chan struct{})}
	return &moment{version: version, site: site, change: latest, state: sync.OnceValues(func() ([]byte, error) {
		return json.Marshal(state{version, s.options.Base, s.options.Snapshot, site})
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

// event returns the data of an event with all changes after the last one that a stream
// has seen, which is nil for a new stream, and the last of these changes.
func (s *Server) event(seen *change) ([]byte, *change, error) {
	now := s.shown.Load()
	n := notice{Version: now.version, Failed: now.site.Failed, Errors: now.site.Report.Errors, Warnings: now.site.Report.Warnings}
	if seen != nil {
		n.Changed = []uuid.UUID{}
	}
	for n.Changed != nil && seen != now.change {
		seen = seen.next
		for _, id := range seen.records {
			if len(n.Changed) <= maxChanged && !slices.Contains(n.Changed, id) {
				n.Changed = append(n.Changed, id)
			}
		}
		if seen.records == nil || len(n.Changed) > maxChanged {
			n.Changed = nil
		}
	}
	data, err := json.Marshal(n)
	return data, now.change, err
}

// serveEvents streams events until the client goes or the server ends (HTML,
// server-sent events).
func (s *Server) serveEvents(w http.ResponseWriter, r *http.Request) {
	defer s.streams.Add(-1)
	if s.streams.Add(1) > maxStreams {
		sendText(w, r, http.StatusServiceUnavailable, "too many streams are open\n")
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	if r.Method != http.MethodHead {
		s.stream(r.Context(), w)
	}
}

// stream sends every change, and comments in between, so that a client that is gone
// is noticed.
func (s *Server) stream(ctx context.Context, w http.ResponseWriter) {
	beat := time.NewTicker(s.heartbeat)
	defer beat.Stop()
	control := http.NewResponseController(w)
	var seen *change
	news := make(chan struct{})
	close(news)
	for text := "retry: 500\n\n"; ; {
		control.SetWriteDeadline(time.Now().Add(writeTimeout)) // writers of tests have no deadlines
		if _, err := w.Write([]byte(text)); err != nil || control.Flush() != nil {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-beat.C:
			text = ": still here\n\n"
		case <-news:
			data, latest, err := s.event(seen)
			if err != nil {
				s.log(fmt.Errorf("cannot send an event: %w", err))
				return
			}
			text = "event: state\ndata: " + string(data) + "\n\n"
			seen, news = latest, latest.over
		}
	}
}
