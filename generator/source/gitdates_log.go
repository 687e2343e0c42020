package source

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"example.org/sivu/generator/diag"
)

// gitCommitMark begins the token of a commit. No status begins with it.
const gitCommitMark = "@"

// maxGitToken is how long a path may be.
const maxGitToken = 64 << 10

// parseGitLog reads what git log prints with gitLogArguments: tokens that end
// with NUL. A commit is its mark and author date; then come its files, each a
// status and its paths. Empty tokens and line feeds before a status separate.
func parseGitLog(r io.Reader, h *gitHistory) error {
	p := gitLogParser{r: bufio.NewReaderSize(r, maxGitToken)}
	for {
		token, err := p.next()
		switch {
		case errors.Is(err, io.EOF):
			h.endCommit()
			return nil
		case err != nil:
			return err
		}
		token = strings.TrimPrefix(token, "\n")
		if date, ok := strings.CutPrefix(token, gitCommitMark); ok {
			h.endCommit()
			seconds, err := strconv.ParseInt(date, 10, 64)
			h.beginCommit(seconds, err == nil)
		} else if token != "" {
			if err := p.file(token, h); err != nil {
				return err
			}
		}
	}
}

type gitLogParser struct {
	r     *bufio.Reader
	paths []string
}

// next returns the next token.
func (p *gitLogParser) next() (string, error) {
	token, err := p.r.ReadSlice(0)
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		return "", fmt.Errorf("the history has a path of more than %d bytes", maxGitToken)
	case errors.Is(err, io.EOF) && len(token) > 0:
		return "", io.ErrUnexpectedEOF
	case err != nil:
		return "", err
	}
	return string(token[:len(token)-1]), nil
}

// file reads the paths of a status. A commit with one parent has a letter and
// maybe a score, and the old path of a rename or copy. A merge has one letter
// for each parent, and the path in each of them. The path that the commit
// leaves comes last.
func (p *gitLogParser) file(status string, h *gitHistory) error {
	letters := strings.TrimRight(status, "0123456789")
	if letters == "" || strings.Trim(letters, "ABCDMRTUX") != "" {
		return fmt.Errorf("git log printed the status %s, which is not understood", diag.Quote(status))
	}
	count := len(letters) + 1
	if len(letters) == 1 && letters != "R" && letters != "C" {
		count = 1
	}
	p.paths = p.paths[:0]
	for range count {
		path, err := p.next()
		switch {
		case errors.Is(err, io.EOF):
			return io.ErrUnexpectedEOF
		case err != nil:
			return err
		}
		p.paths = append(p.paths, path)
	}
	h.touch(letters, p.paths[:count-1], p.paths[count-1])
	return nil
}
