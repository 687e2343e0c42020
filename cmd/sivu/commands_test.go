package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/testscript"
)

// scriptCommands are the commands of our own that scripts use.
var scriptCommands = map[string]func(ts *testscript.TestScript, neg bool, args []string){
	"exits":     cmdExits,
	"good":      cmdGood,
	"refused":   cmdRefused,
	"write":     cmdWrite,
	"repeat":    cmdRepeat,
	"pages":     cmdPages,
	"special":   cmdSpecial,
	"json":      cmdJSON,
	"plain":     cmdPlain,
	"remember":  cmdRemember,
	"differs":   cmdDiffers,
	"same":      cmdSame,
	"interrupt": cmdInterrupt,
	"narrow":    cmdNarrow,
	"copy":      cmdCopy,
	"show":      cmdShow,
}

// condition adds [root]: the tests run as a user whom no permission stops; and [all]:
// they are run by make test-all.
func condition(name string) (bool, error) {
	switch name {
	case "root":
		return os.Geteuid() == 0, nil
	case "all":
		return os.Getenv("SIVU_ALL") != "", nil
	}
	return false, fmt.Errorf("unknown condition %q", name)
}

// exits STATUS COMMAND... runs a command that must end with this exit status.
func cmdExits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits status command [args...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if got := status(ts, ts.Exec(args[1], args[2:]...)); got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

func status(ts *testscript.TestScript, err error) int {
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		ts.Fatalf("%v", err)
	}
	if exit == nil {
		return 0
	}
	return exit.ExitCode()
}

// good copies the small good site to content and builds it into public. Then
// it adds a page with a problem that every run must report, whatever else is
// wrong: content/sv/other.md has no title.
func cmdGood(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: good")
	}
	ts.Check(os.CopyFS(ts.MkAbs("."), os.DirFS(ts.Getenv("SITE"))))
	if err := ts.Exec("sivu", "build", "--quiet"); err != nil {
		ts.Fatalf("the good site does not build: %v", err)
	}
	remember(ts, "public")
	ts.Check(os.MkdirAll(ts.MkAbs("content/sv"), 0o755))
	ts.Check(os.WriteFile(ts.MkAbs("content/sv/other.md"), []byte("---\ncreated: 2020-01-01\n---\nno title\n"), 0o644))
}

const otherProblem = "content/sv/other.md:1:1: error: "

// refused [COMMAND...] builds what a script added to the good site, through the
// command where there is one. The run must end with exit status 1, report the other problem too, unless site.yaml has one, print nothing that could drive a
// terminal in any format, and leave the old snapshot as it was. What it printed
// can be compared then.
func cmdRefused(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("usage: refused [command...]")
	}
	for _, format := range [][]string{
		{"build", "--format", "json", "--report", "report.json"}, {"build", "--format", "github"},
		{"check", "--quiet"}, {"build", "--quiet"},
	} {
		run := slices.Concat(args, []string{"sivu"}, format)
		if got := status(ts, ts.Exec(run[0], run[1:]...)); got != exitProblems {
			ts.Fatalf("%s: exit status %d, want %d", strings.Join(run, " "), got, exitProblems)
		}
		for _, name := range []string{"stdout", "stderr"} {
			checkPlain(ts, name)
		}
	}
	if text := ts.ReadFile("report.json"); !json.Valid([]byte(text)) {
		ts.Fatalf("the report is no JSON: %s", text)
	}
	checkPlain(ts, "report.json")
	ofSite := strings.Contains(ts.ReadFile("stderr"), "content/site.yaml:")
	if reported := strings.Contains(ts.ReadFile("stderr"), otherProblem); reported == ofSite {
		ts.Fatalf("the other problem is reported: %v; problems of site.yaml stand alone: %v", reported, ofSite)
	}
	if text := ts.ReadFile("stdout"); text != "" {
		ts.Fatalf("standard output is %q", text)
	}
	differs(ts, "public", nil)
	if _, err := os.Lstat(ts.MkAbs("public/.sivu/stage")); err == nil {
		ts.Fatalf("a stage is left behind")
	}
}

// write FILE TEXT... writes texts, with the escapes of Go's strings.
func cmdWrite(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: write file text...")
	}
	var b strings.Builder
	for _, arg := range args[1:] {
		text, err := strconv.Unquote(`"` + strings.ReplaceAll(arg, `"`, `\"`) + `"`)
		ts.Check(err)
		b.WriteString(text)
	}
	name, err := strconv.Unquote(`"` + args[0] + `"`)
	ts.Check(err)
	name = ts.MkAbs(name)
	ts.Check(os.MkdirAll(filepath.Dir(name), 0o755))
	ts.Check(os.WriteFile(name, []byte(b.String()), 0o644))
}

// repeat FILE N TEXT appends a text, with the escapes of Go's strings, so many
// times.
func cmdRepeat(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: repeat file n text")
	}
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	text, err := strconv.Unquote(`"` + strings.ReplaceAll(args[2], `"`, `\"`) + `"`)
	ts.Check(err)
	f, err := os.OpenFile(ts.MkAbs(args[0]), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	ts.Check(err)
	_, err = f.WriteString(strings.Repeat(text, n))
	ts.Check(errors.Join(err, f.Close()))
}

// pages FOLDER N writes so many pages of Markdown.
func cmdPages(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: pages folder n")
	}
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	ts.Check(os.MkdirAll(ts.MkAbs(args[0]), 0o755))
	for i := range n {
		text := fmt.Sprintf("---\ntitle: Page %d\ncreated: 2020-01-01\n---\n%s", i, strings.Repeat("Some *words* of text. ", 50))
		ts.Check(os.WriteFile(ts.MkAbs(path.Join(args[0], fmt.Sprintf("p%d.md", i))), []byte(text), 0o644))
	}
}

// json FILE PATH WANT compares the value at a path such as languages.0.name
// with a JSON text. "len" is the number of a list's elements.
func cmdJSON(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: json file path want")
	}
	var value, want any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &value))
	ts.Check(json.Unmarshal([]byte(args[2]), &want))
	for _, name := range strings.Split(args[1], ".") {
		switch v := value.(type) {
		case map[string]any:
			var ok bool
			if value, ok = v[name]; !ok {
				ts.Fatalf("%s: there is no %q", args[1], name)
			}
		case []any:
			if name == "len" {
				value = float64(len(v))
				continue
			}
			i, err := strconv.Atoi(name)
			ts.Check(err)
			if i >= len(v) {
				ts.Fatalf("%s: there are %d elements", args[1], len(v))
			}
			value = v[i]
		default:
			ts.Fatalf("%s: nothing can lie in %v", args[1], v)
		}
	}
	got, err := json.Marshal(value)
	ts.Check(err)
	wanted, err := json.Marshal(want)
	ts.Check(err)
	if bytes.Equal(got, wanted) == neg {
		ts.Fatalf("%s is %s, want %s", args[1], got, args[2])
	}
}

// plain FILE... wants text that cannot drive a terminal.
func cmdPlain(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: plain file...")
	}
	for _, name := range args {
		checkPlain(ts, name)
	}
}

func checkPlain(ts *testscript.TestScript, name string) {
	text := ts.ReadFile(name)
	if !utf8.ValidString(text) {
		ts.Fatalf("%s is not UTF-8: %q", name, text)
	}
	for _, c := range text {
		if c != '\n' && (unicode.IsControl(c) || unicode.Is(unicode.Bidi_Control, c)) {
			ts.Fatalf("%s holds %U: %q", name, c, text)
		}
	}
}

// fileTree is what a folder holds: paths, bytes and times of modification.
type fileTree map[string]treeFile

type treeFile struct {
	data     string
	modified time.Time
}

type rememberedKey struct{}

// ownFiles are files that no two builds have alike: they name the build.
var ownFiles = []string{".sivu/lock", ".sivu/manifest", ".sivu/manifest.log", ".sivu/state", ".sivu/state.log"}

// readTree leaves out what is sivu's own: its lock, and the times of its files.
func readTree(ts *testscript.TestScript, name string) fileTree {
	files := fileTree{}
	dir := ts.MkAbs(name)
	err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		below, err := filepath.Rel(dir, file)
		if err != nil || slices.Contains(ownFiles, below) {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			files[below] = treeFile{data: info.Mode().Type().String()}
			return nil
		}
		data, err := os.ReadFile(file)
		f := treeFile{data: string(data)}
		if !strings.HasPrefix(below, ".sivu") {
			f.modified = info.ModTime()
		}
		files[below] = f
		return err
	})
	ts.Check(err)
	return files
}

func remember(ts *testscript.TestScript, name string) {
	ts.Value(rememberedKey{}).(map[string]fileTree)[name] = readTree(ts, name)
}

// remember FOLDER remembers what a folder holds.
func cmdRemember(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: remember folder")
	}
	remember(ts, args[0])
}

// differs FOLDER [PATH...] wants just these paths to have other bytes or times
// than those remembered, to be new or to be gone.
func cmdDiffers(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: differs folder [path...]")
	}
	differs(ts, args[0], args[1:])
}

func differs(ts *testscript.TestScript, name string, want []string) {
	before, now := ts.Value(rememberedKey{}).(map[string]fileTree)[name], readTree(ts, name)
	if before == nil {
		ts.Fatalf("nothing is remembered of %s", name)
	}
	var got []string
	for file, old := range before {
		if f, ok := now[file]; !ok || f.data != old.data || !f.modified.Equal(old.modified) {
			got = append(got, file)
		}
	}
	for file := range now {
		if _, ok := before[file]; !ok {
			got = append(got, file)
		}
	}
	slices.Sort(got)
	want = slices.Sorted(slices.Values(want))
	if !slices.Equal(got, want) {
		ts.Fatalf("in %s these paths differ:\n%s\nwant:\n%s", name, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// same FOLDER FOLDER wants two folders to hold the same paths and bytes.
func cmdSame(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: same folder folder")
	}
	a, b := readTree(ts, args[0]), readTree(ts, args[1])
	if len(a) < 3 || len(a) != len(b) {
		ts.Fatalf("%s holds %d paths, %s %d", args[0], len(a), args[1], len(b))
	}
	for file, f := range a {
		if g, ok := b[file]; !ok || g.data != f.data {
			ts.Fatalf("%s differs", file)
		}
	}
}

// signals are those that the command interrupt can send.
var signals = map[string]os.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP}

// interrupt SIGNAL STATUS PATTERN COMMAND... runs a command, sends it a signal
// once a file that matches the pattern is there, and wants it to end with this
// status.
func cmdInterrupt(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 4 || signals[args[0]] == nil {
		ts.Fatalf("usage: interrupt INT|TERM|HUP status pattern command [args...]")
	}
	want, err := strconv.Atoi(args[1])
	ts.Check(err)
	program, err := exec.LookPath(args[3])
	ts.Check(err)
	command := exec.Command(program, args[4:]...)
	command.Dir = ts.MkAbs(".")
	command.Env = []string{"PATH=" + ts.Getenv("PATH"), "HOME=" + ts.Getenv("HOME"), "GORACE=" + ts.Getenv("GORACE")}
	var out, errs bytes.Buffer
	command.Stdout, command.Stderr = &out, &errs
	// Under nohup the tests ignore SIGHUP, and so would what they start.
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, signals[args[0]])
	defer signal.Stop(caught)
	ts.Check(command.Start())
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	pattern := ts.MkAbs(args[2])
	for {
		matches, err := filepath.Glob(pattern)
		ts.Check(err)
		if len(matches) > 0 {
			break
		}
		select {
		case err := <-ended:
			ts.Fatalf("the command ended before it could be interrupted: %v\n%s", err, errs.String())
		case <-time.After(time.Millisecond):
		}
	}
	ts.Check(command.Process.Signal(signals[args[0]]))
	err = <-ended
	io.Copy(ts.Stdout(), &out)
	io.Copy(ts.Stderr(), &errs)
	if got := status(ts, err); got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// narrow COLUMNS FILE wants no line to be wider.
func cmdNarrow(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: narrow columns file")
	}
	columns, err := strconv.Atoi(args[0])
	ts.Check(err)
	for line := range strings.Lines(ts.ReadFile(args[1])) {
		if utf8.RuneCountInString(strings.TrimRight(line, "\r\n")) > columns {
			ts.Fatalf("wider than %d columns: %s", columns, line)
		}
	}
}

// copy FOLDER TO copies a folder.
func cmdCopy(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: copy folder to")
	}
	ts.Check(os.CopyFS(ts.MkAbs(args[1]), os.DirFS(ts.MkAbs(args[0]))))
}

// show FILE makes a file the standard output, with the line feed at its end
// that the files of scripts have and those of a snapshot lack.
func cmdShow(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: show file")
	}
	fmt.Fprintln(ts.Stdout(), ts.ReadFile(args[0]))
}
