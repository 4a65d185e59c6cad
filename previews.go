package chemigram

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/render"
	"github.com/chemigram/chemigram/xmp"
)

// previews gives the JPEGs of several looks of one image, in their order: what
// was seen before from the cache, the rest from few starts of darktable.
func (e *Engine) previews(ctx context.Context, img *workspace.Image, looks []*xmp.Sidecar, size Size) ([]render.Picture, error) {
	darktable, err := e.renderer()
	if err != nil {
		return nil, err
	}
	if err := img.CheckRaw(); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "chemigram-previews-*")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()

	recipes := make([]render.Recipe, len(looks))
	var jobs []render.Job
	place := map[render.Recipe]int{} // in jobs
	for i, look := range looks {
		recipes[i] = exactRecipe(darktable, img, look, size)
		if _, known := place[recipes[i]]; known {
			continue
		}
		if _, cached := e.cache.Get(recipes[i]); cached {
			continue
		}
		place[recipes[i]] = len(jobs)
		jobs = append(jobs, render.Job{
			Raw: img.Raw.Path, Sidecar: look.Bytes(), Output: filepath.Join(dir, fmt.Sprintf("%d.jpg", i)),
			Size: int(size), Timeout: timeLeft(ctx),
		})
	}
	reportProgress(ctx, 0, len(jobs), "planned")
	ended := 0
	outcomes := darktable.RenderAll(ctx, jobs, &render.BatchOptions{Done: func(int, render.Outcome) {
		ended++
		reportProgress(ctx, ended, len(jobs), "developed")
	}})
	for _, o := range outcomes {
		if o.Err != nil {
			return nil, o.Err
		}
	}
	pictures := make([]render.Picture, len(looks))
	for i, recipe := range recipes {
		pictures[i], _, err = e.cache.Picture(ctx, recipe, func(ctx context.Context, path string) (render.Picture, error) {
			n, made := place[recipe]
			if !made { // evicted since it was looked for
				return darktable.Render(ctx, render.Job{
					Raw: img.Raw.Path, Sidecar: looks[i].Bytes(), Output: path, Size: int(size), Timeout: timeLeft(ctx),
				})
			}
			picture := outcomes[n].Picture
			if err := os.Rename(picture.Path, path); err != nil {
				if err := workspace.Publish(picture.Path, path); err != nil {
					return render.Picture{}, err
				}
			}
			picture.Path = path
			return picture, nil
		})
		if err != nil {
			return nil, err
		}
	}
	return pictures, nil
}
