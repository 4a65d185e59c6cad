package stack

import (
	"cmp"
	"errors"
	"slices"
	"strconv"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
)

// Settings are fields of a module instance to set.
type Settings struct {
	// Module is darktable's name of it, and Instance the instance's: empty for
	// the base instance.
	Module, Instance string
	// Fields to set, at least one where Enabled does not say anything; the others keep
	// their values.
	Fields []Setting
	// Enabled is whether the instance develops; nil is true.
	Enabled *bool
}

// Setting gives one field its value, as text: a number, "true" or "false", the
// name of an enum's constant, or a text.
type Setting struct{ Name, Value string }

// setParameters marks what was set by its fields.
var setParameters = xmp.Origin{Entry: "set_parameters"}

// Set gives the current version with fields of one module instance set. An
// instance that is not there is added, with the module's defaults in the other
// fields.
func (s Stack) Set(settings Settings) (*xmp.Sidecar, error) {
	id, entry, err := s.instance(settings.Module, settings.Instance)
	if err != nil {
		return nil, err
	}
	params, err := iop.Decode(entry.Operation, entry.Modversion, entry.Params)
	if err != nil {
		return nil, err
	}
	if len(settings.Fields) == 0 && settings.Enabled == nil {
		return nil, fault.Invalid("/fields", "fields is empty: name at least one field of %s, or give enabled", settings.Module)
	}
	if params, err = setFields(params, settings.Fields); err != nil {
		return nil, err
	}
	entry.Params, entry.Enabled = params.Encode(), settings.Enabled == nil || *settings.Enabled
	if problem := tooSmallCrop(entry); problem != "" {
		return nil, fault.Invalid("/fields", "%s", problem)
	}
	if !slices.Contains(entry.Origins, setParameters) {
		entry.Origins = append(slices.Clip(entry.Origins), setParameters)
	}
	return s.Current.With(s.Release, id.put(entry, nil))
}

// Entry gives the current entry of a module instance, or a new one, disabled,
// with the module's defaults.
func (s Stack) Entry(module, instance string) (xmp.Entry, error) {
	_, entry, err := s.instance(module, instance)
	return entry, err
}

// instance is Entry with the instance's name.
func (s Stack) instance(module, instance string) (instanceID, xmp.Entry, error) {
	names := s.naming()
	if id, entry, ok := names.instances(s.Current).named(module, instance); ok {
		return id, entry, nil
	}
	id := instanceID{operation: module, name: instance}
	m, err := FindModule(s.Release, module)
	switch {
	case err != nil:
		return id, xmp.Entry{}, err
	case instance != "" && m.OneInstance():
		return id, xmp.Entry{}, fault.Invalid("/instance", "darktable has only one instance of %s: leave the instance out", module)
	case m.NoHistory():
		return id, xmp.Entry{}, fault.Invalid("/module_name", "darktable keeps no history of %s: it cannot be set", module)
	case names.shared[id] || numbered.MatchString(instance):
		return id, xmp.Entry{}, s.missing(module, id.String())
	}
	params, err := s.Release.Defaults(module)
	if err != nil {
		return id, xmp.Entry{}, err
	}
	return id, xmp.Entry{Operation: module, MultiName: instance, Modversion: m.Modversion, Params: params.Encode()}, nil
}

// setFields sets fields and reports all that are refused.
func setFields(params iop.Params, settings []Setting) (iop.Params, error) {
	var violations []fault.Violation
	for i, s := range settings {
		next, err := setField(params, s)
		if refused, ok := errors.AsType[*iop.Error](err); ok {
			at, got := "field_value", s.Value
			if refused.Kind == iop.UnknownField {
				at, got = "name", s.Name
			}
			violations = append(violations, fault.Violation{
				Pointer: "/fields/" + strconv.Itoa(i) + "/" + at, Expected: refused.Error(), Got: cmp.Or(fault.Shorten(got), `""`), Says: refused.Error(),
			})
			continue
		}
		if err != nil {
			return params, err
		}
		params = next
	}
	return params, fault.Violated(violations)
}

// setField reads a value as the field's type asks for and sets it.
func setField(params iop.Params, s Setting) (iop.Params, error) {
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
