package main

import (
	"path"
	"strings"
	"time"

	"github.com/google/pprof/profile"
)

const house = "example.org/sivu/generator"

// step is a part of a build, and of the floor.
type step struct {
	name   string
	places []string // of code: how they begin, see placeOf
}

// steps are all steps. Time belongs to that of the innermost function that has
// one: what a step calls of libraries, and the memory it allocates, is its own.
// Where two have a place, the longer one wins.
var steps = []step{
	{"reading sources", []string{house + "/source/load.go", house + "/source/folder", house + "/source/walk", "main/floor.go:readInto", "main/floor.go:runFloor", "path/filepath/path.go:WalkDir"}},
	{"front matter", []string{house + "/source/"}},
	{"Markdown", []string{"github.com/yuin/goldmark", house + "/markup/markdown.go", house + "/markup/headings.go", house + "/markup/budget.go"}},
	{"cleaning", []string{house + "/markup/"}},
	{"links", []string{house + "/markup/address.go", house + "/markup/links.go", house + "/markup/index.go", house + "/markup/hashtable.go", house + "/markup/changes.go", house + "/links.go"}},
	{"rules", []string{house + "/lint/", house + "/diag/"}},
	{"encoding", []string{house + "/api/"}},
	{"lists", []string{house + "/write.go", house + "/relist.go", house + "/collection.go", house + "/heads.go"}},
	{"comparing and writing", []string{house + "/snapshot/", "main/tree_"}},
	{"state", []string{house + "/state/", house + "/incremental.go", house + "/recall.go", house + "/remember.go", house + "/codec.go", house + "/trace.go"}},
	{"garbage collector", []string{"runtime/mgc", "runtime/mwbbuf.go"}},
	{"scheduler", []string{"runtime/proc.go:schedule", "runtime/proc.go:park_m", "runtime/proc.go:goexit0", "runtime/proc.go:goschedImpl", "runtime/proc.go:sysmon", "runtime/proc.go:mstart"}},
}

// attribute sums up the time of each step, and last that of none.
func attribute(p *profile.Profile) []spent {
	list := make([]spent, len(steps)+1)
	nanoseconds := len(p.SampleType) - 1
	for _, sample := range p.Sample {
		step, isSystem := stepOf(sample)
		time := time.Duration(sample.Value[nanoseconds])
		s := spent{all: time}
		if isSystem {
			s.system = time
		}
		list[step].add(s)
	}
	return list
}

// stepOf returns the number of the step that a sample belongs to, and whether it
// was taken in a system call.
func stepOf(sample *profile.Sample) (step int, isSystem bool) {
	for _, location := range sample.Location { // innermost first, as inlined lines are
		for _, line := range location.Line {
			if line.Function == nil {
				continue
			}
			place := placeOf(line.Function)
			if step, ok := stepAt(place); ok {
				return step, isSystem
			}
			isSystem = isSystem || strings.HasPrefix(place, "syscall/") || strings.HasPrefix(place, "internal/runtime/syscall/")
		}
	}
	return len(steps), isSystem
}

// stepAt returns the number of the step that a place of code belongs to.
func stepAt(place string) (step int, ok bool) {
	longest := 0
	for i := range steps {
		for _, beginning := range steps[i].places {
			if len(beginning) > longest && strings.HasPrefix(place, beginning) {
				step, longest = i, len(beginning)
			}
		}
	}
	return step, longest > 0
}

// placeOf tells where a function is: its package, its file and its name, as in
// path/filepath/path.go:WalkDir.
func placeOf(f *profile.Function) string {
	slash := strings.LastIndexByte(f.Name, '/') + 1
	dot := strings.IndexByte(f.Name[slash:], '.')
	if dot < 0 {
		return f.Name
	}
	return f.Name[:slash+dot] + "/" + path.Base(f.Filename) + ":" + f.Name[slash+dot+1:]
}
