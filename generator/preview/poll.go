package preview

import (
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// pollEvery is how long a poller waits between two looks. Where a look takes long,
// it waits longer, so that it takes a tenth of the time.
const (
	pollEvery = time.Second
	pollShare = 10
)

// poller finds changes in a content folder by looking at all of it again and
// again, where the system tells of none. It is for one goroutine.
type poller struct {
	content string
	links   symlinks // which says where the settings lie
	seen    map[string]stamp
	next    time.Time // when it is time to look
}

// stamp tells the states of a file apart. That of a folder is its mode.
type stamp struct {
	mode     fs.FileMode
	size     int64
	modified time.Time
}

func newPoller(content, siteFile string) *poller {
	p := &poller{content: content, links: newSymlinks(content, siteFile)}
	p.look()
	return p
}

// look returns the paths that changed since the last look.
func (p *poller) look() []string {
	begun := time.Now()
	before := p.seen
	p.seen = make(map[string]stamp, len(before))
	p.folder(p.content, "", 0)
	if info, err := os.Stat(p.links.site); err == nil {
		p.seen[SitePath] = stampOf(info)
	}
	var changed []string
	for path, now := range p.seen {
		if old, ok := before[path]; !ok || old != now {
			changed = append(changed, path)
		}
	}
	for path := range before {
		if _, ok := p.seen[path]; !ok {
			changed = append(changed, path)
		}
	}
	p.next = time.Now().Add(max(pollEvery, pollShare*time.Since(begun)))
	return changed
}

// folder looks at what a folder holds; path is its own below the content folder,
// with a slash at its end.
func (p *poller) folder(full, path string, depth int) {
	entries, err := os.ReadDir(full)
	if err != nil || depth > maxDepth {
		return // that is for the reader of pages to tell
	}
	for _, entry := range entries {
		name := filepath.Join(full, entry.Name())
		if isHidden(entry.Name()) || name == p.links.site || path+entry.Name() == "site.yaml" {
			continue
		}
		info, err := entry.Info()
		if err == nil && entry.Type()&fs.ModeSymlink != 0 {
			if leads, err := os.Stat(name); err == nil {
				info = leads // a change is one of what it leads to
			}
		}
		if err != nil {
			continue // it is gone again
		}
		p.seen[path+entry.Name()] = stampOf(info)
		if entry.IsDir() {
			p.folder(name, path+entry.Name()+"/", depth+1)
		}
	}
}

func stampOf(info fs.FileInfo) stamp {
	if info.IsDir() {
		return stamp{mode: info.Mode()}
	}
	return stamp{info.Mode(), info.Size(), info.ModTime()}
}

// due returns a channel on which it is time to look.
func (p *poller) due() <-chan time.Time { return time.After(time.Until(p.next)) }
