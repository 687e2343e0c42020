package main

import (
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.org/sivu/generator/host"
)

// emulatorsDir is the variable with the folder into which make emulators has
// installed the makers' local runtimes.
const emulatorsDir = "SIVU_EMULATORS"

// emulator is a local runtime that comes from the maker of a host, or that the
// host is made with.
type emulator struct {
	host string
	tool string // as the Makefile pins it, or as Debian names it
	// run returns the command that serves at the address of s what was uploaded.
	run   func(t *testing.T, tools toolFolder, s *served, uploaded string) []string
	cache string // of answers, where code of sivu runs
	// Where it differs from the exceptions of the host, as its Tried explains:
	breaks      string // rules that the emulator breaks and the host keeps
	breaksBelow string // and further ones below a path prefix
	keeps       string // exceptions of the host that the emulator keeps
}

var emulators = []emulator{
	{host: "cloudflare-workers", tool: "wrangler", run: runWorkers, cache: cacheDeploy},
	{host: "cloudflare-pages", tool: "wrangler", run: runPages, cache: cacheDeploy},
	{host: "vercel", tool: "edge-runtime", run: runVercel, cache: cacheDeploy},
	{host: "cloudfront", tool: "njs", run: runCloudFront, cache: goodCache},
	{host: "firebase", tool: "firebase-tools", run: runFirebase, breaks: "conditional-request", keeps: "method-body options-status"},
	{host: "azure", tool: "@azure/static-web-apps-cli", run: runAzure,
		breaks: "conditional-request slash-redirect", breaksBelow: "not-found-body", keeps: "method-status options-body"},
}

// quiet keeps the makers' tools from reporting, from asking for newer versions and
// from colours.
var quiet = map[string]string{
	"CI": "1", "DO_NOT_TRACK": "1", "NO_COLOR": "1", "NO_UPDATE_NOTIFIER": "1",
	"WRANGLER_SEND_METRICS": "false", "WRANGLER_SEND_ERROR_REPORTS": "false", "WRANGLER_HIDE_BANNER": "true",
	"WRANGLER_LOG": "warn", "CLOUDFLARE_CF_FETCH_ENABLED": "false",
}

// TestEmulatorsAreNamed holds what sivu says of a host against the tools that the
// Makefile installs.
func TestEmulatorsAreNamed(t *testing.T) {
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range emulators {
		h, _ := host.Named(e.host)
		name := e.tool
		if pinned := regexp.MustCompile(`\s` + regexp.QuoteMeta(e.tool) + `@([\d.]+)`).FindSubmatch(makefile); pinned != nil {
			name += " " + string(pinned[1])
		} else if !strings.Contains(string(makefile), " "+e.tool+":"+e.tool) {
			t.Errorf("the Makefile does not install %s", e.tool)
		}
		if !strings.Contains(h.TestedWith, name) {
			t.Errorf("how %s was tried does not name %s: %s", h.Name, name, h.TestedWith)
		}
		for rule := range strings.FieldsSeq(e.breaks + " " + e.breaksBelow + " " + e.keeps) {
			if !strings.Contains(h.TestedWith, rule) {
				t.Errorf("how %s was tried does not name %s, which differs in %s: %s", h.Name, rule, e.tool, h.TestedWith)
			}
		}
	}
}

// TestEmulators builds the sample site for each host that has a local runtime,
// uploads it with the script that sivu writes to a stand-in for the maker's
// client, and asks the runtime everything.
func TestEmulators(t *testing.T) {
	tools := toolFolder(os.Getenv(emulatorsDir))
	if tools == "" {
		t.Skipf("%s is not set: make emulators installs the makers' local runtimes, and sets it", emulatorsDir)
	}
	for name, value := range quiet {
		t.Setenv(name, value)
	}
	t.Setenv("HOME", t.TempDir())
	for _, e := range emulators {
		for _, prefix := range []string{"", "/v1"} {
			t.Run(strings.ReplaceAll(e.host+prefix, "/", "-"), func(t *testing.T) {
				h, ok := host.Named(e.host)
				if !ok {
					t.Fatalf("there is no host %s", e.host)
				}
				s, uploaded := publish(t, h, prefix, "", h.Edge && prefix != "")
				command := e.run(t, tools, s, uploaded)
				at := *s
				at.dir = uploaded
				start(t, &at, s.config.Listen, command[0], command[1:]...)
				if e.cache != "" {
					askJavaScript(t, s, e.cache)
				}
				askAllFiles(t, s)
				s.host = e.known(h, prefix)
				conforms(t, s)
			})
		}
	}
}

// known returns the host with the exceptions that its emulator shows.
func (e *emulator) known(h *host.Host, prefix string) *host.Host {
	shown := *h
	shown.Cannot = slices.DeleteFunc(slices.Clone(h.Cannot), func(exception host.Exception) bool {
		return slices.Contains(strings.Fields(e.keeps), exception.Rule)
	})
	breaks := e.breaks
	if prefix != "" {
		breaks += " " + e.breaksBelow
	}
	for rule := range strings.FieldsSeq(breaks) {
		shown.Cannot = append(shown.Cannot, host.Exception{Rule: rule, Why: h.TestedWith})
	}
	return &shown
}

// toolFolder is a folder with packages of npm in node_modules.
type toolFolder string

// node returns a command of a package, below the Node that is installed beside it.
func (f toolFolder) node(t *testing.T, script string, args ...string) []string {
	t.Helper()
	nodes, err := filepath.Glob(filepath.Join(string(f), "node_modules", "node-*", "bin", "node"))
	if err != nil || len(nodes) != 1 {
		t.Fatalf("%s has %d programs node, want 1: run make emulators", f, len(nodes))
	}
	if !filepath.IsAbs(script) {
		script = filepath.Join(string(f), "node_modules", filepath.FromSlash(script))
	}
	return append([]string{nodes[0], script}, args...)
}

func runWorkers(t *testing.T, tools toolFolder, s *served, _ string) []string {
	return wrangler(t, tools, s, "dev")
}

func runPages(t *testing.T, tools toolFolder, s *served, _ string) []string {
	return wrangler(t, tools, s, "pages", "dev", "site")
}

func wrangler(t *testing.T, tools toolFolder, s *served, args ...string) []string {
	t.Helper()
	name, port := hostAndPort(t, s.config.Listen)
	_, inspector := hostAndPort(t, freeAddress(t))
	args = append(args, "--ip", name, "--port", port, "--inspector-port", inspector, "--show-interactive-dev-session=false")
	return tools.node(t, "wrangler/bin/wrangler.js", args...)
}

func hostAndPort(t *testing.T, address string) (name, port string) {
	t.Helper()
	name, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	return name, port
}

// runVercel runs the middleware in the maker's runtime, below the stand-in for the
// rest of Vercel.
func runVercel(t *testing.T, tools toolFolder, s *served, uploaded string) []string {
	return tools.node(t, nodeFile(t, "vercel.mjs"), "--listen", s.config.Listen, "--project", uploaded, "--packages", string(tools))
}

// runCloudFront runs the functions in njs, of which CloudFront's runtime is made,
// below the stand-in for the rest of CloudFront.
func runCloudFront(t *testing.T, tools toolFolder, s *served, uploaded string) []string {
	njs, err := exec.LookPath("njs")
	if err != nil {
		t.Fatal(err)
	}
	return tools.node(t, nodeFile(t, "cloudfront.mjs"), "--listen", s.config.Listen, "--files", s.dir,
		"--bucket", filepath.Join(uploaded, "bucket"), "--njs", njs)
}

// runFirebase adds to the settings of the site where the emulator listens.
func runFirebase(t *testing.T, tools toolFolder, s *served, uploaded string) []string {
	name := filepath.Join(uploaded, "firebase.json")
	var settings map[string]any
	readSettings(t, name, &settings)
	listen := func(address string) map[string]any {
		host, port := hostAndPort(t, address)
		return map[string]any{"host": host, "port": json.Number(port)}
	}
	settings["emulators"] = map[string]any{
		"hosting": listen(s.config.Listen), "hub": listen(freeAddress(t)), "logging": listen(freeAddress(t)),
		"ui": map[string]any{"enabled": false},
	}
	text, err := json.Marshal(settings)
	if err != nil {
		t.Fatal(err)
	}
	writePublic(t, name, string(text))
	return tools.node(t, "firebase-tools/lib/bin/firebase.js", "emulators:start", "--only", "hosting", "--project", "demo-sivu", "--non-interactive")
}

func runAzure(t *testing.T, tools toolFolder, s *served, _ string) []string {
	name, port := hostAndPort(t, s.config.Listen)
	return tools.node(t, "@azure/static-web-apps-cli/dist/cli/bin.js", "start", "site", "--host", name, "--port", port)
}
