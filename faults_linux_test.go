package chemigram

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
)

func TestADarktableThatFillsTheDiskIsAnErrorAndTheNextCallWorks(t *testing.T) {
	testutil.OnDisk(t, "8m", func(disk testutil.Disk) {
		e, _ := faulty(t, testutil.FillsDisk) // its own files are elsewhere
		t.Setenv("TMPDIR", disk.Dir)
		onDisk, err := Open(t.Context(), &Options{Workspace: e.workspace.Root(), Darktable: e.opts.Darktable, Workers: -1})
		if err != nil {
			t.Fatal(err)
		}
		defer onDisk.Close()
		p := RenderPreviewParams{ImageID: "a", Size: 64, TimeoutSeconds: 30}
		_, err = onDisk.RenderPreview(t.Context(), p)
		failure, _ := errors.AsType[*Error](err)
		if !errors.Is(err, ErrDarktable) || failure.Details["reason"] != "bad_output" {
			t.Fatalf("err = %v, want a darktable_error for the reason bad_output", err)
		}
		if said, _ := failure.Details["stderr"].(string); !strings.Contains(said, "No space left") {
			t.Errorf("darktable said %q, want why it failed", said)
		}
		if _, err := onDisk.RenderPreview(t.Context(), p); err != nil {
			t.Errorf("the next call: %v", err)
		}
		if left, err := os.ReadDir(disk.Dir); err != nil || len(left) > 0 {
			t.Errorf("%v, %v are left", left, err)
		}
	})
}
