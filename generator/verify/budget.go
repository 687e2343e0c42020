package verify

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// What the verification of a service may cost as a whole, where Options do not
// say. Budgets grow with count, as far as list pages have shown its records: an
// honest service needs two or three requests for each, and a count that promises
// more than there is gets nothing.
const (
	firstRequests  = 1000 // before the first list page is read: the request matrix takes some 300
	recordRequests = 8    // for each record
	firstBytes     = 1 << 30
	recordBytes    = 256 << 10
	firstTime      = 10 * time.Minute
	requestTime    = 400 * time.Millisecond // for each request of the budget, where they come one after the other
	longestTime    = 10_000 * time.Hour
)

// MostRecords is the largest count that budgets grow with. A larger collection needs
// Options.MaxRequests: of each record some memory is kept.
const MostRecords = 1_100_000

// spentError is why a verification ended early: a budget was used up.
type spentError struct{ flag, most string }

func (e *spentError) Error() string {
	return fmt.Sprintf("the budget of %s (%s) is used up", e.most, e.flag)
}

// budget bounds the requests, bytes and time of a verification. Bytes are counted
// as they come in, and those of compressed bodies once more as they are unpacked.
// Where something is used up, the context that begin returned ends. It is safe
// from any goroutine.
type budget struct {
	given Options       // what it says of budgets is not changed
	pace  time.Duration // for each request of the budget

	requests, bytes         atomic.Int64
	mostRequests, mostBytes atomic.Int64

	mu       sync.Mutex
	started  time.Time
	mostTime time.Duration
	timer    *time.Timer
	end      context.CancelCauseFunc
}

// newBudget returns the budget of a service that is asked by so many requests at
// once, and so many a second.
func newBudget(o Options, jobs int, perSecond float64) *budget {
	const mostJobs, slowest = 20, 5 * time.Minute
	slow := time.Duration(min(2/perSecond, slowest.Seconds()) * float64(time.Second))
	b := &budget{given: o, pace: max(slow, requestTime/time.Duration(min(jobs, mostJobs)))}
	b.end = func(error) {}
	b.allow(0, 0)
	return b
}

// begin starts the time, and returns a context that ends when something is used up.
// The caller calls stop when no more is asked for.
func (b *budget) begin(ctx context.Context) (inner context.Context, stop func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	ctx, b.end = context.WithCancelCause(ctx)
	b.started = time.Now()
	b.timer = time.AfterFunc(b.mostTime, b.checkTime)
	return ctx, func() {
		b.timer.Stop()
		b.end(nil)
	}
}

// allow sets the budgets for a collection whose list pages have shown so many of its
// records.
func (b *budget) allow(shown, count int) {
	records := max(0, min(shown, count))
	if count > MostRecords && b.given.MaxRequests == 0 && b.given.Sample == 0 {
		records = 0
	}
	requests, bytes := firstRequests+recordRequests*int64(records), firstBytes+recordBytes*int64(records)
	if b.given.MaxRequests > 0 {
		requests = b.given.MaxRequests
	}
	if b.given.MaxBytes > 0 {
		bytes = b.given.MaxBytes
	}
	all := b.given.MaxTime
	if all == 0 {
		all = firstTime + time.Duration(min(float64(requests)*float64(b.pace), float64(longestTime)))
	}
	b.mostRequests.Store(requests)
	b.mostBytes.Store(bytes)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.mostTime = all
}

// checkTime ends the verification, or looks again when the time may be over that
// is allowed by then.
func (b *budget) checkTime() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if left := b.mostTime - time.Since(b.started); left > 0 {
		b.timer.Reset(left)
		return
	}
	b.end(&spentError{"--max-time", b.mostTime.Round(time.Millisecond).String()})
}

// request counts a request, and reports whether it may be made.
func (b *budget) request() bool {
	most := b.mostRequests.Load()
	if b.requests.Add(1) <= most {
		return true
	}
	b.requests.Add(-1)
	b.spent(&spentError{"--max-requests", plural(int(most), "request")})
	return false
}

// read counts bytes, and reports whether more may come.
func (b *budget) read(n int) bool {
	most := b.mostBytes.Load()
	if b.bytes.Add(int64(n)) <= most {
		return true
	}
	b.spent(&spentError{"--max-bytes", plural(int(most), "byte")})
	return false
}

func (b *budget) spent(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.end(err)
}

// countedConn counts what comes in, whatever it is: headers, bodies, or what
// nobody asked for.
type countedConn struct {
	net.Conn
	budget *budget
}

func (c *countedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if !c.budget.read(n) && err == nil {
		err = net.ErrClosed
	}
	return n, err
}

// dialer returns how connections are made whose bytes count.
func (b *budget) dialer(timeout time.Duration) func(ctx context.Context, network, address string) (net.Conn, error) {
	d := &net.Dialer{Timeout: timeout}
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := d.DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &countedConn{conn, b}, nil
	}
}

// findSpent takes note of a verification that ended early, and of what it left out.
func (c *checker) findSpent(spent *spentError) {
	left := c.left()
	c.find(ruleBudget, c.base, "", "all is checked with at most "+spent.most, "not checked: "+left)
	c.stop(fmt.Sprintf("%v; not checked: %s", spent, left))
	c.hint("give more, with " + spent.flag + ", or look at fewer records, with --sample")
	c.report.Unfinished = true
}

// parts are what a service is checked in, one after the other.
var parts = [...]string{"the way back by previous", "the api variants", "requests that no walk makes"}

// left says what a verification that ended early did not check, or not wholly.
func (c *checker) left() string {
	left := slices.Clone(parts[c.part:])
	if opened := c.report.Records; c.part == 0 && c.report.Count != opened {
		records := "records beyond the first " + strconv.Itoa(opened)
		switch {
		case c.report.Count > opened:
			records = fmt.Sprintf("%d of %s", c.report.Count-opened, plural(c.report.Count, "record"))
		case opened == 0:
			records = "all records"
		}
		left = slices.Insert(left, 0, records)
	}
	return strings.Join(left, ", ")
}
