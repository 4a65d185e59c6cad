package chemigram

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/workspace"
)

// Every byte of every small file of a workspace is changed: that is found, or what
// is read is the same, as it is wherever a checksum tells which bit has changed. (Those
// of a history are, in versioning.)
func TestAFlippedBitOfAWorkspaceIsFoundOrHarmless(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	stars := Rating(3)
	want, err := e.SetRating(t.Context(), SetRatingParams{ImageID: "a", Rating: &stars, ColorLabels: []ColorLabel{"red", "blue"}})
	if err != nil {
		t.Fatal(err)
	}
	image, err := e.workspace.ImageFile("a")
	if err != nil {
		t.Fatal(err)
	}
	dir, r := e.workspace.ImageDir("a"), testutil.Random(t)
	for path, same := range map[string]func() (bool, error){
		e.workspace.Path("chemigram.json"): func() (bool, error) {
			_, err := workspace.Open(e.workspace.Root(), &workspace.Options{ReadOnly: true})
			return err == nil, err
		},
		filepath.Join(dir, "image.json"): func() (bool, error) {
			now, err := e.workspace.ImageFile("a")
			return cmp.Equal(now, image), err
		},
		filepath.Join(dir, "marks.json"): func() (bool, error) {
			now, _, err := e.workspace.Marks("a")
			return cmp.Equal(Marks{Rating(now.Rating), colorLabels(now)}, want), err
		},
	} {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		found, step := 0, testutil.Repeats(7, 3, 1)
		checked := strings.Contains(string(data), "crc32c")
		for at := r.IntN(step); at < len(data); at += step {
			for _, flip := range []byte{0x01, 0x20, 0xff} {
				broken := bytes.Clone(data)
				broken[at] ^= flip
				if err := os.WriteFile(path, broken, 0o600); err != nil {
					t.Fatal(err)
				}
				switch same, err := same(); {
				case err != nil:
					if found++; checked && flip != 0xff {
						t.Errorf("byte %d of %s, %q for %q: %v; want it read as it was", at, path, broken[at], data[at], err)
					}
				case !same:
					t.Errorf("byte %d of %s, %q for %q: it is read as another", at, path, broken[at], data[at])
				}
			}
		}
		if tried := len(data) / step; found < tried*8/10 {
			t.Errorf("%s: of %d changes of whole bytes %d were found", path, tried, found)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// One changed bit of an image's small files costs nothing: every verb goes on, verify
// names it and repair writes the file as it was. More is not guessed.
func TestRepairWritesSmallFilesAsTheyWere(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	stars := Rating(4)
	if _, err := e.SetRating(t.Context(), SetRatingParams{ImageID: "a", Rating: &stars}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"marks.json", "image.json"} {
		path := filepath.Join(e.workspace.ImageDir("a"), name)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		damage := func(flip byte) {
			broken := bytes.Clone(data)
			broken[len(data)/2] ^= flip
			if err := os.WriteFile(path, broken, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		fault := func(res VerifyResult, err error) FaultFinding {
			t.Helper()
			for _, f := range res.Findings {
				if err == nil && f.Fault == "damaged_image" && f.File == name {
					return f
				}
			}
			t.Errorf("the findings are %+v, %v; want a damaged %s", res.Findings, err, name)
			return FaultFinding{}
		}
		damage(1)
		apply(t, e, "exposure", float64(len(name))/100)
		if sidecar, err := e.ReadSidecar(t.Context(), ReadSidecarParams{ImageID: "a"}); err != nil || !strings.Contains(sidecar.XMP, `xmp:Rating="4"`) {
			t.Errorf("with a changed bit in %s the sidecar is %.200q, %v; want the rating in it", name, sidecar.XMP, err)
		}
		if _, err := e.ExportBundle(t.Context(), ExportBundleParams{ImageID: "a"}); err != nil {
			t.Error(err)
		}
		if fault(e.Verify(t.Context(), VerifyParams{ImageID: "a"})).Repaired || !fault(e.Repair(t.Context(), VerifyParams{ImageID: "a"})).Repaired {
			t.Errorf("%s is not repaired, or it is by verify", name)
		}
		if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, data) {
			t.Errorf("the repaired %s is %q, %v; want %q", name, now, err, data)
		}
		damage(0x43)
		if fault(e.Repair(t.Context(), VerifyParams{ImageID: "a"})).Repaired {
			t.Errorf("three changed bits of %s are repaired", name)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
