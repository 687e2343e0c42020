package snapshot

import "time"

// outdate makes sure that a staged file is newer than the old one by a second
// at least: many servers build an ETag or Last-Modified of whole seconds. Some
// file systems keep every other second only, so what was set is read again.
func outdate(old time.Time, modified func() (time.Time, error), set func(time.Time) error) error {
	for step := time.Second; step <= 4*time.Second; step *= 2 {
		now, err := modified()
		if err != nil || now.Unix() > old.Unix() {
			return err
		}
		if err := set(time.Unix(old.Unix(), 0).Add(step)); err != nil {
			return err
		}
	}
	return nil
}
