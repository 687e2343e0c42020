package snapshot

import "strings"

// places are the folders that a file moves between.
type places struct {
	live, staged, backup folder
}

// openPlaces makes the folders of a backup but those of records, and opens what
// files move between.
func (m *mover) openPlaces(backup string) error {
	if err := m.step("make", backup); err != nil {
		return err
	}
	s := m.stage
	m.top = places{live: s.out, staged: s.staged}
	m.pages = places{live: s.pages, staged: s.stagedPage}
	for _, f := range []struct {
		name string
		open *folder
	}{
		{backup, &m.top.backup},
		{backup + "/" + pagesDir, &m.pages.backup},
		{backup + "/" + stateDir, &m.state.backup},
		{stateDir, &m.state.live},
		{stageDir + "/" + stateDir, &m.state.staged},
	} {
		err := s.root.MkdirAll(f.name, folderMode)
		if err == nil {
			*f.open, err = openFolder(s.root, f.name)
		}
		if err != nil {
			return problem("make", f.name, err)
		}
	}
	return nil
}

// at returns the places of a file or folder, and its name there.
func (m *mover) at(k key) (places, string, error) {
	path := k.path()
	switch {
	case k.isTop(), k == treeKey:
		return m.top, path, nil
	case k == manifestKey:
		return m.state, path[len(stateDir+"/"):], nil
	}
	name := path[len(pagesDir+"/"):]
	if k.class() != classRecord || k[17] == wholeFolder {
		return m.pages, name, nil
	}
	id, name, _ := strings.Cut(name, "/")
	if k.folder() != m.current {
		m.leaveRecord()
		if err := m.enterRecord(id); err != nil {
			return places{}, "", err
		}
		m.current = k.folder()
	}
	return m.record, name, nil
}

func (m *mover) enterRecord(id string) error {
	err := m.pages.backup.mkdir(id)
	if err == nil {
		m.record.live, err = m.pages.live.sub(id)
	}
	if err == nil {
		m.record.staged, err = m.pages.staged.sub(id)
	}
	if err == nil {
		m.record.backup, err = m.pages.backup.sub(id)
	}
	if err != nil {
		m.leaveRecord()
	}
	return err
}

func (m *mover) leaveRecord() {
	m.record.close()
	m.record, m.current = places{}, key{}
}

func (p places) close() {
	p.live.close()
	p.staged.close()
	p.backup.close()
}

// closePlaces closes what openPlaces opened. What the stage opened it closes itself.
func (m *mover) closePlaces() {
	m.leaveRecord()
	m.top.backup.close()
	m.pages.backup.close()
	m.state.close()
	m.top, m.pages, m.state = places{}, places{}, places{}
}
