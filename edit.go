package chemigram

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/chemigram/chemigram/versioning"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
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
}

// EditResult is what a verb that changes the edit reports.
type EditResult struct {
	// StateAfter is the state that the image is in now.
	StateAfter State `json:"state_after"`
	// SnapshotHash names the snapshot that HEAD is at now.
	SnapshotHash string `json:"snapshot_hash"`
	// Changed is false when the look was so already; there is no new snapshot
	// then.
	Changed bool `json:"changed"`
}

// ApplyPrimitive applies a named move to the present edit and publishes the
// result as a snapshot. A move is set, not added: applying it again with the
// same values changes nothing, with other values it replaces the earlier
// application. Values are relative to this image's baseline.
func (e *Engine) ApplyPrimitive(ctx context.Context, p ApplyPrimitiveParams) (_ EditResult, err error) {
	defer seal(&err, "apply_primitive", p.ImageID)
	if err := validate(&p); err != nil {
		return EditResult{}, err
	}
	entry, err := e.vocabulary.Entry(p.PrimitiveName)
	if err != nil {
		return EditResult{}, err
	}
	change := versioning.Change{Op: "apply_primitive", Entry: entry.Name}
	return e.edit(ctx, p.ImageID, change, func(now session, change *versioning.Change) ([]xmp.Edit, error) {
		if ok, reason := entry.Available(now.release); !ok {
			return nil, unavailable(entry, reason)
		}
		edits, values, err := entry.Compile(vocab.Application{
			Value: p.Value, Values: p.Values, Strength: (*float64)(p.Strength),
			Baseline: now.baseline.sidecar, Current: now.head.sidecar, Target: now.release,
		})
		change.Values = values
		return edits, err
	})
}

// session is what an edit starts from.
type session struct {
	release        iop.Release
	head, baseline version
}

// edit is the one way in which a look changes: lock, read, compose, commit.
func (e *Engine) edit(
	ctx context.Context, id ImageID, change versioning.Change,
	compose func(session, *versioning.Change) ([]xmp.Edit, error),
) (EditResult, error) {
	if err := e.writable(); err != nil {
		return EditResult{}, err
	}
	img, err := e.image(id)
	if err != nil {
		return EditResult{}, err
	}
	ctx, unlock, err := img.history.Lock(ctx, change.Op)
	if err != nil {
		return EditResult{}, err
	}
	defer unlock()

	now, err := e.begin(ctx, img)
	if err != nil {
		return EditResult{}, err
	}
	change.Actor, change.Darktable = e.opts.Actor, now.release.Version()
	edits, err := compose(now, &change)
	if err != nil {
		return EditResult{}, err
	}
	next, err := now.head.sidecar.With(now.release, edits...)
	if err != nil {
		return EditResult{}, err
	}
	after, changed, err := img.commit(ctx, next, change)
	if err != nil {
		return EditResult{}, err
	}
	return EditResult{StateAfter: after.state(), SnapshotHash: after.record.ID.String(), Changed: changed}, nil
}

// begin reads what an edit starts from. The edit is written for the installed
// darktable; when there is none, for the one that made the baseline.
func (e *Engine) begin(ctx context.Context, img *image) (session, error) {
	var s session
	var err error
	if s.release, err = e.release(); err != nil {
		if s.release, err = iop.ReleaseFor(img.Darktable); err != nil {
			return s, err
		}
	}
	if s.head, err = img.at(ctx, ""); err != nil {
		return s, err
	}
	s.baseline, err = img.baseline(ctx)
	return s, err
}

// RemoveModuleParams are the parameters of RemoveModule.
type RemoveModuleParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// ModuleName is a darktable module such as "exposure", or one instance of
	// it as "exposure:name".
	ModuleName string `json:"module_name"`
}

// RemoveModule takes back what edits did with a darktable module: instances
// that edits added go, and what the baseline had returns to its baseline form.
func (e *Engine) RemoveModule(ctx context.Context, p RemoveModuleParams) (_ EditResult, err error) {
	defer seal(&err, "remove_module", p.ImageID)
	if err := validate(&p); err != nil {
		return EditResult{}, err
	}
	module, instance, one := strings.Cut(p.ModuleName, ":")
	change := versioning.Change{Op: "remove_module", Entry: p.ModuleName}
	return e.edit(ctx, p.ImageID, change, func(now session, _ *versioning.Change) ([]xmp.Edit, error) {
		return removal(now, module, instance, one)
	})
}

// removal finds the instances of a module that differ from the baseline and
// the edits that take them back.
func removal(now session, module, instance string, one bool) ([]xmp.Edit, error) {
	var edits []xmp.Edit
	found := false
	for _, entry := range now.head.sidecar.History() {
		name := instanceName(entry)
		if entry.Operation != module || (one && name != instance) {
			continue
		}
		found = true
		original, inBaseline := now.baseline.sidecar.Find(module, name)
		switch {
		case !inBaseline:
			edits = append(edits, xmp.Remove{Operation: module, MultiName: name})
		case slices.Contains(needed, module) && sameContent(entry, original):
			return nil, fail(ErrInvalidInput, "%s cannot be removed: darktable does not develop a raw without it, and no edit has changed it", module)
		default:
			edits = append(edits, xmp.Put{Entry: original})
		}
	}
	if !found {
		return nil, missingModule(now.head.sidecar, module, instance, one)
	}
	return edits, nil
}

// sameContent tells whether two entries develop alike.
func sameContent(a, b xmp.Entry) bool {
	return a.Enabled == b.Enabled && a.Modversion == b.Modversion &&
		bytes.Equal(a.Params, b.Params) && bytes.Equal(a.Blend, b.Blend)
}

// needed are modules that darktable cannot develop a raw without.
var needed = []string{"rawprepare", "temperature", "highlights", "demosaic", "colorin", "colorout", "gamma"}

// instanceName is how an entry's instance is found: "" for the base instance.
func instanceName(entry xmp.Entry) string {
	if entry.MultiPriority == 0 {
		return ""
	}
	return entry.MultiName
}

// ResetParams are the parameters of Reset.
type ResetParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
}

// ResetResult is what Reset reports.
type ResetResult struct {
	// StateAfter is the baseline's state.
	StateAfter State `json:"state_after"`
	// Changed is false when the branch was at the baseline already.
	Changed bool `json:"changed"`
}

// Reset moves the branch back to the baseline: darktable's own development of
// this raw. The snapshots that the branch leaves stay in the history and can
// be reached by their hashes.
func (e *Engine) Reset(ctx context.Context, p ResetParams) (_ ResetResult, err error) {
	defer seal(&err, "reset", p.ImageID)
	if err := errors.Join(validate(&p), e.writable()); err != nil {
		return ResetResult{}, err
	}
	img, err := e.image(p.ImageID)
	if err != nil {
		return ResetResult{}, err
	}
	record, changed, err := img.history.Reset(ctx, baselineTag)
	if err != nil {
		return ResetResult{}, err
	}
	after, err := img.load(ctx, record)
	if err != nil {
		return ResetResult{}, err
	}
	return ResetResult{StateAfter: after.state(), Changed: changed}, nil
}
