package chemigram

import (
	"context"

	"github.com/chemigram/chemigram/internal/stack"
	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/xmp/mask"
)

// DiffParams are the parameters of Diff.
type DiffParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// HashA is the version to compare from.
	HashA RefOrHash `json:"hash_a"`
	// HashB is the version to compare with.
	HashB RefOrHash `json:"hash_b"`
	// TimeoutSeconds limits darktable's time.
	TimeoutSeconds TimeoutSeconds `json:"timeout_seconds,omitempty" default:"120"`
}

// DiffResult lists what differs between two versions.
type DiffResult struct {
	// Changes by module instance, in pipeline order.
	Changes []ModuleChange `json:"changes"`
}

// ModuleChange is what differs in one module instance.
type ModuleChange struct {
	// Module as darktable's history names it, such as exposure.
	Module string `json:"module"`
	// Instance is its name, or "#" and darktable's number where it has none of its
	// own; empty for the base instance.
	Instance string `json:"instance,omitempty"`
	// Kind is added, removed, changed, enabled, disabled, or mask when only its
	// blending or mask differs.
	Kind ChangeKind `json:"kind"`
	// Fields that differ.
	Fields []FieldChange `json:"fields,omitempty"`
	// Opaque is true when the parameters differ but their layout is unknown,
	// so that no fields can be named.
	Opaque bool `json:"opaque,omitempty"`
}

// ChangeKind is how a module instance differs between two versions.
type ChangeKind string

// FieldChange is one parameter that differs.
type FieldChange struct {
	// Name of the field, as darktable's module or a mask calls it:
	// mask.shapes[0].x, spots[2].radius.
	Name string `json:"name"`
	// Before is its value in the first version; empty when there is none.
	Before string `json:"before"`
	// After is its value in the second version; empty when there is none.
	After string `json:"after"`
	// Unit of the values, when it is known.
	Unit string `json:"unit,omitempty"`
}

// Diff shows what differs between two versions of an edit, in darktable's
// modules and named fields.
func (e *Engine) Diff(ctx context.Context, p DiffParams) (_ DiffResult, err error) {
	defer e.seal(&err, "diff", p.ImageID)
	img, err := e.imageToRead(&p, p.ImageID)
	if err != nil {
		return DiffResult{}, err
	}
	a, err := img.At(ctx, string(p.HashA))
	if err != nil {
		return DiffResult{}, err
	}
	b, err := img.At(ctx, string(p.HashB))
	if err != nil {
		return DiffResult{}, err
	}
	res := DiffResult{Changes: []ModuleChange{}}
	changes := stack.DiffSeen(a.Sidecar, b.Sidecar, e.seenFrame(ctx, img, b, p.TimeoutSeconds))
	if now, err := e.startFrom(ctx, img, b.Sidecar); err == nil { // the order is darktable's: without one it is not told
		changes = append(changes, stack.DiffOrder(now.Release, a.Sidecar, b.Sidecar)...)
	}
	for _, c := range changes {
		change := ModuleChange{
			Module: c.Module, Instance: c.Instance, Kind: ChangeKind(c.Kind), Fields: []FieldChange{}, Opaque: c.Opaque,
		}
		for _, field := range c.Fields {
			change.Fields = append(change.Fields, FieldChange(field))
		}
		res.Changes = append(res.Changes, change)
	}
	return res, ctx.Err()
}

// seenFrame is where the developed picture of a version lies in the raw, for telling
// where masks and spots are. It is measured only when there are any; without darktable
// or the raw, or when darktable's time is over, they are told in the raw's own frame,
// as their units say.
func (e *Engine) seenFrame(ctx context.Context, img *workspace.Image, version workspace.Version, limit TimeoutSeconds) mask.Frame {
	if len(version.Sidecar.Forms()) == 0 {
		return mask.Frame{}
	}
	now, err := e.startFrom(ctx, img, version.Sidecar)
	if err != nil {
		return mask.Frame{}
	}
	ctx, cancel := e.renderContext(ctx, limit)
	defer cancel()
	frame, err := now.Frame(ctx, now.Current)
	if err != nil {
		e.log.Debug("masks are told in the raw's frame", "image", img.ImageID, "error", err)
		return mask.Frame{}
	}
	return frame
}
