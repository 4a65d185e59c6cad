package enginetest

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/files"
)

// A raw on a disk that nobody can write to, not even root, is ingested, edited, looked at
// and exported; only a sidecar beside it is refused, with the reason.
func TestARawOnAReadOnlyDisk(t *testing.T) {
	testutil.OnDisk(t, "16m", func(d testutil.Disk) {
		dt := testutil.AnyDarktable(t)
		path, err := files.All()[0].Write(d.Dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mount("", d.Dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
			t.Skipf("no disk becomes read-only here: %v", err)
		}
		if err := os.WriteFile(filepath.Join(d.Dir, "x"), nil, 0o600); !errors.Is(err, syscall.EROFS) {
			t.Fatalf("the disk is not read-only: %v", err)
		}
		e := openOn(t, dt)
		ctx := t.Context()
		if _, err := e.Ingest(ctx, chemigram.IngestParams{RawPaths: []string{d.Dir}, TimeoutSeconds: seconds}); err != nil {
			t.Fatal(err)
		}
		list, err := e.ListImages(ctx, chemigram.ListImagesParams{})
		if err != nil || list.Total != 1 {
			t.Fatalf("%d images, %v", list.Total, err)
		}
		id, ev := list.Images[0].ImageID, 0.5
		if _, err := e.ApplyPrimitive(ctx, chemigram.ApplyPrimitiveParams{ImageID: id, PrimitiveName: "exposure", Value: &ev}); err != nil {
			t.Error(err)
		}
		if _, err := e.RenderPreview(ctx, chemigram.RenderPreviewParams{ImageID: id, Size: 64, TimeoutSeconds: seconds}); err != nil {
			t.Error(err)
		}
		if _, err := e.ExportFinal(ctx, chemigram.ExportFinalParams{ImageID: id, Size: 64, TimeoutSeconds: seconds}); err != nil {
			t.Error(err)
		}
		if _, err := e.ExportSidecar(ctx, chemigram.ExportSidecarParams{ImageID: id}); err != nil {
			t.Error(err)
		}
		_, err = e.ExportSidecar(ctx, chemigram.ExportSidecarParams{ImageID: id, BesideRaw: true})
		if !errors.Is(err, chemigram.ErrPermission) {
			t.Errorf("a sidecar beside it: %v, want a permission_error", err)
		}
		if left, err := os.ReadDir(d.Dir); err != nil || len(left) != 1 || left[0].Name() != filepath.Base(path) {
			t.Errorf("beside the raw there is %v, %v", left, err)
		}
	})
}
