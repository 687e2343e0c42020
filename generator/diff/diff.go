// Package diff compares two snapshots: which files differ, which
// records were added, removed, moved or changed, and which addresses no longer answer.
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
	"encoding/hex"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"reflect"
	"slices"
	"strings"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/diag"
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

// File is a file that differs, and its form in JSON.
type File struct {
	Path      string    `json:"path"`
	Operation Operation `json:"operation"`
	Size      int64     `json:"size"` // in the new snapshot; in the old one where the file was removed
	SHA256    string    `json:"sha256"`
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

// Report is how a new snapshot differs from an old one, and its form in JSON; its names
// are part of what other programs rely on.
type Report struct {
	Old       Side     `json:"old"`
	New       Side     `json:"new"`
	Records   []Record `json:"records"`           // by operation, language and path
	Dead      []string `json:"removed_addresses"` // addresses of the old snapshot at which the new one has no answer
	Unchanged int      `json:"unchanged_files"`
	Files     []File   `json:"files"` // that differ, in the order of their paths
}

// Side describes one of the two snapshots.
type Side struct {
	Name    string `json:"name"` // as people call it
	Records int    `json:"records"`
	Base    string `json:"base_url,omitempty"` // the base address; "" where no file differs or there is no record
	Links   string `json:"links,omitempty"`    // the link style, or "" as well
}

// Compare compares two snapshots. The names are how people call them: an error says
// which of them could not be read.
func Compare(old, now tree.Snapshot, oldName, newName string) (*Report, error) {
	c := &comparison{old: old, now: now, report: &Report{Old: Side{Name: oldName}, New: Side{Name: newName}}}
	records := c.compareTrees()
	if len(c.report.Files) == 0 {
		return c.report, nil
	}
	links, err := c.findLinks()
	if err != nil {
		return nil, err
	}
	if err := c.compareRecords(records); err != nil {
		return nil, err
	}
	c.findDead(links)
	return c.report, nil
}

type comparison struct {
	old, now tree.Snapshot
	report   *Report
}

// compareTrees compares the two trees, and returns the steps of records.
func (c *comparison) compareTrees() (records []tree.Step) {
	r := c.report
	var oldFiles int
	for s := range tree.Compare(counted(c.old, &oldFiles, &r.Old.Records), counted(c.now, &r.Unchanged, &r.New.Records)) {
		op, sum := Changed, s.New
		switch {
		case s.Op.IsAdd():
			op = Added
		case s.Op.IsRemove():
			op, sum = Removed, s.Old
		}
		r.Files = append(r.Files, File{s.Path.String(), op, int64(sum.Size), hex.EncodeToString(sum.SHA256[:])})
		if op != Removed {
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

// read reads a file of one snapshot, and has parse read its bytes.
func (c *comparison) read(isNew bool, file api.Path, parse func(data []byte) error) error {
	snapshot, name := c.old, c.report.Old.Name
	if isNew {
		snapshot, name = c.now, c.report.New.Name
	}
	data, err := snapshot.Read(file)
	if err == nil {
		err = parse(data)
	}
	if err != nil {
		return fmt.Errorf("%s: cannot read %s: %w", diag.Quote(name), file, err)
	}
	return nil
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

func (b *body) parse(data []byte) error { return json.Unmarshal(data, b) }

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

// compareRecords reads the records that differ.
func (c *comparison) compareRecords(steps []tree.Step) error {
	removed, added := map[string]*body{}, map[string]*body{}
	for _, s := range steps {
		id := s.Path.ID().String()
		var was, now *body
		var err error
		if !s.Op.IsAdd() {
			was = new(body)
			err = c.read(false, s.Path, was.parse)
		}
		if !s.Op.IsRemove() && err == nil {
			now = new(body)
			err = c.read(true, s.Path, now.parse)
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
	note(c.report.sameLinks() && was.URL != now.URL, "url")
	note(was.text() != now.text(), "content")
	note(!bytes.Equal(was.Embeds, now.Embeds), "embeds")
	return parts
}

// findLinks finds the form of addresses, and returns that of the old snapshot. A snapshot
// of one list page may be of either of two styles: it counts as of that of the other one.
func (c *comparison) findLinks() (old api.Links, err error) {
	var possible [2][]api.Links
	for i, isNew := range []bool{false, true} {
		err := c.read(isNew, api.FirstListPath(api.Plain), func(data []byte) (err error) {
			possible[i], err = api.FindLinks(data)
			return err
		})
		if err != nil {
			return old, err
		}
	}
	for _, l := range possible[0] {
		if slices.Contains(possible[1], l) {
			possible = [2][]api.Links{{l}, {l}}
			break
		}
	}
	for i, side := range []*Side{&c.report.Old, &c.report.New} {
		if len(possible[i]) > 0 {
			side.Base, side.Links = possible[i][0].Base, possible[i][0].Style.Name
		}
	}
	if len(possible[0]) > 0 {
		old = possible[0][0]
	}
	return old, nil
}

// findDead finds the addresses of answers that are gone. Where addresses have another
// form now, all of the old ones may be; then there is no list of them.
func (c *comparison) findDead(old api.Links) {
	if old.Base == "" || c.report.HasOtherLinks() {
		return
	}
	for _, f := range c.report.Files {
		if f.Operation == Removed {
			c.report.Dead = append(c.report.Dead, old.Addresses(f.Path)...)
		}
	}
}

// HasOtherLinks reports whether all addresses differ: another base address, or another
// link style.
func (r *Report) HasOtherLinks() bool { return r.New.Base != "" && r.Old.Base != "" && !r.sameLinks() }

func (r *Report) sameLinks() bool { return r.Old.Base == r.New.Base && r.Old.Links == r.New.Links }
