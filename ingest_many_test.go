package chemigram

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/internal/testutil"
)

// writeFiles writes files whose content is their name.
func writeFiles(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(name), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
}

// A card is taken in as it is: each file has its answer, what is no picture is skipped
// with the reason, what fails stops nothing, and the same call again goes on.
func TestAFolderIsIngestedFileByFile(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, "A.NEF", "a.nef.xmp", "A_01.NEF.xmp", "b.dng", "c.CR2", "c.JPG", "c.xmp", "c.pp3", "d.jpg", "notes.txt", ".hidden.dng", "sub/A.NEF", "sub/deep/e.raf")
	if err := os.Symlink(filepath.Join(dir, "b.dng"), filepath.Join(dir, "link.dng")); err != nil {
		t.Fatal(err)
	}
	e, _ := openFake(t, testutil.FakeOptions{
		Version: "5.4.1", Stderr: "broken",
		Script: []testutil.Behaviour{testutil.Works, testutil.Fails, testutil.Works},
	})
	type told struct{ File, ID, Skipped, Code, Companions string }
	tell := func(p IngestParams) (all []told, res IngestResult) {
		var reported int
		ctx := WithProgress(t.Context(), func(done, total int, _ string) { reported = done })
		res, err := e.Ingest(ctx, p)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range res.Outcomes {
			name, _ := filepath.Rel(dir, o.RawPath)
			id := string(o.ImageID)
			if o.Created {
				id = "+" + id
			}
			all = append(all, told{name, id, o.Skipped, string(o.ErrorCode), strings.Join(o.Companions, " ")})
		}
		if reported != len(res.Outcomes) {
			t.Errorf("progress of %d of %d", reported, len(res.Outcomes))
		}
		return all, res
	}
	noPicture, link := "not the extension of a picture that darktable opens", "a link: name it by itself"
	first, res := tell(IngestParams{RawPaths: []string{dir}})
	if d := cmp.Diff([]told{
		{"A.NEF", "+A", "", "", "A_01.NEF.xmp a.nef.xmp"},
		{"b.dng", "", "", "darktable_error", ""},
		{"c.CR2", "+c", "", "", "c.JPG c.pp3 c.xmp"},
		{"c.JPG", "", "the camera's picture of c.CR2: name it by itself to take it, too", "", ""},
		{"d.jpg", "+d", "", "", ""},
		{"link.dng", "", link, "", ""},
		{"notes.txt", "", noPicture, "", ""},
		{"sub", "", "a folder: give recursive to go into it", "", ""},
	}, first); d != "" || res.Failed != 1 {
		t.Errorf("%d failed; %s", res.Failed, d)
	}
	again, res := tell(IngestParams{RawPaths: []string{dir, filepath.Join(dir, "c.JPG"), filepath.Join(dir, "gone.dng")}, Recursive: true})
	if d := cmp.Diff([]told{
		{"A.NEF", "A", "", "", "A_01.NEF.xmp a.nef.xmp"},
		{"b.dng", "+b", "", "", ""},
		{"c.CR2", "c", "", "", "c.JPG c.pp3 c.xmp"},
		{"d.jpg", "d", "", "", ""},
		{"link.dng", "", link, "", ""},
		{"notes.txt", "", noPicture, "", ""},
		{"sub/A.NEF", "+A-2", "", "", ""},
		{"sub/deep/e.raf", "+e", "", "", ""},
		{"c.JPG", "+c-2", "", "", "c.CR2 c.pp3 c.xmp"},
		{"gone.dng", "", "", "not_found", ""},
	}, again); d != "" {
		t.Error(d)
	}
}

// An outcome says whether another call can succeed, as an error does.
func TestAnOutcomeOfAnIngestSaysWhetherItIsRecoverable(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, "b.dng")
	if err := os.WriteFile(filepath.Join(dir, "a.dng"), []byte{0, 1, 2}, 0o600); err != nil { // no text
		t.Fatal(err)
	}
	e, _ := openFake(t, testutil.FakeOptions{Version: "5.4.1", Behaviour: testutil.Fails, Stderr: "it is broken"})
	unknown, _ := openFake(t, testutil.FakeOptions{Version: "5.4.1", Behaviour: testutil.Fails, Stderr: "Unsupported camera model for a.dng"})
	for _, tt := range []struct {
		e    *Engine
		path string
	}{{e, "a.dng"}, {e, "gone.dng"}, {unknown, "b.dng"}} {
		path := filepath.Join(dir, tt.path)
		_, err := tt.e.Ingest(t.Context(), IngestParams{RawPath: path})
		alone, ok := errors.AsType[*Error](err)
		if !ok {
			t.Fatal(err)
		}
		res, err := tt.e.Ingest(t.Context(), IngestParams{RawPaths: []string{path}})
		if err != nil {
			t.Fatal(err)
		}
		if o := res.Outcomes[0]; o.ErrorCode != alone.Code || o.Recoverable != alone.Recoverable || o.Recoverable != (tt.e == e) {
			t.Errorf("%s: %+v, and alone %+v", tt.path, o, alone)
		}
	}
}

// A file that is named is taken, whatever beside it and whatever its extension.
func TestAListOfFilesIsIngested(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, "c.CR2", "c.JPG", "odd.name")
	e, _ := openFake(t, testutil.FakeOptions{Version: "5.4.1"})
	res, err := e.Ingest(t.Context(), IngestParams{RawPaths: []string{filepath.Join(dir, "c.JPG"), filepath.Join(dir, "odd.name"), filepath.Join(dir, "c.JPG")}})
	if err != nil || len(res.Outcomes) != 2 || !res.Outcomes[0].Created || !res.Outcomes[1].Created {
		t.Errorf("%+v, %v", res, err)
	}
	for name, p := range map[string]IngestParams{
		"nothing":           {},
		"one id for two":    {RawPaths: []string{filepath.Join(dir, "c.JPG")}, ImageID: "x"},
		"both":              {RawPath: filepath.Join(dir, "c.JPG"), RawPaths: []string{dir}},
		"a folder as a raw": {RawPath: dir},
	} {
		if _, err := e.Ingest(t.Context(), p); !errors.Is(err, ErrInvalidInput) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What was reached before the call was given up is told, and the rest is not lost.
func TestAnIngestionThatIsGivenUpTellsWhatIsDone(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, "a.dng", "b.dng", "c.dng")
	e, _ := openFake(t, testutil.FakeOptions{Version: "5.4.1"})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	res, err := e.Ingest(WithProgress(ctx, func(int, int, string) { cancel() }), IngestParams{RawPaths: []string{dir}})
	if !errors.Is(err, context.Canceled) || len(res.Outcomes) != 3 || !res.Outcomes[0].Created || res.Failed != 2 {
		t.Errorf("%+v, %v", res, err)
	}
	res, err = e.Ingest(t.Context(), IngestParams{RawPaths: []string{dir}})
	if err != nil || res.Failed != 0 || res.Outcomes[0].Created || !res.Outcomes[1].Created || !res.Outcomes[2].Created {
		t.Errorf("%+v, %v", res, err)
	}
}

// Whoever registers a file while it is developed has registered it: it is not another
// file that has its id.
func TestAFileThatIsIngestedTwiceAtOnceIsOneImage(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, "a.dng")
	fake := testutil.FakeDarktable(t, testutil.FakeOptions{Version: "5.4.1"})
	root := filepath.Join(t.TempDir(), "w")
	var created int
	var mu sync.Mutex
	var all sync.WaitGroup
	for i := range 8 {
		e, err := Open(t.Context(), &Options{Workspace: root, Darktable: fake.CLI, Tastes: t.TempDir(), Processes: 1})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = e.Close() })
		all.Go(func() {
			id := []ImageID{"", "a"}[i%2]
			res, err := e.Ingest(t.Context(), IngestParams{RawPath: filepath.Join(dir, "a.dng"), ImageID: id})
			if err != nil || res.ImageID != "a" {
				t.Errorf("%q: %+v, %v", id, res.ImageID, err)
			}
			mu.Lock()
			defer mu.Unlock()
			if res.Created {
				created++
			}
		})
	}
	all.Wait()
	if created != 1 {
		t.Errorf("created %d times", created)
	}
}

// An image that cannot be read may be of the file that is ingested: that is said.
func TestAnUnreadableImageThatIsPassedOverIsToldOf(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, "a.dng")
	e, _ := openFake(t, testutil.FakeOptions{Version: "5.4.1"})
	raw := filepath.Join(dir, "a.dng")
	if _, err := e.Ingest(t.Context(), IngestParams{RawPath: raw}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(e.workspace.Path("images", "a", "image.json"), []byte("garbage"), 0o600); err != nil {
		t.Fatal(err)
	}
	res, err := e.Ingest(t.Context(), IngestParams{RawPath: raw})
	if err != nil || res.ImageID != "a-2" || len(res.Problems) != 1 || !strings.Contains(res.Problems[0], "a cannot be read") {
		t.Errorf("%+v, %v", res, err)
	}
}

// A file that ends before its picture does is an image where darktable opens it, and each
// answer that it has been looked at for says so.
func TestAFileThatIsCutShortIsToldOf(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, "whole.dng")
	cut := filepath.Join(dir, "cut.jpg")
	if err := os.WriteFile(cut, []byte("\xff\xd8\xff\xda\x00\x02 and no more"), 0o600); err != nil {
		t.Fatal(err)
	}
	e, _ := openFake(t, testutil.FakeOptions{Version: "5.4.1"})
	want := []string{cut + " ends before a picture in it does: copy it again from where it was first"}
	for _, p := range []IngestParams{{RawPaths: []string{dir}}, {RawPath: cut}, {RawPath: cut, ImageID: "another"}} {
		res, err := e.Ingest(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, res.Problems); d != "" || res.Failed > 0 {
			t.Errorf("%+v: %s", p, d)
		}
	}
	if res, err := e.Ingest(t.Context(), IngestParams{RawPath: filepath.Join(dir, "whole.dng")}); err != nil || len(res.Problems) > 0 {
		t.Errorf("of a whole file: %q, %v", res.Problems, err)
	}
}

// A path that no file of JSON can hold would not be found again.
func TestARawWhosePathIsNoTextIsRefused(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a\xffb.dng")
	if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
		t.Skipf("this file system has no such names: %v", err)
	}
	e, _ := openFake(t, testutil.FakeOptions{})
	if _, err := e.Ingest(t.Context(), IngestParams{RawPath: path}); !errors.Is(err, ErrInvalidInput) || !strings.Contains(err.Error(), "not UTF-8") {
		t.Errorf("%v", err)
	}
	if res, err := e.Ingest(t.Context(), IngestParams{RawPaths: []string{dir}}); err != nil || res.Outcomes[0].ErrorCode != ErrInvalidInput {
		t.Errorf("%+v, %v", res, err)
	}
}
