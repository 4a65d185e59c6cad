package chemigram

import (
	"context"

	"github.com/chemigram/chemigram/internal/lists"
	"github.com/chemigram/chemigram/internal/stack"
	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/xmp"
)

// GetStateParams are the parameters of GetState.
type GetStateParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
}

// GetState gives the present state of an image's edit.
func (e *Engine) GetState(ctx context.Context, p GetStateParams) (_ State, err error) {
	defer e.seal(&err, "get_state", p.ImageID)
	img, err := e.imageToRead(&p, p.ImageID)
	if err != nil {
		return State{}, err
	}
	now, err := img.At(ctx, "")
	if err != nil {
		return State{}, err
	}
	return stateOf(now), nil
}

// stateOf is what get_state and state_after report.
func stateOf(v workspace.Version) State {
	hash := v.Record.State.String()
	s := State{HeadHash: &hash}
	for _, entry := range v.Sidecar.History() {
		s.EntryCount++
		if !entry.Enabled {
			continue
		}
		s.EnabledCount++
		for _, origin := range entry.Origins {
			switch Layer(origin.Layer) {
			case "L1":
				s.LayersPresent.L1 = true
			case "L2":
				s.LayersPresent.L2 = true
			case "L3":
				s.LayersPresent.L3 = true
			}
		}
	}
	return s
}

// Looks says which starting look (L2) an edit has. A picture has one at a time: another
// one replaces it, by whichever verb it comes.
type Looks struct {
	// ActiveLook is the starting look (L2) now, then looks within masks.
	ActiveLook string `json:"active_look,omitempty"`
	// Replaced lists looks that are there no more.
	Replaced []string `json:"replaced,omitempty"`
	// Warning of what may be wrong.
	Warning string `json:"warning,omitempty"`
}

// sidecarNow is an image's present edit; nil when it cannot be read, from which undo and
// reset lead back.
func sidecarNow(ctx context.Context, img *workspace.Image) *xmp.Sidecar {
	now, err := img.At(ctx, "")
	if err != nil {
		return nil
	}
	return now.Sidecar
}

// looksOf compares the looks of an edit with those that it had before; nil is one that
// is not known.
func looksOf(before, after *xmp.Sidecar) Looks {
	return Looks{ActiveLook: join(stack.Looks(after)), Replaced: stack.ReplacedLooks(before, after)}
}

// DescribeStateParams are the parameters of DescribeState.
type DescribeStateParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// RefOrHash is the version to describe. Default: HEAD.
	RefOrHash RefOrHash `json:"ref_or_hash,omitempty"`
	// TimeoutSeconds limits darktable's time.
	TimeoutSeconds TimeoutSeconds `json:"timeout_seconds,omitempty" default:"120"`
}

// DescribeStateResult is a version's whole history stack.
type DescribeStateResult struct {
	// State in short.
	State State `json:"state"`
	// Modules in pipeline order.
	Modules []ModuleState `json:"modules"`
}

// ModuleState is one module instance of a history stack.
type ModuleState struct {
	// Module as darktable's history names it, such as exposure.
	Module string `json:"module"`
	// Instance is its name, or "#" and darktable's number where it has none of its
	// own; empty for the base instance.
	Instance string `json:"instance,omitempty"`
	// Enabled is true when it develops.
	Enabled bool `json:"enabled"`
	// Modversion is the version of its parameters.
	Modversion int `json:"modversion"`
	// InBaseline is true when darktable itself set it up for this raw.
	InBaseline bool `json:"in_baseline"`
	// MadeBy lists the moves that set it, by name.
	MadeBy []string `json:"made_by,omitempty"`
	// Fields are its parameters, then its mask and spots. Elements of arrays are listed
	// only where they differ from the module's defaults or from the baseline.
	Fields []FieldState `json:"fields"`
	// Opaque is true when the layout of the parameters is unknown; they are kept as
	// they are.
	Opaque bool `json:"opaque,omitempty"`
}

// FieldState is one parameter of a module instance.
type FieldState struct {
	// Name of the field, as darktable's module or a mask calls it:
	// mask.shapes[0].x, spots[2].radius.
	Name string `json:"name"`
	// Value of the field.
	Value string `json:"value"`
	// Baseline is its value in the baseline when it differs; else empty.
	Baseline string `json:"baseline,omitempty"`
	// Unit of the value, when it is known.
	Unit string `json:"unit,omitempty"`
}

// DescribeState gives the whole history stack of a version in pipeline order
// and named fields: what darktable set up, what moves changed, and from what.
func (e *Engine) DescribeState(ctx context.Context, p DescribeStateParams) (_ DescribeStateResult, err error) {
	defer e.seal(&err, "describe_state", p.ImageID)
	img, err := e.imageToRead(&p, p.ImageID)
	if err != nil {
		return DescribeStateResult{}, err
	}
	now, err := img.At(ctx, string(p.RefOrHash))
	if err != nil {
		return DescribeStateResult{}, err
	}
	baseline, err := img.Baseline(ctx)
	if err != nil {
		return DescribeStateResult{}, err
	}
	res := DescribeStateResult{State: stateOf(now), Modules: []ModuleState{}}
	for _, m := range stack.DescribeSeen(now.Sidecar, baseline.Sidecar, e.seenFrame(ctx, img, now, p.TimeoutSeconds)) {
		module := ModuleState{
			Module: m.Module, Instance: m.Instance, Enabled: m.Enabled, Modversion: m.Modversion, InBaseline: m.InBaseline,
			MadeBy: lists.NotNil(m.MadeBy), Fields: []FieldState{}, Opaque: m.Opaque,
		}
		for _, field := range m.Fields {
			module.Fields = append(module.Fields, FieldState(field))
		}
		res.Modules = append(res.Modules, module)
	}
	return res, ctx.Err()
}
