package chemigram

import (
	"context"
	"slices"
	"strings"

	"github.com/chemigram/chemigram/internal/compose"
	"github.com/chemigram/chemigram/internal/probe"
	"github.com/chemigram/chemigram/internal/stack"
	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/versioning"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/xmp"
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
	// TimeoutSeconds limits darktable's time.
	TimeoutSeconds TimeoutSeconds `json:"timeout_seconds,omitempty" default:"120"`
}

// EditResult is what a verb that changes the edit reports.
type EditResult struct {
	// StateAfter is the edit now.
	StateAfter State `json:"state_after"`
	// SnapshotHash is that of state_after.
	SnapshotHash string `json:"snapshot_hash"`
	// Event is HEAD's snapshot. Answers of tools leave it out: log has it.
	Event string `json:"-"`
	// Changed is false when the look was so already; there is no new snapshot
	// then.
	Changed bool `json:"changed"`
	// MaskConfidence is how much of a found mask is probably right, 0 to 1.
	MaskConfidence *float64 `json:"mask_confidence,omitempty" decimals:"2"`
	Looks
	// Applied says with which values the moves were applied.
	Applied []AppliedMove `json:"applied,omitempty"`
	// Visible is false when nobody would see any of these moves so; else left out.
	Visible *bool `json:"visible,omitempty"`
}

// AppliedMove is a move with its values.
type AppliedMove struct {
	// Move by name.
	Move string `json:"move"`
	// Values that were used, all of them.
	Values []AppliedValue `json:"values,omitempty"`
	// Visible is false when nobody would see the move at these values; else left out.
	Visible *bool `json:"visible,omitempty"`
}

// AppliedValue is the value of one parameter.
type AppliedValue struct {
	// Name of the parameter.
	Name string `json:"name"`
	// Value that was used.
	Value float64 `json:"value"`
	// Unit of the value; empty for a plain number.
	Unit string `json:"unit,omitempty"`
}

// ApplyPrimitive applies a named move to the present edit and publishes it as a
// snapshot. A move is set, not added: the same values again change nothing,
// others replace the earlier ones, and a look replaces another look. Values are
// relative to this image's baseline. Within a mask it lives beside the same move
// elsewhere and adds to what is there; see preview_mask.
func (e *Engine) ApplyPrimitive(ctx context.Context, p ApplyPrimitiveParams) (_ EditResult, err error) {
	defer e.seal(&err, "apply_primitive", p.ImageID)
	if err := validate(&p); err != nil {
		return EditResult{}, err
	}
	entry, err := e.move(p.PrimitiveName)
	if err != nil {
		return EditResult{}, err
	}
	ctx, cancel := e.renderContext(ctx, p.TimeoutSeconds)
	defer cancel()
	change := versioning.Change{Op: "apply_primitive", Entry: entry.Name}
	var applied AppliedMove
	res, err := e.edit(ctx, p.ImageID, change, func(now compose.Start, change *versioning.Change) (*xmp.Sidecar, error) {
		next, values, err := now.Apply(ctx, entry, vocab.Application{
			Value: p.Value, Values: p.Values, Strength: (*float64)(p.Strength),
		}, p.Mask)
		change.Values = values
		applied = appliedMove(entry, values, p.Strength, p.Mask)
		return next, err
	})
	if err != nil {
		return EditResult{}, err
	}
	return res.with(applied), nil
}

// appliedMove says how a move was applied.
func appliedMove(entry *vocab.Entry, values map[string]float64, strength *Strength, limit *Mask) AppliedMove {
	applied := AppliedMove{Move: entry.Name}
	for _, p := range entry.Parameters {
		applied.Values = append(applied.Values, AppliedValue{Name: p.Name, Value: values[p.Name], Unit: p.Unit})
	}
	share := 1.0
	if strength != nil {
		share = float64(*strength)
	}
	if limit != nil && limit.Opacity != nil {
		share *= float64(*limit.Opacity)
	}
	if entry.Unseen(values, share) {
		applied.Visible = new(false)
	}
	return applied
}

// with is the result with what was applied.
func (r EditResult) with(moves ...AppliedMove) EditResult {
	r.Applied = moves
	if !slices.ContainsFunc(moves, func(m AppliedMove) bool { return m.Visible == nil }) {
		r.Visible = new(false)
	}
	return r
}

// composition composes the next look from what an edit starts from; it may add
// to what the record says of the change.
type composition = func(compose.Start, *versioning.Change) (*xmp.Sidecar, error)

// edit is the one way in which a look changes: lock, read, compose, commit.
func (e *Engine) edit(ctx context.Context, id ImageID, change versioning.Change, next composition) (EditResult, error) {
	prepared, err := e.prepare(ctx, id, change, next)
	if err != nil {
		return EditResult{}, err
	}
	defer prepared.release()
	return e.commit(ctx, prepared)
}

// preparedEdit is a look that is composed and not yet published. It holds the
// image's lock until release.
type preparedEdit struct {
	workspace.Edit
	before  *xmp.Sidecar
	release func()
	sure    *compose.Sureness
	warning string
}

// prepare locks an image, reads it and composes its next look.
func (e *Engine) prepare(ctx context.Context, id ImageID, change versioning.Change, next composition) (_ *preparedEdit, err error) {
	if err := e.workspace.CheckWritable(); err != nil {
		return nil, err
	}
	p := &preparedEdit{Edit: workspace.Edit{Change: change}}
	if p.Image, err = e.image(id); err != nil {
		return nil, err
	}
	if p.Ctx, p.release, err = p.Image.History.Lock(ctx, change.Op); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			p.release()
		}
	}()
	now, err := e.start(p.Ctx, p.Image, "")
	if err != nil {
		return nil, err
	}
	p.before, p.sure = now.Current, now.Sure
	p.Change.Darktable = now.Release.Version()
	if p.Next, err = next(now, &p.Change); err != nil {
		return nil, err
	}
	if p.Next, err = now.Reframe(p.Ctx, p.Next); err != nil {
		return nil, err
	}
	p.warning = e.installed.Unsure(e.darktable, func() []string { return stack.Written(p.before, p.Next) })
	return p, now.CheckNext(p.Next)
}

// commit publishes a look.
func (e *Engine) commit(ctx context.Context, edit *preparedEdit) (EditResult, error) {
	done, err := e.workspace.Commit(ctx, edit.Edit)
	if err != nil {
		return EditResult{}, err
	}
	return edit.result(done), nil
}

// result is what an edit reports once it is published.
func (p *preparedEdit) result(done workspace.Committed) EditResult {
	res := EditResult{
		StateAfter: stateOf(done.Version), SnapshotHash: done.Version.Record.State.String(),
		Event: done.Version.Record.ID.String(), Changed: done.Changed, MaskConfidence: p.sure.Confidence,
		Looks: looksOf(p.before, done.Version.Sidecar),
	}
	warnings := p.sure.Warnings
	if p.warning != "" {
		warnings = append(warnings, p.warning)
	}
	res.Warning = strings.Join(warnings, "; ")
	return res
}

// start reads what an edit of a version starts from.
func (e *Engine) start(ctx context.Context, img *workspace.Image, ref RefOrHash) (compose.Start, error) {
	current, err := img.At(ctx, string(ref))
	if err != nil {
		return compose.Start{}, err
	}
	return e.startFrom(ctx, img, current.Sidecar)
}

// startFrom reads what an edit of a look starts from. The edit is written for the
// installed darktable; when there is none, for the one that made the baseline.
func (e *Engine) startFrom(ctx context.Context, img *workspace.Image, current *xmp.Sidecar) (compose.Start, error) {
	release, version, err := e.releaseFor(img)
	if err != nil {
		return compose.Start{}, err
	}
	baseline, err := img.Baseline(ctx)
	if err != nil {
		return compose.Start{}, err
	}
	now := stack.NewFor(release, version, img.Darktable, current, baseline.Sidecar)
	s := compose.Start{
		Stack:      now,
		Vocabulary: e.vocabulary,
		Raw:        mask.Size{Width: float64(img.EXIF.Width), Height: float64(img.EXIF.Height)},
		OpenMask:   e.openMask,
		CheckEntry: e.proofs.CheckEntry,
		CheckMask:  e.proofs.CheckMask,
		Sure:       &compose.Sureness{},
	}
	s.Frame = func(ctx context.Context, look *xmp.Sidecar) (mask.Frame, error) {
		return e.probe.Frame(ctx, rawOf(ctx, img), s.Release, look)
	}
	s.Size = func(ctx context.Context, look *xmp.Sidecar) (mask.Size, error) {
		return e.probe.Size(ctx, rawOf(ctx, img), s.Release, look)
	}
	s.Region = func(ctx context.Context, request mask.Request) (compose.Region, error) {
		return e.region(ctx, img, now, request)
	}
	return s, nil
}

// readable gives a look as the installed darktable reads it, or refuses one that
// needs a newer darktable.
func (e *Engine) readable(ctx context.Context, img *workspace.Image, look *xmp.Sidecar) (*xmp.Sidecar, error) {
	now, err := e.startFrom(ctx, img, look)
	if err != nil {
		return nil, err
	}
	return stack.Readable(look, now.Release)
}

// rawOf is the file that an image is developed from.
func rawOf(ctx context.Context, img *workspace.Image) probe.Raw {
	return probe.Raw{Path: img.Raw.Path, Digest: img.Raw.SHA256, Check: checkRaw(ctx, img)}
}

// checkRaw gives a function that makes sure that an image's raw is the file that was
// ingested. It does so also when ctx has ended: others may wait for the same picture.
func checkRaw(ctx context.Context, img *workspace.Image) func() error {
	ctx = context.WithoutCancel(ctx)
	return func() error { return img.CheckRaw(ctx) }
}
