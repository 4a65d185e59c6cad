package enginetest

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/files"
)

// realHeads is the folder with the test data of the metadata library: the heads of files
// of cameras, which are no part of this repository.
func realHeads(t *testing.T) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "github.com/bep/imagemeta").Output()
	dir := filepath.Join(strings.TrimSpace(string(out)), "testdata", "images")
	if err != nil || len(out) < 2 {
		t.Skipf("no source of the metadata library: %v", err)
	}
	for _, h := range dng.Heads() {
		if _, err := os.Stat(filepath.Join(dir, h.File)); err != nil {
			t.Skipf("no heads of real files: %v", err)
		}
	}
	return dir
}

// A chart behind the head of a file that a camera wrote goes the way of all files: its
// greys are right by the levels, the white balance and the matrix of the camera, and the
// head says what took it. One of the heads is drawn by the seed; with `make files` each
// is tried whose model matches, on both darktables.
func TestPicturesBehindRealHeads(t *testing.T) {
	all := files.BehindHeads(realHeads(t))
	if wanted := wantedFiles(); wanted != nil {
		all = slices.DeleteFunc(all, func(f files.File) bool { return !wanted(f.Kind + ": " + f.What) })
		if len(all) == 0 {
			t.Skip("none of the heads is wanted")
		}
		testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) { tryHeads(t, dt, all) })
		return
	}
	dt := testutil.AnyDarktable(t)
	at := testutil.Random(t).IntN(len(all))
	tryHeads(t, dt, all[at:at+1])
}

func tryHeads(t *testing.T, dt testutil.Darktable, all []files.File) {
	t.Helper()
	for i, result := range tryFiles(t, dt, all) {
		if result != well {
			t.Errorf("%s: %s", all[i].What, result)
		}
	}
	e := openOn(t, dt)
	for _, f := range all {
		path, err := f.Write(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		res, err := e.Ingest(t.Context(), chemigram.IngestParams{RawPath: path})
		if err != nil {
			t.Fatal(err)
		}
		if got := res.EXIFSummary; !strings.HasSuffix(f.What, strings.TrimPrefix(got.Model, "NIKON ")) || got.Width == 0 || got.ExposureSeconds == 0 || got.TakenAt == "" {
			t.Errorf("%s says of itself %+v", f.What, got)
		}
	}
}
