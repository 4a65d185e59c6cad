package locate_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/render/internal/locate"
)

// simulated is a system with files, which are programs, in the form of the system.
func simulated(goos, home string, environment map[string]string, path []string, files ...string) locate.System {
	fold := func(p string) string {
		if goos == "windows" {
			return strings.ToLower(strings.ReplaceAll(p, "/", `\`))
		}
		return p
	}
	there := map[string]string{}
	for _, f := range files {
		there[fold(f)] = f
	}
	sep := "/"
	if goos == "windows" {
		sep = `\`
	}
	isBelow := func(dir, f string) bool { return strings.HasPrefix(fold(f), fold(dir)+sep) }
	return locate.System{
		GOOS: goos, Home: home,
		Getenv: func(name string) string { return environment[name] },
		Program: func(name string) string {
			if strings.ContainsAny(name, `/\`) {
				return there[fold(name)]
			}
			for _, dir := range path {
				for _, ext := range []string{"", ".exe"} {
					if f := there[fold(dir+sep+name+ext)]; f != "" && (ext == "" || goos == "windows") {
						return f
					}
				}
			}
			return ""
		},
		Exists: func(p string) bool {
			return there[fold(p)] != "" || slices.ContainsFunc(slices.Collect(maps.Values(there)), func(f string) bool { return isBelow(p, f) })
		},
		Names: func(dir string) (names []string) {
			for _, f := range there {
				if rest := f[min(len(f), len(dir)+1):]; isBelow(dir, f) && !strings.Contains(rest, sep) {
					names = append(names, rest)
				}
			}
			slices.Sort(names)
			return names
		},
		Target: func(p string) string { return p },
	}
}

func TestDarktableIsFoundWhereInstallersPutIt(t *testing.T) {
	t.Parallel()
	const inside = "/darktable.app/Contents/MacOS/darktable-cli"
	windows := map[string]string{
		"ProgramFiles": `D:\Program Files`, "ProgramW6432": `D:\Program Files`, "ProgramFiles(x86)": `D:\Program Files (x86)`,
		"LOCALAPPDATA": `D:\Users\Jo Müller\AppData\Local`, "ProgramData": `D:\ProgramData`, "SystemDrive": "D:",
	}
	for _, c := range []struct {
		goos, home  string
		environment map[string]string
		path, files []string
		want        []string
		sandbox     locate.Sandbox
	}{
		{"linux", "/home/jo", nil, []string{"/usr/bin"}, []string{"/usr/bin/darktable-cli"}, []string{"/usr/bin/darktable-cli"}, ""},
		{"linux", "/home/jo", nil, nil, []string{"/opt/darktable/bin/darktable-cli"}, []string{"/opt/darktable/bin/darktable-cli"}, ""},
		{"linux", "", nil, nil, []string{"/usr/bin/darktable-cli"}, []string{"/usr/bin/darktable-cli"}, ""},
		{"linux", "/home/jo", nil, nil, []string{"/home/linuxbrew/.linuxbrew/bin/darktable-cli"}, []string{"/home/linuxbrew/.linuxbrew/bin/darktable-cli"}, ""},
		{"linux", "/home/jo", map[string]string{"HOMEBREW_PREFIX": "/data/brew"}, nil, []string{"/data/brew/bin/darktable-cli"}, []string{"/data/brew/bin/darktable-cli"}, ""},
		{
			"linux", "/home/jo", nil, nil,
			[]string{"/home/jo/Applications/Darktable-5.10.0-x86_64.AppImage", "/home/jo/Applications/Darktable-5.6.2-x86_64.AppImage", "/home/jo/Applications/Other.AppImage"},
			[]string{"/home/jo/Applications/Darktable-5.10.0-x86_64.AppImage", "darktable-cli"},
			"",
		},
		{
			"linux", "/home/jo", nil,
			[]string{"/usr/bin"},
			[]string{"/usr/bin/flatpak", "/var/lib/flatpak/app/org.darktable.Darktable/current/active/metadata"},
			[]string{"/usr/bin/flatpak", "run", "--die-with-parent", "--command=darktable-cli", "org.darktable.Darktable"},
			locate.Flatpak,
		},
		{
			"linux", "/home/jo", nil,
			[]string{"/usr/bin"},
			[]string{"/usr/bin/flatpak", "/home/jo/.local/share/flatpak/app/org.darktable.Darktable/current/active/metadata"},
			[]string{"/usr/bin/flatpak", "run", "--die-with-parent", "--command=darktable-cli", "org.darktable.Darktable"},
			locate.Flatpak,
		},
		{"linux", "/home/jo", nil, []string{"/usr/bin"}, []string{"/usr/bin/flatpak"}, nil, ""},
		{"linux", "/home/jo", nil, nil, []string{"/snap/bin/darktable.darktable-cli"}, []string{"/snap/bin/darktable.darktable-cli"}, locate.Snap},
		{"linux", "/home/jo", nil, []string{"/snap/bin"}, []string{"/snap/bin/darktable-cli"}, []string{"/snap/bin/darktable-cli"}, locate.Snap},
		{"linux", "/home/jo", nil, nil, nil, nil, ""},
		{"darwin", "/Users/jo", nil, nil, []string{"/Applications" + inside}, []string{"/Applications" + inside}, ""},
		{"darwin", "/Users/jo", nil, nil, []string{"/Users/jo/Applications" + inside}, []string{"/Users/jo/Applications" + inside}, ""},
		{"darwin", "/Users/jo", nil, nil, []string{"/Applications/MacPorts" + inside}, []string{"/Applications/MacPorts" + inside}, ""},
		{"darwin", "/Users/jo", nil, nil, []string{"/opt/homebrew/bin/darktable-cli"}, []string{"/opt/homebrew/bin/darktable-cli"}, ""},
		{"darwin", "/Users/jo", nil, nil, []string{"/usr/local/bin/darktable-cli"}, []string{"/usr/local/bin/darktable-cli"}, ""},
		{"darwin", "/Users/jo", nil, nil, []string{"/Applications/darktable.dmg"}, nil, ""},
		{"windows", `D:\Users\Jo Müller`, windows, nil, []string{`D:\Program Files\darktable\bin\darktable-cli.exe`}, []string{`D:\Program Files\darktable\bin\darktable-cli.exe`}, ""},
		{"windows", `D:\Users\Jo Müller`, windows, nil, []string{`D:\Program Files (x86)\darktable\bin\darktable-cli.exe`}, []string{`D:\Program Files (x86)\darktable\bin\darktable-cli.exe`}, ""},
		{
			"windows", `D:\Users\Jo Müller`, windows, nil,
			[]string{`D:\Users\Jo Müller\AppData\Local\Programs\darktable\bin\darktable-cli.exe`},
			[]string{`D:\Users\Jo Müller\AppData\Local\Programs\darktable\bin\darktable-cli.exe`},
			"",
		},
		{
			"windows", `D:\Users\Jo Müller`, windows, nil,
			[]string{`D:\Users\Jo Müller\scoop\apps\darktable\current\bin\darktable-cli.exe`},
			[]string{`D:\Users\Jo Müller\scoop\apps\darktable\current\bin\darktable-cli.exe`},
			"",
		},
		{"windows", "", windows, nil, []string{`D:\ProgramData\chocolatey\bin\darktable-cli.exe`}, []string{`D:\ProgramData\chocolatey\bin\darktable-cli.exe`}, ""},
		{"windows", "", windows, []string{`C:\tools`}, []string{`C:\tools\darktable-cli.exe`}, []string{`C:\tools\darktable-cli.exe`}, ""},
		{"windows", "", nil, nil, []string{`C:\Program Files\darktable\bin\darktable-cli.exe`}, []string{`C:\Program Files\darktable\bin\darktable-cli.exe`}, ""},
		{"windows", "", nil, nil, []string{`C:\Program Files\darktable\bin\darktable.exe`}, nil, ""},
	} {
		got, ok := simulated(c.goos, c.home, c.environment, c.path, c.files...).Find()
		if ok != (c.want != nil) || !slices.Equal(got.Argv, c.want) || got.Sandbox != c.sandbox {
			t.Errorf("%s with %q: got %+v, %v; want %q", c.goos, c.files, got, ok, c.want)
		}
	}
}

func TestANamedDarktableIsTakenAsUsersNameIt(t *testing.T) {
	t.Parallel()
	const exe = `C:\Program Files\darktable\bin\darktable-cli.exe`
	onWindows := simulated("windows", `C:\Users\jo`, nil, nil, exe, `\\?\C:\Program Files\darktable\bin\darktable-cli.exe`, `\\nas\apps\darktable-cli.exe`, `C:\a b\sandbox.exe`)
	onMac := simulated("darwin", "/Users/jo", nil, nil, "/Volumes/My Apps/darktable.app/Contents/MacOS/darktable-cli")
	onLinux := simulated("linux", "/home/jo", nil, []string{"/usr/bin"}, "/usr/bin/flatpak", "/home/jo/Down loads/Darktable-5.6.2-aarch64.AppImage", "/usr/bin/env")
	for _, c := range []struct {
		system locate.System
		value  string
		want   []string
	}{
		{onWindows, exe, []string{exe}},
		{onWindows, `c:\PROGRAM FILES\darktable\BIN\Darktable-CLI.exe`, []string{exe}},
		{onWindows, `"` + exe + `"`, []string{exe}},
		{onWindows, `C:/Program Files/darktable/bin/darktable-cli.exe`, []string{exe}},
		{onWindows, `C:\Program Files\darktable`, []string{exe}},
		{onWindows, `C:\Program Files\darktable\bin`, []string{exe}},
		{onWindows, `\\?\` + exe, []string{`\\?\` + exe}},
		{onWindows, `\\nas\apps\darktable-cli.exe`, []string{`\\nas\apps\darktable-cli.exe`}},
		{onWindows, `"C:\a b\sandbox.exe" /box "` + exe + `"`, []string{`C:\a b\sandbox.exe`, "/box", exe}},
		{onWindows, `C:\nowhere\darktable-cli.exe`, nil},
		{onMac, "/Volumes/My Apps/darktable.app", []string{"/Volumes/My Apps/darktable.app/Contents/MacOS/darktable-cli"}},
		{onMac, "/Volumes/My Apps", nil},
		{onLinux, "flatpak run --command=darktable-cli org.darktable.Darktable", []string{"/usr/bin/flatpak", "run", "--die-with-parent", "--command=darktable-cli", "org.darktable.Darktable"}},
		{onLinux, "/home/jo/Down loads/Darktable-5.6.2-aarch64.AppImage", []string{"/home/jo/Down loads/Darktable-5.6.2-aarch64.AppImage", "darktable-cli"}},
		{onLinux, "env '' A='b c' /x", []string{"/usr/bin/env", "", "A=b c", "/x"}},
		{onLinux, "", nil},
	} {
		got, ok := c.system.Named(c.value)
		if ok != (c.want != nil) || !slices.Equal(got.Argv, c.want) {
			t.Errorf("%s: got %q, %v; want %q", c.value, got.Argv, ok, c.want)
		}
	}
}

// A program in an app of macOS does not find its files when it is called by a link.
func TestAnAppIsCalledByItsRealPath(t *testing.T) {
	t.Parallel()
	s := simulated("darwin", "/Users/jo", nil, []string{"/opt/homebrew/bin"}, "/opt/homebrew/bin/darktable-cli")
	s.Target = func(string) string { return "/Applications/darktable.app/Contents/MacOS/darktable-cli" }
	if got, _ := s.Find(); got.Argv[0] != "/Applications/darktable.app/Contents/MacOS/darktable-cli" {
		t.Errorf("%q is called", got.Argv)
	}
}

func TestWhatASandboxSees(t *testing.T) {
	t.Parallel()
	linux := simulated("linux", "/home/jo", nil, nil)
	windows := simulated("windows", `C:\Users\jo`, nil, nil)
	plain := locate.Command{Argv: []string{"/usr/bin/darktable-cli"}}
	flatpak := locate.Command{Argv: []string{"flatpak"}, Sandbox: locate.Flatpak}
	snap := locate.Command{Argv: []string{"/snap/bin/darktable.darktable-cli"}, Sandbox: locate.Snap}
	for _, c := range []struct {
		system  locate.System
		command locate.Command
		path    string
		want    bool
	}{
		{linux, plain, "/usr/share/a:b.nef", true},
		{linux, flatpak, "/home/jo/a.nef", true},
		{linux, flatpak, "/media/card/DCIM/a b.nef", true},
		{linux, flatpak, "/home/jo/10:30.nef", false},
		{linux, flatpak, `/home/jo/a\b.nef`, false},
		{linux, flatpak, "/usr/share/a.nef", false},
		{linux, flatpak, "/usrs/a.nef", true},
		{linux, snap, "/home/jo/Pictures/a.nef", true},
		{linux, snap, "/home/jo/.cache/a.nef", false},
		{linux, snap, "/home/jo/snap/darktable/common/chemigram", true},
		{linux, snap, "/home/jo/snap/other/common/a.nef", false},
		{linux, snap, "/home/joe/a.nef", false},
		{linux, snap, "/tmp/a.nef", false},
		{windows, plain, `C:\Users\jo\a.nef`, true},
		{windows, plain, `\\nas\photos\a.nef`, true},
		{windows, plain, `\\?\C:\Users\jo\a.nef`, false},
		{windows, plain, `C:\` + strings.Repeat("a", 260), false},
	} {
		if got := c.system.Sees(c.command, c.path); got != c.want {
			t.Errorf("%v sees %s: %v", c.command.Argv, c.path, got)
		}
	}
	for _, c := range []locate.Command{flatpak, snap} {
		if dir := linux.Scratch(c, "/home/jo/.cache"); dir == "" || !linux.Sees(c, dir) {
			t.Errorf("%v does not see its scratch folder %q", c.Argv, dir)
		}
	}
}

func TestNamesThatWindowsChanges(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"DSC1.NEF": true, "console.nef": true, "com10.nef": true, "COM.nef": true, "a b (1).dng": true, "été.dng": true, ".dng": true,
		"con.nef": false, "Aux": false, "nul .tar.dng": false, "com1.dng": false, "LPT².x": false, "CONOUT$.dng": false,
		"a.dng.": false, "a.dng ": false, "a?.dng": false, "a:b.dng": false, `a\b.dng`: false,
	} {
		if got := locate.IsNameOfWindows(name); got != want {
			t.Errorf("%q: got %v", name, got)
		}
	}
}

func TestAdviceSaysWhatToDownload(t *testing.T) {
	t.Parallel()
	for target, want := range map[string][]string{
		"darwin/arm64":  {"darktable-5.6.2-arm64.dmg", "/Applications/darktable.app/Contents/MacOS/darktable-cli", "DARKTABLE_CLI"},
		"darwin/amd64":  {"x86_64.dmg", "/Applications"},
		"windows/amd64": {"darktable-5.6.2-win64.exe", `C:\Program Files\darktable\bin\darktable-cli.exe`},
		"windows/arm64": {"darktable-5.6.2-woa64.exe"},
		"linux/amd64":   {"AppImage", "org.darktable.Darktable", "DARKTABLE_CLI"},
		"linux/arm64":   {"AppImage"},
	} {
		goos, goarch, _ := strings.Cut(target, "/")
		advice := simulated(goos, "", nil, nil).Advice(goarch)
		for _, w := range want {
			if !strings.Contains(advice, w) {
				t.Errorf("%s: %q does not name %s", target, advice, w)
			}
		}
		if strings.Contains(advice, "brew") {
			t.Errorf("%s: %q sends to a cask that is disabled", target, advice)
		}
	}
}
