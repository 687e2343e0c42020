package verify

import (
	"bytes"
	"context"
	"math"
	"strings"
	"testing"
	"time"
)

// TestBudgetIsAmple holds the budgets that a service gets against what an honest one
// of that size needs: each record and each list page in two variants, all list
// pages once more on the way back, and the request matrix.
func TestBudgetIsAmple(t *testing.T) {
	const matrix, largePage = 400, 50 << 10
	for _, count := range []int{0, 1, 30, 1442, 1_000_008} {
		b := newBudget(Options{}, usualJobs, usualRate)
		b.allow(count, count)
		lists := count/10 + 1
		needed := int64(2*(count+2*lists) + matrix)
		if most := b.mostRequests.Load(); most < 2*needed {
			t.Errorf("%d records: %d requests, and %d are needed", count, most, needed)
		}
		if most := b.mostBytes.Load(); most < 2*int64(2*count*largePage) {
			t.Errorf("%d records: %d bytes", count, most)
		}
		if slow := time.Duration(needed) * time.Second / usualRate; b.mostTime < 2*slow {
			t.Errorf("%d records: %s, and %s are needed", count, b.mostTime, slow)
		}
	}
	b := newBudget(Options{}, 1, 0.1)
	if b.mostTime < 2*matrix*10*time.Second {
		t.Errorf("a request in ten seconds: %s", b.mostTime)
	}
}

// A count that promises more than is shown, or more than can be, gets nothing.
func TestBudgetOfLies(t *testing.T) {
	b := newBudget(Options{}, usualJobs, math.Inf(1))
	for _, lie := range []struct{ shown, count int }{{0, 1000}, {1000, -1}, {1000, 0}, {1000, math.MaxInt}} {
		b.allow(lie.shown, lie.count)
		if most := b.mostRequests.Load(); most != firstRequests {
			t.Errorf("%d shown of %d: %d requests", lie.shown, lie.count, most)
		}
	}
	for _, o := range []Options{{MaxRequests: 20_000_000}, {Sample: 100}} {
		b := newBudget(o, usualJobs, math.Inf(1))
		b.allow(1_000_000, math.MaxInt)
		if b.mostRequests.Load() < 8_000_000 || b.mostBytes.Load() < 1<<37 || b.mostTime < 200*time.Hour {
			t.Errorf("%+v: %d requests, %d bytes, %s", o, b.mostRequests.Load(), b.mostBytes.Load(), b.mostTime)
		}
	}
}

// Records that are too large to be read beside others are read all the same, also
// where two of them have to be compared.
func TestLargeRecords(t *testing.T) {
	for _, test := range []struct {
		jobs   int
		differ bool
		rules  string
	}{{1, false, ""}, {4, false, ""}, {1, true, "variants-equal"}, {4, true, "variants-equal"}} {
		s := newService(t, "", 25, func(s *service) {
			for path, body := range s.files {
				text := strings.Repeat("a", mostTogether)
				if test.differ && strings.HasSuffix(path, ".api.json") {
					text += "b"
				}
				s.files[path] = bytes.ReplaceAll(body, []byte("</div>"), []byte(text+"</div>"))
			}
		})
		r, err := URL(t.Context(), s.base, Options{Jobs: test.jobs})
		if err != nil {
			t.Fatal(err)
		}
		if got := rulesOf(r); got != test.rules || r.Records != 25 {
			explain(t, r)
			t.Errorf("%+v: %d records, found by %q", test, r.Records, got)
		}
	}
}

// Where many records are known, the body of one may be less large: what is kept of
// them and what it takes add up.
func TestLargeRecordOfMany(t *testing.T) {
	for _, test := range []struct {
		known, mebibytes int
		due              string
	}{
		{manyRecords - 1, 9, ""},
		{manyRecords, 3, ""},
		{manyRecords, 9, "at most 4 MiB, where a service has more than 300000 records"},
	} {
		s := newService(t, "", 1, func(s *service) {
			text := strings.Repeat("a", test.mebibytes<<20)
			path := "pages/" + s.ids[0] + "/index.json"
			s.files[path] = bytes.ReplaceAll(s.files[path], []byte("</div>"), []byte(text+"</div>"))
		})
		client, err := newClient(s.base, Options{})
		if err != nil {
			t.Fatal(err)
		}
		c, ctx := newChecker(t.Context(), s.base, Options{Jobs: usualJobs})
		c.opener, c.isGood = client, c.checkHeaders
		c.known.Store(int64(test.known)) // before the one that is there
		newWalk(c, nil).run(ctx)
		if err := context.Cause(ctx); err != nil {
			t.Fatal(err)
		}
		client.close()
		due := ""
		for _, f := range c.finish().Findings {
			due += f.Due
		}
		if due != test.due {
			t.Errorf("%d MiB where %d records were met before: %q is due, not %q", test.mebibytes, test.known, due, test.due)
		}
	}
}
