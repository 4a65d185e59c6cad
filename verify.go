package chemigram

import (
	"context"
	"errors"
	"io/fs"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/versioning"
	"github.com/chemigram/chemigram/xmp"
)

// VerifyParams are the parameters of Verify and Repair.
type VerifyParams struct {
	// ImageID names the image. Default: every image of the workspace.
	ImageID ImageID `json:"image_id,omitempty"`
	// Remote is verified, as a whole, in place of images. Repair mends none: a push from
	// a workspace that has all does.
	Remote RemoteName `json:"remote,omitempty"`
}

// VerifyResult lists what is wrong; an empty list is a healthy workspace.
type VerifyResult struct {
	// Findings by image.
	Findings []FaultFinding `json:"findings"`
	// Images is how many images were checked.
	Images int `json:"images"`
}

// FaultFinding is one thing that is wrong.
type FaultFinding struct {
	// ImageID of the image concerned; empty for the workspace itself.
	ImageID ImageID `json:"image_id,omitempty"`
	// Fault is the kind of what is wrong, such as missing_state or raw_changed.
	Fault FaultKind `json:"fault"`
	// File concerned, when it is one.
	File string `json:"file,omitempty"`
	// Name of the ref, snapshot or state concerned, when it is known.
	Name string `json:"name,omitempty"`
	// Detail says what is wrong, and what is lost by it.
	Detail string `json:"detail"`
	// Advice says what to do.
	Advice string `json:"advice"`
	// Repaired is true when this call has mended it.
	Repaired bool `json:"repaired,omitempty"`
}

// FaultKind is the kind of a fault.
type FaultKind string

// Verify reads everything that is kept about an image, or about all of them,
// and names every fault: damaged or missing snapshots and states, refs that lead
// nowhere, states that do not parse, and a raw that is missing or has changed.
// It costs reading the whole history and the raw. Of a remote it reads every object,
// and follows every branch.
func (e *Engine) Verify(ctx context.Context, p VerifyParams) (_ VerifyResult, err error) {
	defer e.seal(&err, "verify", p.ImageID)
	return e.verify(ctx, p, false)
}

// Repair does what verify does, and mends what is safe to mend: it removes
// temporary files and torn ends, makes indexes again, and leads refs that point
// at something damaged back to their newest whole snapshot. What is damaged is
// kept in the trash. With the image_id of a folder that is no image any more, as it
// has no image.json, it moves that to the trash.
func (e *Engine) Repair(ctx context.Context, p VerifyParams) (_ VerifyResult, err error) {
	defer e.seal(&err, "repair", p.ImageID)
	if err := e.workspace.CheckWritable(); err != nil {
		return VerifyResult{}, err
	}
	return e.verify(ctx, p, true)
}

func (e *Engine) verify(ctx context.Context, p VerifyParams, repair bool) (VerifyResult, error) {
	if err := validate(&p); err != nil {
		return VerifyResult{}, err
	}
	if p.Remote != "" {
		return e.verifyRemote(ctx, p, repair)
	}
	ids := []string{string(p.ImageID)}
	if p.ImageID == "" {
		var err error
		if ids, err = e.workspace.IDs(); err != nil {
			return VerifyResult{}, err
		}
	}
	res := VerifyResult{Findings: []FaultFinding{}, Images: len(ids)}
	for _, id := range ids {
		if p.ImageID == "" && e.workspace.IsHalf(id) {
			continue // the workspace's check names it
		}
		findings, err := e.verifyImage(ctx, ImageID(id), repair)
		switch {
		case p.ImageID == "" && errors.Is(err, fault.NotFound):
			continue // no image, or deleted meanwhile: the workspace's check names it
		case err != nil && (p.ImageID != "" || ctx.Err() != nil):
			return VerifyResult{}, err
		case err != nil:
			findings = append(findings, unreadable(ImageID(id), err))
		}
		res.Findings = append(res.Findings, findings...)
	}
	if p.ImageID == "" {
		for _, f := range e.workspace.Check(repair) {
			res.Findings = append(res.Findings, faultFinding(f))
		}
	}
	return res, nil
}

func (e *Engine) verifyRemote(ctx context.Context, p VerifyParams, repair bool) (VerifyResult, error) {
	if p.ImageID != "" || repair {
		return VerifyResult{}, fault.Invalid("/remote", "a remote is verified as a whole, and mended by a push from a workspace that has all: leave out the remote, or image_id")
	}
	found, images, err := e.exchange.Verify(ctx, string(p.Remote))
	res := VerifyResult{Findings: []FaultFinding{}, Images: images}
	for _, f := range found {
		res.Findings = append(res.Findings, faultFinding(f))
	}
	return res, err
}

// faultFinding is a finding of the workspace itself, or of a remote.
func faultFinding(f workspace.Finding) FaultFinding {
	return FaultFinding{Fault: FaultKind(f.Fault), File: f.File, Detail: f.Detail, Advice: f.Advice, Repaired: f.Repaired}
}

func (e *Engine) verifyImage(ctx context.Context, id ImageID, repair bool) ([]FaultFinding, error) {
	img, err := e.image(id)
	if errors.Is(err, fault.NotFound) {
		if half, ok := e.workspace.CheckHalf(ctx, string(id), repair); ok {
			return []FaultFinding{faultFinding(half)}, nil
		}
	}
	if known, ok := errors.AsType[*fault.Error](err); ok && known.Kind != fault.NotFound {
		return []FaultFinding{{
			ImageID: id, Fault: "damaged_image", File: "image.json", Detail: known.Message,
			Advice: "put image.json back from a backup; the history beside it is whole by itself",
		}}, nil
	}
	if err != nil {
		return nil, err
	}
	faults, err := img.History.Verify(ctx, &versioning.VerifyOptions{Repair: repair})
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, versioning.NotInitialised) || errors.Is(err, versioning.IO) {
		err = e.orMissing(id, err)
		if !errors.Is(err, fault.NotFound) {
			return []FaultFinding{unreadable(id, err)}, nil
		}
	}
	if err != nil {
		return nil, err
	}
	var out []FaultFinding
	for _, f := range faults {
		out = append(out, FaultFinding{
			ImageID: id, Fault: FaultKind(f.Fault), File: f.File, Name: f.Name,
			Detail: f.Detail, Advice: f.Advice, Repaired: f.Repaired,
		})
	}
	for _, f := range append(img.CheckFiles(ctx, repair), img.CheckContent(ctx)...) {
		finding := faultFinding(f)
		finding.ImageID = id
		out = append(out, finding)
	}
	if _, _, err := img.Marks(); err != nil {
		out = append(out, FaultFinding{
			ImageID: id, Fault: "damaged_image", File: "marks.json", Detail: AsError(err).Message,
			Advice: "put marks.json back from a backup, or remove it and rate the picture again; the edit is not touched by it",
		})
	}
	return append(out, verifyHead(ctx, img)...), nil
}

// unreadable is the finding of an image whose history cannot be checked.
func unreadable(id ImageID, err error) FaultFinding {
	return FaultFinding{
		ImageID: id, Fault: "unreadable", File: "history", Detail: AsError(err).Message,
		Advice: "see to what is wrong and check again, put the history back from a backup, or delete the image",
	}
}

// verifyHead makes sure that the look of today can be read.
func verifyHead(ctx context.Context, img *workspace.Image) []FaultFinding {
	_, err := img.At(ctx, "")
	if failure, ok := errors.AsType[*xmp.Error](err); ok {
		return []FaultFinding{{
			ImageID: ImageID(img.ImageID), Fault: "unreadable_state", Name: "HEAD", Detail: failure.Error(),
			Advice: "check out an older snapshot; a newer Chemigram may be able to read it",
		}}
	}
	return nil
}
