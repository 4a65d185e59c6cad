package chemigram

import (
	"context"

	"github.com/chemigram/chemigram/render"
)

// An exportForm is what finished pictures have in common.
type exportForm struct {
	size       Size
	quality    Percent
	bitDepth   BitDepth
	colorSpace ColorSpace
	metadata   Metadata
	sharpen    Strength
	outputDir  string
}

// exportJob is the export of one version, but for its file's name and its time
// limit. dir is the folder to write to, which is made.
func (e *Engine) exportJob(ctx context.Context, item ExportItem, f exportForm) (job render.Job, dir string, err error) {
	img, err := e.image(item.ImageID)
	if err != nil {
		return job, "", err
	}
	shown, err := img.At(ctx, string(item.RefOrHash))
	if err == nil {
		err = img.CheckRaw()
	}
	if err != nil {
		return job, "", err
	}
	if dir, err = e.exportDir(f.outputDir, item.ImageID); err != nil {
		return job, "", err
	}
	look, err := e.sharpened(ctx, img, shown.Sidecar, f.size, f.sharpen)
	if err != nil {
		return job, "", err
	}
	return render.Job{
		Raw: img.Raw.Path, Sidecar: look.Bytes(), Size: int(f.size), HighQuality: true,
		Quality: int(f.quality), BitDepth: int(f.bitDepth), ColorSpace: string(f.colorSpace),
		Metadata: render.Metadata(f.metadata), State: shown.Record.State.String(),
	}, dir, nil
}
