package render

import (
	"context"
	"errors"
	"image"
	"os"
	"time"

	"github.com/chemigram/chemigram/render/internal/imagefile"
)

// RenderRegion develops a picture at full size and publishes a part of it as a
// JPEG with an sRGB profile: one pixel of the sensor is one pixel of the
// picture, which is what sharpness and noise are judged by. A part whose longest
// edge is above job.Size is scaled down to it; with a Size of 0 it is not. The
// job's Output must be a JPEG and its ColorSpace sRGB.
//
// It fails like [Darktable.Render], and with kind BadInput when the region is
// not in the picture.
func (d *Darktable) RenderRegion(ctx context.Context, job Job, region Region) (Picture, error) {
	began := time.Now()
	f, space, err := job.plan()
	if err != nil {
		return Picture{}, err
	}
	if f.name != imagefile.JPEG || space.name != "srgb" {
		return Picture{}, newError("render", BadInput, job.Output, "a region is written as a JPEG in sRGB only", nil)
	}
	if _, err := region.rect(image.Rect(0, 0, 1<<16, 1<<16)); err != nil {
		return Picture{}, err
	}
	if err := checkVacant(job.Output); err != nil {
		return Picture{}, err
	}
	if p, err := d.renderElsewhere(ctx, job, region); !errors.Is(err, errHere) {
		return p, err
	}
	tmp, err := newScratch(d.scratch)
	if err != nil {
		return Picture{}, systemError("render", job.Raw, err)
	}
	defer tmp.remove()
	whole := job
	whole.Output, whole.Size, whole.BitDepth, whole.Uncompressed = tmp.path("out", "whole.tif"), 0, 8, true
	p, err := d.render(ctx, whole, nil)
	if err != nil {
		return Picture{}, err
	}
	out := tmp.path("out", "region.jpg")
	if p, err = writeRegion(p, region, job, out); err != nil {
		return Picture{}, err
	}
	if err := job.publish(out); err != nil {
		return Picture{}, err
	}
	p.Path, p.Duration = job.Output, time.Since(began)
	return p, nil
}

// writeRegion writes the region of a picture to path.
func writeRegion(whole Picture, region Region, job Job, path string) (Picture, error) {
	m, err := Load(whole.Path)
	if err != nil {
		return Picture{}, err
	}
	if m, err = Crop(m, region); err != nil {
		return Picture{}, err
	}
	m = fit(m, job.Size)
	w, err := os.Create(path)
	if err != nil {
		return Picture{}, systemError("render", path, err)
	}
	if err := errors.Join(EncodeJPEG(w, m, job.Quality), w.Close()); err != nil {
		return Picture{}, systemError("render", path, err)
	}
	info, err := os.Stat(path)
	if err != nil {
		return Picture{}, systemError("render", path, err)
	}
	return Picture{Width: m.Bounds().Dx(), Height: m.Bounds().Dy(), Bytes: info.Size(), Format: "jpeg"}, nil
}
