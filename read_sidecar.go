package chemigram

import (
	"context"
)

// ReadSidecarParams are the parameters of ReadSidecar.
type ReadSidecarParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// RefOrHash is the version to read. Default: HEAD.
	RefOrHash RefOrHash `json:"ref_or_hash,omitempty"`
}

// ReadSidecarResult is a version as darktable keeps one.
type ReadSidecarResult struct {
	// XMP is the sidecar's text.
	XMP string `json:"xmp"`
	// StateHash is the hash of the look that it holds.
	StateHash string `json:"state_hash"`
}

// ReadSidecar gives a version as the text of a sidecar (.xmp): what
// ExportSidecar would write, without writing anything.
func (e *Engine) ReadSidecar(ctx context.Context, p ReadSidecarParams) (_ ReadSidecarResult, err error) {
	defer seal(&err, "read_sidecar", p.ImageID)
	if err := validate(&p); err != nil {
		return ReadSidecarResult{}, err
	}
	img, err := e.image(p.ImageID)
	if err != nil {
		return ReadSidecarResult{}, err
	}
	shown, sidecar, err := img.Marked(ctx, string(p.RefOrHash))
	if err != nil {
		return ReadSidecarResult{}, err
	}
	return ReadSidecarResult{XMP: string(sidecar.Bytes()), StateHash: shown.Record.State.String()}, nil
}
