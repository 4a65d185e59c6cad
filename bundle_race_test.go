package chemigram

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/chemigram/chemigram/internal/testutil"
)

// rival does one of the verbs that make an image come or go, on the image "a".
type rival struct {
	*Engine
	bundle string
}

// verbs are what rivals do to the image "a". Each may find that it is there, or gone.
func (r rival) verbs(ctx context.Context) []func() error {
	return []func() error{
		func() error {
			_, err := r.ImportBundle(ctx, ImportBundleParams{BundlePath: r.bundle, ImageID: "a"})
			return err
		},
		func() error {
			_, err := r.DeleteImage(ctx, DeleteImageParams{ImageID: "a", Reason: "a test"})
			return err
		},
		func() error {
			name, err := r.inTrash("a")
			if err != nil || name == "" {
				return err
			}
			_, err = r.RestoreImage(ctx, RestoreImageParams{TrashName: name})
			return err
		},
		func() error {
			value := rand.Float64()
			_, err := r.ApplyPrimitive(ctx, ApplyPrimitiveParams{ImageID: "a", PrimitiveName: "exposure", Value: &value})
			return err
		},
		func() error {
			stars := Rating(rand.IntN(6))
			_, err := r.SetRating(ctx, SetRatingParams{ImageID: "a", Rating: &stars})
			return err
		},
	}
}

// do does verbs by chance, and fails on an error that says neither that the image is
// gone, nor that it is there.
func (r rival) do(ctx context.Context, random *rand.Rand) error {
	verbs := r.verbs(ctx)
	n := random.IntN(len(verbs))
	err := verbs[n]()
	if err == nil || errors.Is(err, ErrNotFound) || errors.Is(err, ErrState) {
		return nil
	}
	if errors.Is(err, ErrVersioning) && n == 0 {
		return nil // the image went on, otherwise than the bundle
	}
	return fmt.Errorf("verb %d: %w", n, err)
}

// rivals is what a process does that [TestImagesComeAndGoWhole] starts: verbs, until it
// is killed. Its arguments are a seed, the workspace and a bundle.
func rivals(args []string) error {
	seed, err := strconv.ParseUint(args[0], 10, 64)
	if err != nil {
		return err
	}
	ctx := context.Background()
	e, err := Open(ctx, &Options{Workspace: args[1], Darktable: filepath.Join(args[1], "no-darktable-here")})
	if err != nil {
		return err
	}
	out, random := json.NewEncoder(os.Stdout), rand.New(rand.NewPCG(seed, 3))
	for n := 0; ; n++ {
		if err := errors.Join((rival{e, args[2]}).do(ctx, random), out.Encode(n)); err != nil {
			return err
		}
	}
}

// rivalBundle gives a workspace, and a bundle of an image that it has no more.
func rivalBundle(t *testing.T) (*Engine, string) {
	t.Helper()
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	apply(t, e, "exposure", 0.5)
	return e, exportBundle(t, e, "a")
}

// wantWhole makes sure that all that is in the place of an image is an image, and that
// it can be deleted and restored.
func wantWhole(t *testing.T, e *Engine, left ...FaultKind) {
	t.Helper()
	wantSound(t, e, left...)
	for n := 0; ; n++ {
		name, err := e.inTrash("a")
		if err != nil {
			t.Fatal(err)
		}
		if name == "" && n > 0 {
			break
		}
		if _, err := os.Stat(e.workspace.ImageDir("a")); err == nil {
			gone, err := e.DeleteImage(t.Context(), DeleteImageParams{ImageID: "a", Reason: "a test"})
			if err != nil {
				t.Fatalf("delete_image: %v", err)
			}
			name = gone.TrashName
		}
		if name == "" {
			t.Fatal("the image is nowhere")
		}
		if _, err := e.RestoreImage(t.Context(), RestoreImageParams{TrashName: name}); err != nil {
			t.Fatalf("restore_image: %v", err)
		}
		if _, err := e.GetState(t.Context(), GetStateParams{ImageID: "a"}); err != nil {
			t.Fatalf("the restored image: %v", err)
		}
		if _, err := e.DeleteImage(t.Context(), DeleteImageParams{ImageID: "a", Reason: "a test"}); err != nil {
			t.Fatalf("delete_image: %v", err)
		}
		if err := os.RemoveAll(e.workspace.Path("trash")); err != nil {
			t.Fatal(err)
		}
	}
}

func TestImagesComeAndGoWhole(t *testing.T) {
	e, bundle := rivalBundle(t)
	var group sync.WaitGroup
	for lane := range 6 {
		random := rand.New(rand.NewPCG(uint64(lane), 2))
		group.Go(func() {
			for range 40 {
				if err := (rival{e, bundle}).do(t.Context(), random); err != nil {
					t.Errorf("lane %d: %v", lane, err)
				}
				if e.workspace.IsHalf("a") {
					t.Error("half an image is there")
				}
			}
		})
	}
	group.Wait()
	wantWhole(t, e)
}

func TestKilledRivalsLeaveWholeImages(t *testing.T) {
	e, bundle := rivalBundle(t)
	kills := testutil.Repeats(6, 21, 60)
	for life := 0; life < kills; life += 3 {
		var group sync.WaitGroup
		for n := range 3 {
			w := testutil.StartWorker(t, "rivals", fmt.Sprint(life+n), e.workspace.Root(), bundle)
			group.Go(func() {
				for range w.Lines() {
					time.AfterFunc(time.Duration(rand.IntN(120))*time.Millisecond, w.Kill)
					break
				}
				for range w.Lines() {
				}
				if err := w.Wait(); err != nil {
					t.Errorf("rival %d: %v", life+n, err)
				}
			})
		}
		group.Wait()
		wantSound(t, e, tornTail)
	}
	wantWhole(t, e, tornTail)
}

// What an older program may have left of an image is in nobody's way.
func TestHalfAnImageCanBeDeletedRestoredAndReplaced(t *testing.T) {
	for name, left := range map[string][]string{
		"a history":       {"history/journal", "history/lock"},
		"a lock":          {"history/lock"},
		"notes":           {"notes.md"},
		"a deleted one's": {"deleted.json", "marks.json"},
		"nothing":         nil,
	} {
		t.Run(name, func(t *testing.T) {
			ctx := t.Context()
			e, bundle := rivalBundle(t)
			whole, err := e.DeleteImage(ctx, DeleteImageParams{ImageID: "a", Reason: "a test"})
			if err != nil {
				t.Fatal(err)
			}
			half := func() {
				t.Helper()
				dir := e.workspace.ImageDir("a")
				if err := os.MkdirAll(filepath.Join(dir, "history"), 0o700); err != nil {
					t.Fatal(err)
				}
				for _, file := range left {
					if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(file)), []byte("left"), 0o600); err != nil {
						t.Fatal(err)
					}
				}
			}
			half()
			gone, err := e.DeleteImage(ctx, DeleteImageParams{ImageID: "a", Reason: "what is left"})
			if err != nil {
				t.Fatalf("delete_image: %v", err)
			}
			if _, err := e.RestoreImage(ctx, RestoreImageParams{TrashName: gone.TrashName}); err != nil {
				t.Errorf("restore_image of the half: %v", err)
			}
			found, err := e.Repair(ctx, VerifyParams{ImageID: "a"})
			if err != nil || len(found.Findings) != 1 || !found.Findings[0].Repaired {
				t.Errorf("repair: %+v, %v", found.Findings, err)
			}
			half()
			if _, err := e.RestoreImage(ctx, RestoreImageParams{TrashName: whole.TrashName}); err != nil {
				t.Fatalf("restore_image of the whole: %v", err)
			}
			if _, err := e.DeleteImage(ctx, DeleteImageParams{ImageID: "a", Reason: "a test"}); err != nil {
				t.Fatal(err)
			}
			half()
			in, err := e.ImportBundle(ctx, ImportBundleParams{BundlePath: bundle})
			if err != nil || !in.Created || in.ImageID != "a" {
				t.Errorf("import_bundle: %+v, %v", in, err)
			}
			wantSound(t, e)
		})
	}
}

func TestAnImageWithoutAHistoryCanBeDeleted(t *testing.T) {
	e, bundle := rivalBundle(t)
	if err := os.RemoveAll(filepath.Join(e.workspace.ImageDir("a"), "history")); err != nil {
		t.Fatal(err)
	}
	if _, err := e.ImportBundle(t.Context(), ImportBundleParams{BundlePath: bundle}); !errors.Is(err, ErrState) {
		t.Errorf("a bundle onto it: %v", err)
	}
	gone, err := e.DeleteImage(t.Context(), DeleteImageParams{ImageID: "a", Reason: "a test"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.ImportBundle(t.Context(), ImportBundleParams{BundlePath: bundle}); err != nil {
		t.Errorf("after it: %v", err)
	}
	if _, err := e.RestoreImage(t.Context(), RestoreImageParams{TrashName: gone.TrashName}); !errors.Is(err, ErrState) {
		t.Errorf("restore_image onto the new one: %v", err)
	}
}
