package verify

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

// What a client allows itself, and the service.
const (
	usualJobs    = 4
	usualRate    = 50 // requests a second, where the service is not on this machine
	usualTimeout = 15 * time.Second

	mostBody     = 32 << 20  // bytes of a body, and of what it decompresses to: see also mostBodyOfMany
	mostList     = 4 << 20   // bytes of a list page
	mostTogether = 256 << 10 // bytes of a body that is read beside others: of larger ones there is one at a time
	mostShown    = 4 << 10   // bytes that are kept of a body that is not read
	mostHeader   = 64 << 10  // bytes of all headers of an answer
	mostWait     = 30 * time.Second
	mostFailures = 10 // requests without an answer, one after the other
)

// Error is why a verification could not run, or not to its end, and what can be
// done.
type Error struct {
	Err  error
	Hint string // may be ""
}

func (e *Error) Error() string { return e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// client asks a service over HTTP. It is safe to point at a stranger: it asks
// nothing outside the base address, follows no redirect, and bounds what it
// reads and keeps, how much it asks at once and as a whole, and how long it waits.
type client struct {
	base      *url.URL
	transport *http.Transport
	limiter   *rate.Limiter
	slots     chan struct{}
	decoding  chan struct{} // one body at a time: what decodes it can take 32 MiB
	unpacker  unpacker      // of that body
	budget    *budget
	timeout   time.Duration
	mostBody  int64
	mostWait  time.Duration
	agent     string

	reached  atomic.Bool  // an answer came, of whatever kind
	failures atomic.Int32 // since the last answer

	mu     sync.Mutex
	resume time.Time // no request before: the service asked to wait
}

// request is what the client asks. The zero values are a plain GET.
type request struct {
	method  string
	address string
	header  []headerField
	want    want
	most    int64 // bytes of a body, where that is less than for what is wanted
	loose   bool  // the contract does not name it: what is wrong there is a note with Options.Lenient
}

type headerField struct{ name, value string }

// label says how it was asked, as in Finding.Request.
func (r request) label() string {
	if r.method == "" && len(r.header) == 0 {
		return ""
	}
	parts := []string{r.verb()}
	for _, f := range r.header {
		parts = append(parts, f.name+": "+f.value)
	}
	return strings.Join(parts, ", ")
}

func (r request) verb() string {
	if r.method == "" {
		return http.MethodGet
	}
	return r.method
}

// newClient returns a client for the service at a base address, such as
// "https://api.example.fi/v1".
func newClient(base string, o Options) (*client, error) {
	_, u, err := parseBase(base)
	if err != nil {
		return nil, err
	}
	c := &client{
		base: u, timeout: o.Timeout, mostBody: mostBody, mostWait: mostWait,
		agent: "sivu-verify/1 (conformance checker)",
	}
	if c.timeout <= 0 {
		c.timeout = usualTimeout
	}
	jobs := o.Jobs
	if jobs <= 0 {
		jobs = usualJobs
	}
	c.slots = make(chan struct{}, jobs)
	c.decoding = make(chan struct{}, 1)
	perSecond := chooseRate(o.Rate, u.Hostname())
	c.limiter = rate.NewLimiter(perSecond, 1)
	c.budget = newBudget(o, jobs, float64(perSecond))
	c.transport = &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            c.budget.dialer(c.timeout),
		ForceAttemptHTTP2:      true,
		DisableCompression:     true,
		MaxIdleConnsPerHost:    jobs,
		MaxConnsPerHost:        jobs,
		IdleConnTimeout:        30 * time.Second,
		TLSHandshakeTimeout:    c.timeout,
		MaxResponseHeaderBytes: mostHeader,
	}
	return c, nil
}

// chooseRate spares services that other people use.
func chooseRate(asked float64, host string) rate.Limit {
	if asked > 0 {
		return rate.Limit(asked)
	}
	if isLoopback(host) {
		return rate.Inf
	}
	return usualRate
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// requests returns how many were made.
func (c *client) requests() int { return int(c.budget.requests.Load()) }

// close ends idle connections.
func (c *client) close() {
	c.transport.CloseIdleConnections()
	c.unpacker.close()
}

// open gets an address as a plain client would. A record that is too large to be
// read beside others is asked for again when the caller has the room for it.
func (c *client) open(ctx context.Context, address string, w want) (*answer, error) {
	r, room := request{address: address, want: w}, roomOf(ctx)
	if w != wantRecord || room == nil {
		return c.do(ctx, r)
	}
	if r.most = room.most; room.whole {
		return c.do(ctx, r)
	}
	r.most = mostTogether
	a, err := c.do(ctx, r)
	if err != nil || !a.Long {
		return a, err
	}
	if err := room.enlarge(ctx); err != nil {
		return nil, err
	}
	r.most = room.most
	return c.do(ctx, r)
}

// do returns the answer to a request. An answer that did not come, or not
// whole, is one with a Fault. Errors end the verification: no answer ever came,
// none comes any more, the service refuses to be asked so often, or ctx ended.
func (c *client) do(ctx context.Context, r request) (*answer, error) {
	u, err := c.within(r.address)
	if err != nil {
		return &answer{Fault: err.Error()}, nil
	}
	a, err := c.ask(ctx, u, r)
	if err != nil || a.Status != http.StatusTooManyRequests && a.Status != http.StatusServiceUnavailable {
		return a, err
	}
	wait, named := retryAfter(a, time.Now())
	if a.Status == http.StatusServiceUnavailable && (!named || wait > c.mostWait) {
		return a, nil
	}
	if wait <= c.mostWait {
		c.pause(wait)
		if a, err = c.ask(ctx, u, r); err != nil || a.Status != http.StatusTooManyRequests {
			return a, err
		}
	}
	return nil, &Error{
		fmt.Errorf("the service answers 429, too many requests, and wants %s of rest", wait),
		"ask less often, with --rate, or look at fewer records, with --sample",
	}
}

// within returns the address parsed, if it lies within the base address.
func (c *client) within(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("not asked for: it is no address")
	}
	if !c.covers(u) {
		return nil, errors.New("not asked for: it lies outside the base address")
	}
	u.Fragment = ""
	return u, nil
}

// covers reports whether an address lies within the base address. Dot segments
// could lead out of it, on the way or at the service, so the decoded path is
// what counts.
func (c *client) covers(u *url.URL) bool {
	if u.Scheme != c.base.Scheme || u.Host != c.base.Host || u.User != nil || u.Opaque != "" {
		return false
	}
	depth := 0
	rest, ok := strings.CutPrefix(u.Path, c.base.Path+"/")
	for segment := range strings.SplitSeq(rest, "/") {
		switch segment {
		case "..":
			depth--
		case ".", "":
		default:
			depth++
		}
		ok = ok && depth >= 0
	}
	return ok
}

// ask makes a request, and once more where a connection that was kept open
// turned out to be closed.
func (c *client) ask(ctx context.Context, u *url.URL, r request) (*answer, error) {
	a, reused, err := c.exchange(ctx, u, r)
	if err != nil && reused && ctx.Err() == nil && isClosed(err) {
		a, _, err = c.exchange(ctx, u, r)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err == nil {
		c.failures.Store(0)
		return a, nil
	}
	why := reason(err, c.timeout)
	if !c.reached.Load() {
		return nil, &Error{fmt.Errorf("%s does not answer: %s", u.Host, why), hintFor(err)}
	}
	if n := c.failures.Add(1); n >= mostFailures {
		return nil, &Error{
			fmt.Errorf("the service stopped answering: %d requests failed one after the other, the last with: %s", n, why),
			"look whether it is still up, or ask less at once, with --jobs 1",
		}
	}
	return &answer{Fault: why}, nil
}

// exchange is one request and its answer. The error says that no answer came
// in time, or that it stopped to come.
func (c *client) exchange(ctx context.Context, u *url.URL, r request) (a *answer, reused bool, err error) {
	leave, err := c.enter(ctx)
	if err != nil {
		return nil, false, err
	}
	defer leave()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	timeout := time.AfterFunc(c.timeout, func() { cancel(context.DeadlineExceeded) })
	defer timeout.Stop()
	trace := &httptrace.ClientTrace{GotConn: func(i httptrace.GotConnInfo) { reused = i.Reused }}
	response, err := c.transport.RoundTrip(c.message(httptrace.WithClientTrace(ctx, trace), u, r))
	if ended := context.Cause(ctx); err != nil && ended != nil {
		err = ended
	}
	if err != nil {
		return nil, reused, err
	}
	defer response.Body.Close()
	c.reached.Store(true)
	a, err = c.read(ctx, timeout, response, r)
	return a, false, err
}
