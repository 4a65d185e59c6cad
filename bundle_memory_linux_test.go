package chemigram

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
)

// imported is what a process reports that imports a bundle.
type imported struct {
	Code      Code
	Kilobytes int // of memory that it took at most
}

// importOne imports a bundle in a process of its own. Its arguments are a workspace and
// the bundle.
func importOne(args []string) error {
	ctx := context.Background()
	e, err := Open(ctx, &Options{Workspace: args[0], Darktable: filepath.Join(args[0], "no-darktable-here")})
	if err != nil {
		return err
	}
	out := imported{}
	if _, err := e.ImportBundle(ctx, ImportBundleParams{BundlePath: args[1]}); err != nil {
		out.Code = AsError(err).Code
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return err
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	if _, err := fmt.Sscan(rest, &out.Kilobytes); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(out)
}

func TestHostileBundlesTakeNoMemory(t *testing.T) {
	testutil.SkipShort(t)
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	good := exportBundle(t, e, "a")
	take := func(name, bundle string) (took imported) {
		w := testutil.StartWorker(t, "import", filepath.Join(t.TempDir(), "workspace"), bundle)
		for message := range testutil.Messages[imported](w) {
			took = message
		}
		if err := w.Wait(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		return took
	}
	usual := take("our own", good)
	if usual.Code != "" || usual.Kilobytes == 0 {
		t.Fatalf("our own bundle: %+v", usual)
	}
	for name, bundle := range hostileBundles(t, good) {
		took := take(name, bundle)
		if took.Code == "" {
			t.Errorf("%s came in", name)
		}
		t.Logf("%s: %d MB, our own bundle %d MB", name, took.Kilobytes>>10, usual.Kilobytes>>10)
		if took.Kilobytes > usual.Kilobytes+32<<10 {
			t.Errorf("%s took %d MB, our own bundle %d MB", name, took.Kilobytes>>10, usual.Kilobytes>>10)
		}
	}
}
