package host

// samples returns the samples for CI: the build with the whole history, from
// which dates come, the upload, and the check of the live address.
func (p *plan) samples() []part {
	github := part{"upload/github.yml", "github.yml", "your repository, as .github/workflows/publish.yml", 0}
	gitlab := part{"upload/gitlab.yml", "gitlab.yml", "your repository, as .gitlab-ci.yml, or included there", 0}
	switch p.OnlyCI {
	case "github":
		return []part{github}
	case "gitlab":
		return []part{gitlab}
	}
	return []part{github, gitlab}
}

// Install returns the commands that build sivu from the repository and the version
// that two variables name. It has no releases to download.
func (s site) Install() []string {
	return []string{
		`: "${SIVU_REPOSITORY:?set it to the address of the repository of sivu}"`,
		`: "${SIVU_VERSION:?set it to a tag or a commit of that repository}"`,
		`sivu=$(mktemp -d) &&`,
		`  git clone --quiet "$SIVU_REPOSITORY" "$sivu" &&`,
		`  git -C "$sivu" checkout --quiet --detach "$SIVU_VERSION" &&`,
		`  go -C "$sivu" install -trimpath ./cmd/sivu`,
	}
}

// Build returns the command that builds what the host serves.
func (s site) Build() string {
	command := "sivu build --host " + s.name + " --base-url " + shellWord(s.BaseURL)
	if s.Links != s.styles[0] {
		command += " --links " + s.Links
	}
	if s.Edge {
		command += " --variants edge"
	}
	return command + " --out public"
}

// Verify returns the command that checks the live address.
func (s site) Verify() string {
	command := "sivu verify --host " + s.name
	if s.Links != "query" {
		command += " --links " + s.Links
	}
	return command + " " + shellWord(s.BaseURL)
}
