package preview

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// DefaultAddr is where a preview listens by default.
const DefaultAddr = "127.0.0.1:8765"

// Listener is where a preview is reached.
type Listener struct {
	net.Listener
	Base     string   // base address for links, without a slash at its end
	Hosts    []string // the values of Host that name it, in lower case
	Loopback bool     // only this machine reaches it
}

// Listen listens on an address: a host and a port, where port 0 picks a free one,
// and no host means all interfaces; "" is [DefaultAddr]. The error is an [*Error].
func Listen(ctx context.Context, addr string) (*Listener, error) {
	if addr == "" {
		addr = DefaultAddr
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil || port == "" {
		return nil, &Error{fmt.Sprintf("%q is no address to listen on", addr), "give a host and a port, as in " + DefaultAddr, nil}
	}
	inner, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, listenError(addr, port, err)
	}
	return newListener(inner, strings.ToLower(host)), nil
}

// listenError says why an address cannot be listened on.
func listenError(addr, port string, err error) error {
	const another = "--addr 127.0.0.1:0 picks a free port"
	var address *net.AddrError
	var name *net.DNSError
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return &Error{fmt.Sprintf("port %s is taken: another program listens on %s", port, addr), another, nil}
	case errors.Is(err, syscall.EADDRNOTAVAIL), errors.As(err, &name):
		return &Error{fmt.Sprintf("%s is no address of this machine", addr), another, nil}
	case errors.Is(err, fs.ErrPermission):
		return &Error{fmt.Sprintf("this user may not listen on port %s", port), "give a port from 1024, or 0 for a free one", nil}
	case errors.As(err, &address):
		return &Error{fmt.Sprintf("%q is no address to listen on", addr), "give a host and a port, as in " + DefaultAddr, nil}
	}
	var system syscall.Errno
	if errors.As(err, &system) {
		err = system
	}
	return &Error{"cannot listen on " + addr, another, err}
}

var loopbackNames = []string{"127.0.0.1", "localhost", "::1"}

// newListener finds the names by which clients reach a listener.
func newListener(inner net.Listener, host string) *Listener {
	const defaultPort = ":80" // may be left out
	l := &Listener{Listener: inner}
	bound := netip.MustParseAddrPort(inner.Addr().String()) // of TCP
	ip, port := bound.Addr().Unmap(), strconv.Itoa(int(bound.Port()))
	l.Loopback = ip.IsLoopback()
	own := []string{cmp.Or(host, ip.String())}
	if ip.IsUnspecified() {
		own = interfaceAddresses() // links have to work on other machines, too
	}
	names := slices.Concat(own, loopbackNames)
	for _, name := range names {
		full := net.JoinHostPort(name, port)
		l.Hosts = append(l.Hosts, full)
		if short, ok := strings.CutSuffix(full, defaultPort); ok {
			l.Hosts = append(l.Hosts, short)
		}
	}
	l.Base = "http://" + strings.TrimSuffix(l.Hosts[0], defaultPort)
	return l
}

// interfaceAddresses returns the addresses at which other machines may reach this
// one.
func interfaceAddresses() []string {
	var all []string
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		return nil // then only loopback names are answered
	}
	for _, address := range addresses {
		prefix, err := netip.ParsePrefix(address.String())
		if err == nil && !prefix.Addr().IsLoopback() && !prefix.Addr().IsLinkLocalUnicast() {
			all = append(all, prefix.Addr().Unmap().String())
		}
	}
	return all
}

// ownHost reports whether a request's Host is one of the server's.
func (s *Server) ownHost(host string) bool {
	host = strings.ToLower(host)
	if s.options.Hosts != nil {
		return slices.Contains(s.options.Hosts, host)
	}
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = strings.Trim(host, "[]")
	}
	return slices.Contains(loopbackNames, name)
}
