package generator

import (
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/corpus"
	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/settings"
	"example.org/sivu/generator/view"
)

// liveModel is what a preview has to show of a site that is edited.
type liveModel struct {
	settings *fstest.MapFile                // the last site.yaml without errors
	good     map[string]liveRecord          // the last version without errors, by source
	ever     map[string]map[liveRecord]bool // all versions that a source had while it was there
	shown    map[uuid.UUID]liveRecord       // by the view before
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
func (m *liveModel) check(t *testing.T, what string, u *view.Update, report diag.Report, fsys fstest.MapFS) {
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
	listed, ids := map[string]bool{}, map[string]uuid.UUID{}
	c, spool := scanLive(t, fsys)
	for i := range c.Pages {
		p := &c.Pages[i]
		listed[p.Path], ids[p.Path] = true, p.ID
		if p.IsWhole() {
			detail, err := spool.AppendDetail(nil, p, api.Links{Base: liveBase, Style: api.Styles[0]}, api.Plain)
			if err != nil {
				t.Fatal(err)
			}
			now[p.Path] = liveRecord{p.ID, string(detail)}
			owners[p.ID]++
		}
	}
	wasGood := slices.Collect(maps.Values(m.good))
	maps.DeleteFunc(m.good, func(name string, _ liveRecord) bool { return !listed[name] })
	maps.DeleteFunc(m.ever, func(name string, _ map[liveRecord]bool) bool { return !listed[name] })
	taken := map[uuid.UUID]bool{}
	for name, record := range now {
		if m.ever[name] == nil {
			m.ever[name] = map[liveRecord]bool{}
		}
		m.ever[name][record] = true
		sidecar := strings.TrimSuffix(name, path.Ext(name)) + ".json"
		if !failed["content/"+name] && !failed["content/"+sidecar] && owners[record.id] == 1 {
			m.good[name], taken[record.id] = record, true
			if shown := shownAs(t, view, record.id); shown != record.detail {
				t.Fatalf("%s: %s has no error, and is not shown as it is\nwant %s\ngot  %s", what, name, record.detail, shown)
			}
		}
	}
	m.checkVersions(t, what, view, ids, wasGood)
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
}

// checkVersions makes sure that each record that is shown is a version of its
// source, or of the one that was moved there. ids are those of the sources now.
func (m *liveModel) checkVersions(t *testing.T, what string, shown *view.View, ids map[string]uuid.UUID, wasGood []liveRecord) {
	t.Helper()
	sources := map[uuid.UUID]int{}
	for _, id := range ids {
		sources[id]++
	}
	before := m.shown
	m.shown = map[uuid.UUID]liveRecord{}
	for _, p := range shown.Pages()[:shown.Len()] {
		name, record := strings.TrimPrefix(p.File, "content/"), liveRecord{p.ID, shownAs(t, shown, p.ID)}
		m.shown[record.id] = record
		earlier, wasShown := before[record.id]
		switch good, ok := m.good[name]; {
		case m.ever[name][record] && ok && good.id != record.id && ids[name] == record.id && sources[record.id] == 1 && wasShown:
			m.moveTo(name, record, false) // in the place of another
		case m.ever[name][record]:
		case ids[name] == record.id && earlier == record:
			m.moveTo(name, record, slices.Contains(wasGood, record))
		default:
			t.Fatalf("%s: of %s a version is shown that it never had, or it is gone", what, name)
		}
	}
}

// moveTo says that a source with errors is another one that was moved, and what that
// was shown as.
func (m *liveModel) moveTo(name string, record liveRecord, isGood bool) {
	if m.ever[name] == nil {
		m.ever[name] = map[liveRecord]bool{}
	}
	m.ever[name][record] = true
	delete(m.good, name)
	if isGood {
		m.good[name] = record
	}
}

// isOfMedia reports whether a line is of the one rule that a build keeps in fewer folders.
func isOfMedia(line string) bool { return strings.HasSuffix(line, "[missing-media]") }

// scanLive returns the corpus of a site as a preview has it, whose pages need not have
// their ids to themselves, and its spool.
func scanLive(t *testing.T, fsys fstest.MapFS) (*corpus.Corpus, *corpus.Spool) {
	t.Helper()
	s, err := settings.Resolve(Options{Content: "content", FS: fsys, BaseURL: liveBase})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	spool := new(corpus.Spool)
	c, err := corpus.Scan(t.Context(), s, corpus.Options{Live: true, Spool: spool})
	if err != nil {
		t.Fatal(err)
	}
	c.Lint()
	if err := c.Render(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	return c, spool
}

// shownAs returns the answer of a record.
func shownAs(t *testing.T, v *view.View, id uuid.UUID) string {
	t.Helper()
	body, err := v.Answer(api.RecordFolder(id) + "/" + api.IndexName(api.Plain))
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}
