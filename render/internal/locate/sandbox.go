package locate

import (
	"path"
	"slices"
	"strings"
)

// reservedByFlatpak are folders of the host that Flatpak gives no program, whatever it
// is told: it has its own there.
var reservedByFlatpak = []string{"/app", "/bin", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/proc", "/run/flatpak", "/run/host", "/sbin", "/sys", "/usr"}

// Sees reports whether a darktable in the command's sandbox can be let see a file or a
// folder, by its path without links. A Flatpak does not see what it cannot be told: its
// releases differ in how they read a colon or a backslash in a path.
func (s System) Sees(c Command, file string) bool {
	switch c.Sandbox {
	case Flatpak:
		for _, folder := range reservedByFlatpak {
			if isIn(folder, file) {
				return false
			}
		}
		return !strings.ContainsAny(file, `:\`)
	case Snap:
		if s.Home == "" || !isIn(s.Target(s.Home), file) {
			return false
		}
		below := strings.TrimPrefix(strings.TrimPrefix(file, s.Target(s.Home)), "/")
		name, _ := SnapName(c.Argv[0])
		return !strings.HasPrefix(below, ".") && !isIn("snap", below) || isIn("snap/"+name, below)
	}
	return s.GOOS != "windows" || len(file) < mostWindowsPath && !strings.HasPrefix(file, `\\?\`)
}

// mostWindowsPath is how long a path may be that a program of Windows opens without the
// prefix for long ones, which darktable does not know.
const mostWindowsPath = 260

// IsNameOfWindows reports whether a file of this name, made by a path without a prefix,
// has the name in Windows: it is no device's, and does not end with a point or a blank.
func IsNameOfWindows(name string) bool {
	stem, _, _ := strings.Cut(name, ".")
	stem = strings.ToUpper(strings.TrimRight(stem, " "))
	switch stem {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return false
	}
	for _, device := range []string{"COM", "LPT"} {
		number, ok := strings.CutPrefix(stem, device)
		if ok && slices.Contains(strings.Split("123456789¹²³", ""), number) {
			return false
		}
	}
	return !strings.ContainsAny(name, `<>:"/\|?*`) && strings.TrimRight(name, ". ") == name
}

// isIn reports whether a path is that of a folder or of something in it.
func isIn(folder, file string) bool {
	return file == folder || strings.HasPrefix(file, strings.TrimSuffix(folder, "/")+"/")
}

// Scratch is the folder that a darktable in the command's sandbox can write to and that
// it sees by the path that it has outside; "" where the system's own will do, or there
// is none. The cache is the user's folder for what can be made again.
func (s System) Scratch(c Command, cache string) string {
	switch {
	case c.Sandbox == Flatpak && cache != "":
		return path.Join(cache, "chemigram", "scratch")
	case c.Sandbox == Snap && s.Home != "":
		name, _ := SnapName(c.Argv[0])
		return path.Join(s.Target(s.Home), "snap", name, "common", "chemigram")
	}
	return ""
}

// WhatIsSeen says which folders a sandbox can be let see.
func (b Sandbox) WhatIsSeen() string {
	switch b {
	case Flatpak:
		return "a folder outside those of the system, with neither a colon nor a backslash in its path"
	case Snap:
		return "a folder in the home folder that is not hidden there"
	}
	return "any folder"
}
