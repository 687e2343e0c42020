package preview

import (
	"encoding/json"
	"sync"

	"github.com/google/uuid"

	"example.org/sivu/generator/diag"
)

// moment is what is shown from one Show to the next.
type moment struct {
	version int64
	site    Site
	state   func() ([]byte, error) // the body of state.json, made when first asked for
}

// state is the body of /_preview/state.json; the page browser relies on it.
type state struct {
	Version   int64       `json:"version"`
	Base      string      `json:"base"`
	Snapshot  bool        `json:"snapshot"`
	Languages []string    `json:"languages"`
	Failed    bool        `json:"failed"`
	Problems  diag.Report `json:"problems"`
	Pages     []Page      `json:"pages"`
}

func (s *Server) newMoment(version int64, site Site) *moment {
	return &moment{version: version, site: site, state: sync.OnceValues(func() ([]byte, error) {
		return json.Marshal(state{
			Version: version, Base: s.options.Base, Snapshot: s.options.Snapshot,
			Languages: site.Languages, Failed: site.Failed, Problems: site.Report, Pages: site.Pages,
		})
	})}
}

// notice is the data of the event "state"; the page browser relies on it.
type notice struct {
	Version  int64       `json:"version"`
	Changed  []uuid.UUID `json:"changed"` // null: any
	Failed   bool        `json:"failed"`
	Errors   int         `json:"errors"`
	Warnings int         `json:"warnings"`
}

// maxChanged is how many records an event names; beyond that any may have
// changed.
const maxChanged = 200

// notice returns the event of a moment.
func (m *moment) notice(changed []uuid.UUID) ([]byte, error) {
	if len(changed) > maxChanged {
		changed = nil
	}
	return json.Marshal(notice{
		Version: m.version, Changed: changed, Failed: m.site.Failed,
		Errors: m.site.Report.Errors, Warnings: m.site.Report.Warnings,
	})
}
