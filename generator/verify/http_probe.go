package verify

import (
	"bufio"
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"time"
)

// probeGrace is how long bytes are waited for that must not come.
const probeGrace = 2 * time.Second

// trailing reports whether bytes follow the header of an answer that has no
// body by its nature: to HEAD, or a 304. net/http throws such bytes away, so
// the connection is read here, in HTTP/1.1. known is false where that is not
// possible, as behind a proxy.
func (c *client) trailing(ctx context.Context, r request) (follows, known bool, err error) {
	u, err := c.within(r.address)
	if err != nil {
		return false, false, nil
	}
	leave, err := c.enter(ctx)
	if err != nil {
		return false, false, err
	}
	defer leave()
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	m := c.message(ctx, u, r)
	m.Close = true
	if proxy, err := http.ProxyFromEnvironment(m); err != nil || proxy != nil {
		return false, false, nil
	}
	conn, err := c.dial(ctx, u.Scheme, u.Hostname(), u.Port())
	if err != nil {
		return false, false, nil
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	if m.Write(conn) != nil {
		return false, false, nil
	}
	from := bufio.NewReader(io.LimitReader(conn, mostHeader))
	if _, err := http.ReadResponse(from, m); err != nil {
		return false, false, nil
	}
	conn.SetReadDeadline(time.Now().Add(min(probeGrace, c.timeout)))
	_, err = from.ReadByte()
	return err == nil, true, nil
}

func (c *client) dial(ctx context.Context, scheme, host, port string) (net.Conn, error) {
	usual := map[string]string{"http": "80", "https": "443"}[scheme]
	conn, err := c.transport.DialContext(ctx, "tcp", net.JoinHostPort(host, orPort(port, usual)))
	if err != nil || scheme == "http" {
		return conn, err
	}
	secure := tls.Client(conn, &tls.Config{ServerName: host, NextProtos: []string{"http/1.1"}})
	if err := secure.HandshakeContext(ctx); err != nil {
		conn.Close()
		return nil, err
	}
	return secure, nil
}

func orPort(port, usual string) string {
	if port == "" {
		return usual
	}
	return port
}
