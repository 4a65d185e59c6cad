package render

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/chemigram/chemigram/internal/version"
	"github.com/chemigram/chemigram/render/internal/locate"
)

// oldest is the oldest darktable that is supported.
var oldest = version.Version{Major: 4, Minor: 2}

// versionTimeout bounds the question for the version. A Flatpak that starts
// for the first time after a boot takes seconds.
const versionTimeout = 20 * time.Second

// askVersion runs darktable-cli --version. It gives the version, and how it was
// printed: a build between two releases says so there.
func (d *Darktable) askVersion(ctx context.Context) (v version.Version, line string, err error) {
	tmp, err := newScratch(d.scratch)
	if err != nil {
		return v, "", newError("find", System, "", "cannot make a scratch folder", err)
	}
	defer tmp.remove()
	printed, err := d.run(ctx, invocation{op: "find", tmp: tmp, args: []string{"--version"}, timeout: versionTimeout})
	if failure, ok := errors.AsType[*Error](err); ok && failure.Kind == Failed {
		failure.Message = d.whyNoStart(failure)
	}
	if err != nil {
		return v, "", err
	}
	v, line, ok := parseVersion(printed)
	if !ok {
		return v, "", &Error{
			Op: "find", Kind: Unsupported, Path: d.Path(), Command: slices.Clone(d.launcher.command.Argv), Stderr: printed,
			Message: fmt.Sprintf("%s does not print its version, so it cannot be used as darktable-cli; at least %v is needed", d.Path(), oldest),
		}
	}
	if v.Compare(oldest) < 0 {
		return v, "", &Error{
			Op: "find", Kind: Unsupported, Path: d.Path(), Version: v.String(), Command: slices.Clone(d.launcher.command.Argv), Stderr: printed,
			Message: fmt.Sprintf("%s is darktable %v; at least %v is needed", d.Path(), v, oldest),
		}
	}
	return v, line, nil
}

// whyNoStart says why a program ended before it told its version.
func (d *Darktable) whyNoStart(failure *Error) string {
	if strings.Contains(strings.ToLower(failure.Stderr), "fuse") && locate.IsAppImage(d.Path()) {
		return "an AppImage needs FUSE: install it, or set APPIMAGE_EXTRACT_AND_RUN=1 in the environment"
	}
	said, _, _ := strings.Cut(strings.TrimSpace(failure.Stderr), "\n")
	return fmt.Sprintf("%s does not start (%s); install that darktable anew, or set the path of a darktable-cli that starts",
		d.Path(), cmp.Or(strings.TrimPrefix(said, d.Path()+": "), failure.Err.Error()))
}

var programName = regexp.MustCompile(`(?i)darktable(?:-cli)?\s+`)

// parseVersion reads what darktable-cli --version prints, and gives the rest of its
// line, too. Releases before 4.8 print "this is darktable-cli 4.2.1", later ones
// "darktable 5.4.1".
func parseVersion(printed string) (v version.Version, line string, ok bool) {
	for _, name := range programName.FindAllStringIndex(printed, -1) {
		if v, ok := version.Parse(printed[name[1]:]); ok {
			line, _, _ := strings.Cut(printed[name[1]:], "\n")
			return v, strings.TrimSpace(line), true
		}
	}
	return v, "", false
}
