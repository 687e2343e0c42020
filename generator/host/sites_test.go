package host

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/verify"
)

// sites are the hosts that are not servers of one's own.
var sites = slices.DeleteFunc(slices.Clone(Hosts), func(h *Host) bool { return slices.Contains(servers, h) })

// siteConfigs are the two services that goldens are of.
func siteConfigs(t *testing.T, h *Host) map[string]*Config {
	t.Helper()
	return map[string]*Config{
		"plain":  {Base: baseOf(t, "https://api.example.fi"), Links: h.Styles()[0], ListPages: 2},
		"prefix": {Base: baseOf(t, "https://www.example.fi/v1"), Links: h.Styles()[0], ListPages: 2, Edge: h.Edge},
	}
}

func TestSiteGoldens(t *testing.T) {
	const dir = "testdata/sites"
	due := map[string]bool{}
	for _, h := range sites {
		for name, c := range siteConfigs(t, h) {
			files, err := written(h, c)
			if err != nil {
				t.Fatalf("%s: %v", h.Name, err)
			}
			for file, text := range files {
				golden := filepath.Join(dir, h.Name, name, filepath.FromSlash(file))
				due[golden] = true
				compareGolden(t, golden, text)
			}
		}
	}
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && !due[name] {
			t.Errorf("%s is a golden of nothing", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestHostsAreWhole looks at what holds for every host.
func TestHostsAreWhole(t *testing.T) {
	levels := []Level{Full, Routing, Walkable} // sivu host lists them in this order
	if !slices.IsSortedFunc(Hosts, func(a, b *Host) int { return slices.Index(levels, a.Level) - slices.Index(levels, b.Level) }) {
		t.Errorf("the hosts are not in order of their levels %q", levels)
	}
	names := map[string]bool{}
	for _, h := range Hosts {
		if !slices.Contains(levels, h.Level) {
			t.Errorf("%s has the unknown level %q", h.Name, h.Level)
		}
		if h.Title == "" || h.TestedWith == "" || names[h.Name] {
			t.Errorf("%q has no title, no proof or another's name", h.Name)
		}
		names[h.Name] = true
		seen := map[string]bool{}
		for _, e := range h.Cannot {
			known := slices.ContainsFunc(verify.Rules, func(r *verify.Rule) bool { return r.Name == e.Rule })
			if !known || e.Why == "" || seen[e.Rule] {
				t.Errorf("%s: exception %q, because %q, is unknown, twice there or without a reason", h.Name, e.Rule, e.Why)
			}
			seen[e.Rule] = true
		}
		if files, err := h.UploadFiles(&Config{Base: baseOf(t, "https://api.example.fi")}); err != nil || len(files) < 2 {
			t.Errorf("%s says nothing about the upload: %v", h.Name, err)
		}
	}
}

// TestHostFiles compares the names that a snapshot may hold with what hosts want in it.
func TestHostFiles(t *testing.T) {
	var want []string
	for _, h := range Hosts {
		files, err := h.RootFiles(&Config{Base: baseOf(t, "https://api.example.fi"), Links: h.Styles()[0], ListPages: 1})
		if err != nil {
			t.Fatalf("%s: %v", h.Name, err)
		}
		for _, file := range files {
			want = append(want, file.Name)
		}
	}
	slices.Sort(want)
	if diff := cmp.Diff(slices.Compact(want), api.HostFiles); diff != "" {
		t.Errorf("api.HostFiles (-wanted by hosts +is):\n%s", diff)
	}
}

// TestSiteFormats reads all files as those programs do that will get them.
func TestSiteFormats(t *testing.T) {
	shellcheck, err := exec.LookPath("shellcheck")
	if err != nil {
		t.Log("there is no shellcheck: sh -n alone looks at the scripts")
	}
	for _, h := range sites {
		for name, c := range siteConfigs(t, h) {
			files, err := written(h, c)
			if err != nil {
				t.Fatal(err)
			}
			for file, text := range files {
				what := h.Name + " " + name + " " + file
				switch path.Ext(file) {
				case ".json":
					if !json.Valid([]byte(text)) {
						t.Errorf("%s is no JSON", what)
					}
				case ".yml":
					checkSample(t, what, text)
				case ".sh":
					checkScript(t, what, text, shellcheck)
				}
				if strings.Contains(text, "<no value>") || strings.Contains(text, "[[") {
					t.Errorf("%s has something left of its template", what)
				}
			}
		}
	}
}

// checkSample wants of a sample for CI that it has the whole history, and that it
// names no branch of an action but a version.
func checkSample(t *testing.T, what, text string) {
	t.Helper()
	var any map[string]any
	if err := yaml.Unmarshal([]byte(text), &any); err != nil {
		t.Errorf("%s: %v", what, err)
	}
	history, build := "fetch-depth: 0", "sivu build --host "
	if strings.HasSuffix(what, "gitlab.yml") {
		history = `GIT_DEPTH: "0"`
	}
	for _, want := range []string{history, build} {
		if !strings.Contains(text, want) {
			t.Errorf("%s does not have %q", what, want)
		}
	}
	for line := range strings.Lines(text) {
		if _, action, ok := strings.Cut(strings.TrimSpace(line), "uses: "); ok {
			var major int
			if _, version, _ := strings.Cut(action, "@v"); version == "" {
				t.Errorf("%s: %s has no version", what, action)
			} else if _, err := fmt.Sscanf(version, "%d", &major); err != nil {
				t.Errorf("%s: %s has no version", what, action)
			}
		}
	}
}

func checkScript(t *testing.T, what, text, shellcheck string) {
	t.Helper()
	commands := [][]string{{"sh", "-n"}}
	if shellcheck != "" {
		commands = append(commands, []string{shellcheck, "--shell=sh"})
	}
	script := filepath.Join(t.TempDir(), "script.sh")
	if err := os.WriteFile(script, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, command := range commands {
		if out, err := exec.CommandContext(t.Context(), command[0], append(command[1:], script)...).CombinedOutput(); err != nil {
			t.Errorf("%s: %s: %v\n%s", what, command[0], err, out)
		}
	}
}

// TestCloudFrontFunctions wants the JavaScript that CloudFront Functions have,
// and functions below the 10 kB that they may have.
func TestCloudFrontFunctions(t *testing.T) {
	files, err := cloudfront.ConfigFiles(&Config{Base: baseOf(t, "https://api.example.fi/v1")})
	if err != nil {
		t.Fatal(err)
	}
	functions := 0
	for _, file := range files {
		if path.Ext(file.Name) != ".js" {
			continue
		}
		functions++
		if newer := regexp.MustCompile("\\b(let|const|async|await|class|import|export)\\s|=>|`|\\.\\.\\.").Find(file.Data); newer != nil {
			t.Errorf("%s has %q, which ECMAScript 5.1 does not know", file.Name, newer)
		}
		if len(file.Data) > 10_000 {
			t.Errorf("%s has %d bytes", file.Name, len(file.Data))
		}
	}
	if functions != 2 {
		t.Errorf("there are %d functions", functions)
	}
}

func TestCheck(t *testing.T) {
	for _, test := range []struct {
		host    *Host
		config  Config
		problem string
	}{
		{githubPages, Config{}, ""},
		{githubPages, Config{Links: "file"}, ""},
		{githubPages, Config{Links: "query"}, "github-pages cannot serve query links: it ignores the query"},
		{githubPages, Config{Edge: true}, "github-pages cannot make the api variants"},
		{cloudfront, Config{Edge: true}, "cloudfront cannot make the api variants"},
		{netlify, Config{Links: "query", Edge: true}, ""},
	} {
		err := test.host.Check(&test.config)
		if test.problem == "" {
			if err != nil {
				t.Errorf("%s %+v: %v", test.host.Name, test.config, err)
			}
			continue
		}
		wantRefusal(t, err, test.problem)
	}
}

func TestExceeds(t *testing.T) {
	h := &Host{Name: "small", Limits: Limits{Files: 15_000, FileBytes: 25 << 20, Bytes: 1 << 30, InFolder: 54_000, Source: "its maker"}}
	for _, test := range []struct {
		load Load
		want []string
	}{
		{Load{}, nil},
		{Load{15_000, 1 << 30, 25 << 20, 54_000}, nil},
		{Load{Files: 15_001}, []string{"the snapshot has 15,001 files, and small takes 15,000 (its maker)"}},
		{Load{Bytes: 1<<30 + 1}, []string{"the snapshot has 1,025 MiB, and small takes 1,024 MiB (its maker)"}},
		{Load{Largest: 25<<20 + 1}, []string{"the largest file has 26 MiB, and small takes 25 MiB (its maker)"}},
		{Load{InFolder: 1_234_567}, []string{"pages/ holds 1,234,567 entries, and small takes 54,000 in one folder (its maker)"}},
	} {
		if diff := cmp.Diff(test.want, h.Exceeds(test.load)); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", test.load, diff)
		}
	}
	if got := fileServer.Exceeds(Load{1 << 40, 1 << 50, 1 << 40, 1 << 40}); got != nil {
		t.Errorf("a host without limits: %q", got)
	}
}

// TestListPages holds the ends of what rules can do.
func TestListPages(t *testing.T) {
	c := &Config{Base: baseOf(t, "https://api.example.fi")}
	for pages, problem := range map[int]string{0: "need the number of list pages", 4_997: "takes 4,996 list pages, as each needs two of 10,000 rules, and the snapshot has 4,997"} {
		c.ListPages = pages
		_, err := netlifyRedirects.RootFiles(c)
		wantRefusal(t, err, problem)
	}
	c.ListPages = 4_996
	files, err := netlifyRedirects.RootFiles(c)
	if err != nil {
		t.Fatal(err)
	}
	rules := strings.Count(string(files[2].Data), "\n") - strings.Count(string(files[2].Data), "#")
	if files[2].Name != "_redirects" || rules > 10_000 {
		t.Errorf("%s has %d rules", files[2].Name, rules)
	}
}

// TestMountedSites knows the hosts that add the path of a project themselves.
func TestMountedSites(t *testing.T) {
	for _, test := range []struct {
		folder     func(*Config) string
		base, want string
	}{
		{githubFolder, "https://somebody.github.io", ""},
		{githubFolder, "https://somebody.github.io/project", ""},
		{githubFolder, "https://somebody.github.io/project/v1", "/v1"},
		{githubFolder, "https://api.example.fi/v1", "/v1"},
		{gitlabFolder, "https://group.gitlab.io/sub/project", ""},
		{gitlabFolder, "https://api.example.fi/v1", "/v1"},
		{(*Config).Prefix, "https://api.example.fi", ""},
		{(*Config).Prefix, "https://api.example.fi/a/b", "/a/b"},
	} {
		if got := test.folder(&Config{Base: baseOf(t, test.base)}); got != test.want {
			t.Errorf("%s: the snapshot lies in %q, want %q", test.base, got, test.want)
		}
	}
}

// TestHostileSiteBases wants that nothing of an address can say anything in the
// languages of configurations.
func TestHostileSiteBases(t *testing.T) {
	for _, base := range []string{
		"https://a.example/v%31", "https://a.example/$(id)", "https://a.example/a'b", "https://a.example/*",
		"https://a.example/a;b", "https://a.example/%2e%2e/etc", "https://a.example/%0a",
		"https://a.example/:id", "https://a.example/(x)",
	} {
		for _, h := range sites {
			for _, produce := range []func(*Config) ([]File, error){h.ConfigFiles, h.UploadFiles} {
				_, err := produce(&Config{Base: baseOf(t, base), Links: h.Styles()[0], ListPages: 1})
				wantRefusal(t, err, "the path ")
			}
		}
	}
}
