// Package locate finds darktable-cli where the installers of Linux, macOS and Windows
// put it, and knows how the command is called that starts it there.
package locate

import (
	"path/filepath"
	"slices"
	"strings"
)

// A Sandbox is what shuts a darktable off from the files of its user.
type Sandbox string

// The sandboxes that are known.
const (
	None    Sandbox = ""
	Flatpak Sandbox = "Flatpak" // sees the folders that it is given when it starts
	Snap    Sandbox = "Snap"    // sees the home folder, without what is hidden in it
)

// FlatpakID is what Flatpak calls darktable.
const FlatpakID = "org.darktable.Darktable"

// A System is what is asked of the system that darktable is looked for on. Paths are in
// the system's own form, whichever system this program runs on.
type System struct {
	// GOOS is the system's name in Go: linux, darwin, windows.
	GOOS string
	// Home is the folder of the user; empty when there is none.
	Home string
	// Getenv gives a variable of the environment, and "" for one that is not set.
	Getenv func(name string) string
	// Program gives the path of a program that can be run by its name on PATH, or by its
	// path, and "" when there is none.
	Program func(name string) string
	// Exists reports whether there is a file or a folder at a path.
	Exists func(path string) bool
	// Names are the names in a folder, none when it cannot be listed.
	Names func(dir string) []string
	// Target is where the links of a path lead to; the path itself when that is unknown.
	Target func(path string) string
}

// join puts a path together as the system does.
func (s System) join(parts ...string) string {
	sep := "/"
	if s.GOOS == "windows" {
		sep = `\`
	}
	return strings.Join(parts, sep)
}

// Command is the command that starts a darktable-cli, and what is to be known of it.
type Command struct {
	// Argv are the program by its path and the arguments that come before darktable's.
	Argv []string
	// Sandbox that it runs in.
	Sandbox Sandbox
}

// Find finds darktable-cli on PATH, and else where installers put it.
func (s System) Find() (Command, bool) {
	if path := s.Program("darktable-cli"); path != "" {
		return s.command(path), true
	}
	for _, place := range s.places() {
		if path := s.Program(place); path != "" {
			return s.command(path), true
		}
	}
	if flatpak := s.Program("flatpak"); flatpak != "" && slices.ContainsFunc(s.FlatpakRoots(), s.hasFlatpak) {
		return s.command(flatpak, "run", "--command=darktable-cli", FlatpakID), true
	}
	return Command{}, false
}

// Named takes what a user has set for a program's path, for a folder that darktable is
// installed in, and else for a command with arguments. Quotes hold words together, and
// are taken off a whole path.
func (s System) Named(value string) (Command, bool) {
	value = strings.TrimSpace(value)
	if unquoted(value) == "" {
		return Command{}, false
	}
	for _, path := range []string{value, unquoted(value)} {
		for _, inside := range []string{path, s.join(path, s.inBundle()), s.join(path, "bin", s.cli()), s.join(path, s.cli())} {
			if found := s.Program(inside); found != "" {
				return s.command(found), true
			}
		}
	}
	if words := splitWords(value); len(words) > 1 {
		if found := s.Program(words[0]); found != "" {
			return s.command(append([]string{found}, words[1:]...)...), true
		}
	}
	return Command{}, false
}

// command completes a command: an AppImage starts darktable itself unless it is told the
// program, a Flatpak is to end with the one who started it, and a program in an app of
// macOS does not find its files when it is called by a link.
func (s System) command(argv ...string) Command {
	c := Command{Argv: argv}
	switch run := slices.Index(argv, "run"); {
	case run > 0 && slices.Contains(argv, FlatpakID):
		c.Sandbox = Flatpak
		if !slices.Contains(argv, "--die-with-parent") {
			c.Argv = slices.Insert(slices.Clone(argv), run+1, "--die-with-parent")
		}
	case len(argv) == 1 && IsAppImage(argv[0]):
		c.Argv = []string{argv[0], "darktable-cli"}
	case s.GOOS == "darwin":
		if path := s.Target(argv[0]); strings.Contains(path, ".app/Contents/MacOS/") {
			c.Argv[0] = path
		}
	default:
		if _, ok := SnapName(argv[0]); ok {
			c.Sandbox = Snap
		}
	}
	return c
}

// IsAppImage reports whether a program is an AppImage, by its name.
func IsAppImage(path string) bool {
	return strings.HasSuffix(strings.ToLower(path), ".appimage")
}

// SnapName is the name of the snap that a command belongs to: such a command is a link
// to snap itself.
func SnapName(path string) (string, bool) {
	dir, command := filepath.Split(path)
	name, _, _ := strings.Cut(command, ".")
	if name == "darktable-cli" {
		name = "darktable" // an alias
	}
	return name, strings.HasSuffix(filepath.ToSlash(dir), "/snap/bin/")
}

// FlatpakRoots are where Flatpak installs programs for all users and for one.
func (s System) FlatpakRoots() []string {
	roots := []string{"/var/lib/flatpak"}
	if s.Home != "" {
		roots = append(roots, s.join(s.Home, ".local", "share", "flatpak"))
	}
	return roots
}

func (s System) hasFlatpak(root string) bool {
	return s.Exists(s.join(root, "app", FlatpakID))
}

// unquoted is a path without the quotes around it, with which a user of Windows may have
// set it.
func unquoted(value string) string {
	if n := len(value); n >= 2 && value[0] == value[n-1] && (value[0] == '"' || value[0] == '\'') {
		return value[1 : n-1]
	}
	return value
}

// splitWords splits a command at its blanks, but for those within quotes.
func splitWords(value string) (words []string) {
	var word strings.Builder
	var quote rune
	open := false
	for _, r := range value {
		switch {
		case quote == 0 && (r == '"' || r == '\''):
			quote, open = r, true
		case quote == r && quote != 0:
			quote = 0
		case quote == 0 && (r == ' ' || r == '\t' || r == '\n'):
			if open {
				words = append(words, word.String())
			}
			word.Reset()
			open = false
		default:
			word.WriteRune(r)
			open = true
		}
	}
	if open {
		words = append(words, word.String())
	}
	return words
}
