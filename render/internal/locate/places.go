package locate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// cli is what the program is called.
func (s System) cli() string {
	if s.GOOS == "windows" {
		return "darktable-cli.exe"
	}
	return "darktable-cli"
}

// inBundle is where the program lies in an app of macOS.
func (s System) inBundle() string { return s.join("Contents", "MacOS", s.cli()) }

// places are where installers put darktable-cli, the likeliest first.
func (s System) places() []string {
	switch s.GOOS {
	case "darwin":
		return s.macPlaces()
	case "windows":
		return s.windowsPlaces()
	}
	return s.unixPlaces()
}

// macPlaces are those of the disk image, of MacPorts and of Homebrew.
func (s System) macPlaces() (places []string) {
	folders := []string{"/Applications", "/Applications/MacPorts"}
	if s.Home != "" {
		folders = slices.Insert(folders, 1, s.join(s.Home, "Applications"))
	}
	for _, folder := range folders {
		places = append(places, s.join(folder, "darktable.app", s.inBundle()))
	}
	return append(places, s.inPrefixes("/opt/homebrew", "/usr/local", "/opt/local")...)
}

// unixPlaces are those of distributions, Homebrew and Snap, and AppImages where users
// and Homebrew put them.
func (s System) unixPlaces() []string {
	prefixes := []string{"/usr", "/usr/local", "/opt/darktable", "/home/linuxbrew/.linuxbrew"}
	folders := []string{"/opt"}
	if s.Home != "" {
		prefixes = append(prefixes, s.join(s.Home, ".local"), s.join(s.Home, ".linuxbrew"))
		folders = []string{s.join(s.Home, "Applications"), s.join(s.Home, "AppImages"), s.join(s.Home, ".local", "bin"), s.join(s.Home, "bin"), "/opt"}
	}
	places := s.inPrefixes(prefixes...)
	for _, command := range []string{"darktable.darktable-cli", "darktable.cli", "darktable-cli"} {
		places = append(places, s.join("/snap/bin", command), s.join("/var/lib/snapd/snap/bin", command))
	}
	for _, folder := range folders {
		places = append(places, s.appImages(folder)...)
	}
	return places
}

func (s System) inPrefixes(prefixes ...string) (places []string) {
	if prefix := s.Getenv("HOMEBREW_PREFIX"); prefix != "" && s.GOOS != "windows" {
		prefixes = append(prefixes, prefix)
	}
	for _, prefix := range prefixes {
		places = append(places, s.join(prefix, "bin", s.cli()))
	}
	return places
}

// appImages are darktable's AppImages in a folder, the newest release first.
func (s System) appImages(folder string) (paths []string) {
	var found []string
	for _, name := range s.Names(folder) {
		if IsAppImage(name) && strings.HasPrefix(strings.ToLower(name), "darktable") {
			found = append(found, name)
		}
	}
	slices.SortFunc(found, func(a, b string) int { return -cmp.Or(slices.Compare(numbers(a), numbers(b)), cmp.Compare(a, b)) })
	for _, name := range found {
		paths = append(paths, s.join(folder, name))
	}
	return paths
}

// numbers are those in a name, which tell its release.
func numbers(name string) (numbers []int) {
	inside := false
	for _, r := range name {
		digit := r >= '0' && r <= '9'
		if digit && !inside {
			numbers = append(numbers, 0)
		}
		if inside = digit; digit {
			last := &numbers[len(numbers)-1]
			*last = min(*last*10+int(r-'0'), 1<<20)
		}
	}
	return numbers
}

// windowsPlaces are those of the installer for all users and for one, which winget and
// Chocolatey run, of Scoop and of MSYS2.
func (s System) windowsPlaces() (places []string) {
	add := func(folder string, below ...string) {
		if folder != "" {
			places = append(places, s.join(slices.Concat([]string{strings.TrimRight(folder, `\/`)}, below, []string{s.cli()})...))
		}
	}
	drive := cmp.Or(s.Getenv("SystemDrive"), "C:")
	for _, folder := range []string{s.Getenv("ProgramW6432"), s.Getenv("ProgramFiles"), s.Getenv("ProgramFiles(x86)"), drive + `\Program Files`} {
		add(folder, "darktable", "bin")
	}
	add(cmp.Or(s.Getenv("LOCALAPPDATA"), s.inHome("AppData", "Local")), "Programs", "darktable", "bin")
	for _, folder := range []string{cmp.Or(s.Getenv("SCOOP"), s.inHome("scoop")), cmp.Or(s.Getenv("SCOOP_GLOBAL"), s.below("ProgramData", "scoop"))} {
		add(folder, "apps", "darktable", "current", "bin")
	}
	add(cmp.Or(s.Getenv("ChocolateyInstall"), s.below("ProgramData", "chocolatey")), "bin")
	for _, environment := range []string{"ucrt64", "clang64", "clangarm64", "mingw64"} {
		add(drive+`\msys64`, environment, "bin")
	}
	return places
}

// inHome is a path in the user's folder, or "" when there is none.
func (s System) inHome(below ...string) string {
	if s.Home == "" {
		return ""
	}
	return s.join(append([]string{s.Home}, below...)...)
}

// below is a path below the folder that a variable names, or "" when it is not set.
func (s System) below(variable string, below ...string) string {
	folder := s.Getenv(variable)
	if folder == "" {
		return ""
	}
	return s.join(append([]string{folder}, below...)...)
}

// Advice says how to install darktable here.
func (s System) Advice(goarch string) string {
	const orSay = "; or say where it is with the environment variable DARKTABLE_CLI"
	switch s.GOOS {
	case "darwin":
		image := "darktable-5.6.2-arm64.dmg"
		if goarch == "amd64" {
			image = "darktable-5.6.x-x86_64.dmg of the newest release that has one"
		}
		return fmt.Sprintf("download %s from https://www.darktable.org/install/, open it and drag darktable to /Applications. "+
			"It is not notarized: open it once, and allow it in System Settings, Privacy & Security. "+
			"Its program is then /Applications/darktable.app/Contents/MacOS/darktable-cli, which is found there%s", image, orSay)
	case "windows":
		installer := "darktable-5.6.2-win64.exe"
		if goarch == "arm64" {
			installer = "darktable-5.6.2-woa64.exe"
		}
		return fmt.Sprintf(`download %s from https://www.darktable.org/install/ and run it. `+
			`Its program is then C:\Program Files\darktable\bin\darktable-cli.exe, which is found there%s`, installer, orSay)
	}
	return "install darktable 4.2 or later with the system's packages, as the Flatpak " + FlatpakID +
		", or put its AppImage, made executable, into ~/Applications" + orSay
}
