package chemigram

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestImagesAreListedByPageAndADamagedOneWithItsProblem(t *testing.T) {
	e := openWithout(t, Options{})
	for i := range 5 {
		add(t, e, ImageID(fmt.Sprintf("img%d", i)), "5.4.1")
	}
	if err := os.WriteFile(filepath.Join(e.workspace.imageDir("img3"), "image.json"), []byte("{"), 0o600); err != nil {
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
	other := openWithout(t, Options{Workspace: e.workspace.root})
	folder := e.workspace.path("images")
	ctx := WithReason(t.Context(), "a test")
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
	if clash, err := e.differsInCase("C"); err != nil || !clash {
		t.Errorf("a new image's id in other case is free: %v", err)
	}
	age()
	total()
	if _, err := other.DeleteImage(ctx, DeleteImageParams{ImageID: "b"}); err != nil {
		t.Fatal(err)
	}
	if got := total(); got != 2 {
		t.Errorf("after another engine's deletion %d images are listed, want 2", got)
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
