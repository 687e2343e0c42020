package verify

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// enter waits until a request may be made. The caller calls leave when its
// answer has come.
func (c *client) enter(ctx context.Context) (leave func(), err error) {
	select {
	case c.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	leave = func() { <-c.slots }
	if err = c.rest(ctx); err == nil {
		err = c.limiter.Wait(ctx)
	}
	if err == nil && !c.budget.request() {
		err = context.Canceled
	}
	if err != nil {
		leave()
		return nil, err
	}
	return leave, nil
}

// pause lets no request begin for a while.
func (c *client) pause(wait time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if until := time.Now().Add(wait); until.After(c.resume) {
		c.resume = until
	}
}

func (c *client) rest(ctx context.Context) error {
	for {
		c.mu.Lock()
		wait := time.Until(c.resume)
		c.mu.Unlock()
		if wait <= 0 {
			return nil
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		}
	}
}

// retryAfter returns how long the service wants to be left alone, and whether
// it said so (RFC 9110, section 10.2.3).
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

// message returns the request as it is sent. What decides on compression is
// always said, so that an answer is compressed only where that is looked at.
func (c *client) message(ctx context.Context, u *url.URL, r request) *http.Request {
	m := (&http.Request{
		Method: r.verb(), URL: u, Host: u.Host, Header: http.Header{},
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}).WithContext(ctx)
	m.Header.Set("User-Agent", c.agent)
	m.Header.Set("Accept", "application/json, */*;q=0.1")
	m.Header.Set("Accept-Encoding", "identity")
	for _, f := range r.header {
		m.Header.Set(f.name, f.value)
	}
	return m
}

// isClosed reports whether the other side had closed the connection before it
// read the request.
func isClosed(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) ||
		strings.Contains(err.Error(), "server closed idle connection")
}

// reason says in one line why no answer came.
func reason(err error, timeout time.Duration) string {
	var e *url.Error
	if errors.As(err, &e) {
		err = e.Err
	}
	var slow net.Error
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &slow) && slow.Timeout():
		return fmt.Sprintf("no whole answer within %s", timeout)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "the connection was closed before the answer"
	case errors.Is(err, syscall.ECONNRESET):
		return "the connection was reset before the answer"
	case strings.Contains(err.Error(), "server response headers exceeded"):
		return fmt.Sprintf("headers of more than %d bytes", mostHeader)
	}
	return err.Error()
}

// hintFor says what can be done where no answer ever came.
func hintFor(err error) string {
	var (
		name        *net.DNSError
		certificate *tls.CertificateVerificationError
		slow        net.Error
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
	case errors.As(err, &slow) && slow.Timeout(), errors.Is(err, context.DeadlineExceeded):
		return "wait longer, with --timeout, or look whether a firewall is in the way"
	}
	return ""
}
