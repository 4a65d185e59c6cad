package workspace

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// folder makes files in a new folder, whose content is their name, and folders, whose names
// end with a slash.
func folder(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		path := filepath.Join(dir, name)
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		if !strings.HasSuffix(name, "/") {
			err = errors.Join(err, os.WriteFile(path, []byte(name), 0o600))
		} else {
			err = errors.Join(err, os.MkdirAll(path, 0o755))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// find gives what a search says of each file, by its name in a folder.
func find(t *testing.T, dir string, recursive bool, paths ...string) map[string]string {
	t.Helper()
	for i, path := range paths {
		paths[i] = filepath.Join(dir, path)
	}
	found, err := FindPictures(paths, recursive, nil)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, f := range found {
		name, err := filepath.Rel(dir, f.Path)
		if err != nil {
			t.Fatal(err)
		}
		if _, twice := all[name]; twice {
			t.Errorf("%s is found twice", name)
		}
		if all[name] = f.Skipped; f.Err != nil {
			all[name] = "error"
		}
	}
	return all
}

// A file that is named is taken, before or after the folder that it lies in, and so is a
// folder.
func TestWhatIsNamedIsTakenInEitherOrder(t *testing.T) {
	t.Parallel()
	dir := folder(t, "a.nef", "a.jpg", "a.txt", "sub/b.nef")
	want := map[string]string{"a.nef": "", "a.jpg": "", "a.txt": "", "sub/b.nef": ""}
	for _, paths := range [][]string{{".", "a.jpg", "a.txt", "sub"}, {"a.jpg", "sub", "a.txt", "."}} {
		if d := cmp.Diff(want, find(t, dir, false, slices.Clone(paths)...)); d != "" {
			t.Errorf("%q: %s", paths, d)
		}
	}
}

// What lies in a folder is told of, whatever it is called and wherever a link leads; of
// hidden files and sidecars nothing is said, and a link that leads back makes no circle.
func TestWhatLiesInAFolder(t *testing.T) {
	t.Parallel()
	dir := folder(t, "a.nef", ".hidden.nef", ".hidden/b.nef", "a.xmp", "roll.xmp/c.nef", "roll.on1/", "empty/", "d.bmp", "e.JFIF", "f.pnm", "g.doc")
	for name, leads := range map[string]string{"album": "roll.xmp", "back": ".", "roll.xmp/back": "..", "loop.nef": "loop.nef", "gone": "nowhere", "h.nef": "a.nef"} {
		if err := os.Symlink(leads, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	const link, other, sub = "a link: name it by itself", "not the extension of a picture that darktable opens", "a folder: give recursive to go into it"
	want := map[string]string{"a.nef": "", "d.bmp": "", "e.JFIF": "", "f.pnm": "", "g.doc": other, "album": link, "back": link, "loop.nef": link, "h.nef": link, "gone": other, "roll.xmp": sub, "roll.on1": sub, "empty": sub}
	if d := cmp.Diff(want, find(t, dir, false, ".")); d != "" {
		t.Error(d)
	}
	for _, name := range []string{"roll.xmp", "roll.on1", "empty"} {
		delete(want, name)
	}
	want["roll.xmp/c.nef"], want["roll.xmp/back"] = "", link
	if d := cmp.Diff(want, find(t, dir, true, ".")); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(map[string]string{"loop.nef": "error", "gone": "error", "album/c.nef": "", "album/back": link}, find(t, dir, true, "loop.nef", "gone", "album")); d != "" {
		t.Errorf("links that are named: %s", d)
	}
}

// A sidecar belongs to the picture whose name it has in full, and to one whose duplicate or
// stem it names only where there is no other.
func TestASidecarIsACompanionOfItsOwnPicture(t *testing.T) {
	t.Parallel()
	dir := folder(t, "a.dng", "a.dng.xmp", "a_01.dng", "a_01.dng.xmp", "a_02.dng.xmp", "a.xmp", "a.pp3", "a.dng.bak.xmp", "a_1x.dng.xmp", "A.DNG", "A.DNG.xmp", "a.jpg", "a.jpg.xmp", "ab.dng.xmp")
	for name, want := range map[string][]string{
		"a.dng":    {"A.DNG", "a.dng.xmp", "a.jpg", "a.pp3", "a.xmp", "a_02.dng.xmp"},
		"a_01.dng": {"a_01.dng.xmp"},
		"A.DNG":    {"A.DNG.xmp", "a.dng", "a.jpg", "a.pp3", "a.xmp"},
		"a.jpg":    {"A.DNG", "a.dng", "a.jpg.xmp", "a.pp3", "a.xmp"},
	} {
		if d := cmp.Diff(want, Companions(filepath.Join(dir, name))); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}
