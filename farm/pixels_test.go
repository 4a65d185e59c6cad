package farm

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/scene"
	"github.com/chemigram/chemigram/render"
)

// Pictures from a worker have the pixels, and the metadata, of those made here.
func TestPicturesFromAWorkerAreThoseMadeHere(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		var raws, digests []string
		for i := range 3 {
			raw := filepath.Join(t.TempDir(), fmt.Sprintf("IMG_%d.dng", i))
			if err := scene.Write(raw, scene.Chart{}, scene.Options{Megapixels: 0.5, DNG: dng.Options{EV: 0.2 * float64(i)}}); err != nil {
				t.Fatal(err)
			}
			content, err := os.ReadFile(raw)
			if err != nil {
				t.Fatal(err)
			}
			raws, digests = append(raws, raw), append(digests, digestOf(string(content)))
		}
		r := openFarm(t, openFolder(t, t.TempDir()), Options{Logger: logger(t, "engine")})
		here := find(t, dt.CLI, nil)
		sidecar, err := here.Baseline(t.Context(), raws[0])
		if err != nil {
			t.Fatal(err)
		}
		startWorker(t, r, dt.CLI, WorkerOptions{Logger: logger(t, "worker"), Processes: 1})
		local := &counted{Elsewhere: r}
		there := mustFind(t, &render.Options{Path: dt.CLI, Elsewhere: local})

		jobs := func(dir string) (jobs []render.Job) {
			for i, like := range []render.Job{
				{Output: "a.jpg", Size: 300},
				{Output: "b.jpg", Size: 300},
				{Output: "c.jpg", Size: 300},
				{Output: "d.png", BitDepth: 16, HighQuality: true, State: digests[0]},
				{Output: "e.tif", Size: 200, Metadata: render.StripAll},
				{Output: "f.jpg", Size: 300, HighQuality: true, Quality: 95, State: digests[0], Metadata: render.StripLocation, ColorSpace: "display-p3"},
			} {
				like.Raw, like.RawDigest, like.Sidecar = raws[i%3], digests[i%3], sidecar
				like.Darktable, like.Output = here.Identity(), filepath.Join(dir, like.Output)
				jobs = append(jobs, like)
			}
			return jobs
		}
		wantJobs, gotJobs := jobs(t.TempDir()), jobs(t.TempDir())
		wantPictures(t, here.RenderAll(t.Context(), wantJobs, nil))
		wantPictures(t, there.RenderAll(t.Context(), gotJobs, nil))
		for i := range wantJobs {
			same(t, wantJobs[i].Output, gotJobs[i].Output)
		}

		one := func(name string, develop func(d *render.Darktable, job render.Job) error) {
			wantJob, gotJob := wantJobs[0], wantJobs[0]
			wantJob.Output, gotJob.Output = filepath.Join(t.TempDir(), "a.jpg"), filepath.Join(t.TempDir(), "a.jpg")
			wantJob.Size, gotJob.Size = 250, 250
			if err := develop(here, wantJob); err != nil {
				t.Fatal(name, err)
			}
			if err := develop(there, gotJob); err != nil {
				t.Fatal(name, err)
			}
			same(t, wantJob.Output, gotJob.Output)
		}
		one("one picture", func(d *render.Darktable, job render.Job) error {
			_, err := d.Render(t.Context(), job)
			return err
		})
		one("a region", func(d *render.Darktable, job render.Job) error {
			_, err := d.RenderRegion(t.Context(), job, render.Region{X: 0.2, Y: 0.1, Width: 0.3, Height: 0.4})
			return err
		})
		if failed := local.failed.Load(); failed > 0 {
			t.Errorf("%d pictures were made here", failed)
		}
	})
}

// same compares two pictures, and what their files say they were made of. Both say when
// they were made, so that their bytes differ.
func same(t *testing.T, want, got string) {
	t.Helper()
	a, err := render.Load(want)
	if err != nil {
		t.Fatal(err)
	}
	b, err := render.Load(got)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(a, b) {
		t.Errorf("%s has other pixels from the worker", filepath.Base(want))
	}
	wantPicture, wantStamp, err := render.InspectStamp(want)
	if err != nil {
		t.Fatal(err)
	}
	gotPicture, gotStamp, err := render.InspectStamp(got)
	if err != nil {
		t.Fatal(err)
	}
	if gotStamp != wantStamp || gotPicture.Width != wantPicture.Width {
		t.Errorf("%s says %+v, and from the worker %+v", filepath.Base(want), wantStamp, gotStamp)
	}
	content, err := os.ReadFile(got)
	if err != nil {
		t.Fatal(err)
	}
	// The last part of a test's folder is a number, as a time and a digest may hold; the one
	// before is of this test.
	own := filepath.Base(filepath.Dir(t.TempDir()))
	for _, folder := range []string{own, os.TempDir()} {
		if bytes.Contains(content, []byte(folder)) {
			t.Errorf("%s names the folder %s of the worker", filepath.Base(got), folder)
		}
	}
}
