package verify

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// The budgets of a verification, where Options do not give them. They grow with count,
// as far as list pages have shown its records: an honest service needs two or three
// requests for each record, and a count that is too high gets nothing.
const (
	firstRequests  = 1000 // before the first list page is read: the request matrix takes some 300
	recordRequests = 8    // for each record
	firstBytes     = 1 << 30
	recordBytes    = 256 << 10
	firstTime      = 10 * time.Minute
	requestTime    = 400 * time.Millisecond // for each request of the budget, if one at a time
	longestTime    = 10_000 * time.Hour
)

// MostRecords is the largest count that budgets grow with. A larger collection needs
// Options.MaxRequests, because some memory is kept for each record.
const MostRecords = 1_100_000

// spentError is the cause of a verification that ended because a budget was used up.
type spentError struct{ flag, most string }

func (e *spentError) Error() string {
	return fmt.Sprintf("the budget of %s (%s) is used up", e.most, e.flag)
}

// budget limits the requests, bytes and time of a verification. Compressed bytes count
// as received, and as decompressed. It is safe for concurrent use.
type budget struct {
	given Options
	pace  time.Duration           // for each request of the budget
	end   context.CancelCauseFunc // called with a spentError

	requests, bytes       atomic.Int64
	maxRequests, maxBytes atomic.Int64

	mu      sync.Mutex
	started time.Time
	maxTime time.Duration
	timer   *time.Timer
}

// newBudget returns the budget for that many requests at once, and that many per second.
func newBudget(o Options, jobs int, perSecond float64) *budget {
	const maxJobs, slowest = 20, 5 * time.Minute
	slow := time.Duration(min(2/perSecond, slowest.Seconds()) * float64(time.Second))
	b := &budget{given: o, pace: max(slow, requestTime/time.Duration(min(jobs, maxJobs))), end: func(error) {}}
	b.allow(0, 0)
	return b
}

// begin starts the time, until stop is called. end is called when something is used up.
func (b *budget) begin(end context.CancelCauseFunc) (stop func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.started, b.end = time.Now(), end
	b.timer = time.AfterFunc(b.maxTime, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		if time.Since(b.started) >= b.maxTime { // else allow was faster
			end(&spentError{"--max-time", b.maxTime.Round(time.Millisecond).String()})
		}
	})
	return func() { b.timer.Stop() }
}

// allow sets the budgets for a collection whose list pages have shown so many records.
func (b *budget) allow(shown, count int) {
	records := int64(max(0, min(shown, count)))
	if count > MostRecords && b.given.MaxRequests == 0 && b.given.Sample == 0 {
		records = 0
	}
	requests := cmp.Or(b.given.MaxRequests, firstRequests+recordRequests*records)
	b.maxRequests.Store(requests)
	b.maxBytes.Store(cmp.Or(b.given.MaxBytes, firstBytes+recordBytes*records))
	b.mu.Lock()
	defer b.mu.Unlock()
	b.maxTime = cmp.Or(b.given.MaxTime, firstTime+time.Duration(min(float64(requests)*float64(b.pace), float64(longestTime))))
	if b.timer != nil {
		b.timer.Reset(b.maxTime - time.Since(b.started))
	}
}

func (b *budget) request() bool {
	ok := b.count(&b.requests, 1, &b.maxRequests, "--max-requests", "request")
	if !ok {
		b.requests.Add(-1)
	}
	return ok
}

func (b *budget) read(n int) bool { return b.count(&b.bytes, n, &b.maxBytes, "--max-bytes", "byte") }

func (b *budget) count(used *atomic.Int64, n int, limit *atomic.Int64, flag, noun string) bool {
	most := limit.Load()
	if used.Add(int64(n)) <= most {
		return true
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.end(&spentError{flag, plural(int(most), noun)})
	return false
}

// countedReader counts the bytes that are read.
type countedReader struct {
	io.Reader
	budget *budget
}

func (c *countedReader) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	if !c.budget.read(n) && err == nil {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// countedConn counts all bytes received: headers, bodies, and bytes that nobody asked for.
type countedConn struct {
	net.Conn
	counted countedReader
}

func (c *countedConn) Read(p []byte) (int, error) { return c.counted.Read(p) }

// dialer returns a dial function whose connections count.
func (b *budget) dialer(timeout time.Duration) func(ctx context.Context, network, address string) (net.Conn, error) {
	d := &net.Dialer{Timeout: timeout}
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := d.DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &countedConn{conn, countedReader{conn, b}}, nil
	}
}

func (c *checker) findSpent(spent *spentError) {
	left := c.unchecked()
	c.find(ruleBudget, c.base, "all is checked with at most "+spent.most, "not checked: "+left)
	c.stop("%v; not checked: %s", spent, left)
	c.hint("give more, with %s, or look at fewer records, with --sample", spent.flag)
	c.report.Unfinished = true
}

// parts are the steps of the verification of a service, after its records.
var parts = [...]string{"the way back by previous", "the api variants", "requests that no walk makes"}

// unchecked says what was not checked, or not wholly.
func (c *checker) unchecked() string {
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

// Some memory is kept for each record, and a large body takes some four times its size
// while it is checked. So that verify stays below 200 MB, records may be less large
// where there are many. Measured: 155 MB with bodies of 31 MB after 300,000 records, and
// 174 MB with bodies of 4 MB after 1,090,000.
const (
	manyRecords   = 300_000
	maxBodyOfMany = 4 << 20 // bytes of the body of a record, where more are known
)

// dueSize is the limit of a body, as in Finding.Due.
func dueSize(most int64) string {
	due := fmt.Sprintf("at most %d MiB", most>>20)
	if most == maxBodyOfMany {
		due += fmt.Sprintf(", where a service has more than %d records", manyRecords)
	}
	return due
}

// room is the memory that a task of a walk may take: at first maxTogether bytes of a
// body, as others at the same time, and then, one task at a time, most bytes.
type room struct {
	large *sync.Mutex // held by the one task
	most  int64
	whole bool // this task holds it
}

// newRoom returns the room of a task that opens records, until leave is called.
func (c *checker) newRoom() *room {
	r := &room{large: &c.large, most: maxBody}
	if c.known.Load() > manyRecords {
		r.most = maxBodyOfMany
	}
	return r
}

func (r *room) leave() {
	if r.whole {
		r.large.Unlock()
	}
}

// enlarge waits for the large room. A task that holds it never waits for another, and
// leaves it soon after its context ends.
func (r *room) enlarge() {
	r.large.Lock()
	r.whole = true
}
