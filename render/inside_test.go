package render

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/internal/colour"
)

func TestScratchFoldersOfDeadProcessesAreRemoved(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	alive, err := newScratch(root)
	if err != nil {
		t.Fatal(err)
	}
	defer alive.remove()
	dead, err := newScratch(root)
	if err != nil {
		t.Fatal(err)
	}
	_ = dead.lock.Close()
	young, err := newScratch(root)
	if err != nil {
		t.Fatal(err)
	}
	_ = young.lock.Close()
	foreign := filepath.Join(root, "holiday")
	if err := os.Mkdir(foreign, 0o700); err != nil {
		t.Fatal(err)
	}
	past := time.Now().Add(-2 * lockWindow)
	for _, dir := range []string{alive.dir, dead.dir, foreign} {
		if err := os.Chtimes(dir, past, past); err != nil {
			t.Fatal(err)
		}
	}
	removeStale(root)
	for dir, want := range map[string]bool{alive.dir: true, dead.dir: false, young.dir: true, foreign: true} {
		if _, err := os.Stat(dir); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", dir, err == nil, want)
		}
	}
}

func TestAContainerWithoutHomeGetsOne(t *testing.T) {
	t.Parallel()
	tmp := &scratch{dir: "/s"}
	got := environment([]string{"PATH=/bin", "LANG=de_DE", "LC_NUMERIC=de_DE"}, tmp)
	want := slices.Concat(tuning, []string{"PATH=/bin", "LC_ALL=C.UTF-8", "HOME=/s/cache", "XDG_CONFIG_HOME=/s/cache", "XDG_CACHE_HOME=/s/cache", "XDG_DATA_HOME=/s/cache"})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	got = environment([]string{"HOME=/home/me"}, tmp)
	if diff := cmp.Diff(slices.Concat(tuning, []string{"HOME=/home/me", "LC_ALL=C.UTF-8"}), got); diff != "" {
		t.Error(diff)
	}
}

func TestOutputKeepsTheEnd(t *testing.T) {
	t.Parallel()
	var x output
	for range 1000 {
		if n, err := x.Write([]byte("0123456789é")); n != 12 || err != nil {
			t.Fatal(n, err)
		}
	}
	_, _ = x.Write([]byte(strings.Repeat("a", outputLimit-1) + "z"))
	if got := x.String(); len(got) != outputLimit || !strings.HasSuffix(got, "az") {
		t.Errorf("kept %d bytes", len(got))
	}
	var y output
	_, _ = y.Write([]byte(strings.Repeat("é", outputLimit)[1:]))
	if got := y.String(); strings.Trim(got, "é") != "" {
		t.Errorf("the text is cut within a letter: %q…", got[:4])
	}
}

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
		path, _, err := addRaw(tmp.path("raw"), raw, false)
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

func TestProfilesAreThoseOfTheirStandards(t *testing.T) {
	t.Parallel()
	// The D50 colorants of sRGB as its ICC profile has them.
	m := SRGB.adaptation().Times(SRGB.toXYZ())
	want := colour.Matrix{{0.4361, 0.3851, 0.1431}, {0.2225, 0.7169, 0.0606}, {0.0139, 0.0971, 0.7142}}
	for i := range m {
		for j := range m[i] {
			if d := m[i][j] - want[i][j]; d > 5e-4 || d < -5e-4 {
				t.Errorf("row %d column %d is %.4f, want %.4f", i, j, m[i][j], want[i][j])
			}
		}
	}
	for _, c := range colorSpaces {
		if c.profile != nil && string(c.profile.ICC()[36:40]) != "acsp" {
			t.Errorf("%s has no ICC signature", c.name)
		}
	}
}
