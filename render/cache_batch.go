package render

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"os"
	"path/filepath"

	"github.com/chemigram/chemigram/internal/owned"
)

// Wanted is a picture that is wanted of a cache, and the job that develops it. The
// job's output is the cache's choice.
type Wanted struct {
	Recipe Recipe
	Job    Job
}

// Pictures gives several pictures in their order: those that are kept from the
// cache, the rest from few starts of darktable. planned, when it is not nil, is told
// how many have to be developed before the first is, and how many are whenever one
// was.
func (c *Cache) Pictures(ctx context.Context, darktable *Darktable, wanted []Wanted, planned func(done, total int)) ([]Picture, error) {
	folder, err := owned.MakeFolder(os.TempDir(), previewsPrefix)
	if err != nil {
		return nil, c.systemError(err)
	}
	defer folder.Remove()
	jobs, places := c.missing(wanted, folder.Path())
	report := func(done int) {
		if planned != nil {
			planned(done, len(jobs))
		}
	}
	report(0)
	done := 0
	outcomes := darktable.RenderAll(ctx, jobs, &BatchOptions{Done: func(int, Outcome) { done++; report(done) }})
	for _, o := range outcomes {
		if o.Err != nil {
			return nil, o.Err
		}
	}
	pictures := make([]Picture, len(wanted))
	for i, w := range wanted {
		pictures[i], _, err = c.PictureWithin(ctx, w.Recipe, w.Job.Timeout, func(ctx context.Context, path string) (Picture, error) {
			place, developed := places[w.Recipe]
			if !developed { // evicted since it was looked for
				w.Job.Output, w.Job.Timeout = path, 0
				return darktable.Render(ctx, w.Job)
			}
			return take(outcomes[place].Picture, path)
		})
		if err != nil {
			return nil, err
		}
	}
	return pictures, nil
}

// missing makes a job for each recipe that is not kept; places are those of the
// recipes among them.
func (c *Cache) missing(wanted []Wanted, dir string) (jobs []Job, places map[Recipe]int) {
	places = map[Recipe]int{}
	for i, w := range wanted {
		if _, known := places[w.Recipe]; known {
			continue
		}
		if _, kept := c.Get(w.Recipe); kept {
			continue
		}
		places[w.Recipe] = len(jobs)
		w.Job.Output = filepath.Join(dir, fmt.Sprintf("%d.jpg", i))
		jobs = append(jobs, w.Job)
	}
	return jobs, places
}

// take moves a developed picture to another path, which may be on another disk.
func take(p Picture, path string) (Picture, error) {
	if err := os.Rename(p.Path, path); err != nil {
		if err := publish(p.Path, path); err != nil {
			return Picture{}, err
		}
	}
	p.Path = path
	return p, nil
}

// Keep keeps a picture that was drawn here, as a JPEG. Its key is made of its pixels,
// so that there is nothing that it could be mistaken for.
func (c *Cache) Keep(ctx context.Context, m image.Image) (Picture, error) {
	kept, _, err := c.picture(ctx, drawnKey(m), 0, func(_ context.Context, path string) (Picture, error) {
		var jpeg bytes.Buffer
		if err := EncodeJPEG(&jpeg, m, 0); err != nil {
			return Picture{}, err
		}
		size := m.Bounds().Size()
		made := Picture{Path: path, Width: size.X, Height: size.Y, Bytes: int64(jpeg.Len()), Format: "jpeg"}
		return made, os.WriteFile(path, jpeg.Bytes(), 0o666)
	})
	return kept, err
}
