package chemigram

import (
	"context"
	"strings"

	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
)

// DescribeStateParams are the parameters of DescribeState.
type DescribeStateParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// RefOrHash is the version to describe. Default: HEAD.
	RefOrHash RefOrHash `json:"ref_or_hash,omitempty"`
}

// DescribeStateResult is a version's whole history stack.
type DescribeStateResult struct {
	// State in numbers.
	State State `json:"state"`
	// Modules in pipeline order.
	Modules []ModuleState `json:"modules"`
}

// ModuleState is one module instance of a history stack.
type ModuleState struct {
	// Module is darktable's name of it.
	Module string `json:"module"`
	// Instance is the instance's name; empty for the base instance.
	Instance string `json:"instance"`
	// Enabled tells whether it develops.
	Enabled bool `json:"enabled"`
	// Modversion is the version of its parameters.
	Modversion int `json:"modversion"`
	// InBaseline tells whether darktable itself set it up for this raw.
	InBaseline bool `json:"in_baseline"`
	// MadeBy lists the moves that set it, by name.
	MadeBy []string `json:"made_by"`
	// Fields are its parameters.
	Fields []FieldState `json:"fields"`
	// Opaque is true when the layout of the parameters is unknown; they are
	// carried as they are.
	Opaque bool `json:"opaque"`
}

// FieldState is one parameter of a module instance.
type FieldState struct {
	// Name of the field, as darktable's module calls it.
	Name string `json:"name"`
	// Value it has.
	Value string `json:"value"`
	// Baseline is its value in the baseline when it differs; else empty.
	Baseline string `json:"baseline"`
	// Unit of the value, when it is known.
	Unit string `json:"unit"`
}

// DescribeState gives the whole history stack of a version in pipeline order
// and named fields: what darktable set up, what moves changed, and from what.
// Elements of arrays are listed only where they differ from the module's
// defaults or from the baseline.
func (e *Engine) DescribeState(ctx context.Context, p DescribeStateParams) (_ DescribeStateResult, err error) {
	defer seal(&err, "describe_state", p.ImageID)
	if err := validate(&p); err != nil {
		return DescribeStateResult{}, err
	}
	img, err := e.image(p.ImageID)
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
	for _, entry := range now.Sidecar.History() {
		res.Modules = append(res.Modules, describe(entry, baseline.Sidecar))
	}
	return res, nil
}

func describe(entry xmp.Entry, baseline *xmp.Sidecar) ModuleState {
	original, inBaseline := baseline.Find(entry.Operation, instanceName(entry))
	m := ModuleState{
		Module: entry.Operation, Instance: instanceName(entry), Enabled: entry.Enabled,
		Modversion: entry.Modversion, InBaseline: inBaseline, MadeBy: []string{}, Fields: []FieldState{},
	}
	for _, origin := range entry.Origins {
		m.MadeBy = append(m.MadeBy, origin.Entry)
	}
	params, err := iop.Decode(entry.Operation, entry.Modversion, entry.Params)
	if err != nil {
		m.Opaque = true
		return m
	}
	was := map[string]string{}
	if inBaseline {
		if before, err := iop.Decode(original.Operation, original.Modversion, original.Params); err == nil {
			for _, d := range iop.Diff(before, params) {
				was[d.Name] = d.Before.String()
			}
		}
	}
	m.Fields = append(m.Fields, fieldStates(params, was)...)
	return m
}

// fieldStates lists the parameters. was has the baseline's values of those
// that differ from it.
func fieldStates(params iop.Params, was map[string]string) []FieldState {
	var out []FieldState
	for name, value := range params.All() {
		info, err := iop.Field(params.Operation(), params.Modversion(), name)
		if err != nil {
			continue
		}
		before, differs := was[name]
		if isElement(name) && !differs && value.Equal(info.Default) {
			continue
		}
		out = append(out, FieldState{Name: name, Value: value.String(), Baseline: before, Unit: info.Unit})
	}
	return out
}

// isElement tells whether a field is an element of an array.
func isElement(name string) bool { return strings.ContainsRune(name, '[') }
