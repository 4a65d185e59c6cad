package render

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSidecarsBesideARawAreSeen(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"DSC1.NEF.xmp": true, "DSC1_01.NEF.xmp": true, "DSC1.xmp": true, "DSC1.NEF.XMP": true,
		"DSC2.NEF.xmp": false, "DSC1.jpg": false, "xDSC1.NEF.xmp": false,
	} {
		dir := t.TempDir()
		raw := filepath.Join(dir, "DSC1.NEF")
		for _, p := range []string{raw, filepath.Join(dir, name)} {
			if err := os.WriteFile(p, []byte(p), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		tmp, err := newScratch(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		path, _, err := addRaw(t.Context(), tmp.path("raw"), raw, false, nil)
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		if copied := info.Mode().IsRegular(); copied != want {
			t.Errorf("%s: copied is %v, want %v", name, copied, want)
		}
		if got, _ := os.ReadFile(path); string(got) != raw || filepath.Base(path) != "DSC1.NEF" {
			t.Errorf("%s: the raw in the scratch folder has %q", path, got)
		}
		tmp.remove()
	}
}

// A name that darktable may stumble over is replaced; its extension, which tells what
// the file is, stays.
func TestARawHasAPlainNameInTheScratchFolder(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 125)
	for name, want := range map[string]string{
		"IMG 1 (2).NEF": "IMG 1 (2).NEF", "-rf.dng": "-rf.dng", "a'b\"c%d.dng": "a'b\"c%d.dng", "éé\u0301.dng": "éé\u0301.dng",
		long + ".dng": "picture.dng", "a\nb.dng": "picture.dng", "$(HOME).dng": "picture.dng", "\xff.dng": "picture.dng",
		"a.\xff": "picture", "noext": "noext", "a." + strings.Repeat("x", 230): "picture",
	} {
		if got := scratchName(name); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}
