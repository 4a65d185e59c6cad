package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil/baseline"
	"github.com/chemigram/chemigram/versioning"
)

func TestIDsAreFolderNamesEverywhere(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"IMG_0001.dng": "IMG_0001", "größe 1.nef": "gr--e-1", "../../etc/passwd": "passwd", "CON.dng": "image-CON",
		"com1.x.dng": "image-com1.x", "console.dng": "console", "a..dng": "a", "....dng": "image", "\u202egpj.dng": "gpj",
		"new\nline.dng": "new-line", strings.Repeat("x", 300) + ".dng": strings.Repeat("x", 120),
		strings.Repeat("x", 119) + "..y.dng": strings.Repeat("x", 119),
	} {
		got := idFromPath(path)
		if got != want {
			t.Errorf("the id of %q is %q, want %q", path, got, want)
		}
		if !portable(got) || !ValidID(got) {
			t.Errorf("the id %q of %q is none", got, path)
		}
	}
}

// The files of many folders are numbered when they have one name, each is found again, and
// the images before it are not opened for that.
func TestManyFilesOfOneNameAreNumbered(t *testing.T) {
	w := openNew(t)
	raws := make([]Raw, 2*mostKept)
	for i := range raws {
		raws[i] = named(t, w, fmt.Sprint("content ", i))
		c, err := w.ChooseID("", raws[i])
		want := "IMG_0001"
		if i > 0 {
			want += fmt.Sprintf("-%d", i+1)
		}
		if err != nil || c.ID != want || c.Known != nil {
			t.Fatalf("got %+v, %v, want %s", c, err, want)
		}
		register(t, w, c.ID, raws[i])
	}
	for i := range raws {
		if c, err := w.ChooseID("", raws[i]); err != nil || c.Known == nil || c.Known.Raw.SHA256 != raws[i].SHA256 {
			t.Fatalf("file %d is not found again: %+v, %v", i, c, err)
		}
	}
	another := named(t, w, "another")
	allocations := testing.AllocsPerRun(5, func() {
		if c, err := w.ChooseID("", another); err != nil || c.Known != nil {
			t.Fatalf("%+v, %v", c, err)
		}
	})
	t.Logf("%.0f allocations for %d images", allocations, len(raws))
	if most := 30.0 * float64(len(raws)); allocations > most {
		t.Errorf("it took %.0f allocations, more than %.0f: images were opened", allocations, most)
	}

	// What another file has meanwhile is opened anew.
	const id = "IMG_0001-3"
	if _, err := w.Discard(t.Context(), id, "a test"); err != nil {
		t.Fatal(err)
	}
	if c, err := w.ChooseID("", another); err != nil || c.ID != id {
		t.Errorf("got %+v, %v, want the id that became free", c, err)
	}
	register(t, w, id, another)
	if c, err := w.ChooseID("", another); err != nil || c.Known == nil || c.ID != id {
		t.Errorf("got %+v, %v, want the image that is there now", c, err)
	}
}

// named is a raw in a folder of its own, with a name that others have, too.
func named(t *testing.T, w *Workspace, content string) Raw {
	t.Helper()
	path := filepath.Join(t.TempDir(), "IMG_0001.dng")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	raw, err := w.ReadRaw(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// register registers a raw.
func register(t *testing.T, w *Workspace, id string, raw Raw) {
	t.Helper()
	sidecar, _, err := baseline.Parse("5.4.1")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Add(t.Context(), File{ImageID: id, Raw: raw}, sidecar.Canonical(), versioning.Change{Op: "ingest"}); err != nil {
		t.Fatal(err)
	}
}
