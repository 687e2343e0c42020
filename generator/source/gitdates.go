package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/page"
)

// Dates are when the history of a file begins, and when it was last changed.
type Dates struct {
	Created  page.Time
	Modified page.Time
}

// ErrNoRepository is the error of a folder outside of any git repository.
var ErrNoRepository = errors.New("not in a git repository")

// GitDates returns the dates of wanted files below dir, by their paths there, from
// the history of the git repository of dir: the author dates of the first and the
// last commit that touched a file. Renames below dir are followed; a file that was
// moved into dir was created then, as nothing outside dir is read. Where the first
// commit has the later date, as after a rebase, the dates are swapped. A file that
// was deleted and came back has one history. Files that were never committed are
// not in the map.
//
// The history is read once, as a stream. Nothing is fetched, and no program runs
// that the repository names. The error says what is wrong and what to do; it wraps
// [ErrNoRepository] where there is no repository.
func GitDates(ctx context.Context, dir string, wanted func(path string) bool) (map[string]Dates, error) {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("dates from git: %q does not exist and so is %w", dir, ErrNoRepository)
	}
	if _, err := exec.LookPath("git"); err != nil {
		return nil, errors.New("dates from git: git is not installed; install it, or take \"git\" out of \"dates\" in site.yaml")
	}
	prefix, err := gitPrefix(ctx, dir)
	if err != nil {
		return nil, err
	}
	if commit, err := GitCommit(ctx, dir); commit == "" { // a repository without commits
		return map[string]Dates{}, err
	}
	h := newGitHistory(func(name string) bool {
		below, ok := strings.CutPrefix(name, prefix)
		return ok && wanted(below)
	})
	err = git(ctx, dir, nil, func(log io.Reader) error { return parseGitLog(log, h) }, gitLogArguments...)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, fmt.Errorf("dates from git: %w", explainPartialClone(ctx, dir, err))
	}
	return h.dates(prefix), nil
}

// GitCommit returns the commit at HEAD of the repository of dir, or "" where there
// is no repository or no commit.
func GitCommit(ctx context.Context, dir string) (string, error) {
	out, err := gitOutput(ctx, dir, "rev-parse", "--quiet", "--verify", "HEAD")
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if err != nil { // GitDates says why, if any page needs a date
		return "", nil
	}
	return strings.TrimSpace(out), nil
}

// gitPrefix returns the path of dir in its repository, with a slash at its end, or
// "" for the top. A shallow clone is an error.
func gitPrefix(ctx context.Context, dir string) (string, error) {
	const otherDates = "take \"git\" out of \"dates\" in site.yaml"
	out, err := gitOutput(ctx, dir, "rev-parse", "--is-inside-work-tree", "--is-shallow-repository", "--show-prefix")
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case err != nil && strings.Contains(err.Error(), "not a git repository"):
		return "", fmt.Errorf("dates from git: %q is %w; put it into one, or %s", dir, ErrNoRepository, otherDates)
	case err != nil:
		return "", fmt.Errorf("dates from git: %w", err)
	}
	inside, rest, _ := strings.Cut(out, "\n")
	shallow, prefix, _ := strings.Cut(rest, "\n")
	switch {
	case inside != "true":
		return "", fmt.Errorf("dates from git: %q is not in a git work tree; check the repository out, or %s", dir, otherDates)
	case shallow == "true":
		return "", fmt.Errorf("dates from git: the repository of %q is a shallow clone, without the commits that tell the dates; "+
			"run \"git fetch --unshallow\", set \"fetch-depth: 0\" for actions/checkout in a GitHub workflow, or \"GIT_DEPTH: 0\" in GitLab", dir)
	}
	return strings.TrimSuffix(prefix, "\n"), nil
}

// gitOptions stand before every git command: no configuration of a repository or a
// user may run a program or change the output.
var gitOptions = []string{
	"--no-pager",
	"--literal-pathspecs",
	"-c", "core.hooksPath=" + os.DevNull,
	"-c", "core.fsmonitor=false",
	"-c", "core.quotePath=false",
	"-c", "color.ui=false",
	"-c", "diff.relative=false",
	"-c", "diff.ignoreSubmodules=all",
	"-c", "log.follow=false",
	"-c", "log.mailmap=false",
	"-c", "log.showRoot=true",
	"-c", "log.showSignature=false",
}

// gitLogArguments ask for each commit, children before parents, with the author
// date and the files it touched. Of a merge, only files count that differ from
// every parent. Renames must not depend on configuration, nor on objects of other
// folders, which a partial clone may lack. --full-history keeps merged branches
// whose changes did not last.
var gitLogArguments = []string{
	"log", "--date-order", "--format=" + gitCommitMark + "%at", "--no-show-signature", "--no-notes", "--no-decorate", "--no-mailmap",
	"--name-status", "-z", "-M50%", "-l4000", "-c", "--combined-all-paths",
	"-O/dev/null", "--no-ext-diff", "--no-textconv", "--no-relative", "--ignore-submodules=all",
	"--full-history", "HEAD", "--", ".",
}

// gitElsewhere are variables that would make git read another repository, as they
// do inside a hook, or run a program or change the output.
var gitElsewhere = []string{
	"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_NAMESPACE",
	"GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_GRAFT_FILE", "GIT_SHALLOW_FILE",
	"GIT_REPLACE_REF_BASE", "GIT_EXTERNAL_DIFF", "GIT_DIFF_OPTS", "GIT_PAGER", "GIT_TRACE", "GIT_ICASE_PATHSPECS",
	"GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "PAGER", "PWD", "LANGUAGE",
}

func gitEnvironment(environ []string) []string {
	environ = slices.DeleteFunc(slices.Clone(environ), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		return slices.Contains(gitElsewhere, name)
	})
	return append(environ, "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_REPLACE_OBJECTS=1",
		// Git fetches objects that a partial clone lacks, and for that runs what the
		// repository's configuration names. An empty list of protocols prevails over
		// any configuration; the other variable is for git 2.44 and later.
		"GIT_ALLOW_PROTOCOL=", "GIT_NO_LAZY_FETCH=1")
}

// git runs a git command in dir, with an input that may be nil, and read gets its output.
// An error of the command, a [*gitError], goes before one of read, whose input was then
// cut.
func git(ctx context.Context, dir string, input io.Reader, read func(io.Reader) error, arguments ...string) error {
	running, stop := context.WithCancel(ctx)
	defer stop()
	cmd := exec.CommandContext(running, "git", slices.Concat(gitOptions, arguments)...)
	cmd.Dir, cmd.Env, cmd.Stdin = dir, gitEnvironment(os.Environ()), input
	// A helper that git started may hold the pipe open after git was stopped.
	cmd.WaitDelay = time.Second
	failed := &gitError{}
	cmd.Stderr = failed
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return err
	}
	readErr := read(out)
	if readErr != nil && !errors.Is(readErr, io.ErrUnexpectedEOF) {
		stop() // nothing reads on
	}
	failed.err = cmd.Wait()
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case failed.err != nil && running.Err() == nil:
		return failed
	}
	return readErr
}

// gitOutput returns the output of a git command.
func gitOutput(ctx context.Context, dir string, arguments ...string) (string, error) {
	var out []byte
	err := git(ctx, dir, nil, func(r io.Reader) (err error) {
		out, err = io.ReadAll(r)
		return err
	}, arguments...)
	return string(out), err
}

// gitError is the error of a git command with the beginning of its standard error.
type gitError struct {
	err    error
	stderr []byte
}

// Write keeps at most 2000 bytes.
func (e *gitError) Write(p []byte) (int, error) {
	e.stderr = append(e.stderr, p[:min(len(p), 2000-len(e.stderr))]...)
	return len(p), nil
}

// Error returns git's own message, in one line.
func (e *gitError) Error() string {
	said := strings.Join(strings.Fields(string(e.stderr)), " ")
	if said == "" {
		return "git: " + e.err.Error()
	}
	return "git says: " + diag.Clean(said)
}

// explainPartialClone adds the cure to an error of git log where the repository of
// dir is a partial clone.
func explainPartialClone(ctx context.Context, dir string, err error) error {
	const settings = `^(extensions\.partialclone|remote\..*\.promisor)$`
	if _, ok := errors.AsType[*gitError](err); !ok {
		return err
	}
	if _, notPartial := gitOutput(ctx, dir, "config", "--get-regexp", settings); notPartial != nil {
		return err
	}
	return fmt.Errorf("the repository of %q is a partial clone, which lacks objects of the folder's history; "+
		"run \"git fetch --refetch --no-filter\", or clone it without \"--filter\" (%w)", dir, err)
}
