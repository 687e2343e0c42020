package host

// rsyncPlan is how a snapshot gets to a server of one's own. In the script the
// order is that of a snapshot's own commit: what is pointed at comes first.
func rsyncPlan(name, title string) *plan {
	return &plan{
		name: name, title: title, styles: allStyles,
		cache:   cacheMinute,
		script:  "upload/rsync.sh",
		Secrets: []string{"SSH_KEY"},
		Vars:    []string{"SSH_KNOWN_HOSTS", "TARGET"},
		Tools:   []string{"openssh-client", "rsync"},
	}
}
