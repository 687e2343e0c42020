package snapshot

import "os"

// Scratch returns an empty file on the file system of the output folder, for
// what a build has to set aside. The stage closes and removes it at its end. In
// a dry run it is nil, as nothing may be written.
func (s *Stage) Scratch() (*os.File, error) {
	if s.dryRun || s.scratch != nil {
		return s.scratch, nil
	}
	f, err := s.root.OpenFile(scratchFile, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, problem("make", scratchFile, err)
	}
	s.scratch = f
	return f, nil
}
