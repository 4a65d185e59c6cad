package chemigram

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/scene"
)

const (
	// memoryBench tells how many fresh previews `make bench-memory` asks for;
	// without it, nothing is measured.
	memoryBench = "CHEMIGRAM_BENCH_MEMORY"
	// serving tells a copy of this test program where its raw is.
	serving = "CHEMIGRAM_TEST_SERVING"
	// mostMegabytes is what the engine may take beside its darktables.
	mostMegabytes = 100
)

// TestTheEngineItselfIsSmall serves fresh previews of a raw of 24 megapixels and
// twenty times as many from the cache, two at once, in a process of its own.
func TestTheEngineItselfIsSmall(t *testing.T) {
	fresh, err := strconv.Atoi(os.Getenv(memoryBench))
	if err != nil {
		t.Skip(memoryBench + " does not say how many previews to make")
	}
	if raw := os.Getenv(serving); raw != "" {
		serve(t, raw, fresh)
		return
	}
	raw := filepath.Join(t.TempDir(), "chart.dng")
	if err := scene.Write(raw, scene.Chart{}, scene.Options{Megapixels: 24, DNG: dng.Options{Noise: 1}}); err != nil {
		t.Fatal(err)
	}
	cmd := testutil.ThisProgram(t, []string{serving + "=" + raw}, "-test.run", "^"+t.Name()+"$", "-test.v", "-test.timeout=0")
	cmd.Stdout, cmd.Stderr = t.Output(), t.Output()
	if err := cmd.Run(); err != nil {
		t.Error(err)
	}
}

// serve is what that copy does.
func serve(t *testing.T, raw string, fresh int) {
	dt := testutil.AnyDarktable(t)
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	e, err := Open(t.Context(), &Options{Workspace: t.TempDir(), Darktable: dt.CLI})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if _, err := e.Ingest(t.Context(), IngestParams{RawPath: raw, ImageID: "a"}); err != nil {
		t.Fatal(err)
	}
	for i := range fresh {
		apply(t, e, "exposure", 0.01*float64(i))
		done := make(chan error)
		for _, size := range []Size{1440, 1024} {
			go func() {
				var err error
				for range 21 {
					if err == nil {
						_, err = e.RenderPreview(t.Context(), RenderPreviewParams{ImageID: "a", Size: size})
					}
				}
				done <- err
			}()
		}
		for range 2 {
			if err := <-done; err != nil {
				t.Fatal(err)
			}
		}
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	var kilobytes int
	if _, err := fmt.Sscan(rest, &kilobytes); err != nil {
		t.Fatal(err)
	}
	t.Logf("darktable %s, %d fresh previews, %d from the cache: the engine took %d MB at most", dt.Name, 2*fresh, 40*fresh, kilobytes>>10)
	if kilobytes>>10 >= mostMegabytes {
		t.Errorf("the engine itself took %d MB, want less than %d", kilobytes>>10, mostMegabytes)
	}
}
