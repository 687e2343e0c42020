package host

import "slices"

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

// cachePlan is rsyncPlan with a cache before the server, which has to forget what
// it has: otherwise it answers with old and new list pages side by side. forget
// is the template of the commands that do it.
func cachePlan(name, title, forget string, secrets, vars []string) *plan {
	p := rsyncPlan(name, title)
	p.Forget = forget
	p.Secrets = slices.Concat(p.Secrets, secrets)
	p.Vars = slices.Concat(p.Vars, vars)
	p.Tools = slices.Concat(p.Tools, []string{"curl"})
	return p
}
