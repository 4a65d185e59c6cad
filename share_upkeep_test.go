package chemigram

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// backdate makes all objects of a folder older.
func backdate(t *testing.T, dir string, by time.Duration) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		at := info.ModTime().Add(-by)
		return os.Chtimes(path, at, at)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestARemoteIsVerifiedAndPruned(t *testing.T) {
	ann, ben, nas := shared2(t)
	ctx := t.Context()
	setTo(t, ann, "exposure", 0.1)
	try[PushResult](t)(ann.Push(ctx, PushParams{ImageID: "a"}))
	try[CloneImageResult](t)(ben.CloneImage(ctx, CloneImageParams{RemoteImage: "a"}))
	garbage := filepath.Join(nas, "objects", "ab", "ab"+strings.Repeat("0", 62))
	if err := errors.Join(os.MkdirAll(filepath.Dir(garbage), 0o755), os.WriteFile(garbage, []byte("left by a push that died"), 0o600)); err != nil {
		t.Fatal(err)
	}
	found := try[VerifyResult](t)(ben.Verify(ctx, VerifyParams{Remote: "nas"}))
	if found.Images != 1 || len(found.Findings) != 1 || found.Findings[0].Fault != "damaged_remote" || !strings.HasSuffix(garbage, filepath.FromSlash(found.Findings[0].File)) {
		t.Errorf("verify: %+v", found)
	}
	two := Days(2)
	prune := PruneParams{Remote: "nas", OlderThanDays: &two, Reason: "tidy"}
	for _, step := range []struct {
		name            string
		back            time.Duration
		marked, removed int
	}{
		{"young", 0, 0, 0},
		{"old", 49 * time.Hour, 1, 0},
		{"just marked", time.Hour, 1, 0},
		{"marked long ago", 49 * time.Hour, 0, 1},
		{"again", 0, 0, 0},
	} {
		backdate(t, nas, step.back)
		if done := try[PruneResult](t)(ben.Prune(ctx, prune)); done.Marked != step.marked || len(done.TrashRemoved) != step.removed {
			t.Errorf("%s: %+v", step.name, done)
		}
	}
	setTo(t, ben, "contrast", 0.2)
	try[PushResult](t)(ben.Push(ctx, PushParams{ImageID: "a"}))
	if pulled := try[PullResult](t)(ann.Pull(ctx, PullParams{ImageID: "a"})); !pulled.Changed {
		t.Errorf("ann pulls %+v", pulled)
	}
	if found := try[VerifyResult](t)(ann.Verify(ctx, VerifyParams{Remote: "nas"})); len(found.Findings) != 0 {
		t.Errorf("after all of it: %+v", found.Findings)
	}
}

func TestARemoteIsNoImageToRepairOrPrune(t *testing.T) {
	ann, _, _ := shared2(t)
	ctx, day, none := t.Context(), Days(1), Days(0)
	for name, err := range map[string]error{
		"repair":            second(ann.Repair(ctx, VerifyParams{Remote: "nas"})),
		"verify an image":   second(ann.Verify(ctx, VerifyParams{Remote: "nas", ImageID: "a"})),
		"prune an image":    second(ann.Prune(ctx, PruneParams{Remote: "nas", ImageID: "a", OlderThanDays: &day, Reason: "tidy"})),
		"prune all at once": second(ann.Prune(ctx, PruneParams{Remote: "nas", OlderThanDays: &none, Reason: "tidy"})),
	} {
		if !errors.Is(err, ErrInvalidInput) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := ann.Verify(ctx, VerifyParams{Remote: "usb"}); !errors.Is(err, ErrNotFound) {
		t.Errorf("an unknown remote: %v", err)
	}
}

func second[R any](_ R, err error) error { return err }
