package chemigram

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/baseline"
)

// onFullDisk is a verb to call when the disk is full: ready makes the call anew,
// while there is space. Its number makes names that were not given yet.
type onFullDisk struct {
	verb  string
	ready func(t *testing.T, e *Engine, n int) (call func() error)
}

var onFullDisks = []onFullDisk{
	{"ingest", func(t *testing.T, e *Engine, n int) func() error {
		raw := filepath.Join(t.TempDir(), fmt.Sprintf("raw%d.dng", n))
		if err := os.WriteFile(raw, fmt.Append(nil, "raw ", n), 0o600); err != nil {
			t.Fatal(err)
		}
		return func() error { _, err := e.Ingest(t.Context(), IngestParams{RawPath: raw}); return err }
	}},
	{"apply_primitive", func(t *testing.T, e *Engine, n int) func() error {
		value, ctx := 0.001*float64(n), WithActor(t.Context(), randomText())
		p := ApplyPrimitiveParams{ImageID: "a", PrimitiveName: "exposure", Value: &value}
		return func() error { _, err := e.ApplyPrimitive(ctx, p); return err }
	}},
	{"snapshot", func(t *testing.T, e *Engine, _ int) func() error {
		p := SnapshotParams{ImageID: "a", Label: randomText()[:4000]}
		return func() error { _, err := e.Snapshot(t.Context(), p); return err }
	}},
	{"merge", func(t *testing.T, e *Engine, n int) func() error {
		side := fmt.Sprint("side", n)
		onBranch(t, e, side, func() { apply(t, e, "contrast", 0.0001*float64(n)) })
		apply(t, e, "exposure", 0.7+0.001*float64(n))
		p := MergeParams{ImageID: "a", RefOrHash: RefOrHash(side), Prefer: Theirs, Label: randomText()[:4000]}
		return func() error { _, err := e.Merge(t.Context(), p); return err }
	}},
	{"set_rating", func(t *testing.T, e *Engine, n int) func() error {
		stars := Rating(n % 6)
		return func() error {
			_, err := e.SetRating(t.Context(), SetRatingParams{ImageID: "a", Rating: &stars})
			return err
		}
	}},
	{"export_bundle", func(t *testing.T, e *Engine, _ int) func() error {
		return func() error { _, err := e.ExportBundle(t.Context(), ExportBundleParams{ImageID: "a"}); return err }
	}},
	{"import_bundle", func(t *testing.T, e *Engine, n int) func() error {
		out, err := e.ExportBundle(t.Context(), ExportBundleParams{ImageID: "a", OutputDir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		p := ImportBundleParams{BundlePath: out.OutputPath, ImageID: ImageID(fmt.Sprint("in", n))}
		return func() error { _, err := e.ImportBundle(t.Context(), p); return err }
	}},
	{"export_sidecar", func(t *testing.T, e *Engine, _ int) func() error {
		return func() error { _, err := e.ExportSidecar(t.Context(), ExportSidecarParams{ImageID: "a"}); return err }
	}},
	{"log_vocabulary_gap", func(t *testing.T, e *Engine, n int) func() error {
		p := LogVocabularyGapParams{ImageID: "a", Description: fmt.Sprint("no lens flare ", n), Workaround: randomText()[:4000]}
		return func() error { _, err := e.LogVocabularyGap(t.Context(), p); return err }
	}},
	{"audit", func(t *testing.T, e *Engine, _ int) func() error {
		return func() error { return e.Audit(t.Context(), burnt(randomText())) }
	}},
	{"transcript", func(t *testing.T, e *Engine, _ int) func() error {
		return func() error {
			s, err := e.BeginSession(t.Context(), nil)
			if err != nil {
				return err
			}
			s.Call(t.Context(), "get_state", []byte(`{"image_id": "a"}`))(e.GetState(t.Context(), GetStateParams{ImageID: "a"}))
			return s.End()
		}
	}},
	{"prune", func(t *testing.T, e *Engine, n int) func() error {
		apply(t, e, "exposure", 0.9+0.0001*float64(n))
		if _, err := e.Undo(t.Context(), UndoParams{ImageID: "a"}); err != nil {
			t.Fatal(err)
		}
		now := Days(0)
		ctx := t.Context()
		return func() error {
			_, err := e.Prune(ctx, PruneParams{ImageID: "a", OlderThanDays: &now, Reason: "a test"})
			return err
		}
	}},
	{"delete_image", func(t *testing.T, e *Engine, n int) func() error {
		id := ImageID(fmt.Sprint("gone", n))
		add(t, e, id, "5.4.1")
		ctx := t.Context()
		return func() error {
			_, err := e.DeleteImage(ctx, DeleteImageParams{ImageID: id, Reason: "a test"})
			return err
		}
	}},
}

// randomText is a text that takes more than two pages however it is packed.
func randomText() string {
	var b strings.Builder
	for b.Len() < 14_000 {
		b.WriteString(rand.Text())
	}
	return b.String()
}

// With few pages of space, each verb does all that it does, or says
// that the disk is full and has done nothing; then, with space, it works.
func TestAFullDiskLosesNothing(t *testing.T) {
	testutil.SkipShort(t)
	packet := baseline.Packet("5.4.1")
	testutil.OnDisk(t, "16m", func(disk testutil.Disk) {
		fake := testutil.FakeDarktable(t, testutil.FakeOptions{Version: "5.4.1", XMP: packet})
		t.Setenv("XDG_CONFIG_HOME", t.TempDir())
		o := &Options{
			Workspace: filepath.Join(disk.Dir, "workspace"), Darktable: fake.CLI, Workers: -1,
			Logger: slog.New(slog.NewTextHandler(io.Discard, nil)),
		}
		e, err := Open(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		add(t, e, "a", "5.4.1")
		n := 0
		for _, verb := range onFullDisks {
			full := 0
			for _, pages := range []int64{0, 2, 5} {
				n++
				call := verb.ready(t, e, n)
				before := headHash(t, e)
				disk.Leave(t, pages*4096)
				err := call()
				if err != nil {
					full++
					wantFull(t, verb.verb, err)
					if now := headHash(t, e); now != before {
						t.Errorf("%s failed (%v) and changed the look", verb.verb, err)
					}
				}
				again, openErr := Open(t.Context(), o)
				if openErr != nil {
					t.Errorf("on the full disk the workspace does not open: %v", openErr)
				} else {
					_ = again.Close()
				}
				disk.Leave(t, -1)
				wantHealthy(t, e, "a")
				if err != nil {
					err = call()
				}
				if err != nil {
					t.Errorf("with space, %s says %v", verb.verb, err)
				}
			}
			if t.Logf("%s: the disk was full %d times of 3", verb.verb, full); full == 0 {
				t.Errorf("%s needed no space", verb.verb)
			}
		}
		wantHealthy(t, e, "")
	})
}

func wantFull(t *testing.T, verb string, err error) {
	t.Helper()
	failure, ok := errors.AsType[*Error](err)
	if !ok {
		failure = AsError(err)
	}
	if failure.Code != ErrState || failure.Details["reason"] != "disk_full" || !failure.Recoverable {
		t.Errorf("%s: %v, %v; want a state_error for the reason disk_full", verb, err, failure.Details)
	}
}

// wantHealthy makes sure that verify finds nothing that was lost or left, of an
// image or, with "", of all.
func wantHealthy(t *testing.T, e *Engine, id ImageID) {
	t.Helper()
	found, err := e.Verify(t.Context(), VerifyParams{ImageID: id})
	if err != nil {
		t.Error(err)
	}
	for _, f := range found.Findings {
		if f.Fault != "raw_missing" { // these images have none
			t.Errorf("verify finds %+v", f)
		}
	}
	left, err := filepath.Glob(filepath.Join(e.workspace.Root(), "images", ".tmp-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("%q, %v are left over", left, err)
	}
}

// A workspace on a disk that nobody may write to opens and can be read; what
// would write says so.
func TestAWorkspaceOnAProtectedDisk(t *testing.T) {
	testutil.OnDisk(t, "16m", func(disk testutil.Disk) {
		o := Options{Workspace: filepath.Join(disk.Dir, "workspace")}
		e := openWithout(t, o)
		add(t, e, "a", "5.4.1")
		apply(t, e, "exposure", 1)
		before := headHash(t, e)
		disk.Protect(t)
		e = openWithout(t, o)
		if headHash(t, e) != before {
			t.Error("the look is another")
		}
		ctx := t.Context()
		for verb, read := range map[string]func(context.Context) error{
			"log": func(ctx context.Context) error { _, err := e.Log(ctx, LogParams{ImageID: "a"}); return err },
			"describe_state": func(ctx context.Context) error {
				_, err := e.DescribeState(ctx, DescribeStateParams{ImageID: "a"})
				return err
			},
			"list_images": func(ctx context.Context) error { _, err := e.ListImages(ctx, ListImagesParams{}); return err },
			"read_context": func(ctx context.Context) error {
				_, err := e.ReadContext(ctx, ReadContextParams{ImageID: "a"})
				return err
			},
			"list_gaps": func(ctx context.Context) error { _, err := e.ListGaps(ctx, ListGapsParams{}); return err },
		} {
			if err := read(ctx); err != nil {
				t.Errorf("%s: %v", verb, err)
			}
		}
		for i, verb := range onFullDisks {
			if verb.verb == "ingest" || verb.verb == "merge" || verb.verb == "prune" || verb.verb == "delete_image" {
				continue // their preparations write
			}
			if err := verb.ready(t, e, i+1)(); !errors.Is(AsError(err), ErrPermission) {
				t.Errorf("%s: %v, want a permission_error", verb.verb, err)
			}
		}
		if _, err := e.DeleteImage(ctx, DeleteImageParams{ImageID: "a", Reason: "a test"}); !errors.Is(err, ErrPermission) {
			t.Errorf("delete_image: %v", err)
		}
	})
}
