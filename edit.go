package chemigram

import (
	"context"
	"iter"

	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/versioning"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
	"github.com/chemigram/chemigram/xmp/mask"
)

// ApplyPrimitiveParams are the parameters of ApplyPrimitive.
type ApplyPrimitiveParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// PrimitiveName is the move's name, from list_vocabulary.
	PrimitiveName string `json:"primitive_name"`
	// Value is for a move with one parameter. Default: the move's own.
	Value *float64 `json:"value,omitempty"`
	// Values gives parameters by name. Missing ones have the move's defaults.
	Values map[string]float64 `json:"values,omitempty"`
	// Strength scales the whole move. Default: 1.
	Strength *Strength `json:"strength,omitempty"`
	// Mask limits the move to a part of the picture. Default: the move's own
	// mask, or the whole picture.
	Mask *Mask `json:"mask,omitempty"`
}

// EditResult is what a verb that changes the edit reports.
type EditResult struct {
	// StateAfter is the edit now.
	StateAfter State `json:"state_after"`
	// SnapshotHash is HEAD's snapshot.
	SnapshotHash string `json:"snapshot_hash"`
	// Changed is false when the look was so already; there is no new snapshot
	// then.
	Changed bool `json:"changed"`
}

// ApplyPrimitive applies a named move to the present edit and publishes the
// result as a snapshot. A move is set, not added: applying it again with the
// same values changes nothing, with other values it replaces the earlier
// application. Values are relative to this image's baseline. Within a mask it
// lives beside the same move elsewhere and adds to what is there; see
// preview_mask.
func (e *Engine) ApplyPrimitive(ctx context.Context, p ApplyPrimitiveParams) (_ EditResult, err error) {
	defer seal(&err, "apply_primitive", p.ImageID)
	if err := validate(&p); err != nil {
		return EditResult{}, err
	}
	entry, err := e.vocabulary.Entry(p.PrimitiveName)
	if err != nil {
		return EditResult{}, err
	}
	ctx, cancel := e.rendering(ctx, frameSeconds)
	defer cancel()
	change := versioning.Change{Op: "apply_primitive", Entry: entry.Name}
	return e.edit(ctx, p.ImageID, change, func(now session, change *versioning.Change) (*xmp.Sidecar, error) {
		next, values, err := now.applyWithin(ctx, entry, vocab.Application{
			Value: p.Value, Values: p.Values, Strength: (*float64)(p.Strength),
		}, p.Mask)
		change.Values = values
		return next, err
	})
}

// session is what an edit starts from.
type session struct {
	release        iop.Release
	head, baseline workspace.Version
	vocabulary     *vocab.Vocabulary
	roots          []string  // below which files of masks may lie; none: anywhere
	raw            mask.Size // in pixels, by its EXIF
	// frame measures how a look's picture lies in the raw.
	frame func(context.Context, *xmp.Sidecar) (mask.Frame, error)
}

// composition composes the next look from what an edit starts from; it may add
// to what the record says of the change.
type composition = func(session, *versioning.Change) (*xmp.Sidecar, error)

// edit is the one way in which a look changes: lock, read, compose, commit.
func (e *Engine) edit(ctx context.Context, id ImageID, change versioning.Change, compose composition) (EditResult, error) {
	prepared, err := e.prepare(ctx, id, change, compose)
	if err != nil {
		return EditResult{}, err
	}
	defer prepared.release()
	return prepared.commit()
}

// preparedEdit is a look that is composed and not yet published. It holds the
// image's lock until release.
type preparedEdit struct {
	ctx     context.Context // that knows of the lock
	img     *workspace.Image
	change  versioning.Change
	next    *xmp.Sidecar
	release func()
}

// prepare locks an image, reads it and composes its next look.
func (e *Engine) prepare(ctx context.Context, id ImageID, change versioning.Change, compose composition) (_ *preparedEdit, err error) {
	if err := e.writable(); err != nil {
		return nil, err
	}
	p := &preparedEdit{change: change}
	if p.img, err = e.image(id); err != nil {
		return nil, err
	}
	if p.ctx, p.release, err = p.img.History.Lock(ctx, change.Op); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			p.release()
		}
	}()
	now, err := e.begin(p.ctx, p.img, "")
	if err != nil {
		return nil, err
	}
	p.change.Actor, p.change.Darktable = e.actor(ctx), now.release.Version()
	p.next, err = compose(now, &p.change)
	return p, err
}

// commit publishes the look.
func (p *preparedEdit) commit() (EditResult, error) {
	after, changed, err := p.img.Commit(p.ctx, p.next, p.change)
	if err != nil {
		return EditResult{}, err
	}
	return EditResult{StateAfter: stateOf(after), SnapshotHash: after.Record.ID.String(), Changed: changed}, nil
}

// begin reads what an edit of a version starts from. The edit is written for the installed
// darktable; when there is none, for the one that made the baseline.
func (e *Engine) begin(ctx context.Context, img *workspace.Image, ref RefOrHash) (session, error) {
	var s session
	var err error
	if s.release, err = e.release(); err != nil {
		if s.release, err = iop.ReleaseFor(img.Darktable); err != nil {
			return s, err
		}
	}
	if s.head, err = img.At(ctx, string(ref)); err != nil {
		return s, err
	}
	if s.baseline, err = img.Baseline(ctx); err != nil {
		return s, err
	}
	s.release = s.release.Observe(modversions(s.baseline.Sidecar))
	s.vocabulary, s.roots = e.vocabulary, e.opts.RawRoots
	s.raw = mask.Size{Width: float64(img.EXIF.Width), Height: float64(img.EXIF.Height)}
	s.frame = func(ctx context.Context, look *xmp.Sidecar) (mask.Frame, error) {
		return e.frameOf(ctx, img, s.release, look)
	}
	return s, nil
}

// modversions yields what a darktable's own baseline shows of it: a darktable
// between two known releases, or after the last, is written to in a form that it
// is seen to understand.
func modversions(baseline *xmp.Sidecar) iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		for _, entry := range baseline.History() {
			if !yield(entry.Operation, entry.Modversion) {
				return
			}
		}
	}
}

// apply compiles a move against the session's head and gives the sidecar after
// it, with the values that were used.
func (s session) apply(ctx context.Context, entry *vocab.Entry, a vocab.Application) (*xmp.Sidecar, map[string]float64, error) {
	return s.applyWithin(ctx, entry, a, nil)
}
