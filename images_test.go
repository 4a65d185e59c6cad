package chemigram

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestImagesAreListedByPageAndADamagedOneWithItsProblem(t *testing.T) {
	e := openWithout(t, Options{})
	for i := range 5 {
		add(t, e, ImageID(fmt.Sprintf("img%d", i)), "5.4.1")
	}
	if err := os.WriteFile(filepath.Join(e.workspace.ImageDir("img3"), "image.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	res, err := e.ListImages(t.Context(), ListImagesParams{Limit: 2, Offset: 2})
	if err != nil {
		t.Fatal(err)
	}
	if res.Total != 5 || len(res.Images) != 2 || res.Images[0].ImageID != "img2" || res.Images[1].ImageID != "img3" {
		t.Fatalf("page = %+v, want img2 and img3 of 5", res)
	}
	if res.Images[0].Problem != "" || res.Images[0].Branch != "main" || res.Images[1].Problem == "" {
		t.Errorf("page = %+v, want img2 on main and img3 with its problem", res)
	}
	if res, err = e.ListImages(t.Context(), ListImagesParams{Query: "IMG1"}); err != nil || res.Total != 1 {
		t.Errorf("query: %+v, %v; want img1 alone", res, err)
	}
}

// The list is remembered while the folder stays as it is, and only then.
func TestTheListOfImagesIsNeverOld(t *testing.T) {
	e := openWithout(t, Options{})
	other := openWithout(t, Options{Workspace: e.workspace.Root()})
	folder := e.workspace.Path("images")
	ctx := t.Context()
	total := func() int {
		t.Helper()
		res, err := e.ListImages(ctx, ListImagesParams{})
		if err != nil {
			t.Fatal(err)
		}
		return res.Total
	}
	age := func() {
		t.Helper()
		old := time.Now().Add(-time.Hour)
		if err := os.Chtimes(folder, old, old); err != nil {
			t.Fatal(err)
		}
	}
	for i, id := range []ImageID{"a", "b", "c"} {
		add(t, other, id, "5.4.1")
		if got := total(); got != i+1 {
			t.Fatalf("%d images are listed, want %d", got, i+1)
		}
		if i == 1 {
			age()
			total() // remembered from now on
		}
	}
	if clash, err := e.workspace.DiffersInCase("C"); err != nil || !clash {
		t.Errorf("a new image's id in other case is free: %v", err)
	}
	age()
	total()
	if _, err := other.DeleteImage(ctx, DeleteImageParams{ImageID: "b", Reason: "a test"}); err != nil {
		t.Fatal(err)
	}
	if got := total(); got != 2 {
		t.Errorf("after another engine's deletion %d images are listed, want 2", got)
	}
}

// What another program did is known without reading the names again; what was done
// by hand is found by reading them. A decoy that is made behind the folder's time
// tells which it was.
func TestImagesThatComeAndGoAreFollowed(t *testing.T) {
	ctx := t.Context()
	e := openWithout(t, Options{})
	other := openWithout(t, Options{Workspace: e.workspace.Root()})
	folder := e.workspace.Path("images")
	for _, id := range []ImageID{"a", "B", "c"} {
		add(t, e, id, "5.4.1")
	}
	behindItsTime := func(do func() error) {
		t.Helper()
		info, err := os.Stat(folder)
		if err = errors.Join(err, do(), os.Chtimes(folder, info.ModTime(), info.ModTime())); err != nil {
			t.Fatal(err)
		}
	}
	want := func(names ...string) {
		t.Helper()
		got, err := e.workspace.IDs()
		if diff := cmp.Diff(names, got); err != nil || diff != "" {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
		for _, name := range names {
			if clash, err := e.workspace.DiffersInCase(strings.ToUpper(name)); err != nil || !clash {
				t.Errorf("%s is free in upper case: %v", name, err)
			}
		}
	}
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(folder, old, old); err != nil {
		t.Fatal(err)
	}
	want("B", "a", "c")
	behindItsTime(func() error { return os.Mkdir(filepath.Join(folder, "decoy"), 0o700) })
	want("B", "a", "c")

	add(t, other, "b", "5.4.1")
	gone, err := other.DeleteImage(ctx, DeleteImageParams{ImageID: "c", Reason: "a test"})
	if err != nil {
		t.Fatal(err)
	}
	want("B", "a", "b")
	if clash, err := e.workspace.DiffersInCase("C"); err != nil || clash {
		t.Errorf("the id of a deleted image is taken: %v", err)
	}
	if _, err := other.RestoreImage(ctx, RestoreImageParams{TrashName: gone.TrashName}); err != nil {
		t.Fatal(err)
	}
	add(t, e, "d", "5.4.1")
	want("B", "a", "b", "c", "d")

	// By hand, between two changes that are noted.
	if err := os.RemoveAll(filepath.Join(folder, "a")); err != nil {
		t.Fatal(err)
	}
	add(t, other, "e", "5.4.1")
	want("B", "b", "c", "d", "decoy", "e")
	behindItsTime(func() error { return os.Remove(filepath.Join(folder, "decoy")) })

	// A log that began anew, or that a crash tore, tells nothing.
	for _, text := range []string{"", "1 2", "1 2 x\n1 2 y\n", "x\n"} {
		if err := os.WriteFile(e.workspace.Path("images.log"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		want("B", "b", "c", "d", "e")
	}
}

func TestManyAddAndDeleteAtOnce(t *testing.T) {
	ctx := t.Context()
	one := openWithout(t, Options{})
	engines := []*Engine{one, openWithout(t, Options{Workspace: one.workspace.Root()})}
	var group sync.WaitGroup
	for lane := range 4 {
		e := engines[lane%2]
		group.Go(func() {
			for i := range 6 {
				id := ImageID(fmt.Sprintf("w%d-%d", lane, i))
				err := addBaseline(ctx, e, id, "5.4.1")
				if err == nil && i%2 == 1 {
					_, err = e.DeleteImage(ctx, DeleteImageParams{ImageID: id, Reason: "a test"})
				}
				if ids, listErr := e.workspace.IDs(); err != nil || listErr != nil || slices.Contains(ids, string(id)) != (i%2 == 0) {
					t.Errorf("%s: %v, %v; listed are %q", id, err, listErr, ids)
				}
			}
		})
	}
	group.Wait()
	for _, e := range engines {
		if ids, err := e.workspace.IDs(); err != nil || len(ids) != 12 {
			t.Errorf("%q, %v are listed, want 12", ids, err)
		}
	}
}

func TestTheLogIsFilteredByVerb(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	apply(t, e, "exposure", 1)
	if _, err := e.Snapshot(t.Context(), SnapshotParams{ImageID: "a", Label: "x"}); err != nil {
		t.Fatal(err)
	}
	res, err := e.Log(t.Context(), LogParams{ImageID: "a", Op: "snapshot"})
	if err != nil || res.Total != 1 || len(res.Entries) != 1 || res.Entries[0].Label != "x" {
		t.Errorf("log = %+v, %v; want the one snapshot", res, err)
	}
	if res, err = e.Log(t.Context(), LogParams{ImageID: "a", Since: "2999-01-01"}); err != nil || res.Total != 0 {
		t.Errorf("log since 2999 = %+v, %v; want nothing", res, err)
	}
}
