package chemigram

import (
	"context"

	"github.com/chemigram/chemigram/internal/compose"
	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/versioning"
	"github.com/chemigram/chemigram/xmp"
)

// ResetParams are the parameters of Reset.
type ResetParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// Layers says what becomes of bound templates (L1) and looks (L2).
	Layers ResetLayers `json:"layers,omitempty" default:"keep"`
	// TimeoutSeconds limits darktable's time.
	TimeoutSeconds TimeoutSeconds `json:"timeout_seconds,omitempty" default:"120"`
}

// ResetLayers says what a reset does with L1 and L2: keep or drop.
type ResetLayers string

// What a reset does with L1 and L2.
const (
	KeepLayers ResetLayers = "keep"
	DropLayers ResetLayers = "drop"
)

// ResetResult is what Reset reports.
type ResetResult struct {
	// StateAfter is the edit now.
	StateAfter State `json:"state_after"`
	// Changed is false when the branch was there already.
	Changed bool `json:"changed"`
	Looks
}

// Reset moves the branch back to the baseline: darktable's own development of
// this raw, with the L1 and L2 that are bound, or without. The snapshots that the
// branch leaves stay in the history. An edit that cannot be read is left without them.
func (e *Engine) Reset(ctx context.Context, p ResetParams) (_ ResetResult, err error) {
	defer e.seal(&err, "reset", p.ImageID)
	if err := e.validateWrite(&p); err != nil {
		return ResetResult{}, err
	}
	ctx, cancel := e.renderContext(ctx, p.TimeoutSeconds)
	defer cancel()
	img, err := e.image(p.ImageID)
	if err != nil {
		return ResetResult{}, err
	}
	ctx, unlock, err := img.History.Lock(ctx, "reset")
	if err != nil {
		return ResetResult{}, err
	}
	defer unlock()
	before := sidecarNow(ctx, img)
	if bound := compose.Bound(before); len(bound) > 0 && p.Layers == KeepLayers {
		return e.resetTo(ctx, p.ImageID, bound)
	}
	record, changed, err := img.History.Reset(ctx, workspace.BaselineTag)
	if err != nil {
		return ResetResult{}, err
	}
	after, err := img.Load(ctx, record)
	if err != nil {
		return ResetResult{}, err
	}
	return ResetResult{StateAfter: stateOf(after), Changed: changed, Looks: looksOf(before, after.Sidecar)}, nil
}

// resetTo makes a snapshot of the baseline with what is bound, which follows the
// baseline's own.
func (e *Engine) resetTo(ctx context.Context, id ImageID, bound []string) (ResetResult, error) {
	change := versioning.Change{Op: "reset", Entry: join(bound), Onto: workspace.BaselineTag}
	res, err := e.edit(ctx, id, change, func(now compose.Start, _ *versioning.Change) (*xmp.Sidecar, error) {
		return now.Reset(ctx)
	})
	return ResetResult{StateAfter: res.StateAfter, Changed: res.Changed, Looks: res.Looks}, err
}

// UndoParams are the parameters of Undo and Redo.
type UndoParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
}

// UndoResult is the edit after Undo or Redo.
type UndoResult struct {
	// StateAfter is the edit now.
	StateAfter State `json:"state_after"`
	// SnapshotHash is that of state_after.
	SnapshotHash string `json:"snapshot_hash"`
	// Event is the snapshot that HEAD is at now.
	Event string `json:"event"`
	Looks
}

// Undo takes back the newest movement of the branch, be it an edit or a reset.
// Nothing is lost: redo goes forward again.
func (e *Engine) Undo(ctx context.Context, p UndoParams) (_ UndoResult, err error) {
	defer e.seal(&err, "undo", p.ImageID)
	return e.step(ctx, p, (*versioning.History).Undo)
}

// Redo takes back the newest undo of the branch.
func (e *Engine) Redo(ctx context.Context, p UndoParams) (_ UndoResult, err error) {
	defer e.seal(&err, "redo", p.ImageID)
	return e.step(ctx, p, (*versioning.History).Redo)
}

func (e *Engine) step(
	ctx context.Context, p UndoParams, move func(*versioning.History, context.Context) (versioning.Record, error),
) (UndoResult, error) {
	img, err := e.imageToWrite(&p, p.ImageID)
	if err != nil {
		return UndoResult{}, err
	}
	before := sidecarNow(ctx, img)
	record, err := move(img.History, ctx)
	if err != nil {
		return UndoResult{}, err
	}
	now, err := img.Load(ctx, record)
	if err != nil {
		return UndoResult{}, err
	}
	return UndoResult{
		StateAfter: stateOf(now), SnapshotHash: record.State.String(), Event: record.ID.String(),
		Looks: looksOf(before, now.Sidecar),
	}, nil
}
