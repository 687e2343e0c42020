package main

import (
	"fmt"
	"io"
	"strconv"
	"sync"
	"time"
)

// stageProgress shows how far a run is that tells of stages: on a terminal as a bar,
// else as a line for each stage.
type stageProgress struct {
	mu          sync.Mutex
	stage       string
	done, total int

	out     io.Writer // of the lines; nil: none
	before  string    // begins a line
	stop    chan struct{}
	stopped sync.WaitGroup
}

// showStages begins to show progress, unless it is to be quiet. The lines begin with
// before.
func showStages(w io.Writer, quiet bool, before string) *stageProgress {
	p := &stageProgress{before: before, stop: make(chan struct{})}
	switch {
	case quiet:
	case isScreen(w) && width(w) >= minBar:
		p.stopped.Go(func() { drawBar(w, p.now, p.stop) })
	default:
		p.out = w
	}
	return p
}

// report tells how far the run is.
func (p *stageProgress) report(stage string, done, total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if stage != p.stage && p.out != nil {
		fmt.Fprintln(p.out, p.before+stage)
	}
	if stage != p.stage || done > p.done {
		p.stage, p.done, p.total = stage, done, total
	}
}

func (p *stageProgress) now() (stage string, done, total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stage, p.done, p.total
}

// end takes the progress bar away.
func (p *stageProgress) end() {
	close(p.stop)
	p.stopped.Wait()
}

// rate is a flag that is a number of requests a second.
type rate float64

func (r *rate) String() string {
	if *r == 0 {
		return "" // none was given
	}
	return strconv.FormatFloat(float64(*r), 'g', -1, 64)
}

func (*rate) Type() string { return "float" }

func (r *rate) Set(text string) error {
	const most = 100_000
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || !(n > 0 && n <= most) {
		return fmt.Errorf("give a number above 0, and at most %d", most)
	}
	*r = rate(n)
	return nil
}

// span is a flag that is a time, at most so long.
type span struct {
	time *time.Duration
	most time.Duration
	name string // of most
}

func (s span) String() string {
	if s.time == nil || *s.time == 0 {
		return "" // none was given
	}
	return s.time.String()
}

func (span) Type() string { return "duration" }

func (s span) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil || d < time.Millisecond || d > s.most {
		return fmt.Errorf("give a time such as 500ms, 15s or 2m, at most %s", s.name)
	}
	*s.time = d
	return nil
}

// amount is a flag that is a large number from 1.
type amount int64

func (a *amount) String() string {
	if *a == 0 {
		return "" // none was given
	}
	return strconv.FormatInt(int64(*a), 10)
}

func (*amount) Type() string { return "int" }

func (a *amount) Set(text string) error {
	const most = 1e15
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 || n > most {
		return fmt.Errorf("give a number from 1 to %d", int64(most))
	}
	*a = amount(n)
	return nil
}
