package generator

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/source"
)

// hostileRepository is a content folder in a git repository that names a program
// wherever git's configuration, attributes and hooks can, and that lacks an
// object which a remote promises. The program leaves the file mark.
type hostileRepository struct {
	*repository
	mark string
}

// newHostileRepository returns a repository whose promisor remote has the given
// settings. In them and in what else is configured, PROGRAM stands for the program.
func newHostileRepository(t *testing.T, remote string) *hostileRepository {
	t.Helper()
	h := &hostileRepository{newRepository(t, "[git]"), filepath.Join(t.TempDir(), "mark")}
	h.write("fi/a.md", undated+strings.Repeat("a line\n", 20))
	h.write("fi/m.md", "---\nmodified: 2020-01-01\n---\nText.\n")
	h.commit()
	h.write("fi/m.md", "---\nmodified: 2020-01-01\n---\nOther.\n")
	h.git("mv", "fi/a.md", "fi/b.md")
	h.write("fi/b.md", undated+strings.Repeat("a line\n", 20)+"another\n")
	h.write(".gitattributes", "* filter=evil diff=evil merge=evil\n")
	h.commit()
	h.sign()

	program := filepath.Join(t.TempDir(), "program")
	writeProgram(t, program, fmt.Sprintf(": > '%s'\nexit 1\n", h.mark))
	config, err := os.ReadFile(filepath.Join("testdata", "hostile.gitconfig"))
	if err != nil {
		t.Fatal(err)
	}
	hooks := h.inGit("hooks")
	settings := strings.NewReplacer("PROGRAM", filepath.ToSlash(program), "HOOKS", filepath.ToSlash(hooks))
	writeFile(t, h.inGit("included"), settings.Replace(string(config)+remote))
	for _, hook := range []string{"fsmonitor-watchman", "post-checkout", "post-index-change", "pre-auto-gc", "reference-transaction"} {
		if err := os.Link(program, filepath.Join(hooks, hook)); err != nil {
			t.Fatal(err)
		}
	}
	writeFile(t, h.inGit("info", "attributes"), "* filter=evil diff=evil merge=evil\n")
	writeFile(t, h.inGit("config"), "[core]\nrepositoryformatversion = 1\n[extensions]\npartialClone = evil\n[include]\npath = included\n")
	return h
}

func (h *hostileRepository) inGit(names ...string) string {
	return filepath.Join(append([]string{h.content, ".git"}, names...)...)
}

func (h *hostileRepository) output(stdin string, arguments ...string) string {
	h.t.Helper()
	command := exec.Command("git", arguments...)
	command.Dir, command.Stdin = h.content, strings.NewReader(stdin)
	out, err := command.Output()
	if err != nil {
		h.t.Fatalf("git %v: %v", arguments, err)
	}
	return strings.TrimSpace(string(out))
}

// sign gives the last commit a signature, which git may ask a program to verify.
func (h *hostileRepository) sign() {
	h.t.Helper()
	head, message, _ := strings.Cut(h.output("", "cat-file", "commit", "HEAD"), "\n\n")
	signed := head + "\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n eA==\n -----END PGP SIGNATURE-----\n\n" + message + "\n"
	h.git("update-ref", "HEAD", h.output(signed, "hash-object", "-t", "commit", "-w", "--stdin"))
}

// lose removes an object from the repository.
func (h *hostileRepository) lose(object string) {
	h.t.Helper()
	if err := os.Remove(h.inGit("objects", object[:2], object[2:])); err != nil {
		h.t.Fatal(err)
	}
}

// ran reports whether the program was run.
func (h *hostileRepository) ran() bool {
	_, err := os.Stat(h.mark)
	return err == nil
}

// hostileRemotes are settings of a remote by which git comes to run a program, or
// to talk to somebody.
var hostileRemotes = map[string]string{
	"ext":                  "url = ext::PROGRAM",
	"ext by vcs":           "url = PROGRAM\nvcs = ext",
	"ssh":                  "url = ssh://127.0.0.1/x",
	"ssh without a scheme": "url = 127.0.0.1:x",
	"file":                 "url = file:///\nuploadPack = PROGRAM",
	"path":                 "url = ..\nuploadPack = PROGRAM",
	"git":                  "url = git://127.0.0.1/x",
	"http":                 "url = SERVER",
	"rewritten":            "url = https://example.org/x\n[url \"ext::PROGRAM \"]\ninsteadOf = https://example.org/",
}

// Nothing that a repository names is run, and nobody is asked for an object that it
// lacks, whatever its configuration allows.
func TestHostileRepository(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the programs of this test are shell scripts")
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_SYSTEM", os.DevNull)
	t.Setenv("GIT_TERMINAL_PROMPT", "0")
	var asked atomic.Bool
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Store(true)
		w.WriteHeader(http.StatusNotFound)
	}))
	defer server.Close()
	path := os.Getenv("PATH")
	t.Setenv("PATH", oldGit(t)+string(os.PathListSeparator)+path)
	try := func(name, remote, lost string) {
		t.Run(name, func(t *testing.T) {
			h := newHostileRepository(t, strings.ReplaceAll(remote, "SERVER", server.URL))
			if lost != "" {
				if strings.HasSuffix(lost, ".md") {
					h.lose(h.output("", "rev-parse", "HEAD~1:fi/m.md"))
				}
				h.lose(h.output("", "rev-parse", lost))
			}
			_, err := Build(t.Context(), Options{Content: h.content, Out: filepath.Join(t.TempDir(), "out")})
			if wrong := lost != ""; wrong != (err != nil) || wrong && !strings.Contains(err.Error(), "git fetch --refetch --no-filter") {
				t.Errorf("error %v", err)
			}
			err = source.CheckModified(t.Context(), h.content, os.DirFS(h.content), source.DefaultSite(), []*source.File{{Path: "fi/m.md"}}, time.Now(), func(diag.Diagnostic) {})
			if err != nil {
				t.Error(err)
			}
			asked := func() bool { return h.ran() || asked.Swap(false) }
			if asked() {
				t.Fatal("git ran a program that the repository names, or asked a remote")
			}
			arguments := []string{"--no-pager", "log", "-M", "--name-status", "--no-show-signature"}
			if lost == "" {
				arguments = []string{"log", "-p"}
			}
			command := exec.Command("git", arguments...)
			command.Dir = h.content
			if out, _ := command.CombinedOutput(); !asked() {
				t.Fatalf("git alone does not either, so this test proves nothing: %s", out)
			}
		})
	}
	try("nothing lost", hostileRemotes["ext"], "")
	try("tree lost", hostileRemotes["ext"], "HEAD^{tree}")
	try("commit lost", hostileRemotes["ext"], "HEAD")
	for name, remote := range hostileRemotes {
		try("blob lost, "+name, remote, "HEAD~1:fi/a.md")
	}
	t.Setenv("PATH", path)
	try("blob lost, with the git of this machine", hostileRemotes["ext"], "HEAD~1:fi/a.md")
}

// oldGit returns a folder with a git that fetches what a partial clone lacks also
// where GIT_NO_LAZY_FETCH forbids that, as versions before 2.44 do.
func oldGit(t *testing.T) string {
	t.Helper()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	writeProgram(t, filepath.Join(dir, "git"), "unset GIT_NO_LAZY_FETCH\nexec '"+git+"' \"$@\"\n")
	return dir
}

func writeProgram(t *testing.T, name, script string) {
	t.Helper()
	if err := os.WriteFile(name, []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
}
