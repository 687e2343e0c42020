package generator

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/diag"
)

// liveModel is what a preview has to show of a site that is edited.
type liveModel struct {
	settings *fstest.MapFile                // the last site.yaml without errors
	good     map[string]liveRecord          // the last version without errors, by source
	ever     map[string]map[liveRecord]bool // all versions that a source had while it was there
}

type liveRecord struct {
	id     uuid.UUID
	detail string
}

// build builds the sites with the settings that are in force, and returns what it
// comes to, with what is wrong with the settings as they are.
func (m *liveModel) build(t *testing.T, fsys fstest.MapFS, out string) (*Result, fstest.MapFS) {
	t.Helper()
	build := func(fsys fstest.MapFS, allowEmpty bool) *Result {
		t.Helper()
		result, err := Build(t.Context(), Options{Content: "content", FS: fsys, Out: out, BaseURL: liveBase, Links: "query", AllowEmpty: allowEmpty})
		if err != nil {
			t.Fatal(err)
		}
		return result
	}
	whole := build(fsys, false)
	isOfSettings := func(d diag.Diagnostic) bool { return d.Pos.File == "content/site.yaml" }
	wrong := slices.DeleteFunc(slices.Clone(whole.Report.Diagnostics), func(d diag.Diagnostic) bool { return !isOfSettings(d) })
	if len(wrong) == 0 {
		m.settings = fsys["site.yaml"]
		return whole, fsys
	}
	inForce := maps.Clone(fsys)
	inForce["site.yaml"] = m.settings
	whole = build(inForce, true) // with errors in site.yaml, nothing is said of a site without pages
	var all diag.Collector
	all.Add(wrong...)
	all.Add(whole.Report.Diagnostics...)
	whole.Report, whole.Failed = all.Report(), true
	return whole, inForce
}

// check holds a view against what sources come to that are read for the first
// time, and against what they came to before.
func (m *liveModel) check(t *testing.T, what string, u *Update, report diag.Report, fsys fstest.MapFS) {
	t.Helper()
	view := u.View
	failed := map[string]bool{}
	for _, d := range report.Diagnostics {
		failed[d.Pos.File] = failed[d.Pos.File] || d.Severity == diag.Error
	}
	_, fresh := newLive(t, fsys)
	ofMedia := func(r diag.Report) []string {
		return slices.DeleteFunc(described(r), func(line string) bool { return !isOfMedia(line) })
	}
	if diff := cmp.Diff(ofMedia(fresh.Report), ofMedia(u.Report)); diff != "" {
		t.Fatalf("%s: the problems of media differ (-fresh +live):\n%s", what, diff)
	}
	now, owners := map[string]liveRecord{}, map[uuid.UUID]int{}
	listed := map[string]bool{}
	for place := range fresh.View.pages.pages {
		name := fresh.View.pages.pages[place].Path
		listed[name] = true
		if fresh.View.isWhole(int32(place)) {
			now[name] = recordAt(t, fresh.View, int32(place))
			owners[now[name].id]++
		}
	}
	maps.DeleteFunc(m.good, func(name string, _ liveRecord) bool { return !listed[name] })
	maps.DeleteFunc(m.ever, func(name string, _ map[liveRecord]bool) bool { return !listed[name] })
	taken := map[uuid.UUID]bool{}
	for name, record := range now {
		if m.ever[name] == nil {
			m.ever[name] = map[liveRecord]bool{}
		}
		m.ever[name][record] = true
		if !failed["content/"+name] && owners[record.id] == 1 {
			m.good[name], taken[record.id] = record, true
			if shown := shownAs(t, view, record.id); shown != record.detail {
				t.Fatalf("%s: %s has no error, and is not shown as it is\nwant %s\ngot  %s", what, name, record.detail, shown)
			}
		}
	}
	for name, record := range m.good {
		if now[name] == record || taken[record.id] {
			continue
		}
		shown := shownAs(t, view, record.id)
		isOther := func(other string) bool { return other != name && m.good[other] == liveRecord{record.id, shown} }
		if shown != record.detail && !slices.ContainsFunc(slices.Collect(maps.Keys(m.good)), isOther) {
			t.Fatalf("%s: %s has errors, and is not shown as it last was without\nwant %s\ngot  %s", what, name, record.detail, shown)
		}
	}
	for _, place := range view.order {
		if name := view.pages.pages[place].Path; !m.ever[name][recordAt(t, view, place)] {
			t.Fatalf("%s: of %s a version is shown that it never had, or it is gone", what, name)
		}
	}
}

// isOfMedia reports whether a line is of the one rule that a build does not have.
func isOfMedia(line string) bool { return strings.HasSuffix(line, "[missing-media]") }

// recordAt returns a record whether its id is its own or not.
func recordAt(t *testing.T, v *View, place int32) liveRecord {
	t.Helper()
	head, err := v.aside.append(nil, v.pages.records[place].head)
	if err != nil {
		t.Fatal(err)
	}
	tail, err := v.aside.append(nil, v.tails[place])
	if err != nil {
		t.Fatal(err)
	}
	id := v.pages.pages[place].ID
	return liveRecord{id, string(v.links.AppendDetail(nil, head, tail, id, api.Plain))}
}

// shownAs returns the answer of a record.
func shownAs(t *testing.T, v *View, id uuid.UUID) string {
	t.Helper()
	body, err := v.Answer(api.RecordFolder(id) + "/" + api.IndexName(api.Plain))
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}
