package chemigram

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
)

// testdata/workspace was written by the first version, which had no rooms below the
// verbs, on darktable 5.4.1: an image with moves, a mask, a spot, two branches, a
// merge and a tag, and one in the trash. testdata/workspace-expected has what that
// version said of it, and a bundle.
func openFirstVersions(t *testing.T) *Engine {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "workspace")
	if err := os.CopyFS(dir, os.DirFS("testdata/workspace")); err != nil {
		t.Fatal(err)
	}
	return openWithout(t, Options{Workspace: dir})
}

func expected[T any](t *testing.T, name string) (v T) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata/workspace-expected", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestAWorkspaceOfTheFirstVersionIsAsItWas(t *testing.T) {
	e, ctx := openFirstVersions(t), t.Context()
	found, err := e.Verify(ctx, VerifyParams{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found.Findings {
		if f.Fault != "raw_missing" {
			t.Errorf("verify finds %+v", f)
		}
	}
	log, err := e.Log(ctx, LogParams{ImageID: "chart"})
	if diff := cmp.Diff(expected[LogResult](t, "log.json"), log); err != nil || diff != "" {
		t.Errorf("the log: %v (-want +got):\n%s", err, diff)
	}
	stack, err := e.DescribeState(ctx, DescribeStateParams{ImageID: "chart"})
	for i := range stack.Modules { // masks and spots are told since
		m := &stack.Modules[i]
		m.Fields = slices.DeleteFunc(m.Fields, func(f FieldState) bool {
			return strings.HasPrefix(f.Name, "mask.") || strings.HasPrefix(f.Name, "spots[")
		})
	}
	if diff := cmp.Diff(expected[DescribeStateResult](t, "describe.json"), stack); err != nil || diff != "" {
		t.Errorf("the stack: %v (-want +got):\n%s", err, diff)
	}
	sidecar, err := e.ReadSidecar(ctx, ReadSidecarParams{ImageID: "chart"})
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/workspace-expected/head.xmp")
	if diff := cmp.Diff(string(want), sidecar.XMP); err != nil || diff != "" {
		t.Errorf("the sidecar: %v (-want +got):\n%s", err, diff)
	}
	known, err := e.ReadContext(ctx, ReadContextParams{ImageID: "chart"})
	if err != nil || known.Notes != "- patches: six greys\n" || len(known.RecentGaps) != 1 {
		t.Errorf("the context: %v, %+v", err, known)
	}
	images, err := e.ListImages(ctx, ListImagesParams{MinRating: new(Rating(4)), ColorLabel: "blue", Camera: "synthetic"})
	if err != nil || images.Total != 1 || images.Images[0].Problem != "" {
		t.Errorf("the list: %v, %+v", err, images)
	}
	sessions, err := e.ListTranscripts(ctx, ListTranscriptsParams{})
	if err != nil || sessions.Total != 1 || sessions.Transcripts[0].Calls != 1 || !sessions.Transcripts[0].Ended {
		t.Errorf("the transcripts: %v, %+v", err, sessions)
	}
	trash, err := e.ListTrash(ctx, ListTrashParams{})
	if err != nil || trash.Total != 1 {
		t.Fatalf("the trash: %v, %+v", err, trash)
	}
	if _, err := e.RestoreImage(ctx, RestoreImageParams{TrashName: trash.Images[0].TrashName}); err != nil {
		t.Error(err)
	}
}

func TestABundleOfTheFirstVersionComesIn(t *testing.T) {
	e := openWithout(t, Options{})
	in, err := e.ImportBundle(t.Context(), ImportBundleParams{BundlePath: "testdata/workspace-expected/chart.chemigram"})
	if err != nil {
		t.Fatal(err)
	}
	log := expected[LogResult](t, "log.json")
	if got := *in.StateAfter.HeadHash; got != log.Entries[0].Hash {
		t.Errorf("the look is %s, want %s", got, log.Entries[0].Hash)
	}
	got, err := e.Log(t.Context(), LogParams{ImageID: "chart"})
	if diff := cmp.Diff(log, got); err != nil || diff != "" {
		t.Errorf("the log: %v (-want +got):\n%s", err, diff)
	}
}

// The edit goes on: a move on each branch, a snapshot, a bundle that another
// workspace takes in, and the picture, of the raw at its new place. An older darktable
// than the one that made the baseline cannot read it, and says so.
func TestAWorkspaceOfTheFirstVersionIsEditedFurther(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		ctx, older := t.Context(), dt.Name == "4.2.1"
		old := openFirstVersions(t)
		if err := old.Close(); err != nil {
			t.Fatal(err)
		}
		e, err := Open(ctx, &Options{Workspace: old.WorkspaceDir(), Darktable: dt.CLI, Workers: -1})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = e.Close() })
		raw := firstVersionsRaw(t)
		back, err := e.Ingest(ctx, IngestParams{RawPath: raw, ImageID: "chart"})
		if err != nil || back.Created {
			t.Fatalf("the raw at its new place: %+v, %v", back, err)
		}
		if !older {
			developsAsBefore(t, e, dt, raw)
		}
		for _, branch := range []RefOrHash{"masked", "main"} {
			if _, err := e.Checkout(ctx, CheckoutParams{ImageID: "chart", RefOrHash: branch}); err != nil {
				t.Fatal(err)
			}
			res, err := e.ApplyPrimitive(ctx, ApplyPrimitiveParams{ImageID: "chart", PrimitiveName: "exposure", Value: new(1.1)})
			if older && !errors.Is(err, ErrNotImplemented) || !older && (err != nil || !res.Changed) {
				t.Errorf("on %s: %+v, %v", branch, res, err)
			}
		}
		_, err = e.ExportFinal(ctx, ExportFinalParams{ImageID: "chart"})
		if older && !errors.Is(err, ErrNotImplemented) || !older && err != nil {
			t.Error(err)
		}
		out, err := e.ExportBundle(ctx, ExportBundleParams{ImageID: "chart"})
		if err != nil {
			t.Fatal(err)
		}
		other := openWithout(t, Options{})
		in, err := other.ImportBundle(ctx, ImportBundleParams{BundlePath: out.OutputPath})
		if err != nil || !in.RawFound {
			t.Errorf("in another workspace: %+v, %v", in, err)
		}
		found, err := e.Verify(ctx, VerifyParams{ImageID: "chart"})
		if err != nil || len(found.Findings) > 0 {
			t.Errorf("verify finds %+v, %v", found.Findings, err)
		}
	})
}

// firstVersionsRaw is the raw of the workspace, at another place.
func firstVersionsRaw(t *testing.T) string {
	t.Helper()
	packed, err := os.Open("testdata/workspace-expected/chart.dng.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = packed.Close() }()
	raw, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(raw)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "chart.dng")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// developsAsBefore compares the look that the first version recorded, exported now, with
// what darktable itself makes of the sidecar that it wrote then.
func developsAsBefore(t *testing.T, e *Engine, dt testutil.Darktable, raw string) {
	t.Helper()
	out, err := e.ExportFinal(t.Context(), ExportFinalParams{ImageID: "chart", Format: "png"})
	if err != nil {
		t.Fatal(err)
	}
	was := filepath.Join(t.TempDir(), "was.png")
	dt.DevelopByHand(t, t.TempDir(), raw, "testdata/workspace-expected/head.xmp", was, 1000, true)
	before, err := pixel.Load(was)
	if err != nil {
		t.Fatal(err)
	}
	now, err := pixel.Load(out.OutputPath)
	if err != nil {
		t.Fatal(err)
	}
	if diff, err := pixel.Compare(before, now); err != nil || diff.Max > 0 {
		t.Errorf("the recorded look is developed otherwise: %+v, %v", diff, err)
	}
}
