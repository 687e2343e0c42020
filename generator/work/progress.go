// Package work runs pieces of work side by side, measures how far and how fast they
// are, and tunes the garbage collector for them.
package work

import (
	"sync"
	"sync/atomic"
	"time"
)

// Stage is one step of a build and the time it took.
type Stage struct {
	Name     string
	Duration time.Duration
}

// Progress is how far a run is. One goroutine begins its stages; [Progress.Now],
// [Progress.Step] and [Progress.Report] may be called from any. The zero value is ready
// to use.
type Progress struct {
	// OnStage is called, if it is not nil, when a stage of total pieces of work
	// begins; total is 0 where it is not known. Set it before the build.
	OnStage func(stage string, total int)

	stages  []Stage
	started time.Time // of the last stage

	mu    sync.Mutex // held by Report
	stage atomic.Pointer[string]
	done  atomic.Int64
	total atomic.Int64
}

// Now returns the stage, and how many of its pieces of work are done, out of how many.
func (p *Progress) Now() (stage string, done, total int) {
	if s := p.stage.Load(); s != nil {
		stage = *s
	}
	return stage, int(p.done.Load()), int(p.total.Load())
}

// Reset forgets the stages of an earlier build.
func (p *Progress) Reset() { p.stages = nil }

// Begin ends the last stage, and begins one of total pieces of work.
func (p *Progress) Begin(stage string, total int) {
	now := time.Now()
	p.end(now)
	p.stages = append(p.stages, Stage{Name: stage})
	p.started = now
	p.done.Store(0)
	p.total.Store(int64(total))
	p.stage.Store(&stage)
	if p.OnStage != nil {
		p.OnStage(stage, total)
	}
}

func (p *Progress) end(now time.Time) {
	if n := len(p.stages); n > 0 {
		p.stages[n-1].Duration = now.Sub(p.started)
	}
}

// Step says that a piece of work of the stage is done.
func (p *Progress) Step() { p.done.Add(1) }

// Report is for a run that counts by itself: it begins the stage if that is not the last
// one, and says how much of it is done.
func (p *Progress) Report(stage string, done, total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if last, _, _ := p.Now(); last != stage {
		p.Begin(stage, total)
	}
	if int64(done) > p.done.Load() {
		p.done.Store(int64(done))
		p.total.Store(int64(total))
	}
}

// Stages ends the last stage, and returns all since the last [Progress.Reset].
func (p *Progress) Stages() []Stage {
	p.end(time.Now())
	return p.stages
}
