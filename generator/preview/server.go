package preview

import (
	"context"
	"errors"
	"log"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Limits of a connection. Streams of events have a deadline for each write.
const (
	headerTimeout = 5 * time.Second
	bodyTimeout   = time.Second // of a request
	writeTimeout  = 30 * time.Second
	idleTimeout   = 2 * time.Minute
	maxHeader     = 16 << 10

	grace     = 500 * time.Millisecond // for open requests when the server ends
	heartbeat = 15 * time.Second       // between comments in a stream of events
)

// Server serves one site at a time: what [Server.Show] was given last. Its methods
// are safe for concurrent use.
type Server struct {
	options   Options
	log       func(error)
	heartbeat time.Duration

	shown   atomic.Pointer[moment]
	isGone  atomic.Bool  // the folder with the answers
	mu      sync.Mutex   // of Show
	streams atomic.Int32 // of events, that are open
}

// New returns a server that serves an empty site until the first Show.
func New(o Options) *Server {
	s := &Server{options: o, log: o.Log, heartbeat: heartbeat}
	if s.log == nil {
		s.log = func(error) {}
	}
	s.shown.Store(s.newMoment(time.Now().UnixMilli(), Site{}))
	return s
}

// Show replaces the site that is served, at once and as a whole, and sends the
// browsers an event. Requests that are being answered go on with the site before.
func (s *Server) Show(site Site) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.shown.Load()
	now := s.newMoment(before.version+1, site)
	before.change.next = now.change
	s.shown.Store(now)
	close(before.change.over)
}

// ServeHTTP answers a request. Streams of events end with its context.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	if r.ContentLength != 0 {
		// The body is not read. A client has a moment to get rid of it.
		h.Set("Connection", "close")
		http.NewResponseController(w).SetReadDeadline(time.Now().Add(bodyTimeout))
	}
	switch {
	case !s.ownHost(r.Host):
		text := "this preview answers only requests that name its own address"
		if s.options.Base != "" {
			text += ", such as " + s.options.Base + "/"
		}
		sendText(w, r, http.StatusMisdirectedRequest, text+"\n") // RFC 9110, 15.5.20
	case r.URL.Path == "/" && s.options.Browser != nil, strings.HasPrefix(r.URL.Path, uiPrefix):
		s.serveUI(w, r)
	case s.serveMedia(w, r):
	case s.options.Browser != nil && followsLink(r):
		serveLink(w, r)
	default:
		s.serveContract(w, r)
	}
}

func sendText(w http.ResponseWriter, r *http.Request, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-cache")
	sendBody(w, r, status, []byte(text))
}

// Serve answers on a listener until ctx is done, and closes it. Then streams of
// events end at once, other open requests have half a second, and the error is
// nil.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	server := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: headerTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          log.New(logWriter(s.log), "", 0),
		BaseContext:       func(net.Listener) context.Context { return ctx },
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	rest, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	if server.Shutdown(rest) != nil {
		server.Close()
	}
	<-ended
	return nil
}

// logWriter hands lines of a log on as errors.
type logWriter func(error)

// Write takes one line.
func (w logWriter) Write(line []byte) (int, error) {
	w(errors.New(strings.TrimRight(string(line), "\n")))
	return len(line), nil
}
