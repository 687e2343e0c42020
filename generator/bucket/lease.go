package bucket

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"time"
)

// ErrLost ends a publisher that does not own the lock any more.
var ErrLost = errors.New("another publisher took over, or the lease could not be renewed in time")

// session is head as one publisher last read or wrote it.
type session struct {
	*area            // of the state
	conditional bool // the store was seen to honour conditions
	lease       time.Duration

	head    *head  // nil where there is none
	etag    string // of head, "" where there is none
	age     time.Duration
	damage  error     // why the head that is there cannot be used
	renewed time.Time // before the last write of ours
}

// read reads head.
func (s *session) read(ctx context.Context) error {
	s.head, s.etag, s.damage = nil, "", nil
	object, err := s.get(ctx, headName, headLimit)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case errors.Is(err, ErrTooLarge):
		return &Error{fmt.Sprintf("%s is no state of sivu: it is larger than %d kB", s.at.url(headName), headLimit>>10),
			"look what it is, and remove it, or name another place with --state", err}
	case err != nil:
		return err
	}
	s.etag, s.age = object.ETag, object.Age
	s.head, err = decodeHead(object.Data)
	if errors.Is(err, errHead) {
		s.damage, err = err, nil
	}
	return err
}

// swap replaces head, if nobody did since it was last read or written. Otherwise the
// error wraps [ErrCondition]. An answer that was lost makes the library repeat the
// request, and the repetition is refused because of the request itself, so head is read
// before a refusal is believed.
func (s *session) swap(ctx context.Context, next *head) error {
	started, data := time.Now(), next.encode()
	condition := Condition{Match: s.etag, None: s.etag == ""}
	if !s.conditional {
		if err := s.checkUnchanged(ctx); err != nil {
			return err
		}
		condition = Condition{}
	}
	etag, err := s.put(ctx, headName, data, stateHeaders, condition)
	if errors.Is(err, ErrCondition) {
		object, getErr := s.get(ctx, headName, headLimit)
		if getErr != nil || !bytes.Equal(object.Data, data) {
			return err
		}
		etag, err = object.ETag, nil
	}
	if err != nil {
		return err
	}
	s.head, s.etag, s.damage, s.renewed = next, etag, nil, started
	return nil
}

// swapLock replaces the lock in head.
func (s *session) swapLock(ctx context.Context, l lock) error {
	next := *s.head
	next.Lock = &l
	return s.swap(ctx, &next)
}

// checkUnchanged is for stores without conditions: it makes the time in which two
// publishers can miss each other short.
func (s *session) checkUnchanged(ctx context.Context) error {
	object, err := s.get(ctx, headName, headLimit)
	etag := ""
	if err == nil {
		etag = object.ETag
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if etag != s.etag {
		return fmt.Errorf("head was changed: %w", ErrCondition)
	}
	return nil
}

// stateHeaders are those of the state, which no cache may keep.
var stateHeaders = Headers{"application/octet-stream", "no-store"}

// probes are conditions that do not hold for an object that is there.
func (s *session) probes() []Condition {
	conditions := []Condition{{Match: strings.Repeat("0", 32)}}
	if s.etag == "" {
		conditions = append(conditions, Condition{None: true})
	}
	return conditions
}

// probe finds out whether the store honours the conditions that keep publishers apart, by
// PUTs of the same bytes over an object that is there. They must be refused.
func (s *session) probe(ctx context.Context, name string, data []byte) error {
	s.conditional = true
	for _, c := range s.probes() {
		_, err := s.put(ctx, name, data, stateHeaders, c)
		if err != nil && !errors.Is(err, ErrCondition) && !errors.Is(err, ErrUnsupported) {
			return err
		}
		s.conditional = s.conditional && errors.Is(err, ErrCondition)
	}
	return nil
}

// held runs work while the lock is renewed. The context of work ends with ErrLost
// when a renewal was refused, or when none came through for two thirds of the
// lease: the last third is for requests that are still on their way.
func (s *session) held(ctx context.Context, work func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	done := make(chan struct{})
	var renewer sync.WaitGroup
	renewer.Go(func() { s.renew(ctx, done, cancel) })
	err := work(ctx)
	close(done)
	renewer.Wait()
	if cause := context.Cause(ctx); cause != nil && (err != nil || errors.Is(cause, ErrLost)) {
		err = cause
	}
	cancel(nil)
	return err
}

func (s *session) renew(ctx context.Context, done <-chan struct{}, cancel context.CancelCauseFunc) {
	pause := s.lease / 3
	for {
		select {
		case <-done:
			return
		case <-ctx.Done():
			return
		case <-time.After(time.Until(s.renewed.Add(pause))):
		}
		limited, release := context.WithDeadline(ctx, s.renewed.Add(2*s.lease/3))
		lock := *s.head.Lock
		lock.Renewal++
		err := s.swapLock(limited, lock)
		ended := limited.Err() != nil
		release()
		switch {
		case err == nil:
			pause = s.lease / 3
		case errors.Is(err, ErrCondition) || ended:
			cancel(ErrLost)
			return
		default:
			pause = time.Since(s.renewed) + s.lease/12 // soon again, until the time is over
		}
	}
}

// giveUp ends the lease after a failure, so that others need not wait for its end.
func (s *session) giveUp(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	lock := *s.head.Lock
	lock.Lease = 0
	s.swapLock(ctx, lock) // without it, others wait for the lease to end
}
