package render

import (
	"time"

	"github.com/chemigram/chemigram/internal/version"
)

// DefaultTimeout bounds a run of darktable when neither the job nor the
// context does: two minutes.
const DefaultTimeout = 2 * time.Minute

// Options say where darktable is and where it may work.
type Options struct {
	// Path of darktable-cli. Default: the environment's DARKTABLE_CLI, then
	// PATH, then where the installers of Linux, macOS and Windows put it, Flatpak,
	// Snap and AppImage among them. It may be an app of macOS, the folder that
	// darktable is installed in, an AppImage, or a command with arguments, in
	// quotes where they have blanks
	// ("flatpak run --command=darktable-cli org.darktable.Darktable").
	Path string
	// Scratch is the folder for temporary files; default the system's, or one
	// in the user's cache folder when darktable is a Flatpak, and in its own
	// folder when it is a Snap: both have a private /tmp.
	Scratch string
	// Processes bounds the darktables that run at once; default the number
	// of CPUs, at least 1. While batches hold all of them, one more runs for
	// pictures that are asked for one by one.
	Processes int
	// Elsewhere develops pictures on other machines: those whose jobs have a RawDigest.
	// What it cannot develop, this darktable does. Default: none.
	Elsewhere Elsewhere
}

// Darktable is an installed darktable, found and asked for its version. Its
// methods may be used by many goroutines at once.
type Darktable struct {
	launcher     launcher
	version      version.Version
	installation installation
	scratch      string
	schedule     *scheduler
	lenses       *lensMemo
	elsewhere    Elsewhere // nil when there is none
}

// Path is the path of darktable-cli, or of the program that launches it.
func (d *Darktable) Path() string { return d.launcher.command.Argv[0] }

// Version is darktable's version as a release number, such as "5.4.1".
func (d *Darktable) Version() string { return d.version.String() }
