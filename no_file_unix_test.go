//go:build unix

package chemigram

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/transcript"
)

// mostWait is longer than any answer may take, and far shorter than for ever.
const mostWait = 30 * time.Second

// within fails when do has not returned long after it should have.
func within(t *testing.T, what string, do func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		do()
	}()
	select {
	case <-done:
	case <-time.After(mostWait):
		t.Fatalf("%s hangs", what)
	}
}

// notFiles are things that are there and are no files of a sensible size, by path.
func notFiles(t *testing.T) map[string]string {
	t.Helper()
	dir := t.TempDir()
	pipe, link, huge := filepath.Join(dir, "pipe.dng"), filepath.Join(dir, "link.dng"), filepath.Join(dir, "huge.dng")
	if err := errors.Join(syscall.Mkfifo(pipe, 0o600), os.Symlink(pipe, link), os.WriteFile(huge, nil, 0o600), os.Truncate(huge, 3<<30)); err != nil {
		t.Skip(err)
	}
	return map[string]string{"a named pipe": pipe, "a link to one": link, "a device": "/dev/zero", "a folder": dir, "3 GB": huge}
}

// TestWhatIsNoFileIsRefusedInEveryVerbThatTakesAPath also counts what comes into the
// folder of temporary files.
func TestWhatIsNoFileIsRefusedInEveryVerbThatTakesAPath(t *testing.T) {
	testutil.SkipShort(t)
	e, _ := faulty(t, testutil.Works)
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	ctx := t.Context()
	raw := filepath.Join(t.TempDir(), "b.dng")
	if err := os.WriteFile(raw, []byte("raw"), 0o600); err != nil {
		t.Fatal(err)
	}
	bundle, err := e.ExportBundle(ctx, ExportBundleParams{ImageID: "a"})
	if err != nil {
		t.Fatal(err)
	}
	verbs := map[string]func(path string) error{
		"ingest": func(p string) error { _, err := e.Ingest(ctx, IngestParams{RawPath: p}); return err },
		"import_sidecar": func(p string) error {
			_, err := e.ImportSidecar(ctx, ImportSidecarParams{ImageID: "a", Path: p})
			return err
		},
		"import_bundle": func(p string) error { _, err := e.ImportBundle(ctx, ImportBundleParams{BundlePath: p}); return err },
		"import_bundle raw_path": func(p string) error {
			_, err := e.ImportBundle(ctx, ImportBundleParams{BundlePath: bundle.OutputPath, RawPath: p})
			return err
		},
		"apply_primitive mask": func(p string) error {
			_, err := e.ApplyPrimitive(ctx, ApplyPrimitiveParams{ImageID: "a", PrimitiveName: "exposure", Mask: &Mask{File: p}})
			return err
		},
		"preview_mask": func(p string) error {
			_, err := e.PreviewMask(ctx, PreviewMaskParams{ImageID: "a", Mask: Mask{File: p}})
			return err
		},
		"match_reference": func(p string) error {
			_, err := e.MatchReference(ctx, MatchReferenceParams{ImageID: "a", Reference: p})
			return err
		},
		"export_bundle into": func(p string) error {
			_, err := e.ExportBundle(ctx, ExportBundleParams{ImageID: "a", OutputDir: filepath.Join(p, "x", "y")})
			return err
		},
	}
	for what, path := range notFiles(t) {
		for name, verb := range verbs {
			if name == "export_bundle into" && what == "a folder" {
				continue
			}
			var err error
			within(t, name+" of "+what, func() { err = verb(path) })
			failure, ok := errors.AsType[*Error](err)
			if !ok {
				t.Errorf("%s of %s: %v, want an error", name, what, err)
				continue
			}
			if what == "3 GB" && !strings.Contains(name, "into") && !strings.ContainsAny(failure.Message, "0123456789") {
				t.Errorf("%s of %s: %q names no limit", name, what, failure.Message)
			}
			found, _ := failure.Details["violations"].([]Violation)
			if failure.Code == ErrInvalidInput && (len(found) != 1 || found[0].Pointer == "") {
				t.Errorf("%s of %s: no argument is named: %+v", name, what, failure)
			}
		}
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("%v, %v are left among the temporary files", left, err)
	}
}

// TestAFileThatGrowsIsNotReadForEver has a writer that never stops.
func TestAFileThatGrowsIsNotReadForEver(t *testing.T) {
	e, _ := faulty(t, testutil.Works)
	raw := filepath.Join(t.TempDir(), "b.dng")
	f, err := os.Create(raw)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(64 << 20); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	written := make(chan struct{})
	go func() {
		defer close(written)
		_, _ = f.Seek(0, 2)
		for ctx.Err() == nil {
			if _, err := f.WriteString("more"); err != nil {
				return
			}
			<-time.After(time.Millisecond)
		}
	}()
	within(t, "ingest of a growing file", func() { _, err = e.Ingest(t.Context(), IngestParams{RawPath: raw}) })
	stop()
	<-written
	_ = f.Close()
	if !errors.Is(err, ErrState) || !strings.Contains(err.Error(), "written") && !strings.Contains(err.Error(), "changed") {
		t.Errorf("%v, want a state_error that it is being written to", err)
	}
}

func TestReadingALargeRawCanBeCancelled(t *testing.T) {
	e, _ := faulty(t, testutil.Works)
	raw := filepath.Join(t.TempDir(), "b.dng")
	if err := errors.Join(os.WriteFile(raw, nil, 0o600), os.Truncate(raw, 2<<30)); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var took time.Duration
	for range 5 { // the machine may be busy
		began := time.Now()
		if _, err := e.Ingest(ctx, IngestParams{RawPath: raw}); !errors.Is(err, context.Canceled) {
			t.Fatalf("%v, want a cancelled call", err)
		}
		if took = time.Since(began); took < time.Second {
			return
		}
	}
	t.Errorf("a cancelled call ends after %v, want at once", took)
}

// TestAPipeInPlaceOfAnyFileHangsNothing puts a named pipe in the place of each file of a
// workspace, one after the other.
func TestAPipeInPlaceOfAnyFileHangsNothing(t *testing.T) {
	root := filepath.Join(t.TempDir(), "workspace")
	e := openWithout(t, Options{Workspace: root})
	ctx := t.Context()
	add(t, e, "a", "5.4.1")
	apply(t, e, "exposure", 1)
	begin, err := transcript.Begin(ctx, e.workspace, transcript.Header{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	use(ctx, e, begin.ID())
	for _, file := range []string{"brief.md", "notes.md"} {
		if err := os.WriteFile(filepath.Join(root, "images", "a", file), []byte("Tastes: night\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_ = begin.End()
	_ = e.Close()
	var files []string
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			files = append(files, path)
		}
		return err
	})
	if err != nil || len(files) < 8 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, path := range files {
		away := filepath.Join(t.TempDir(), "away")
		if err := errors.Join(os.Rename(path, away), syscall.Mkfifo(path, 0o600)); err != nil {
			t.Fatal(err)
		}
		rel, _ := filepath.Rel(root, path)
		within(t, "a workspace with a pipe in the place of "+rel, func() {
			e, err := Open(ctx, &Options{Workspace: root, Darktable: filepath.Join(root, "none"), LockWait: time.Second})
			if err != nil {
				return
			}
			use(ctx, e, begin.ID())
			_ = e.Close()
		})
		if err := errors.Join(os.Remove(path), os.Rename(away, path)); err != nil {
			t.Fatal(err)
		}
	}
}

// use calls verbs that read or write what a workspace keeps. Their errors do not count.
func use(ctx context.Context, e *Engine, session string) {
	value := 0.5
	_, _ = e.ListImages(ctx, ListImagesParams{})
	_, _ = e.GetState(ctx, GetStateParams{ImageID: "a"})
	_, _ = e.ReadContext(ctx, ReadContextParams{ImageID: "a"})
	_, _ = e.ApplyPrimitive(ctx, ApplyPrimitiveParams{ImageID: "a", PrimitiveName: "exposure", Value: &value})
	_, _ = e.Undo(ctx, UndoParams{ImageID: "a"})
	_, _ = e.Log(ctx, LogParams{ImageID: "a"})
	_, _ = e.SetRating(ctx, SetRatingParams{ImageID: "a"})
	_, _ = e.ProposeNotesUpdate(ctx, ProposeNotesUpdateParams{ImageID: "a", Content: "a note"})
	_, _ = e.ListProposals(ctx, ListProposalsParams{})
	_, _ = e.LogVocabularyGap(ctx, LogVocabularyGapParams{ImageID: "a", Description: "none"})
	_, _ = e.ListGaps(ctx, ListGapsParams{})
	_, _ = e.Verify(ctx, VerifyParams{})
	_, _ = e.Repair(ctx, VerifyParams{ImageID: "a"})
	_, _ = e.ListTranscripts(ctx, ListTranscriptsParams{})
	_, _ = e.ReadTranscript(ctx, ReadTranscriptParams{SessionID: SessionID(session)})
	_, _ = e.ExportBundle(ctx, ExportBundleParams{ImageID: "a"})
	_, _ = e.ExportSidecar(ctx, ExportSidecarParams{ImageID: "a"})
	_, _ = e.ListTrash(ctx, ListTrashParams{})
	_, _ = e.DeleteImage(ctx, DeleteImageParams{ImageID: "a", Reason: "a test"})
	trash, _ := e.ListTrash(ctx, ListTrashParams{})
	for _, one := range trash.Images {
		_, _ = e.RestoreImage(ctx, RestoreImageParams{TrashName: one.TrashName})
	}
}
