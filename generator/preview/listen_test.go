package preview

import (
	"errors"
	"net"
	"slices"
	"strings"
	"testing"
)

// Where a preview is, and how it is named.
func TestListen(t *testing.T) {
	for addr, want := range map[string]struct {
		base     string
		loopback bool
	}{
		"127.0.0.1:0": {"http://127.0.0.1:PORT", true},
		"LocalHost:0": {"http://localhost:PORT", true},
	} {
		l, err := Listen(t.Context(), addr)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		_, port, _ := net.SplitHostPort(l.Addr().String())
		if base := strings.ReplaceAll(want.base, "PORT", port); l.Base != base || l.Loopback != want.loopback {
			t.Errorf("%s: got %s, loopback %v", addr, l.Base, l.Loopback)
		}
		for _, host := range []string{"127.0.0.1:", "localhost:", "[::1]:"} {
			if !slices.Contains(l.Hosts, host+port) {
				t.Errorf("%s: %s is not one of %v", addr, host+port, l.Hosts)
			}
		}
	}
}

// What listens on all interfaces is not on the loopback interface alone, and is
// named by the addresses of this machine.
func TestListenEverywhere(t *testing.T) {
	for _, bound := range []string{"0.0.0.0:8765", "[::]:8765", "192.0.2.7:8765"} {
		l := newListener(placed(bound), "")
		if l.Loopback {
			t.Errorf("%s is taken for loopback", bound)
		}
		want := append(interfaceAddresses(), "127.0.0.1", "localhost")
		if bound == "192.0.2.7:8765" {
			want = []string{"192.0.2.7", "127.0.0.1"}
		}
		for _, name := range want {
			if host := net.JoinHostPort(name, "8765"); !slices.Contains(l.Hosts, host) {
				t.Errorf("%s: %s is not one of %v", bound, host, l.Hosts)
			}
		}
		if base := "http://" + net.JoinHostPort(want[0], "8765"); l.Base != base {
			t.Errorf("%s: the base is %s, want %s", bound, l.Base, base)
		}
		if slices.ContainsFunc(l.Hosts, func(host string) bool { return strings.HasPrefix(host, "0.0.0.0") || strings.HasPrefix(host, "[::]") }) {
			t.Errorf("%s: no machine has the name of all: %v", bound, l.Hosts)
		}
	}
	l := newListener(placed("192.0.2.7:80"), "preview.example")
	if l.Base != "http://preview.example" || !slices.Contains(l.Hosts, "preview.example") || !slices.Contains(l.Hosts, "preview.example:80") {
		t.Errorf("on the port that goes without saying: %s, %v", l.Base, l.Hosts)
	}
	l = newListener(placed("[2001:db8::1]:80"), "2001:db8::1")
	if l.Base != "http://[2001:db8::1]" || !slices.Contains(l.Hosts, "[2001:db8::1]:80") {
		t.Errorf("IPv6 on the port that goes without saying: %s, %v", l.Base, l.Hosts)
	}
}

// placed is a listener that is bound to an address.
type placed string

func (p placed) Accept() (net.Conn, error) { return nil, errors.New("nobody comes") }
func (placed) Close() error                { return nil }
func (p placed) Addr() net.Addr            { return p }
func (placed) Network() string             { return "tcp" }
func (p placed) String() string            { return string(p) }

// Where there is no listening, the error says why, and what to do.
func TestListenRefused(t *testing.T) {
	taken, err := Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	addr := taken.Addr().String()
	_, port, _ := net.SplitHostPort(addr)
	const free, form = "--addr 127.0.0.1:0 picks a free port", "give a host and a port, as in 127.0.0.1:8765"
	for addr, want := range map[string][2]string{
		addr:              {"port " + port + " is taken: another program listens on " + addr, free},
		"192.0.2.1:8765":  {"192.0.2.1:8765 is no address of this machine", free},
		"8765":            {`"8765" is no address to listen on`, form},
		"127.0.0.1:":      {`"127.0.0.1:" is no address to listen on`, form},
		"127.0.0.1:99999": {`"127.0.0.1:99999" is no address to listen on`, form},
		"::1:8765":        {`"::1:8765" is no address to listen on`, form},
	} {
		_, err := Listen(t.Context(), addr)
		var problem *Error
		if !errors.As(err, &problem) || problem.Error() != want[0] || problem.Hint != want[1] {
			t.Errorf("%s: got %v, %+v", addr, err, problem)
		}
	}
}
