package chemigram

import (
	"context"
	"strings"

	"github.com/chemigram/chemigram/internal/compose"
	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/versioning"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/xmp"
)

// BindLayersParams are the parameters of BindLayers.
type BindLayersParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// L1Template is the name of an L1 move: technical corrections for this
	// camera and lens. Default: what is bound stays.
	L1Template string `json:"l1_template,omitempty"`
	// L2Template is the name of an L2 move: a starting look. Default: what is
	// bound stays.
	L2Template string `json:"l2_template,omitempty"`
	// TimeoutSeconds limits darktable's time.
	TimeoutSeconds TimeoutSeconds `json:"timeout_seconds,omitempty" default:"120"`
}

// BindLayersResult is what BindLayers reports.
type BindLayersResult struct {
	// StateAfter is the edit now.
	StateAfter State `json:"state_after"`
	// SnapshotHash is that of state_after.
	SnapshotHash string `json:"snapshot_hash"`
	// Event is HEAD's snapshot. Answers of tools leave it out: log has it.
	Event string `json:"-"`
	// Applied lists the moves that are bound now, of the layers given.
	Applied []string `json:"applied"`
	Looks
}

// BindLayers applies a technical template, a starting look, or both, as one
// snapshot. It replaces what was bound to the same layer before; moves of other
// layers stay.
func (e *Engine) BindLayers(ctx context.Context, p BindLayersParams) (_ BindLayersResult, err error) {
	defer e.seal(&err, "bind_layers", p.ImageID)
	if err := validate(&p); err != nil {
		return BindLayersResult{}, err
	}
	entries, err := e.templates(p)
	if err != nil {
		return BindLayersResult{}, err
	}
	applied := make([]string, len(entries))
	for i, entry := range entries {
		applied[i] = entry.Name
	}
	ctx, cancel := e.renderContext(ctx, p.TimeoutSeconds)
	defer cancel()
	change := versioning.Change{Op: "bind_layers", Entry: join(applied)}
	res, err := e.edit(ctx, p.ImageID, change, func(now compose.Start, _ *versioning.Change) (*xmp.Sidecar, error) {
		return now.Bind(ctx, entries...)
	})
	return BindLayersResult{StateAfter: res.StateAfter, SnapshotHash: res.SnapshotHash, Event: res.Event, Applied: applied, Looks: res.Looks}, err
}

// templates finds the moves to bind, L1 first, and refuses those of other layers.
func (e *Engine) templates(p BindLayersParams) ([]*vocab.Entry, error) {
	var entries []*vocab.Entry
	for _, bound := range []struct {
		layer vocab.Layer
		name  string
	}{{vocab.L1, p.L1Template}, {vocab.L2, p.L2Template}} {
		if bound.name == "" {
			continue
		}
		entry, err := e.move(bound.name)
		if err != nil {
			return nil, err
		}
		if entry.Layer != bound.layer {
			return nil, fault.Invalid("/"+strings.ToLower(string(bound.layer))+"_template", "%s is a move of layer %s, not %s", entry.Name, entry.Layer, bound.layer)
		}
		entries = append(entries, entry)
	}
	if len(entries) == 0 {
		return nil, fault.Invalid("", "name an l1_template, an l2_template, or both")
	}
	return entries, nil
}

// suggestBindings lists the L1 moves that were made for this camera, lens or
// sensitivity. A picture that is no raw has been through the camera's own corrections.
func (e *Engine) suggestBindings(exif EXIFSummary, baseline *xmp.Sidecar) []string {
	names := []string{}
	taken := vocab.Taken{Make: exif.Make, Model: exif.Model, LensModel: exif.LensModel, ISO: exif.ISO, KnownLens: func() bool {
		if e.darktable == nil {
			return false
		}
		_, raw := baseline.Find("rawprepare", "")
		lens, corrected := baseline.Find("lens", "")
		return raw && (!corrected || !lens.Enabled) && e.darktable.KnowsLens(exif.Make, exif.Model, exif.LensModel)
	}}
	for _, entry := range e.madeFor(taken) {
		names = append(names, entry.Name)
	}
	return names
}

// madeFor lists the L1 moves that say for which photographs they are, and are for one
// that was taken so.
func (e *Engine) madeFor(taken vocab.Taken) (entries []*vocab.Entry) {
	for _, entry := range e.vocabulary.List(vocab.Filter{Layer: vocab.L1}) {
		if entry.AppliesTo != nil && entry.AppliesTo.Fits(taken) {
			entries = append(entries, entry)
		}
	}
	return entries
}
