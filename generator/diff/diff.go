// Package diff compares two snapshots: which files differ, and what that means to
// readers: records that were added, removed, moved or changed, and addresses that
// no longer answer.
//
// Two trees are compared first, by path, size and SHA-256. Only records whose files
// differ are read, each in its plain variant. A record has moved if its id stays and its
// meta.url differs; or if its id differs and a record of the same language has its
// meta.url, or else its content: then its old address is gone.
//
// [Compare] returns a [Report]; [Report.Print] prints it in one of the [Formats].
package diff

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"reflect"
	"slices"
	"strings"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/tree"
)

// Operation says how a file or record differs.
type Operation string

// The operations.
const (
	Added   Operation = "added"
	Changed Operation = "changed"
	Removed Operation = "removed"
	Moved   Operation = "moved" // records only
)

// operationOf returns the operation of a step.
func operationOf(s *tree.Step) Operation {
	switch {
	case s.Op.IsAdd():
		return Added
	case s.Op.IsRemove():
		return Removed
	}
	return Changed
}

// Record is a record that differs, and its form in JSON.
type Record struct {
	Operation Operation `json:"operation"`
	ID        string    `json:"id"`               // in the new snapshot; in the old one where the record was removed
	OldID     string    `json:"old_id,omitempty"` // of a record that moved to another id
	Language  string    `json:"language"`
	Title     string    `json:"title"`
	Path      string    `json:"path,omitempty"`     // meta.url
	OldPath   string    `json:"old_path,omitempty"` // of a record that moved
	Parts     []string  `json:"parts"`              // that differ: "content", "embeds", "modified", "meta.title" …; "url" only where the base address did not change
}

// Report is how a new snapshot differs from an old one.
type Report struct {
	Files     []tree.Step // files that differ, in the order of their paths
	Records   []Record    // by operation, language and path
	Dead      []string    // addresses of the old snapshot at which the new one has no answer
	Unchanged int         // files that are equal
	OldCount  int         // records of the old snapshot
	NewCount  int
	OldLinks  api.Links // the form of addresses; zero where no file differs or there is no record
	NewLinks  api.Links
}

// Compare compares two snapshots. The error is an [*Unread].
func Compare(old, now tree.Snapshot) (*Report, error) {
	c := &comparison{old: old, now: now, report: new(Report)}
	records := c.compareTrees()
	if len(c.report.Files) == 0 {
		return c.report, nil
	}
	if err := c.findLinks(); err != nil {
		return nil, err
	}
	if err := c.compareRecords(records); err != nil {
		return nil, err
	}
	c.findDead()
	return c.report, nil
}

// Unread is the error where a snapshot cannot be read.
type Unread struct {
	New   bool // the new one, else the old one
	Cause error
}

func (e *Unread) Error() string { return e.Cause.Error() }
func (e *Unread) Unwrap() error { return e.Cause }

type comparison struct {
	old, now tree.Snapshot
	report   *Report
}

// compareTrees compares the two trees, and returns the steps of records.
func (c *comparison) compareTrees() (records []tree.Step) {
	r := c.report
	var oldFiles int
	for s := range tree.Compare(counted(c.old, &oldFiles, &r.OldCount), counted(c.now, &r.Unchanged, &r.NewCount)) {
		r.Files = append(r.Files, s)
		if !s.Op.IsRemove() {
			r.Unchanged--
		}
		if isRecord(s.Path) {
			records = append(records, s)
		}
	}
	return records
}

// counted returns the files of a snapshot, which it counts as they are read.
func counted(s tree.Snapshot, files, records *int) iter.Seq[tree.Entry] {
	return func(yield func(tree.Entry) bool) {
		for e := range s.All() {
			*files++
			if isRecord(e.Path) {
				*records++
			}
			if !yield(e) {
				return
			}
		}
	}
}

// isRecord reports whether a file is the plain answer of a record.
func isRecord(p api.Path) bool {
	return p.Class() == api.ClassRecord && p.Variant() == api.Plain && p.Coding() == 0
}

func (c *comparison) read(isNew bool, file api.Path) ([]byte, error) {
	if isNew {
		return c.now.Read(file)
	}
	return c.old.Read(file)
}

// body is the JSON of a record (contract.md 2.2).
type body struct {
	Language string             `json:"language"`
	Meta     map[string]*string `json:"meta"`
	Created  string             `json:"created"`
	Modified string             `json:"modified"`
	URL      string             `json:"url"`
	Content  string             `json:"content"`
	Embeds   json.RawMessage    `json:"embeds"`
}

func (b *body) meta(key string) string {
	if v := b.Meta[key]; v != nil {
		return *v
	}
	return ""
}

// text returns the content without the comment at its beginning, which has a time.
func (b *body) text() string {
	_, text, _ := strings.Cut(b.Content, "-->")
	return text
}

func (c *comparison) readRecord(isNew bool, file api.Path) (*body, error) {
	b := new(body)
	data, err := c.read(isNew, file)
	if err == nil {
		err = json.Unmarshal(data, b)
	}
	if err != nil {
		return nil, &Unread{isNew, fmt.Errorf("cannot read %s: %w", file, err)}
	}
	return b, nil
}

// compareRecords reads the records that differ.
func (c *comparison) compareRecords(steps []tree.Step) error {
	removed, added := map[string]*body{}, map[string]*body{}
	for _, s := range steps {
		id := s.Path.ID().String()
		var was, now *body
		var err error
		if !s.Op.IsAdd() {
			was, err = c.readRecord(false, s.Path)
		}
		if !s.Op.IsRemove() && err == nil {
			now, err = c.readRecord(true, s.Path)
		}
		switch {
		case err != nil:
			return err
		case was == nil:
			added[id] = now
		case now == nil:
			removed[id] = was
		default:
			c.compareRecord(id, was, now)
		}
	}
	c.pair(removed, added, func(b *body) string { return b.meta("url") })
	c.pair(removed, added, (*body).text)
	for id, b := range removed {
		c.add(Removed, id, b)
	}
	for id, b := range added {
		c.add(Added, id, b)
	}
	slices.SortFunc(c.report.Records, func(a, b Record) int {
		return cmp.Or(
			cmp.Compare(slices.Index(operations, a.Operation), slices.Index(operations, b.Operation)),
			cmp.Compare(a.Language, b.Language), cmp.Compare(a.Path, b.Path), cmp.Compare(a.ID, b.ID))
	})
	return nil
}

// operations are those of records, in the order in which they are shown.
var operations = []Operation{Removed, Moved, Added, Changed}

// add adds a record to the report.
func (c *comparison) add(op Operation, id string, b *body) *Record {
	c.report.Records = append(c.report.Records, Record{Operation: op, ID: id, Language: b.Language, Title: b.meta("title"), Path: b.meta("url")})
	return &c.report.Records[len(c.report.Records)-1]
}

// compareRecord compares a record that has the same id in both snapshots.
func (c *comparison) compareRecord(id string, was, now *body) {
	parts := c.parts(was, now)
	if len(parts) == 0 {
		return // only its address, with that of the whole snapshot
	}
	r := c.add(Changed, id, now)
	r.Parts = parts
	if old := was.meta("url"); old != r.Path {
		r.Operation, r.OldPath = Moved, old
	}
}

// pair finds records that moved to another id, by something that both have and no
// other record of their language: it removes them from the two maps.
func (c *comparison) pair(removed, added map[string]*body, key func(*body) string) {
	type languageKey struct{ language, key string }
	index := func(records map[string]*body) map[languageKey]string {
		ids := make(map[languageKey]string)
		for id, b := range records {
			k := languageKey{b.Language, key(b)}
			if _, again := ids[k]; again || k.key == "" {
				id = ""
			}
			ids[k] = id
		}
		return ids
	}
	olds := index(removed)
	for k, id := range index(added) {
		oldID := olds[k]
		if id == "" || oldID == "" {
			continue
		}
		was, now := removed[oldID], added[id]
		was.URL = now.URL // it differs with the id
		r := c.add(Moved, id, now)
		r.OldID, r.OldPath, r.Parts = oldID, was.meta("url"), c.parts(was, now)
		delete(removed, oldID)
		delete(added, id)
	}
}

// parts returns the names of the fields that differ, in the order of the contract.
func (c *comparison) parts(was, now *body) []string {
	var parts []string
	note := func(differs bool, name string) {
		if differs {
			parts = append(parts, name)
		}
	}
	note(was.Language != now.Language, "language")
	keys := map[string]*string{}
	maps.Copy(keys, was.Meta)
	maps.Copy(keys, now.Meta)
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		a, inOld := was.Meta[key]
		b, inNew := now.Meta[key]
		note(inOld != inNew || !reflect.DeepEqual(a, b), "meta."+key)
	}
	note(was.Created != now.Created, "created")
	note(was.Modified != now.Modified, "modified")
	note(c.report.OldLinks == c.report.NewLinks && was.URL != now.URL, "url")
	note(was.text() != now.text(), "content")
	note(!bytes.Equal(was.Embeds, now.Embeds), "embeds")
	return parts
}

// findLinks finds the form of addresses. A snapshot of one list page may be of either of
// two styles: it counts as of that of the other snapshot.
func (c *comparison) findLinks() error {
	var possible [2][]api.Links
	for i, isNew := range []bool{false, true} {
		first, err := c.read(isNew, api.FirstListPath(api.Plain))
		if err != nil {
			return &Unread{isNew, fmt.Errorf("cannot read its first list page: %w", err)}
		}
		if possible[i], err = api.FindLinks(first); err != nil {
			return &Unread{isNew, err}
		}
	}
	old, now := possible[0], possible[1]
	for _, l := range old {
		if slices.Contains(now, l) {
			old, now = []api.Links{l}, []api.Links{l}
		}
	}
	if len(old) > 0 {
		c.report.OldLinks = old[0]
	}
	if len(now) > 0 {
		c.report.NewLinks = now[0]
	}
	return nil
}

// findDead finds the addresses of answers that are gone. Where addresses have another
// form now, all of the old ones may be; then there is no list of them.
func (c *comparison) findDead() {
	if c.report.OldLinks.Base == "" || c.report.HasOtherLinks() {
		return
	}
	for _, f := range c.report.Files {
		if f.Op.IsRemove() {
			c.report.Dead = append(c.report.Dead, c.report.OldLinks.Addresses(f.Path.String())...)
		}
	}
}

// HasOtherLinks reports whether all addresses differ: another base address, or another
// link style.
func (r *Report) HasOtherLinks() bool {
	return r.NewLinks.Base != "" && r.OldLinks.Base != "" && r.OldLinks != r.NewLinks
}
