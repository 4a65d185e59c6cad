package render

import (
	"context"
	"errors"
	"image"
	"os"

	"github.com/chemigram/chemigram/xmp"
)

// renderDraft makes a draft. It fails with errNoDraftPlan when the picture is not
// suited to one. It gives the path of the JPEG.
func (w *worker) renderDraft(ctx context.Context, job *Job) (path string, err error) {
	if err := w.load(ctx); err != nil {
		return "", err
	}
	sidecar, err := xmp.Parse(job.Sidecar)
	if err != nil || !w.raw {
		return "", errNoDraftPlan
	}
	var m image.Image
	for range 2 { // the second time when it is turned in another way than the last one
		f, ok := frameOf(sidecar, w.width, w.height, w.turned)
		if !ok {
			return "", errNoDraftPlan
		}
		plan, ok := planDraft(f, job.Size, w.rounding())
		if !ok {
			return "", errNoDraftPlan
		}
		thumbnail, err := w.thumbnail(ctx, job.Sidecar, plan.index)
		if err != nil {
			return "", err
		}
		m, err = plan.readThumbnail(thumbnail)
		if !errors.Is(err, errNoDraftPlan) {
			if err != nil {
				return "", err
			}
			break
		}
		m = nil
		w.turned = !w.turned
	}
	if m == nil {
		return "", errNoDraftPlan
	}
	return w.writeDraft(m, job.Quality)
}

// readThumbnail makes the preview of a thumbnail, and removes it.
func (p draftPlan) readThumbnail(path string) (image.Image, error) {
	m, err := Load(path)
	_ = os.Remove(path)
	if err != nil {
		return nil, err
	}
	return p.scaleThumbnail(m)
}

// writeDraft writes a preview beside the exports.
func (w *worker) writeDraft(m image.Image, quality int) (path string, err error) {
	path = w.tmp.path("out", "draft.jpg")
	f, err := os.Create(path)
	if err != nil {
		return "", err
	}
	return path, errors.Join(EncodeJPEG(f, m, quality), f.Close())
}

// rounding is what darktable adds to the edges of an export before it takes the
// whole number.
func (w *worker) rounding() float64 {
	if w.imports {
		return 0.8
	}
	return 0
}
