package render

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// An installed darktable of the tests: what its files hold by their paths.
type installTree map[string]string

func (tree installTree) write(t *testing.T, dir string) {
	t.Helper()
	for name, content := range tree {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		overwrite(t, path, content)
	}
}

// released is when every file of the tests was built, whatever is in it.
var released = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// overwrite writes a file in place, with the time that all of them have.
func overwrite(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, released, released); err != nil {
		t.Fatal(err)
	}
}

var layouts = map[string]struct {
	program string
	tree    installTree
	others  []string // on which no pixel depends
}{
	"Linux": {"bin/darktable-cli", installTree{
		"bin/darktable-cli":           "program 1",
		"lib/darktable/libexposure.a": "module 1", "lib/x86_64-linux-gnu/darktable/plugins/libexposure.so": "module 1",
		"lib64/darktable/libdarktable.so": "library 1", "share/darktable/noiseprofiles.json": "{} 1",
		"share/darktable/rawspeed/cameras.xml": "<x/> 1", "share/darktable/kernels/basic.cl": "kernel 1",
		"share/lensfun/version_1/slr-nikon.xml": "<y/> 1",
	}, []string{"bin/other", "lib/other/x.so", "share/darktable/themes/dark.css"}},
	"Windows": {"bin/darktable-cli.exe", installTree{
		"bin/darktable-cli.exe": "program 1", "bin/libdarktable.dll": "library 1", "lib/darktable/plugins/libexposure.dll": "module 1",
	}, nil},
	"macOS": {"Contents/MacOS/darktable-cli", installTree{
		"Contents/MacOS/darktable-cli": "program 1", "Contents/Resources/lib/darktable/plugins/libexposure.so": "module 1",
		"Contents/Resources/share/darktable/rawspeed/cameras.xml": "<x/> 1",
	}, nil},
	"a wrapper beside": {"darktable-cli", installTree{
		"darktable-cli":                            "#!/bin/sh\nroot=${0%/*}/root\nexec \"$root/usr/bin/loader\" --argv0 darktable-cli \"$root/usr/bin/darktable-cli\" \"$@\"\n",
		"root/usr/bin/darktable-cli":               "program 1",
		"root/usr/bin/loader":                      "loader 1",
		"root/usr/lib/x/darktable/libdarktable.so": "library 1",
	}, []string{"root/usr/lib/x/other.so"}},
	"a wrapper in bin": {"bin/darktable", installTree{
		"bin/darktable":         "#!/bin/sh\nexec \"$(dirname \"$0\")/../libexec/darktable-cli\" \"$@\"\n",
		"libexec/darktable-cli": "program 1", "lib/darktable/plugins/libexposure.so": "module 1",
	}, nil},
}

// Every file that pixels depend on is part of a darktable's identity, however it is
// installed, even when its size and time stay; and the identity is its content's.
func TestAnotherBuildOfOneVersionIsAnotherDarktable(t *testing.T) {
	t.Parallel()
	for name, layout := range layouts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			layout.tree.write(t, dir)
			in := installation{programs: []string{filepath.Join(dir, layout.program)}, version: "5.5.0"}
			first := in.identity()
			if again := in.identity(); again != first || len(first) != 64 {
				t.Errorf("%q, then %q", first, again)
			}
			for file, content := range layout.tree {
				path := filepath.Join(dir, file)
				overwrite(t, path, content[:len(content)-1]+"2")
				if in.identity() == first {
					t.Errorf("another %s is not noticed", file)
				}
				overwrite(t, path, content)
				if in.identity() != first {
					t.Errorf("with %s put back, the identity has not come back", file)
				}
			}
			for _, file := range layout.others {
				installTree{file: "new"}.write(t, dir)
				if in.identity() != first {
					t.Errorf("%s has changed the identity", file)
				}
			}
			if (installation{programs: in.programs, version: "5.5.0+1~gabc"}).identity() == first {
				t.Error("another version has the same identity")
			}
		})
	}
}

func TestALinkToAnotherDarktableIsNoticed(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("links need rights there")
	}
	dir := t.TempDir()
	for _, build := range []string{"1", "2"} {
		installTree{
			build + "/bin/darktable-cli": "program", build + "/lib/darktable/libdarktable.so": "library " + build,
		}.write(t, dir)
	}
	link := filepath.Join(dir, "darktable-cli")
	in := installation{programs: []string{link}}
	seen := map[string]bool{}
	for _, build := range []string{"1", "2"} {
		_ = os.Remove(link)
		if err := os.Symlink(filepath.Join(dir, build, "bin", "darktable-cli"), link); err != nil {
			t.Fatal(err)
		}
		seen[in.identity()] = true
	}
	if len(seen) != 2 {
		t.Errorf("%d identities of two darktables", len(seen))
	}
}

// An update of lensfun's lenses corrects other pixels.
func TestUpdatedLensesAreNoticed(t *testing.T) {
	data := t.TempDir()
	t.Setenv("XDG_DATA_HOME", data)
	in := installation{version: "5.5.0"}
	before := in.identity()
	installTree{"lensfun/updates/version_1/slr-nikon.xml": "<y/>"}.write(t, data)
	if in.identity() == before {
		t.Error("new lenses are not noticed")
	}
}

// A prepared worker has a raw's content in memory, and darktable's modules.
func TestAWorkerIsForOneContentAndOneDarktable(t *testing.T) {
	dir := t.TempDir()
	raw, program := filepath.Join(dir, "a.nef"), filepath.Join(dir, "darktable-cli")
	overwrite(t, raw, "content 1")
	overwrite(t, program, "program 1")
	d := &Darktable{installation: installation{programs: []string{program}}}
	keyOf := func(digest string) workerKey {
		key, err := d.newWorkerKey(&Job{Raw: raw, RawDigest: digest})
		if err != nil {
			t.Fatal(err)
		}
		return key
	}
	first := keyOf("1")
	if keyOf("1") != first {
		t.Error("one worker serves one job only")
	}
	if keyOf("2") == first {
		t.Error("one worker is for two contents at one path")
	}
	overwrite(t, raw+".new", "content 2")
	if err := os.Rename(raw+".new", raw); err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && keyOf("1") == first {
		t.Error("a raw that was replaced by one of its size and time has the same worker")
	}
	first = keyOf("1")
	overwrite(t, program, "program 2")
	if keyOf("1") == first {
		t.Error("another build of darktable has the same worker")
	}
}
