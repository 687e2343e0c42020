package main

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/pprof/profile"
)

// handMade returns a profile with one sample for each of some stacks. A stack is
// of locations, innermost first, and those of functions in the same way: their
// names and files, as in "runtime.mallocgc malloc.go".
func handMade(nanoseconds []int64, stacks ...[][]string) *profile.Profile {
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}}}
	for i, stack := range stacks {
		sample := &profile.Sample{Value: []int64{1, nanoseconds[i]}}
		for _, inlined := range stack {
			location := new(profile.Location)
			for _, f := range inlined {
				name, file, _ := strings.Cut(f, " ")
				location.Line = append(location.Line, profile.Line{Function: &profile.Function{Name: name, Filename: "/src/" + file}})
			}
			sample.Location = append(sample.Location, location)
		}
		p.Sample = append(p.Sample, sample)
	}
	return p
}

func TestAttribute(t *testing.T) {
	const (
		syscall6 = "internal/runtime/syscall.Syscall6 asm_linux_amd64.s"
		raw      = "syscall.RawSyscall syscall_linux.go"
		malloc   = "runtime.mallocgc malloc.go"
		assist   = "runtime.gcAssistAlloc mgcmark.go"
		load     = house + "/source.(*Loader).Load load.go"
		pass     = house + "/markup.(*cleaner).pass clean.go"
		resolve  = house + "/markup.(*asker).resolve links.go"
		convert  = house + "/markup.(*buffer).convert markdown.go"
		goldmark = "github.com/yuin/goldmark/parser.(*parser).Parse parser.go"
		render   = house + ".(*renderWorker).render render.go"
		list     = house + ".(*listWorker).write write.go"
		create   = house + "/snapshot.(*Writer).create writer.go"
	)
	stacks := []struct {
		nanoseconds int64
		stack       [][]string
		step        string
		system      bool
	}{
		{1, [][]string{{syscall6}, {raw, "os.(*File).Read file.go"}, {load}, {render}}, "reading sources", true},
		{2, [][]string{{malloc}, {pass}, {render}}, "cleaning", false},
		{4, [][]string{{assist}, {malloc}, {pass}, {render}}, "garbage collector", false},
		{8, [][]string{{"strings.Cut strings.go", resolve, pass}, {render}}, "links", false},
		{16, [][]string{{"bytes.IndexByte bytes.go"}, {goldmark}, {convert}, {render}}, "Markdown", false},
		{32, [][]string{{convert}, {goldmark}}, "Markdown", false},
		{64, [][]string{{syscall6}, {raw}, {create}, {list}}, "comparing and writing", true},
		{128, [][]string{{"sort.Sort sort.go"}, {list}}, "lists", false},
		{256, [][]string{{house + "/source.(*reading).findDates dates.go"}}, "front matter", false},
		{512, [][]string{{syscall6}, {"syscall.Getpid zsyscall.go"}, {"main.main main.go"}}, "rest", true},
		{1024, nil, "rest", false},
		{2048, [][]string{{"main.readInto floor.go", "main.runFloor.func2.1 floor.go"}}, "reading sources", false},
		{4096, [][]string{{"cgo"}, {house + ".Build generator.go"}}, "rest", false},
	}
	want := make(map[string]spent)
	var all []int64
	var made [][][]string
	for _, s := range stacks {
		time := time.Duration(s.nanoseconds)
		sum := want[s.step]
		sum.all += time
		if s.system {
			sum.system += time
		}
		want[s.step] = sum
		all, made = append(all, s.nanoseconds), append(made, s.stack)
	}
	got := make(map[string]spent)
	for i, s := range attribute(handMade(all, made...)) {
		name := "rest"
		if i < len(steps) {
			name = steps[i].name
		}
		if s != (spent{}) {
			got[name] = s
		}
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(spent{})); diff != "" {
		t.Errorf("time went elsewhere (-want +got):\n%s", diff)
	}
}

// Every file of this module that a step names is there.
func TestStepsNameFiles(t *testing.T) {
	for _, s := range steps {
		for _, place := range s.places {
			file, _, _ := strings.Cut(place, ":")
			file, isHouse := strings.CutPrefix(file, house)
			file, isMain := strings.CutPrefix(file, "main/")
			if isHouse {
				file = "../../generator" + file
			}
			if found, err := filepath.Glob(file + "*"); (isHouse || isMain) && (err != nil || len(found) == 0) {
				t.Errorf("%s: there is no %s", s.name, place)
			}
		}
	}
}

func TestPrintSteps(t *testing.T) {
	usageOf := func(wall time.Duration, of map[string]spent) *usage {
		u := &usage{wall: wall, steps: make([]spent, len(steps)+1)}
		for i, s := range steps {
			u.steps[i] = of[s.name]
		}
		u.steps[len(steps)] = of["rest"]
		return u
	}
	build := usageOf(3*time.Second, map[string]spent{
		"Markdown":              {all: 3 * time.Millisecond},
		"comparing and writing": {all: 4 * time.Millisecond, system: 2500 * time.Microsecond},
		"rest":                  {all: time.Millisecond, system: time.Millisecond},
	})
	floor := usageOf(2*time.Second, map[string]spent{"Markdown": {all: 2 * time.Millisecond}})
	var printed strings.Builder
	if err := printSteps(&printed, 10, build, floor); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"10 records: us of CPU for each\n",
		"  Markdown                    300.0  37.5 %          0.0    200.0\n",
		"  comparing and writing       400.0  50.0 %        250.0      0.0\n",
		"  rest                        100.0  12.5 %        100.0      0.0\n",
		"  together                    800.0 100.0 %        350.0    200.0\n",
		"  3.00 s wall, the floor 2.00 s\n",
	} {
		if !strings.Contains(printed.String(), line) {
			t.Errorf("it does not print %q:\n%s", line, &printed)
		}
	}
}

// The whole of it builds a snapshot, and leaves nothing else.
func TestProfile(t *testing.T) {
	corpus, out := corpusOf(t, 36)
	var printed strings.Builder
	if err := runProfile(t.Context(), corpus, out, &printed); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(printed.String(), "36 records: us of CPU for each\n") || strings.Count(printed.String(), "\n") != len(steps)+5 {
		t.Errorf("it printed\n%s", &printed)
	}
	if files, err := readFiles(out); err != nil || len(files) != 36*2+4*2+2+2 {
		t.Errorf("there are %d files: %v", len(files), err)
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(out), ".*")); err != nil || len(left) > 0 {
		t.Errorf("it left %v: %v", left, err)
	}
}
