package chemigram

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/internal/workspace"
)

// Every byte of every small file of a workspace is changed: that is found, or what
// is read is the same. (Those of a history are, in versioning.)
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
	dir := e.workspace.ImageDir("a")
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
		found := 0
		for at := range data {
			for _, flip := range []byte{0x01, 0x20, 0xff} {
				broken := bytes.Clone(data)
				broken[at] ^= flip
				if err := os.WriteFile(path, broken, 0o600); err != nil {
					t.Fatal(err)
				}
				switch same, err := same(); {
				case err != nil:
					found++
				case !same:
					t.Errorf("byte %d of %s, %q for %q: it is read as another", at, path, broken[at], data[at])
				}
			}
		}
		if found < 2*len(data) {
			t.Errorf("%s: of %d changes %d were found", path, 3*len(data), found)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"marks.json", "image.json"} {
		path := filepath.Join(dir, name)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		data[len(data)/2] ^= 1
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		res, err := e.Verify(t.Context(), VerifyParams{ImageID: "a"})
		if err != nil || len(res.Findings) == 0 || res.Findings[0].Fault != "damaged_image" || res.Findings[0].File != name {
			t.Errorf("verify finds %+v, %v; want a damaged %s", res.Findings, err, name)
		}
	}
}
