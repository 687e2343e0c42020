package generator

import "sync/atomic"

// Progress tells, while a run goes on, how far it is. It may be read from any
// goroutine. The zero value is ready to use.
type Progress struct {
	// OnStage is called, if it is not nil, when a stage of total pieces of work
	// begins; total is 0 where it is not known. Set it before the run.
	OnStage func(stage string, total int)

	stage atomic.Pointer[string]
	done  atomic.Int64
	total atomic.Int64
}

// Now returns what the run is doing, and how many of how many pieces of that
// are done.
func (p *Progress) Now() (stage string, done, total int) {
	if s := p.stage.Load(); s != nil {
		stage = *s
	}
	return stage, int(p.done.Load()), int(p.total.Load())
}

func (p *Progress) start(stage string, total int) {
	p.done.Store(0)
	p.total.Store(int64(total))
	p.stage.Store(&stage)
	if p.OnStage != nil {
		p.OnStage(stage, total)
	}
}

func (p *Progress) step() { p.done.Add(1) }
