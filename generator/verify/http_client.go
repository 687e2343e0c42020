package verify

import (
	"bufio"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sync/semaphore"
	"golang.org/x/time/rate"
)

// Limits of a client.
const (
	defaultJobs    = 4
	defaultRate    = 50 // requests per second to a service that is not on this machine
	defaultTimeout = 15 * time.Second

	maxBody     = 32 << 20  // bytes of a body, also decompressed: see also maxBodyOfMany
	maxList     = 4 << 20   // bytes of a list page
	maxTogether = 256 << 10 // bytes of a body that is read beside others; of larger ones there is one at a time
	maxShown    = 4 << 10   // bytes that are kept of a body of which only the hash is wanted
	maxHeader   = 64 << 10  // bytes of the header of a response
	maxWait     = 30 * time.Second
	maxFailures = 10              // requests without a response, in a row
	probeGrace  = 2 * time.Second // wait for bytes that must not come
)

// Error is why a verification could not run to its end, and what can be done.
type Error struct {
	Err  error
	Hint string // may be ""
}

func (e *Error) Error() string { return e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// client asks a service over HTTP. It is safe to point at any service: it requests
// nothing outside the base address, follows no redirect, and limits what it reads and
// keeps, how much it requests at once and as a whole, and how long it waits.
type client struct {
	base      *url.URL
	transport *http.Transport
	limiter   *rate.Limiter
	jobs      int64
	slots     *semaphore.Weighted // for each of jobs
	decoding  sync.Mutex          // held while a body is decompressed, which can take 32 MiB
	budget    *budget
	timeout   time.Duration
	maxBody   int64

	reached  atomic.Bool  // a response came, of whatever kind
	failures atomic.Int32 // since the last response
}

// request is a request of the client: a plain GET without method and header.
type request struct {
	method  string
	address string
	header  []headerField
	want    want
	most    int64 // limit of the body, if it is less than that of want
	loose   bool  // the contract does not name it: what is wrong there is a note with Options.Lenient
}

type headerField struct{ name, value string }

// label says how it was asked, as in Finding.Request.
func (r request) label() string {
	if r.method == "" && len(r.header) == 0 {
		return ""
	}
	parts := []string{cmp.Or(r.method, http.MethodGet)}
	for _, f := range r.header {
		parts = append(parts, f.name+": "+f.value)
	}
	return strings.Join(parts, ", ")
}

// newClient returns a client for the service at a base address, such as
// "https://api.example.fi/v1". The error is an [Error].
func newClient(base string, o Options) (*client, error) {
	u, err := parseBase(base)
	if err != nil {
		return nil, err
	}
	jobs, limit := cmp.Or(max(o.Jobs, 0), defaultJobs), rate.Limit(defaultRate)
	if isLoopback(u.Hostname()) {
		limit = rate.Inf
	}
	limit = cmp.Or(max(rate.Limit(o.Rate), 0), limit)
	c := &client{
		base: u, timeout: cmp.Or(max(o.Timeout, 0), defaultTimeout), maxBody: maxBody,
		jobs: int64(jobs), slots: semaphore.NewWeighted(int64(jobs)), limiter: rate.NewLimiter(limit, 1), budget: newBudget(o, jobs, float64(limit)),
	}
	c.transport = &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            c.budget.dialer(c.timeout),
		ForceAttemptHTTP2:      true,
		DisableCompression:     true,
		MaxIdleConnsPerHost:    jobs,
		MaxConnsPerHost:        jobs,
		IdleConnTimeout:        30 * time.Second,
		TLSHandshakeTimeout:    c.timeout,
		MaxResponseHeaderBytes: maxHeader,
	}
	return c, nil
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func (c *client) requests() int { return int(c.budget.requests.Load()) }

func (c *client) close() { c.transport.CloseIdleConnections() }

// open gets an address as a plain client would. A record that is too large to be read
// beside others is requested again when there is room for it.
func (c *client) open(ctx context.Context, address string, w want, room *room) (*answer, error) {
	r := request{address: address, want: w}
	if w != wantRecord || room == nil {
		return c.do(ctx, r)
	}
	if !room.whole {
		r.most = maxTogether
		a, err := c.do(ctx, r)
		if err != nil || !a.Long {
			return a, err
		}
		room.enlarge()
	}
	r.most = room.most
	return c.do(ctx, r)
}

// do returns the response to a request. One that did not come, or not whole, is an
// answer with a Fault. An error ends the verification: no response ever came, none comes
// any more, the service refuses that many requests, or ctx ended.
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
	if a.Status == http.StatusServiceUnavailable && (!named || wait > maxWait) {
		return a, nil
	}
	if wait <= maxWait {
		if err := c.rest(ctx, wait); err != nil {
			return nil, err
		}
		if a, err = c.ask(ctx, u, r); err != nil || a.Status != http.StatusTooManyRequests {
			return a, err
		}
	}
	return nil, &Error{
		fmt.Errorf("the service answers 429, too many requests, and wants %s of rest", wait),
		"ask less often, with --rate, or look at fewer records, with --sample",
	}
}

// within parses an address that lies within the base address. Dot segments could lead
// out of it, on the way or at the service, so the decoded path counts.
func (c *client) within(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("not asked for: it is no address")
	}
	rest, ok := strings.CutPrefix(u.Path, c.base.Path+"/")
	ok = ok && u.Scheme == c.base.Scheme && u.Host == c.base.Host && u.User == nil && u.Opaque == ""
	if rest = path.Clean("./" + rest); !ok || rest == ".." || strings.HasPrefix(rest, "../") {
		return nil, errors.New("not asked for: it lies outside the base address")
	}
	u.Fragment = ""
	return u, nil
}

func (c *client) ask(ctx context.Context, u *url.URL, r request) (*answer, error) {
	a, err := c.exchange(ctx, u, r)
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
	if n := c.failures.Add(1); n >= maxFailures {
		return nil, &Error{
			fmt.Errorf("the service stopped answering: %d requests failed one after the other, the last with: %s", n, why),
			"look whether it is still up, or ask less at once, with --jobs 1",
		}
	}
	return &answer{Fault: why}, nil
}

// exchange makes a request and reads the response. The error says that none came in
// time, or that it ended early.
func (c *client) exchange(ctx context.Context, u *url.URL, r request) (*answer, error) {
	if err := c.enter(ctx); err != nil {
		return nil, err
	}
	defer c.slots.Release(1)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	timeout := time.AfterFunc(c.timeout, func() { cancel(context.DeadlineExceeded) })
	defer timeout.Stop()
	response, err := c.transport.RoundTrip(c.message(ctx, u, r))
	if err != nil {
		return nil, cmp.Or(context.Cause(ctx), err)
	}
	defer response.Body.Close()
	c.reached.Store(true)
	return c.read(ctx, timeout, response, r)
}

// enter waits until a request may be made, and takes a slot, if there is no error.
func (c *client) enter(ctx context.Context) error {
	err := c.slots.Acquire(ctx, 1)
	if err != nil {
		return err
	}
	if err = c.limiter.Wait(ctx); err == nil && !c.budget.request() {
		err = context.Canceled
	}
	if err != nil {
		c.slots.Release(1)
	}
	return err
}

// rest takes all slots for a while, so that no request is made.
func (c *client) rest(ctx context.Context, wait time.Duration) error {
	end := time.After(wait)
	if err := c.slots.Acquire(ctx, c.jobs); err != nil {
		return err
	}
	defer c.slots.Release(c.jobs)
	select {
	case <-end:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// retryAfter returns how long the service wants no requests, and whether it said so (RFC
// 9110, section 10.2.3).
func retryAfter(a *answer, now time.Time) (wait time.Duration, named bool) {
	value := a.Header.Get("Retry-After")
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second, true
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(0, at.Sub(now)), true
	}
	return time.Second, false
}

// message returns a request as it is sent. Accept-Encoding is always set, so that a
// response is compressed only where that is asked for. Where a method could change
// something, If-Match has a tag that nothing has, so that no service acts on it (RFC
// 9110, section 13.1.1).
func (c *client) message(ctx context.Context, u *url.URL, r request) *http.Request {
	m := &http.Request{Method: cmp.Or(r.method, http.MethodGet), URL: u, Header: http.Header{
		"User-Agent":      {"sivu-verify/1 (conformance checker)"},
		"Accept":          {"application/json, */*;q=0.1"},
		"Accept-Encoding": {"identity"},
		// An empty list is not sent, and makes net/http repeat requests of any method
		// where a kept connection turned out to be closed.
		"Idempotency-Key": {},
	}}
	if slices.Contains(otherMethods, m.Method) {
		m.Header.Set("If-Match", otherTag)
	}
	for _, f := range r.header {
		m.Header.Set(f.name, f.value)
	}
	return m.WithContext(ctx)
}

// trailing reports whether bytes follow the header of a response that has no body by
// its nature: to HEAD, or a 304. As net/http drops such bytes, the connection is read
// here, in HTTP/1.1; where that is not possible, as behind a proxy, it reports false.
func (c *client) trailing(ctx context.Context, r request) bool {
	u, err := c.within(r.address)
	if err != nil || c.enter(ctx) != nil {
		return false
	}
	defer c.slots.Release(1)
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	m := c.message(ctx, u, r)
	m.Close = true
	if proxy, err := http.ProxyFromEnvironment(m); err != nil || proxy != nil {
		return false
	}
	dial := new(net.Dialer).DialContext
	if u.Scheme == "https" {
		dial = (&tls.Dialer{Config: &tls.Config{NextProtos: []string{"http/1.1"}}}).DialContext
	}
	conn, err := dial(ctx, "tcp", net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), u.Scheme)))
	if err != nil {
		return false
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.SetDeadline(time.Unix(1, 0)) })()
	if m.Write(conn) != nil {
		return false
	}
	from := bufio.NewReader(&countedReader{io.LimitReader(conn, maxHeader), c.budget})
	if _, err := http.ReadResponse(from, m); err != nil {
		return false
	}
	conn.SetReadDeadline(time.Now().Add(min(probeGrace, c.timeout)))
	_, err = from.ReadByte()
	return err == nil
}

// reason says in one line why no response came.
func reason(err error, timeout time.Duration) string {
	switch {
	case isTimeout(err):
		return fmt.Sprintf("no whole answer within %s", timeout)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "the connection was closed before the answer"
	case errors.Is(err, syscall.ECONNRESET):
		return "the connection was reset before the answer"
	case strings.Contains(err.Error(), "server response headers exceeded"):
		return fmt.Sprintf("headers of more than %d bytes", maxHeader)
	}
	return err.Error()
}

func isTimeout(err error) bool {
	var slow net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &slow) && slow.Timeout()
}

// hintFor returns the cure where no response ever came, or "".
func hintFor(err error) string {
	var (
		name        *net.DNSError
		certificate *tls.CertificateVerificationError
		record      tls.RecordHeaderError
	)
	switch {
	case errors.As(err, &name):
		return "look at the spelling of the host name, and at the network"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "is the service up, and is this its port?"
	case errors.As(err, &certificate):
		return "the certificate is not trusted on this machine; clients would turn away as well"
	case errors.As(err, &record), strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return "the service speaks no TLS here: write http:// in place of https://"
	case isTimeout(err):
		return "wait longer, with --timeout, or look whether a firewall is in the way"
	}
	return ""
}
