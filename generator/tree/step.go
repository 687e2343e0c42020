package tree

import (
	"cmp"
	"iter"
	"slices"

	"example.org/sivu/generator/api"
)

// Step is a difference between two trees: an operation on one file.
type Step struct {
	Path  api.Path
	Op    Op
	Fresh bool // the answer that the file is, or is a variant of, is new
	New   Sum  // zero where the file goes
	Old   Sum  // zero where the file is new, or its old content is not known
}

// Order compares two steps by the order in which they are made: see the package
// comment.
func Order(a, b *Step) int {
	return cmp.Or(cmp.Compare(a.Rank(), b.Rank()), answerOrder(a.Path, b.Path))
}

// FirstRemoval is the first rank of steps that remove files.
const FirstRemoval = 5

// Rank returns the rank of a step among those that must not be made before others:
// all steps of one rank come before those of the next. Within a rank, only the pages of
// a list depend on each other, the later ones first, and variants go before their
// answers. From FirstRemoval on, files go.
func (s *Step) Rank() int {
	p := s.Path
	if s.Op == Remove {
		switch {
		case p.IsList():
			return FirstRemoval
		case p.Class() == api.ClassRecord:
			return FirstRemoval + 1
		case !p.IsHostFile():
			return FirstRemoval + 2
		}
		return FirstRemoval + 3
	}
	switch {
	case p.Class() == api.ClassRecord:
		return 0
	case p.IsList() && s.Fresh:
		return 1
	case p.IsHostFile():
		return 2
	case p.IsList():
		return 3
	}
	return FirstRemoval - 1
}

// answerOrder orders files of one rank: later list pages before earlier ones, the
// first of all last, others by path, and variants before their answers.
func answerOrder(a, b api.Path) int {
	variantOrder := func(p api.Path) int { return (p.Coding() + len(api.Codings)) % (len(api.Codings) + 1) }
	return cmp.Or(cmp.Compare(b.Number(), a.Number()), a.WithCoding(0).Compare(b.WithCoding(0)), cmp.Compare(variantOrder(a), variantOrder(b)))
}

// Compare returns the steps from one tree to another, in order of path. Both come in
// that order.
func Compare(old, new iter.Seq[Entry]) iter.Seq[Step] {
	return func(yield func(Step) bool) {
		nextOld, stopOld := iter.Pull(old)
		defer stopOld()
		nextNew, stopNew := iter.Pull(new)
		defer stopNew()
		a, hasOld := nextOld()
		b, hasNew := nextNew()
		var olds, news []Entry
		var steps []Step
		for hasOld || hasNew {
			group := api.LastPath
			if hasOld {
				group = a.Path.Group()
			}
			if hasNew && b.Path.Group().Compare(group) < 0 {
				group = b.Path.Group()
			}
			for olds = olds[:0]; hasOld && a.Path.Group() == group; a, hasOld = nextOld() {
				olds = append(olds, a)
			}
			for news = news[:0]; hasNew && b.Path.Group() == group; b, hasNew = nextNew() {
				news = append(news, b)
			}
			steps = appendSteps(steps[:0], olds, news)
			for _, s := range steps {
				if !yield(s) {
					return
				}
			}
		}
	}
}

// appendSteps appends the steps from the old to the new files of a group.
func appendSteps(dst []Step, olds, news []Entry) []Step {
	start := len(dst)
	find := func(list []Entry, p api.Path) int {
		return slices.IndexFunc(list, func(e Entry) bool { return e.Path == p })
	}
	for _, e := range news {
		s := Step{Path: e.Path, Op: Add, New: e.Sum, Fresh: find(olds, e.Path.WithCoding(0)) < 0}
		if i := find(olds, e.Path); i >= 0 {
			s.Op, s.Old = Change, olds[i].Sum
		}
		if len(olds) == 0 && e.Path.Class() == api.ClassRecord {
			s.Op = AddFolder
		}
		if s.Op != Change || s.Old != s.New {
			dst = append(dst, s)
		}
	}
	for _, e := range olds {
		switch {
		case find(news, e.Path) >= 0:
		case find(news, e.Path.WithCoding(0)) >= 0:
			dst = append(dst, Step{Path: e.Path, Op: RemoveVariant, Old: e.Sum})
		default:
			dst = append(dst, Step{Path: e.Path, Op: Remove, Old: e.Sum})
		}
	}
	slices.SortFunc(dst[start:], func(a, b Step) int { return a.Path.Compare(b.Path) })
	return dst
}
