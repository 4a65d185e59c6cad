package chemigram

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/chemigram/chemigram/internal/compose"
	"github.com/chemigram/chemigram/internal/lists"
	"github.com/chemigram/chemigram/internal/stack"
	"github.com/chemigram/chemigram/versioning"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
)

// DescribeModuleParams are the parameters of DescribeModule.
type DescribeModuleParams struct {
	// ModuleName is a darktable module, such as "exposure".
	ModuleName string `json:"module_name"`
	// Query chooses fields whose name or description contains these words.
	Query string `json:"query,omitempty"`
	// Limit is how many fields to give.
	Limit Limit `json:"limit,omitempty" default:"100"`
	// Offset is how many fields to skip.
	Offset Offset `json:"offset,omitempty"`
}

// DescribeModuleResult is a darktable module with its fields.
type DescribeModuleResult struct {
	// Module as darktable's history names it.
	Module string `json:"module"`
	// DisplayName is what darktable's window calls it.
	DisplayName string `json:"display_name"`
	// Darktable is the release that is described: the installed one, or the
	// newest that is known when none is installed.
	Darktable string `json:"darktable"`
	// Available is true when the installed darktable has the module.
	Available bool `json:"available"`
	// UnavailableReason says why it is not available; empty when it is.
	UnavailableReason string `json:"unavailable_reason"`
	// Modversion is the version of its parameters.
	Modversion int `json:"modversion"`
	// OneInstance is true when the module can have no second instance.
	OneInstance bool `json:"one_instance"`
	// Masks is true when a mask can limit the module.
	Masks bool `json:"masks"`
	// Deprecated is true when darktable keeps the module for old edits only.
	Deprecated bool `json:"deprecated"`
	// Fields of this page.
	Fields []ModuleField `json:"fields"`
	// Total number of fields that the query chooses.
	Total int `json:"total"`
}

// ModuleField is one parameter of a darktable module.
type ModuleField struct {
	// Name to set it by.
	Name string `json:"name"`
	// Description in darktable's own words; may be empty.
	Description string `json:"description,omitempty"`
	// Kind is float, int, uint, ushort, int8, bool, enum, text or opaque.
	Kind FieldKind `json:"kind"`
	// Unit of the value; empty when it has none or it is not known.
	Unit string `json:"unit,omitempty"`
	// Range that darktable allows, such as "-18 to 18"; empty when it declares
	// none.
	Range string `json:"range,omitempty"`
	// Default is the value that the module sets by itself.
	Default string `json:"default,omitempty"`
	// Neutral is the value that changes nothing; empty when there is none or
	// it is not known.
	Neutral string `json:"neutral,omitempty"`
	// Gate says when the field matters: "shadows_C" while that field is not
	// neutral, "mode:NAME" while that field has that value; empty always.
	Gate string `json:"gate,omitempty"`
	// Note is what else to know; may be empty.
	Note string `json:"note,omitempty"`
	// Values are the constants of an enum.
	Values []EnumConstant `json:"values,omitempty"`
}

// FieldKind is the type of a module's field.
type FieldKind string

// EnumConstant is one value of an enum field.
type EnumConstant struct {
	// Name to set it by.
	Name string `json:"name"`
	// Description in darktable's own words; may be empty.
	Description string `json:"description,omitempty"`
}

// DescribeModule lists what can be set in a darktable module: fields with their
// range, unit, default, neutral value and enum constants, as the installed
// darktable has them.
func (e *Engine) DescribeModule(ctx context.Context, p DescribeModuleParams) (_ DescribeModuleResult, err error) {
	defer seal(&err, "describe_module", "")
	if err := validate(&p); err != nil {
		return DescribeModuleResult{}, err
	}
	release, err := e.release()
	res := DescribeModuleResult{Available: err == nil, Fields: []ModuleField{}}
	if err != nil {
		known := iop.Releases()
		release = known[len(known)-1]
		res.UnavailableReason = "no darktable is installed that Chemigram can use"
	}
	m, err := stack.FindModule(release, p.ModuleName)
	if err != nil {
		return DescribeModuleResult{}, err
	}
	fields, err := release.Fields(p.ModuleName)
	if err != nil && !isOpaque(err) {
		return DescribeModuleResult{}, err
	}
	res.Module, res.DisplayName, res.Darktable, res.Modversion = m.Operation, m.Name, release.Version(), m.Modversion
	res.OneInstance, res.Masks, res.Deprecated = m.OneInstance(), m.SupportsMasks(), m.Deprecated()
	var chosen []iop.FieldInfo
	for _, field := range fields {
		if matchesQuery(p.Query, field.Name, field.Description) {
			chosen = append(chosen, field)
		}
	}
	res.Total = len(chosen)
	for _, field := range lists.Page(chosen, p.Offset, p.Limit) {
		res.Fields = append(res.Fields, moduleField(field))
	}
	return res, ctx.Err()
}

// isOpaque reports whether a module is known but not the layout of its
// parameters.
func isOpaque(err error) bool {
	known, ok := errors.AsType[*iop.Error](err)
	return ok && known.Kind == iop.UnknownModversion
}

func moduleField(f iop.FieldInfo) ModuleField {
	out := ModuleField{
		Name: f.Name, Description: f.Description, Kind: FieldKind(f.Kind), Unit: f.Unit,
		Default: f.Default.String(), Gate: f.Gate, Note: f.Note, Values: []EnumConstant{},
	}
	if f.Bounded {
		out.Range = fmt.Sprintf("%g to %g", f.Min, f.Max)
	}
	if !f.Neutral.IsZero() {
		out.Neutral = f.Neutral.String()
	}
	for _, v := range f.Enum {
		out.Values = append(out.Values, EnumConstant{Name: v.Name, Description: v.Description})
	}
	return out
}

// matchesQuery reports whether every word of a query is in one of the texts; case
// does not count.
func matchesQuery(query string, texts ...string) bool {
	text := strings.ToLower(strings.Join(texts, " "))
	for word := range strings.FieldsSeq(strings.ToLower(query)) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// SetParametersParams are the parameters of SetParameters.
type SetParametersParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// ModuleName is a darktable module, such as "exposure".
	ModuleName string `json:"module_name"`
	// Instance is the name of an instance to set, which is made when it is missing.
	// Default: the module's base instance.
	Instance string `json:"instance,omitempty"`
	// Fields to set; the others keep their values. May be left out when enabled is given.
	Fields []FieldSetting `json:"fields,omitempty"`
	// Enabled switches the module on or off. Default: true.
	Enabled *bool `json:"enabled,omitempty"`
	// TimeoutSeconds limits darktable's time.
	TimeoutSeconds TimeoutSeconds `json:"timeout_seconds,omitempty" default:"120"`
}

// FieldSetting sets one field of a module.
type FieldSetting struct {
	// Name of the field, as describe_module lists it.
	Name string `json:"name"`
	// Value as text: a number such as "0.7", "true" or "false", the name of an
	// enum's constant, or a text.
	Value string `json:"field_value" most:"65536" formerly:"value"`
}

// SetParameters sets named fields of a darktable module directly, for experts
// and for authoring moves. Values are absolute, not relative to the baseline. A
// field that is not named keeps the value it has, or the module's default when
// the module is new. Out of the field's range is refused.
func (e *Engine) SetParameters(ctx context.Context, p SetParametersParams) (_ EditResult, err error) {
	defer e.seal(&err, "set_parameters", p.ImageID)
	if err := validate(&p); err != nil {
		return EditResult{}, err
	}
	ctx, cancel := e.renderContext(ctx, p.TimeoutSeconds)
	defer cancel()
	change := versioning.Change{Op: "set_parameters", Entry: strings.TrimSuffix(p.ModuleName+":"+p.Instance, ":")}
	settings := stack.Settings{Module: p.ModuleName, Instance: p.Instance, Enabled: p.Enabled}
	for _, field := range p.Fields {
		settings.Fields = append(settings.Fields, stack.Setting(field))
	}
	return e.edit(ctx, p.ImageID, change, func(now compose.Start, _ *versioning.Change) (*xmp.Sidecar, error) {
		return now.Set(settings)
	})
}

// RemoveModuleParams are the parameters of RemoveModule.
type RemoveModuleParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// ModuleName is a darktable module such as "exposure", or one instance of
	// it as "exposure:name".
	ModuleName string `json:"module_name"`
	// TimeoutSeconds limits darktable's time.
	TimeoutSeconds TimeoutSeconds `json:"timeout_seconds,omitempty" default:"120"`
}

// RemoveModule takes back what edits did with a darktable module: instances
// that edits added go, and what the baseline had returns to its baseline form.
func (e *Engine) RemoveModule(ctx context.Context, p RemoveModuleParams) (_ EditResult, err error) {
	defer e.seal(&err, "remove_module", p.ImageID)
	if err := validate(&p); err != nil {
		return EditResult{}, err
	}
	ctx, cancel := e.renderContext(ctx, p.TimeoutSeconds)
	defer cancel()
	change := versioning.Change{Op: "remove_module", Entry: p.ModuleName}
	return e.edit(ctx, p.ImageID, change, func(now compose.Start, _ *versioning.Change) (*xmp.Sidecar, error) {
		return now.Remove(p.ModuleName)
	})
}
