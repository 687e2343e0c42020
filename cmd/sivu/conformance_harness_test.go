package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"example.org/sivu/generator/baseurl"
	"example.org/sivu/generator/host"
)

// requireHosts is the variable that turns a missing server from a skipped test
// into a failed one.
const requireHosts = "SIVU_REQUIRE_HOSTS"

// served is one snapshot of the sample site, with the files that a host wrote
// for it.
type served struct {
	host   *host.Host
	config *host.Config
	root   string // the snapshot
	dir    string // the files of Configure, and what the server writes
}

// base returns the base address.
func (s *served) base() string { return s.config.Base.String() }

// path returns the path of a file that the host wrote, or of one beside those.
func (s *served) path(name string) string { return filepath.Join(s.dir, filepath.FromSlash(name)) }

// prepare builds the snapshot and writes the configuration.
func prepare(t *testing.T, server realServer, prefix, links string, changes ...func(*host.Config)) *served {
	t.Helper()
	h, ok := host.Named(server.host)
	if !ok {
		t.Fatalf("there is no host %s", server.host)
	}
	dir := publicTempDir(t)
	listen := freeAddress(t)
	base, err := baseurl.Parse("http://" + listen + prefix)
	if err != nil {
		t.Fatal(err)
	}
	s := &served{host: h, dir: filepath.Join(dir, "host"),
		config: &host.Config{Base: base, Root: filepath.Join(dir, "snapshot"), Listen: listen, Links: links}}
	for _, change := range changes {
		change(s.config)
	}
	s.root = s.config.Root
	s.config.Origin = plainServer(t, s.root).Listener.Addr().String()
	build := []string{"build", "--quiet", "--content", "../../content", "--out", s.root,
		"--base-url", s.base(), "--host", h.Name, "--links", links}
	if server.packed && len(h.Codings) > 0 {
		build = append(build, "--precompress", strings.Join(h.Codings, ","))
	}
	command(t, build...)
	configure := []string{"host", h.Name, "--base-url", s.base(), "--links", links, "--out", s.dir}
	for flag, value := range map[string]string{"root": s.root, "listen": listen, "origin": s.config.Origin} {
		if slices.Contains(h.Flags, flag) {
			configure = append(configure, "--"+flag, value)
		}
	}
	command(t, configure...)
	return s
}

// command runs a command of sivu.
func command(t *testing.T, args ...string) {
	t.Helper()
	if said, err := runHere(t, args...); err != nil {
		t.Fatalf("sivu %s: %v\n%s", strings.Join(args, " "), err, said)
	}
}

// runHere runs a command of sivu in this process, and returns what it prints.
func runHere(t testing.TB, args ...string) (string, error) {
	var out bytes.Buffer
	root := newRoot()
	root.SetArgs(args)
	root.SetOut(&out)
	root.SetErr(&out)
	err := root.ExecuteContext(t.Context())
	return out.String(), err
}

func layFiles(t *testing.T, dir string, files []host.File, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		writePublic(t, filepath.Join(dir, filepath.FromSlash(file.Name)), string(file.Data))
	}
}

// writePublic writes a file that every user of this machine may read.
func writePublic(t *testing.T, name, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// publicTempDir is t.TempDir for servers that give up being root.
func publicTempDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{filepath.Dir(dir), dir} {
		if err := os.Chmod(name, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// plainServer is the file server behind a cache: it knows files and their times,
// and neither queries nor types.
func plainServer(t *testing.T, root string) *httptest.Server {
	t.Helper()
	files := http.FileServer(http.Dir(root))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if info, err := os.Stat(filepath.Join(root, filepath.FromSlash(path.Clean("/"+r.URL.Path)))); err == nil {
			w.Header().Set("ETag", fmt.Sprintf(`"%x-%x"`, info.ModTime().Unix(), info.Size()))
		}
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Server", "plain/1.0")
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// givenPorts are those that freeAddress returned.
var givenPorts sync.Map

// freeAddress returns a loopback address that nobody listens at, below the ports
// that the system gives to clients, so that no request of another test takes it
// before the server does.
func freeAddress(t *testing.T) string {
	t.Helper()
	const from, ports, attempts = 12_000, 20_000, 100
	for range attempts {
		address := net.JoinHostPort("127.0.0.1", strconv.Itoa(from+rand.IntN(ports)))
		if _, given := givenPorts.LoadOrStore(address, true); given {
			continue
		}
		if l, err := net.Listen("tcp", address); err == nil {
			l.Close()
			return address
		}
	}
	t.Fatal("there is no free port")
	return ""
}

// start runs a server until the test ends, and waits until it listens. What it
// prints is shown when the test fails.
func start(t *testing.T, s *served, listen, program string, args ...string) {
	t.Helper()
	logName := s.path(filepath.Base(program) + ".out")
	log, err := os.Create(logName)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	c := exec.Command(program, args...)
	c.Dir, c.Stdout, c.Stderr = s.dir, log, log
	c.Env = append(os.Environ(), "XDG_CONFIG_HOME="+s.dir, "XDG_DATA_HOME="+s.dir)
	c.SysProcAttr = ownGroup()
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	t.Cleanup(func() {
		end(c, ended)
		if t.Failed() {
			showLogs(t, s)
		}
	})
	for {
		conn, err := net.Dial("tcp", listen)
		if err == nil {
			conn.Close()
			return
		}
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("%s ended: %v", program, err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// end asks the server and its children to end, waits for it, and sees to it that
// none is left.
func end(c *exec.Cmd, ended chan error) {
	c.Process.Signal(syscall.SIGTERM)
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
	}
	endGroup(c.Process.Pid)
}

// showLogs prints the ends of all logs that lie beside the configuration.
func showLogs(t *testing.T, s *served) {
	const most = 8 << 10
	names, _ := filepath.Glob(s.path("*.out"))
	logs, _ := filepath.Glob(s.path("*.log"))
	for _, name := range append(names, logs...) {
		text, err := os.ReadFile(name)
		if err != nil || len(text) == 0 {
			continue
		}
		t.Logf("%s:\n%s", filepath.Base(name), text[max(0, len(text)-most):])
	}
}
