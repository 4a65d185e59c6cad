package chemigram

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
	"github.com/chemigram/chemigram/internal/testutil/scene"
)

func TestPreviewsTellTheirQuality(t *testing.T) {
	dt := testutil.AnyDarktable(t)
	testutil.AcquireDarktable(t)
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	e, err := Open(t.Context(), &Options{Workspace: filepath.Join(t.TempDir(), "workspace"), Darktable: dt.CLI})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	raw := filepath.Join(t.TempDir(), "a.dng")
	if err := scene.Write(raw, scene.Chart{}, scene.Options{Megapixels: 0.1}); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Ingest(t.Context(), IngestParams{RawPath: raw}); err != nil {
		t.Fatal(err)
	}
	preview := func(quality, want PreviewQuality, cached bool) {
		t.Helper()
		res, err := e.RenderPreview(t.Context(), RenderPreviewParams{ImageID: "a", Size: 128, Quality: quality})
		if err != nil || res.Quality != want || res.Cached != cached {
			t.Fatalf("asked for %q: %q, cached %v, %v; want %q, cached %v", quality, res.Quality, res.Cached, err, want, cached)
		}
	}
	for range time.Tick(10 * time.Millisecond) { // however slow the machine is
		status := e.workers.Status()
		if status.Reason != nil {
			t.Fatal(status.Reason)
		}
		if status.Tested {
			break
		}
	}
	if health, err := e.HealthCheck(t.Context(), HealthCheckParams{}); err != nil || health.Darktable.RenderMode != "prepared" {
		t.Errorf("the render mode is %+v, %v", health.Darktable, err)
	}
	apply(t, e, "exposure", 1)
	preview("", QualityDraft, false)
	preview(QualityDraft, QualityDraft, true)
	stats, err := e.ImageStats(t.Context(), ImageStatsParams{ImageID: "a", Size: 128})
	if err != nil || stats.Quality != QualityFine {
		t.Fatalf("measured %q, %v", stats.Quality, err)
	}
	preview(QualityFine, QualityFine, true)
	preview(QualityExact, QualityExact, true) // the same pixels
	preview(QualityDraft, QualityExact, true) // the best there is
}

// sharing tells a copy of this test program to preview what is in a workspace.
const sharing = "CHEMIGRAM_TEST_SHARING"

func TestTwoProcessesShareOneWorkspace(t *testing.T) {
	if dir := os.Getenv(sharing); dir != "" {
		previewEverything(t, dir)
		return
	}
	fake := testutil.FakeDarktable(t, testutil.FakeOptions{})
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	e, err := Open(t.Context(), &Options{Workspace: dir, Darktable: fake.CLI, Workers: -1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	for _, name := range []string{"a", "b"} {
		raw := filepath.Join(t.TempDir(), name+".dng")
		if err := os.WriteFile(raw, []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := e.Ingest(t.Context(), IngestParams{RawPath: raw}); err != nil {
			t.Fatal(err)
		}
	}
	ingested := len(fake.Calls())
	var others []*exec.Cmd
	for range 2 {
		cmd := testutil.ThisProgram(t, []string{sharing + "=" + dir, "DARKTABLE_CLI=" + fake.CLI}, "-test.run", "^"+t.Name()+"$", "-test.count=1")
		cmd.Stdout, cmd.Stderr = t.Output(), t.Output()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		others = append(others, cmd)
	}
	for _, cmd := range others {
		if err := cmd.Wait(); err != nil {
			t.Errorf("another process: %v", err)
		}
	}
	// Each of four pictures was made by one of the processes, or by both at once.
	made := len(fake.Calls()) - ingested
	if made < 4 || made > 8 {
		t.Errorf("darktable ran %d times, want 4 to 8", made)
	}
	for _, id := range []ImageID{"a", "b"} {
		for _, size := range []Size{64, 128} {
			res, err := e.RenderPreview(t.Context(), RenderPreviewParams{ImageID: id, Size: size})
			if err != nil || !res.Cached {
				t.Errorf("%s at %d: cached %v, %v", id, size, res.Cached, err)
			}
		}
	}
}

func previewEverything(t *testing.T, dir string) {
	e, err := Open(t.Context(), &Options{Workspace: dir, Workers: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for range 10 {
		for _, id := range []ImageID{"a", "b"} {
			for _, size := range []Size{64, 128} {
				if _, err := e.RenderPreview(t.Context(), RenderPreviewParams{ImageID: id, Size: size}); err != nil {
					t.Errorf("%s at %d: %v", id, size, err)
				}
			}
		}
	}
}

// The first preview after ingest is what was developed with the baseline, and is what
// the command line develops.
func TestTheFirstLookIsThereAfterIngest(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		e, raw := openWith(t, dt, scene.Landscape{})
		testutil.AcquireDarktable(t)
		checkFirstLook(t, e, raw)
		t.Run("of a camera", func(t *testing.T) {
			checkFirstLook(t, e, testutil.SharedData(t, filepath.Join("raws", "canon_eos_6d.dng")))
		})
	})
}

func checkFirstLook(t *testing.T, e *Engine, raw string) {
	t.Helper()
	ingested, err := e.Ingest(t.Context(), IngestParams{RawPath: raw})
	if err != nil {
		t.Fatal(err)
	}
	look := func(cached bool) *pixel.Image {
		res, err := e.RenderPreview(t.Context(), RenderPreviewParams{ImageID: ingested.ImageID})
		if err != nil || res.Cached != cached || res.Quality != QualityExact {
			t.Fatalf("%+v, %v; want cached %v", res, err, cached)
		}
		m, err := pixel.Load(res.JPEGPath)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(res.JPEGPath); err != nil {
			t.Fatal(err)
		}
		return m
	}
	if d := distance(t, look(true), look(false)); d.Max > 0 {
		t.Errorf("the first look differs from what the baseline develops by a mean ΔE of %.3f, at most %.2f", d.Mean, d.Max)
	}
}
