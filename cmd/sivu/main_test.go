package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "accept what commands print now: rewrite the expectations in testdata")

// commandsOfTests are the programs that tests find on their path.
var commandsOfTests = map[string]func(){"sivu": main}

func addCommand(name string, run func()) bool {
	commandsOfTests[name] = run
	return true
}

func TestMain(m *testing.M) {
	// The credentials of object stores in tests. Nobody is asked for others.
	for name, value := range map[string]string{"AWS_ACCESS_KEY_ID": "root", "AWS_SECRET_ACCESS_KEY": "secretsecret", "AWS_REGION": "us-east-1", "AWS_EC2_METADATA_DISABLED": "true"} {
		if _, given := os.LookupEnv(name); !given {
			os.Setenv(name, value)
		}
	}
	testscript.Main(suite{m}, commandsOfTests)
}

// suite removes, after all tests, the program that they share.
type suite struct{ *testing.M }

func (s suite) Run() int {
	dir, err := os.MkdirTemp("", "sivu-program")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	programDir = dir
	return s.M.Run()
}

var programDir string

// builtProgram builds sivu as users do, once. It starts faster than the program
// that scripts run, which holds all tests.
var builtProgram = sync.OnceValues(func() (string, error) {
	program := filepath.Join(programDir, "sivu")
	if text, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, text)
	}
	return program, nil
})

// sivuProgram returns the path of the built program.
func sivuProgram(t *testing.T) string {
	t.Helper()
	program, err := builtProgram()
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// inTestAll skips a test that only make test-all runs: it takes long, or needs
// other programs.
func inTestAll(t *testing.T) {
	t.Helper()
	if os.Getenv("SIVU_ALL") == "" {
		t.Skip("part of make test-all")
	}
}

// TestScript runs the scripts of commands and flags: what they do for people
// and for programs.
func TestScript(t *testing.T) { runScripts(t, "testdata/script") }

// TestBad runs one script for each input that sivu has to refuse.
func TestBad(t *testing.T) { runScripts(t, "testdata/bad") }

// runScripts gives scripts these variables beside those of testscript:
//
//	SAMPLE  the sample site's content folder
//	SITE    a small good site: see the command good
func runScripts(t *testing.T, dir string) {
	sample, err := filepath.Abs("../../content")
	if err != nil {
		t.Fatal(err)
	}
	site, err := filepath.Abs("testdata/site")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 dir,
		UpdateScripts:       *update,
		RequireUniqueNames:  true,
		RequireExplicitExec: false,
		Cmds:                scriptCommands,
		Condition:           condition,
		Setup: func(env *testscript.Env) error {
			env.Setenv("SAMPLE", sample)
			env.Setenv("SITE", site)
			env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
			// The race detector keeps each program for a second at its end.
			env.Setenv("GORACE", "atexit_sleep_ms=0")
			env.Values[rememberedKey{}] = map[string]fileTree{}
			return os.Mkdir(filepath.Join(env.WorkDir, "home"), 0o755)
		},
	})
}
