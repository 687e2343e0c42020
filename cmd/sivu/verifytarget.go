package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"net"
	"os"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/folder"
	"example.org/sivu/generator/source"
	"example.org/sivu/generator/verify"
)

var (
	// isAddress tells an address from the name of a folder. A scheme of one
	// letter is a drive of Windows.
	isAddress = regexp.MustCompile(`^(?i:https?:|[a-z][a-z0-9+.-]+://)`).MatchString

	// namesUser tells what was meant for an address and may hold a password.
	namesUser = regexp.MustCompile(`^[^/@]+:[^/@]*@`).MatchString

	// hostLike takes apart what may be an address without its scheme: host,
	// port, and maybe a path.
	hostLike = regexp.MustCompile(`^((?i:\[[0-9a-f:]+\]|[a-z0-9-]+(?:\.[a-z0-9-]+)*))(:[0-9]+)?(?:/.*)?$`)
)

// check refuses flags that would have no effect on the target, or no sense.
func (f *verifyFlags) check(command *cobra.Command, target string) error {
	kind, idle, hint := "a folder", []string{"rate", "timeout", "max-requests", "max-bytes", "max-time"}, "nothing is requested from a folder; leave it out"
	if isAddress(target) {
		kind, idle, hint = "an address", []string{"variants"}, "an address has to answer in both variants; leave it out"
		if command.Flags().Changed("base-url") {
			return &hintedError{errors.New("--base-url is for a folder, and an address is given"), "the address is the base address"}
		}
	}
	for _, name := range idle {
		if command.Flags().Changed(name) {
			return &hintedError{fmt.Errorf("--%s has no meaning for %s", name, kind), hint}
		}
	}
	if !command.Flags().Changed("base-url") {
		return nil
	}
	base, err := source.CheckBaseURL(f.options.BaseURL)
	var address *source.AddressError
	if errors.As(err, &address) {
		return &hintedError{fmt.Errorf("--base-url %w", err), address.Hint}
	}
	f.options.BaseURL = base
	return err
}

func verifyTarget(ctx context.Context, target string, o verify.Options) (*verify.Report, error) {
	if isAddress(target) || namesUser(target) {
		return verify.URL(ctx, target, o)
	}
	if err := checkBuilt(target, hintMissing(target)); err != nil {
		return nil, err
	}
	release, err := folder.Hold(target)
	if err != nil {
		return nil, err
	}
	defer release()
	// Nothing is followed out of the folder.
	root, err := os.OpenRoot(target)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read as a folder: %w", diag.Quote(target), err)
	}
	defer root.Close()
	if _, err := root.Lstat("pages"); errors.Is(err, fs.ErrNotExist) {
		return nil, noSnapshot(target, "there is no folder pages in it")
	}
	o.Kept = keptFiles(target)
	return verify.Folder(ctx, root.FS(), o)
}

// keptFiles are the files that left the snapshot in a folder and stay for a while.
// Where no manifest can be read, as after an upload, there are none: sivu did not
// keep what lies there.
func keptFiles(name string) iter.Seq[string] {
	manifest, err := folder.ReadManifest(name)
	if err != nil {
		return nil
	}
	return func(yield func(string) bool) {
		for path := range manifest.Kept() {
			if !yield(path) {
				return
			}
		}
	}
}

// hintMissing says what may have been meant by a folder that does not exist.
func hintMissing(target string) string {
	parts := hostLike.FindStringSubmatch(target)
	if parts == nil {
		return hintBuilt
	}
	name, port := strings.Trim(strings.ToLower(parts[1]), "[]"), parts[2]
	switch {
	case name == "localhost", net.ParseIP(name) != nil:
		return "if an address is meant, write http://" + target
	case strings.Contains(name, "."), port != "":
		return "if an address is meant, write https://" + target
	}
	return hintBuilt
}
