package chemigram

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/versioning"
	"github.com/chemigram/chemigram/xmp"
)

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
	return e.edit(ctx, p.ImageID, change, func(now session, _ *versioning.Change) (*xmp.Sidecar, error) {
		edits, err := removal(now, module, instance, one)
		if err != nil {
			return nil, err
		}
		return now.head.Sidecar.With(now.release, edits...)
	})
}

// removal finds the instances of a module that differ from the baseline and
// the edits that take them back.
func removal(now session, module, instance string, one bool) ([]xmp.Edit, error) {
	var edits []xmp.Edit
	found := false
	for _, entry := range now.head.Sidecar.History() {
		name := instanceName(entry)
		if entry.Operation != module || (one && name != instance) {
			continue
		}
		found = true
		original, inBaseline := now.baseline.Sidecar.Find(module, name)
		switch {
		case !inBaseline:
			edits = append(edits, xmp.Remove{Operation: module, MultiName: name})
		case slices.Contains(needed, module) && sameContent(entry, original):
			return nil, fault.New(fault.InvalidInput, "%s cannot be removed: darktable does not develop a raw without it, and no edit has changed it", module)
		default:
			edits = append(edits, xmp.Put{Entry: original})
		}
	}
	if !found {
		return nil, missingModule(now.head.Sidecar, module, instance, one)
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
