package source

import (
	"bytes"
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

// ErrNoRepository says that a folder lies in no git repository, and so has no
// history.
var ErrNoRepository = errors.New("not in a git repository")

// NoHistory returns the problem of a site whose pages need dates from git, and
// err, which wraps [ErrNoRepository], says why there are none.
func NoHistory(err error) diag.Diagnostic {
	return ruleDate.At(diag.Position{}, "%v", err)
}

// GitDates returns the dates of files below dir, by their paths there, from the
// history of the git repository that dir lies in: the author dates of the
// first and the last commit that touched a file. Renames below dir are followed;
// a file that was moved into dir was created then, as nothing outside dir is read.
// Where the first commit's date is the later one, as after a rebase, the two
// change places. A file that was deleted and came back has one history. Wanted
// says which paths are asked for; those that were never committed are not in the
// map.
//
// The history is read once, as a stream, from what the repository holds: nothing
// is fetched, and no program runs that the repository names. The error says in
// words why it cannot be read, and what to do; it wraps [ErrNoRepository] where
// there is none.
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
	// A repository without commits has no HEAD, which is no error.
	if _, err := runGit(ctx, dir, "rev-parse", "--quiet", "--verify", "HEAD"); err != nil {
		return map[string]Dates{}, context.Cause(ctx)
	}
	h := newGitHistory(func(name string) bool {
		below, ok := strings.CutPrefix(name, prefix)
		return ok && wanted(below)
	})
	if err := streamGitLog(ctx, dir, h); err != nil {
		return nil, err
	}
	return h.dates(prefix), nil
}

// GitCommit returns the commit that the dates of files below dir are of, or ""
// where there is no repository or no commit.
func GitCommit(ctx context.Context, dir string) (string, error) {
	if _, err := exec.LookPath("git"); err != nil {
		return "", nil // GitDates says so, if any page needs it
	}
	out, err := runGit(ctx, dir, "rev-parse", "--quiet", "--verify", "HEAD")
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if err != nil {
		return "", nil
	}
	return strings.TrimSpace(out), nil
}

// gitPrefix returns the path of dir below the top of its repository, with a
// slash at its end, or "". It refuses a repository without the whole history.
func gitPrefix(ctx context.Context, dir string) (string, error) {
	const otherDates = "take \"git\" out of \"dates\" in site.yaml"
	out, err := runGit(ctx, dir, "rev-parse", "--is-inside-work-tree", "--is-shallow-repository", "--show-prefix")
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

// gitOptions stand before every git command: nothing that a repository or a
// user has configured may run, or change what git writes.
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
// every parent. The renames found must not depend on anyone's configuration, and
// not on objects of other folders, which a partial clone may lack. No branch that
// was merged may be left out because its changes did not last.
var gitLogArguments = []string{
	"log", "--date-order", "--format=" + gitCommitMark + "%at", "--no-show-signature", "--no-notes", "--no-decorate", "--no-mailmap",
	"--name-status", "-z", "-M50%", "-l4000", "-c", "--combined-all-paths",
	"-O/dev/null", "--no-ext-diff", "--no-textconv", "--no-relative", "--ignore-submodules=all",
	"--full-history", "HEAD", "--", ".",
}

// gitCommand returns a git command that runs in dir.
func gitCommand(ctx context.Context, dir string, arguments ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", slices.Concat(gitOptions, arguments)...)
	cmd.Dir = dir
	cmd.Env = gitEnvironment(os.Environ())
	// A helper that git started may hold the pipe open after git was stopped.
	cmd.WaitDelay = time.Second
	return cmd
}

// gitElsewhere are variables that would lead git to another repository than
// that of the folder, as they do inside a hook, or make it run or write
// something else.
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

// runGit returns what a git command prints.
func runGit(ctx context.Context, dir string, arguments ...string) (string, error) {
	cmd := gitCommand(ctx, dir, arguments...)
	complaint := &firstBytes{limit: 2000}
	cmd.Stderr = complaint
	out, err := cmd.Output()
	if err != nil {
		return "", complaint.wrap(err)
	}
	return string(out), nil
}

// streamGitLog runs git log and follows it through the history.
func streamGitLog(ctx context.Context, dir string, h *gitHistory) error {
	running, stop := context.WithCancel(ctx)
	defer stop()
	cmd := gitCommand(running, dir, gitLogArguments...)
	complaint := &firstBytes{limit: 2000}
	cmd.Stderr = complaint
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return fmt.Errorf("dates from git: %w", err)
	}
	parseErr := parseGitLog(out, h)
	if parseErr != nil && !errors.Is(parseErr, io.ErrUnexpectedEOF) {
		stop() // nobody reads on
	}
	err = cmd.Wait()
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil && running.Err() == nil: // then git's output is cut, too
		return fmt.Errorf("dates from git: %w", explainPartialClone(ctx, dir, complaint.wrap(err)))
	case parseErr != nil:
		return fmt.Errorf("dates from git: %w", parseErr)
	}
	return nil
}

// explainPartialClone adds to an error of git log what to do where the repository
// of dir is a partial clone.
func explainPartialClone(ctx context.Context, dir string, err error) error {
	const settings = `^(extensions\.partialclone|remote\..*\.promisor)$`
	if _, notPartial := runGit(ctx, dir, "config", "--get-regexp", settings); notPartial != nil {
		return err
	}
	return fmt.Errorf("the repository of %q is a partial clone, which lacks objects of the folder's history; "+
		"run \"git fetch --refetch --no-filter\", or clone it without \"--filter\" (%w)", dir, err)
}

// firstBytes keeps the beginning of what is written to it.
type firstBytes struct {
	limit int
	kept  bytes.Buffer
}

// Write keeps what still fits, and takes the rest without a word.
func (f *firstBytes) Write(p []byte) (int, error) {
	f.kept.Write(p[:min(len(p), f.limit-f.kept.Len())])
	return len(p), nil
}

// wrap returns a command's error with what it wrote, in one line.
func (f *firstBytes) wrap(err error) error {
	said := strings.Join(strings.Fields(f.kept.String()), " ")
	if said == "" {
		return fmt.Errorf("git: %w", err)
	}
	return fmt.Errorf("git says: %s", diag.Clean(said))
}
