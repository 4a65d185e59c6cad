package chemigram

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// An image whose history is gone is there all the same: it is listed, verify names it,
// and it can be deleted. Of its journal repair makes the baseline again, which is there
// twice.
func TestAnImageWithoutItsHistoryIsThere(t *testing.T) {
	for name, c := range map[string]struct {
		harm     func(history string) error
		repaired bool
	}{
		"no journal": {func(history string) error { return os.Remove(filepath.Join(history, "journal")) }, true},
		"no index either": {func(history string) error {
			return errors.Join(os.Remove(filepath.Join(history, "journal")), os.Remove(filepath.Join(history, "index")))
		}, true},
		"nothing in it": {func(history string) error {
			return errors.Join(os.RemoveAll(history), os.Mkdir(history, 0o700))
		}, false},
		"no folder":     {os.RemoveAll, false},
		"a broken link": {func(history string) error { return errors.Join(os.RemoveAll(history), os.Symlink("nowhere", history)) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			root := filepath.Join(t.TempDir(), "workspace")
			e := openWithout(t, Options{Workspace: root})
			add(t, e, "a", "5.4.1")
			baseline := headHash(t, e)
			apply(t, e, "exposure", 1)
			if err := c.harm(filepath.Join(root, "images", "a", "history")); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				list, err := e.ListImages(t.Context(), ListImagesParams{})
				if err != nil || len(list.Images) != 1 || list.Images[0].Problem == "" {
					t.Errorf("the list is %+v, %v; want the image with its problem", list, err)
				}
				if _, err := e.GetState(t.Context(), GetStateParams{ImageID: "a"}); err == nil || errors.Is(err, ErrNotFound) {
					t.Errorf("get_state says %v, want that the history is missing", err)
				}
				found, err := e.Verify(t.Context(), VerifyParams{})
				if err != nil || len(found.Findings) == 0 || found.Findings[0].ImageID != "a" {
					t.Errorf("verify finds %+v, %v; want what is wrong with the image", found, err)
				}
				if err := e.Close(); err != nil {
					t.Fatal(err)
				}
				e = openWithout(t, Options{Workspace: root})
			}
			if _, err := e.Repair(t.Context(), VerifyParams{}); err != nil {
				t.Fatal(err)
			}
			if c.repaired {
				if got := headHash(t, e); got != baseline {
					t.Errorf("after repair the look is %.8s, want the baseline's %.8s", got, baseline)
				}
				apply(t, e, "exposure", 1)
			}
			if _, err := e.DeleteImage(t.Context(), DeleteImageParams{ImageID: "a", Reason: "a test"}); err != nil {
				t.Error(err)
			}
		})
	}
}
