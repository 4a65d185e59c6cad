package render

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// A launcher starts darktable-cli.
type launcher struct {
	command []string
	// flatpak says that darktable runs in a Flatpak's sandbox, which sees the
	// folders that it is given and nothing else.
	flatpak bool
}

const flatpakID = "org.darktable.Darktable"

// argv is the command line for args. Of the host's files, a sandbox may read
// the files or folders of reads and write to the folder of writes.
func (l launcher) argv(args, reads []string, writes string) []string {
	if !l.flatpak {
		return slices.Concat(l.command, args)
	}
	grants := []string{"--filesystem=" + writes}
	for _, r := range reads {
		grants = append(grants, "--filesystem="+r+":ro")
	}
	i := slices.Index(l.command, "run") + 1
	return slices.Concat(l.command[:i], grants, l.command[i:], args)
}

// locate finds darktable-cli: at the path that was asked for, else where the
// environment says, else in PATH, else in the usual places.
func locate(path, env string) (launcher, error) {
	if path != "" {
		return parseCommand("the path that was set", path)
	}
	if env != "" {
		return parseCommand("the environment variable DARKTABLE_CLI", env)
	}
	if p, err := exec.LookPath("darktable-cli"); err == nil {
		return newLauncher(p)
	}
	for _, p := range usualPlaces() {
		if p, err := exec.LookPath(p); err == nil {
			return newLauncher(p)
		}
	}
	if hasFlatpak() {
		return newLauncher("flatpak", "run", "--die-with-parent", "--command=darktable-cli", flatpakID)
	}
	return launcher{}, missingError("darktable-cli was found neither in PATH nor in the usual places; " +
		"install darktable 4.2 or later, or say where it is with the environment variable DARKTABLE_CLI")
}

// parseCommand takes value for a program's path, and else for a command with
// arguments. A program that was named is never replaced by another one. The source
// is where value comes from.
func parseCommand(source, value string) (launcher, error) {
	if p, err := exec.LookPath(value); err == nil {
		return newLauncher(p)
	}
	if words := strings.Fields(value); len(words) > 1 {
		if p, err := exec.LookPath(words[0]); err == nil {
			return newLauncher(append([]string{p}, words[1:]...)...)
		}
	}
	return launcher{}, missingError(source + " names " + value + ", which is not a program that can be run; it should be the path of darktable-cli")
}

func newLauncher(command ...string) (launcher, error) {
	program, err := exec.LookPath(command[0])
	if err == nil {
		program, err = filepath.Abs(program)
	}
	if err != nil {
		return launcher{}, missingError(err.Error())
	}
	command[0] = program
	return launcher{command: command, flatpak: slices.Contains(command, flatpakID) && slices.Contains(command, "run")}, nil
}

func missingError(message string) error {
	return newError("find", Missing, "", message, nil)
}

func usualPlaces() []string {
	home, _ := os.UserHomeDir()
	switch runtime.GOOS {
	case "darwin":
		const inside = "darktable.app/Contents/MacOS/darktable-cli"
		return []string{filepath.Join("/Applications", inside), filepath.Join(home, "Applications", inside)}
	case "windows":
		return []string{filepath.Join(os.Getenv("ProgramFiles"), "darktable", "bin", "darktable-cli.exe")}
	}
	return []string{"/usr/bin/darktable-cli", "/usr/local/bin/darktable-cli", "/opt/darktable/bin/darktable-cli"}
}

// hasFlatpak reports whether Flatpak has installed darktable.
func hasFlatpak() bool {
	if _, err := exec.LookPath("flatpak"); err != nil {
		return false
	}
	for _, root := range flatpakRoots() {
		if _, err := os.Stat(filepath.Join(root, "app", flatpakID)); err == nil {
			return true
		}
	}
	return false
}

// flatpakRoots are where Flatpak installs programs for all users and for one.
func flatpakRoots() []string {
	home, _ := os.UserHomeDir()
	return []string{"/var/lib/flatpak", filepath.Join(home, ".local/share/flatpak")}
}
