package bucket

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/tree"
)

// Options say where and how a snapshot is published.
type Options struct {
	Store Store
	At    Address // of the tree
	State Store
	// StateAt is where the state lies.
	StateAt Address

	// Headers is the table of headers: those of a file are the first whose name is
	// the end of its path.
	Headers     []NamedHeaders
	KeepRemoved time.Duration // how long files that left the tree stay
	DryRun      bool          // nothing is written
	By          string        // names this publisher to others

	Lease time.Duration // how long a publisher that died keeps others away; 0 is a minute
	// OnWait is called once before another publisher is waited for. nil: it is an error.
	OnWait func(*BusyError)
	// OnPublished is called when clients get the new tree, with the files that a cache in
	// front has to purge. If it fails, so does the publication, and the next one sends the
	// same files, and calls it, again.
	OnPublished func(ctx context.Context, changed, removed []api.Path) error
	Progress    func(stage string, done, total int) // nil: none
	Now         func() time.Time                    // nil: time.Now
}

// NamedHeaders are the headers of the files whose paths end with Name.
type NamedHeaders struct {
	Name string
	Headers
}

// Result is the outcome of a publication, or that which a dry run would have.
type Result struct {
	Files          int   // of the tree
	Bytes          int64 // of the tree
	Added, Changed int   // files of the tree
	Left           int   // files that left it
	Unchanged      int
	Removed        int       // objects that were removed, now or after they had been kept
	Kept           int       // objects that left the tree, now or before, and are still there
	KeptSince      time.Time // when the first of them left
	Requests       int64     // to the store
	Sent           int64     // bytes

	Rebuilt       string // why the objects had to be listed; "" where they had not
	TookOver      string // whose publication did not end; "" where none was found
	Unconditional bool   // the store does not honour conditions: two publishers at once are not kept apart
}

// The limits of a publisher.
const (
	parallel     = 16 // requests at a time
	defaultLease = time.Minute
	maxRaces     = 10 // how often another publisher may be faster
)

// errRaced begins a publication again, as another publisher was faster.
var errRaced = errors.New("another publisher was faster")

type publisher struct {
	Options
	snapshot    tree.Snapshot
	store       *area
	session     session
	content     string // hash of the tree
	headersHash string
	result      Result
}

// Publish brings a bucket to the tree of a snapshot. The error is a [*BusyError] while
// another publisher is at work, an [*Error] where people can do something, and wraps
// [ErrLost] where another publisher took over in the middle.
func Publish(ctx context.Context, s tree.Snapshot, o Options) (*Result, error) {
	p := &publisher{Options: o, snapshot: s, store: &area{store: o.Store, at: o.At}}
	if p.Progress == nil {
		p.Progress = func(string, int, int) {}
	}
	if p.Now == nil {
		p.Now = time.Now
	}
	p.Lease = cmp.Or(p.Lease, defaultLease)
	table, err := json.Marshal(p.Headers)
	if err != nil {
		return nil, err
	}
	p.headersHash = hashOf(table)
	p.session = session{area: &area{store: o.State, at: o.StateAt}, lease: p.Lease, conditional: true}
	if err := p.sum(); err != nil {
		return nil, err
	}
	whole := p.result
	for range maxRaces {
		p.result = whole
		err = p.publish(ctx)
		if !errors.Is(err, errRaced) {
			break
		}
	}
	if errors.Is(err, errRaced) {
		err = &Error{fmt.Sprintf("the store refused %d times to write %s, as it does while other publishers are faster", maxRaces, o.StateAt.url(headName)),
			"publish again when no other publisher is at work; if there is none, the store takes no conditional writes there: name another place with --state", err}
	}
	p.result.Requests = p.store.requests.Load() + p.session.requests.Load()
	p.result.Sent = p.store.bytes.Load() + p.session.bytes.Load()
	return &p.result, err
}

func (p *publisher) publish(ctx context.Context) error {
	if err := p.waitForOthers(ctx); err != nil {
		return err
	}
	if h := p.session.head; p.isPublished(h) {
		p.result.Unchanged, p.result.Kept, p.result.KeptSince = p.result.Files, h.Left, time.Unix(h.LeftSince, 0)
		return nil
	}
	prev, err := p.load(ctx)
	if err != nil {
		return err
	}
	pl, err := p.makePlan(ctx, prev)
	if err == nil {
		err = p.checkForeign(ctx, pl)
	}
	if err != nil {
		return err
	}
	if h := p.session.head; h != nil && h.Lock != nil {
		p.result.TookOver = h.Lock.By
	}
	if p.DryRun {
		p.estimate(pl, prev)
		return nil
	}
	return p.bring(ctx, pl, prev)
}

// isPublished reports whether nothing has changed and nothing is due.
func (p *publisher) isPublished(h *head) bool {
	due := h != nil && h.Left > 0 && time.Unix(h.LeftSince, 0).Add(p.KeepRemoved).Compare(p.Now()) <= 0
	return h != nil && h.Tree != nil && h.Lock == nil && h.Content == p.content && h.Headers == p.headersHash && !due
}

// waitForOthers reads head until no other publisher is at work.
func (p *publisher) waitForOthers(ctx context.Context) error {
	for told := false; ; {
		if err := p.session.read(ctx); err != nil {
			return err
		}
		if h := p.session.head; h == nil || h.Lock == nil || !h.Lock.isHeld(p.session.age) {
			return nil
		}
		l := p.session.head.Lock
		busy := &BusyError{By: l.By, Since: l.Since, Until: time.Now().Add(l.duration() - p.session.age)}
		if p.OnWait == nil {
			return busy
		}
		if !told {
			p.OnWait(busy)
			told = true
		}
		if err := pause(ctx, l.duration()); err != nil {
			return err
		}
	}
}

// pause waits for a part of a lease before head is read again.
func pause(ctx context.Context, lease time.Duration) error {
	const longest = 2 * time.Second
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(min(longest, lease/4)):
		return nil
	}
}

// estimate counts what bring would send, if no request failed and no lease was renewed.
func (p *publisher) estimate(pl *plan, prev *previous) {
	locked := p.lockedHead(p.session.head, pl, prev.resend)
	writes := 1 + len(p.session.probes()) // of the object of the state
	requests := writes + 2 + len(pl.steps) + len(replaced(p.session.head, pl))
	if pl.newBase {
		requests++ // the list of sweep
	}
	p.store.requests.Add(int64(requests))
	p.store.bytes.Add(pl.bytes + int64(writes*len(pl.object)+len(locked.encode())+len(p.nextHead(locked, pl).encode())))
}

// bring takes the lock and carries out a plan.
func (p *publisher) bring(ctx context.Context, pl *plan, prev *previous) error {
	s := &p.session
	old := s.head
	object := treeFolder + pl.name
	if _, err := s.put(ctx, object, pl.object, stateHeaders, Condition{}); err != nil {
		return err
	}
	if err := s.probe(ctx, object, pl.object); err != nil {
		return err
	}
	p.result.Unconditional = !s.conditional
	if err := p.lock(ctx, p.lockedHead(old, pl, prev.resend)); err != nil {
		return err
	}
	err := s.held(ctx, func(ctx context.Context) error {
		err := p.apply(ctx, pl)
		if err == nil && pl.newBase {
			err = p.sweep(ctx, old, pl)
		}
		if err == nil && p.OnPublished != nil {
			err = p.callOnPublished(ctx, pl)
		}
		return err
	})
	if err == nil {
		err = p.finish(ctx, pl)
	}
	if err != nil {
		if !errors.Is(err, ErrLost) {
			s.giveUp(ctx)
		}
		return err
	}
	p.removeReplaced(ctx, old, pl)
	return nil
}

// lockedHead returns head with the lock and the plan. With another table of headers, which
// objects have the old ones is not known until the publication ends.
func (p *publisher) lockedHead(old *head, pl *plan, otherHeaders bool) *head {
	next := head{Format: headFormat, Content: strings.Repeat("0", 64), Headers: p.headersHash}
	if old != nil {
		next = *old
	}
	if otherHeaders {
		next.Headers = strings.Repeat("0", 64)
	}
	var plans []*treeRef
	if next.Lock != nil {
		plans = slices.Clone(next.Lock.Plans)
	}
	if len(plans) == maxUnfinished {
		next.Tree, plans = nil, nil
	}
	next.Lock = &lock{Nonce: rand.Text(), By: p.By, Since: time.Now().UTC().Truncate(time.Second), Lease: max(1, int(p.Lease/time.Second)), Plans: append(plans, pl.next)}
	return &next
}

// lock writes the lock and the plan to head.
func (p *publisher) lock(ctx context.Context, next *head) error {
	s := &p.session
	err := s.swap(ctx, next)
	if err == nil && !s.conditional {
		// Of two publishers that wrote head at the same time one finds that it is the other's.
		if err = pause(ctx, p.Lease); err == nil {
			err = s.checkUnchanged(ctx)
		}
	}
	if errors.Is(err, ErrCondition) {
		return errRaced
	}
	return err
}

// nextHead returns head with the new tree, and without a lock.
func (p *publisher) nextHead(locked *head, pl *plan) *head {
	return &head{
		Format: headFormat, Content: p.content, Headers: p.headersHash, Tree: pl.next, Files: p.result.Files, Bytes: p.result.Bytes,
		Left: len(pl.retained), LeftSince: pl.leftSince(), Publication: locked.Publication + 1,
	}
}

// finish writes the new tree to head, and ends the lock.
func (p *publisher) finish(ctx context.Context, pl *plan) error {
	err := p.session.swap(ctx, p.nextHead(p.session.head, pl))
	if errors.Is(err, ErrCondition) {
		return ErrLost
	}
	return err
}

func (p *publisher) headersOf(path api.Path) Headers {
	text := path.String()
	for _, h := range p.Headers {
		if strings.HasSuffix(text, h.Name) {
			return h.Headers
		}
	}
	return Headers{}
}

func (p *publisher) callOnPublished(ctx context.Context, pl *plan) error {
	changed := slices.Clone(pl.held)
	removed := slices.Clone(pl.left)
	for _, s := range pl.steps {
		if s.Op == tree.Change {
			changed = append(changed, s.Path)
		} else if s.Op.IsRemove() {
			removed = append(removed, s.Path)
		}
	}
	slices.SortFunc(changed, api.Path.Compare)
	slices.SortFunc(removed, api.Path.Compare)
	removed = slices.Compact(removed)
	if len(changed)+len(removed) == 0 {
		return nil
	}
	p.Progress("telling what changed", 0, 0)
	return p.OnPublished(ctx, changed, removed)
}
