package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"example.org/sivu/generator/baseurl"
	"example.org/sivu/generator/host"
)

// TestSamplesForCI carries out the steps of both samples for CI, but for the check
// of the live address, with a repository of sivu on this machine: they build sivu
// and a site. Both programs are the same, byte for byte, and the same as that of
// make sivu, though each comes from a clone in a folder of its own.
func TestSamplesForCI(t *testing.T) {
	inTestAll(t)
	repository, version := bareRepository(t)
	clone := filepath.Join(t.TempDir(), "a", "clone")
	shell(t, ".", nil, `git clone --quiet "$0" "$1" && git -C "$1" checkout --quiet --detach "$2" && make -s -C "$1" sivu`, repository, clone, version)
	want, err := os.ReadFile(filepath.Join(clone, "sivu"))
	if err != nil {
		t.Fatal(err)
	}
	for sample, steps := range map[string]func(t *testing.T, text []byte) []string{"github.yml": githubSteps, "gitlab.yml": gitlabSteps} {
		t.Run(sample, func(t *testing.T) {
			project, bin := sampleProject(t), t.TempDir()
			text, err := os.ReadFile(filepath.Join(project, "deploy", sample))
			if err != nil {
				t.Fatal(err)
			}
			environment := []string{"SIVU_REPOSITORY=" + repository, "SIVU_VERSION=" + version, "GOBIN=" + bin,
				"PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH")}
			for _, step := range steps(t, text) {
				if !strings.Contains(step, "sivu verify") {
					shell(t, project, environment, step)
				}
			}
			if _, err := os.Stat(filepath.Join(project, "site", "pages", "index.json")); err != nil {
				t.Error(err)
			}
			got, err := os.ReadFile(filepath.Join(bin, "sivu"))
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("the sample builds another program than make sivu does in another clone of %s", version)
			}
		})
	}
}

// bareRepository returns a bare clone of the repository of this package, and the
// commit that is checked out here.
func bareRepository(t *testing.T) (repository, version string) {
	t.Helper()
	repository = filepath.Join(t.TempDir(), "sivu.git")
	out := shell(t, "../..", nil, `git clone --quiet --bare . "$0" && git rev-parse HEAD`, repository)
	return repository, strings.TrimSpace(out)
}

// sampleProject returns the folder of a site with its own settings, and with what
// sivu host writes in deploy.
func sampleProject(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	base, err := baseurl.Parse("https://api.example.fi")
	if err != nil {
		t.Fatal(err)
	}
	h, _ := host.Named("files")
	files, err := h.UploadFiles(&host.Config{Base: base})
	layFiles(t, filepath.Join(dir, "deploy"), files, err)
	writePublic(t, filepath.Join(dir, "content", "fi", "sivu.md"), "---\nid: 6ba7b810-9dad-41d1-80b4-00c04fd430c8\ntitle: Sivu\ncreated: 2020-01-01\n---\nTeksti.\n")
	writePublic(t, filepath.Join(dir, "content", "site.yaml"), "languages: [fi]\n")
	return dir
}

// githubSteps returns the commands of the steps, of which the first has to be given
// the variables.
func githubSteps(t *testing.T, text []byte) []string {
	t.Helper()
	var workflow struct {
		Jobs map[string]struct {
			Steps []struct {
				Run string            `yaml:"run"`
				Env map[string]string `yaml:"env"`
			} `yaml:"steps"`
		} `yaml:"jobs"`
	}
	if err := yaml.Unmarshal(text, &workflow); err != nil {
		t.Fatal(err)
	}
	var steps []string
	for _, step := range workflow.Jobs["publish"].Steps {
		if step.Run == "" {
			continue
		}
		for _, name := range []string{"SIVU_REPOSITORY", "SIVU_VERSION"} {
			if strings.Contains(step.Run, name) && step.Env[name] != "${{ vars."+name+" }}" {
				t.Errorf("%s is %q in the step %q", name, step.Env[name], step.Run)
			}
		}
		steps = append(steps, step.Run)
	}
	return steps
}

func gitlabSteps(t *testing.T, text []byte) []string {
	t.Helper()
	var jobs map[string]struct {
		Script []string `yaml:"script"`
	}
	if err := yaml.Unmarshal(text, &jobs); err != nil {
		t.Fatal(err)
	}
	return jobs["publish"].Script
}

// shell runs a command in a folder, as CI does, and returns what it prints.
func shell(t *testing.T, dir string, environment []string, command string, args ...string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), "sh", slices.Concat([]string{"-e", "-c", command}, args)...)
	var problems bytes.Buffer
	c.Dir, c.Stderr, c.Env = dir, &problems, append(os.Environ(), environment...)
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s%s", command, err, out, problems.String())
	}
	return string(out)
}
