package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/preview"
	"example.org/sivu/generator/view"
)

// runningPreview is a preview in a process of its own.
type runningPreview struct {
	*exec.Cmd
	address string // as it was printed
	errs    bytes.Buffer
}

// builtSite builds the small good site, and returns the output folder.
func builtSite(t *testing.T) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "public")
	if text, err := exec.CommandContext(t.Context(), "sivu", "build", "--quiet", "--content", "testdata/site/content", "--out", out).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return out
}

func startPreview(t *testing.T, arguments ...string) *runningPreview {
	t.Helper()
	return startPreviewAs(t, exec.Command("sivu", append([]string{"preview"}, arguments...)...))
}

func startPreviewAs(t *testing.T, command *exec.Cmd) *runningPreview {
	t.Helper()
	p := &runningPreview{Cmd: command}
	p.Stderr = &p.errs
	out, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if p.ProcessState == nil {
			p.Process.Kill()
			p.Wait()
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("no address was printed: %v", err)
	}
	p.address = strings.TrimSuffix(line, "\n")
	return p
}

// Ctrl-C ends a preview well, streams and connections that are open with it.
func TestPreviewSnapshot(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("programs cannot be sent Ctrl-C here")
	}
	out := builtSite(t)
	p := startPreview(t, out, "--addr", "127.0.0.1:0")
	base, ok := strings.CutSuffix(p.address, "/")
	if !ok || !strings.HasPrefix(base, "http://127.0.0.1:") {
		t.Fatalf("the address is %q", p.address)
	}
	for path, want := range map[string]string{
		"/pages/":              `{"count":`,
		"/":                    "<!doctype html>",
		"/_preview/state.json": `"base":"` + base + `","snapshot":true,`,
	} {
		if body := fetched(t, base+path); !strings.Contains(body, want) {
			t.Errorf("%s holds no %s: %s", path, want, body)
		}
	}
	if body := fetched(t, base+"/pages/"); !strings.Contains(body, `"url":"`+base+"/pages/") || strings.Contains(body, "https://") {
		t.Errorf("the links do not begin with %s: %s", base, body)
	}
	response, err := http.Get(base + "/_preview/events")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	stream := bufio.NewReader(response.Body)
	if _, err := stream.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	if err := p.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := p.Wait(); err != nil {
		t.Errorf("the preview ended with %v\n%s", err, &p.errs)
	}
	if _, err := io.Copy(io.Discard, stream); err != nil {
		t.Errorf("the stream broke: %v", err)
	}
	if got, want := p.errs.String(), "serving the snapshot "+`"`+out+`"`+"; Ctrl-C ends it\n"; got != want {
		t.Errorf("standard error has %q, want %q", got, want)
	}
}

// Whoever begins with an empty folder sees what to do.
func TestPreviewEmptyFolder(t *testing.T) {
	p := startPreview(t, "--content", t.TempDir(), "--addr", "127.0.0.1:0")
	base := strings.TrimSuffix(p.address, "/")
	for tries := 0; !strings.Contains(fetched(t, base+"/_preview/state.json"), "no pages; found no files"); tries++ {
		if tries == 1000 {
			t.Fatal("nothing is said of the empty folder")
		}
		time.Sleep(10 * time.Millisecond) // the first update is on its way
	}
	if body := fetched(t, base+"/pages/"); !strings.Contains(body, `"count":0,`) {
		t.Errorf("the list is %s", body)
	}
}

func fetched(t *testing.T, address string) string {
	t.Helper()
	response, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v", address, response.Status, err)
	}
	return string(body)
}

// Each origin that --allow-origin names may read, and no other website.
func TestPreviewAllowOrigin(t *testing.T) {
	p := startPreview(t, "--snapshot", builtSite(t), "--addr", "127.0.0.1:0", "--allow-origin", "https://a.example", "--allow-origin", "https://b.example:81")
	for origin, want := range map[string]string{"https://a.example": "https://a.example", "https://b.example:81": "https://b.example:81", "https://c.example": ""} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.address+"pages/", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Origin", origin)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if got := response.Header.Get("Access-Control-Allow-Origin"); got != want {
			t.Errorf("%s: the allowed origin is %q", origin, got)
		}
	}
}

// A port that is taken is told, with a cure.
func TestPreviewPortTaken(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	addr := listener.Addr().String()
	_, port, _ := net.SplitHostPort(addr)
	text, err := exec.CommandContext(t.Context(), "sivu", "preview", "--snapshot", builtSite(t), "--addr", addr).CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != exitFailed {
		t.Errorf("it ended with %v", err)
	}
	want := "sivu: port " + port + " is taken: another program listens on " + addr + "\n    hint: --addr 127.0.0.1:0 picks a free port\n"
	if string(text) != want {
		t.Errorf("got %q, want %q", text, want)
	}
}

// Whoever opens the preview to the network is warned.
func TestPreviewWarnsOfOthers(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("programs cannot be sent Ctrl-C here")
	}
	p := startPreview(t, "--snapshot", builtSite(t), "--addr", "0.0.0.0:0")
	if err := errors.Join(p.Process.Signal(syscall.SIGTERM), p.Wait()); err != nil {
		t.Errorf("the preview ended with %v", err)
	}
	want := "warning: others in the network can read the pages at " + strings.TrimSuffix(p.address, "/") + "\n"
	if !strings.HasPrefix(p.errs.String(), want) {
		t.Errorf("standard error has %q, want %q first", p.errs.String(), want)
	}
}

// An update tells in the terminal which errors are new, and how many more there
// are; it never repeats them all.
func TestPreviewTellsNewErrors(t *testing.T) {
	rule := &diag.Rule{Name: "test", Severity: diag.Error}
	report := func(lines ...int) diag.Report {
		r := diag.Report{Errors: len(lines)}
		for _, line := range lines {
			r.Diagnostics = append(r.Diagnostics, rule.At(diag.Position{File: "a.md", Line: line, Column: 1}, "wrong"))
		}
		return r
	}
	var out strings.Builder
	p := updatePrinter{w: &out}
	print := func(want string, kept, hidden int, r diag.Report) {
		t.Helper()
		out.Reset()
		p.print(&view.Update{Site: preview.Site{Report: r, Failed: true}, Kept: kept, Hidden: hidden}, nil)
		if got := out.String(); got != want {
			t.Errorf("got\n%swant\n%s", got, want)
		}
	}
	const never = "1 page with errors: there is no version yet that the preview could show\n"
	print("a.md:1:1: error: wrong [test]\n"+never, 0, 1, report(1))
	print("a.md:2:1: error: wrong [test]\nand 1 error more; the page browser lists all\n"+
		"2 pages with errors: the preview shows the last version without\n", 2, 0, report(1, 2))
	print("and 2 errors more; the page browser lists all\n", 0, 0, report(1, 2))
	var many []int
	for line := range 30 {
		many = append(many, line+1)
	}
	out.Reset()
	p.print(&view.Update{Site: preview.Site{Report: report(many...), Failed: true}}, nil)
	if lines := strings.Count(out.String(), "error: wrong"); lines != 3 || !strings.HasPrefix(out.String(), "28 errors [test], such as\n") ||
		!strings.Contains(out.String(), "and 2 errors more; the page browser lists all") {
		t.Errorf("%d errors are printed:\n%s", lines, out.String())
	}
}
