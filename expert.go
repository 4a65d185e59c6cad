package chemigram

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/versioning"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
)

// SetParametersParams are the parameters of SetParameters.
type SetParametersParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// ModuleName is a darktable module, such as "exposure".
	ModuleName string `json:"module_name"`
	// Instance is the name of an instance of its own, which is made when it is
	// missing. Default: the module's base instance.
	Instance string `json:"instance,omitempty"`
	// Fields to set; the others keep their values.
	Fields []FieldSetting `json:"fields"`
	// Enabled tells whether the module develops. Default: true.
	Enabled *bool `json:"enabled,omitempty"`
}

// FieldSetting sets one field of a module.
type FieldSetting struct {
	// Name of the field, as describe_module lists it.
	Name string `json:"name"`
	// Value as text: a number such as "0.7", "true" or "false", the name of an
	// enum's constant, or a text.
	Value string `json:"value"`
}

// SetParameters sets named fields of a darktable module directly, for experts
// and for authoring moves. Values are absolute, not relative to the baseline. A
// field that is not named keeps the value it has, or the module's default when
// the module is new. Out of the field's range is refused.
func (e *Engine) SetParameters(ctx context.Context, p SetParametersParams) (_ EditResult, err error) {
	defer seal(&err, "set_parameters", p.ImageID)
	if err := validate(&p); err != nil {
		return EditResult{}, err
	}
	change := versioning.Change{Op: "set_parameters", Entry: strings.TrimSuffix(p.ModuleName+":"+p.Instance, ":")}
	return e.edit(ctx, p.ImageID, change, func(now session, _ *versioning.Change) (*xmp.Sidecar, error) {
		entry, err := moduleEntry(now, p.ModuleName, p.Instance)
		if err != nil {
			return nil, err
		}
		params, err := iop.Decode(entry.Operation, entry.Modversion, entry.Params)
		if err != nil {
			return nil, err
		}
		if params, err = setFields(params, p.Fields); err != nil {
			return nil, err
		}
		entry.Params, entry.Enabled = params.Encode(), p.Enabled == nil || *p.Enabled
		entry.Origins = setByHand(entry.Origins)
		return now.head.Sidecar.With(now.release, xmp.Put{Entry: entry})
	})
}

// moduleEntry gives a module instance's entry, or a new one with the module's
// defaults.
func moduleEntry(now session, module, instance string) (xmp.Entry, error) {
	if entry, ok := now.head.Sidecar.Find(module, instance); ok {
		return entry, nil
	}
	m, err := installedModule(now.release, module)
	if err != nil {
		return xmp.Entry{}, err
	}
	if instance != "" && m.OneInstance() {
		return xmp.Entry{}, fault.New(fault.InvalidInput, "darktable has only one instance of %s: leave the instance out", module)
	}
	if m.NoHistory() {
		return xmp.Entry{}, fault.New(fault.InvalidInput, "darktable keeps no history of %s: it cannot be set", module)
	}
	params, err := now.release.Defaults(module)
	if err != nil {
		return xmp.Entry{}, err
	}
	return xmp.Entry{Operation: module, MultiName: instance, Modversion: m.Modversion, Params: params.Encode()}, nil
}

// installedModule finds a module in a darktable release.
func installedModule(release iop.Release, name string) (iop.Module, error) {
	if m, ok := release.Module(name); ok {
		return m, nil
	}
	for _, other := range iop.Releases() {
		if _, ok := other.Module(name); ok {
			return iop.Module{}, fault.New(fault.NotImplemented, "darktable %s has no module %s; darktable %s has it", release.Version(), name, other.Version()).
				With("capability", name).With("requires", "darktable "+other.Version())
		}
	}
	var names []string
	for _, m := range release.Modules() {
		names = append(names, m.Operation)
	}
	return iop.Module{}, fault.Missing("module", name, names)
}

func setFields(params iop.Params, settings []FieldSetting) (iop.Params, error) {
	if len(settings) == 0 {
		return params, fault.New(fault.InvalidInput, "fields is empty: name at least one field of %s", params.Operation())
	}
	var found []fault.Violation
	for i, s := range settings {
		next, err := setField(params, s)
		if refused, ok := errors.AsType[*iop.Error](err); ok {
			found = append(found, fault.Violation{Pointer: "/fields/" + strconv.Itoa(i), Expected: refused.Error(), Got: fault.Shorten(s.Value)})
			continue
		}
		if err != nil {
			return params, err
		}
		params = next
	}
	return params, fault.Violated(found)
}

// setField reads a value by the field's kind and sets it.
func setField(params iop.Params, s FieldSetting) (iop.Params, error) {
	info, err := iop.Field(params.Operation(), params.Modversion(), s.Name)
	if err != nil {
		return params, err
	}
	value := iop.Text(s.Value)
	switch info.Kind {
	case "bool":
		if b, err := strconv.ParseBool(s.Value); err == nil {
			value = iop.Bool(b)
		}
	case "text":
	default:
		if f, err := strconv.ParseFloat(s.Value, 64); err == nil {
			value = iop.Number(f)
		}
	}
	return params.With(s.Name, value)
}

// setByHand adds the mark of set_parameters to what made an entry.
func setByHand(origins []xmp.Origin) []xmp.Origin {
	mark := xmp.Origin{Entry: "set_parameters"}
	if slices.Contains(origins, mark) {
		return origins
	}
	return append(origins[:len(origins):len(origins)], mark)
}
