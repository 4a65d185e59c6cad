package stack

import (
	"strings"

	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
	"github.com/chemigram/chemigram/xmp/mask"
)

// Instance is one module instance of a history stack, in named fields.
type Instance struct {
	// Module is darktable's name of it, and Instance the instance's: empty for
	// the base instance.
	Module, Instance string
	Enabled          bool
	Modversion       int
	// InBaseline reports whether darktable itself set it up for this raw.
	InBaseline bool
	// MadeBy names the vocabulary entries that set it.
	MadeBy []string
	// Fields are parameters by darktable's names, then the mask and the spots in
	// the words of a mask, such as "mask.shapes[0].x".
	Fields []Field
	// Opaque is true when the layout of the parameters is not known.
	Opaque bool
}

// Field is one parameter of a module instance. Baseline is empty when the
// baseline has the same value.
type Field struct{ Name, Value, Baseline, Unit string }

// Describe lists the module instances of the current version, in the order of the
// stack. Elements of arrays are among the fields only where they differ from the
// module's defaults or from the baseline.
func Describe(current, baseline *xmp.Sidecar) []Instance {
	return DescribeSeen(current, baseline, mask.Frame{})
}

// DescribeSeen is Describe with the places of masks and spots as they are seen in the
// developed picture of a frame. Without one they are told in the picture as it came in.
func DescribeSeen(current, baseline *xmp.Sidecar, frame mask.Frame) []Instance {
	names := nameInstances(current, baseline)
	originals := names.instances(baseline)
	var all []Instance
	instances := names.instances(current)
	for _, entry := range instances.all {
		id := names.of(entry)
		m := describe(id, entry, originals)
		m.Fields = append(m.Fields, instances.state(id).maskFields(mask.Lens{Frame: frame}, originals.state(id))...)
		all = append(all, m)
	}
	return all
}

func describe(id instanceID, entry xmp.Entry, baseline instances) Instance {
	original, inBaseline := baseline.find(id)
	m := Instance{
		Module: id.operation, Instance: id.instance(), Enabled: entry.Enabled,
		Modversion: entry.Modversion, InBaseline: inBaseline,
	}
	for _, origin := range entry.Origins {
		m.MadeBy = append(m.MadeBy, origin.Entry)
	}
	params, err := iop.Decode(entry.Operation, entry.Modversion, entry.Params)
	if err != nil {
		m.Opaque = true
		return m
	}
	before := map[string]string{}
	if inBaseline {
		if old, err := iop.Decode(original.Operation, original.Modversion, original.Params); err == nil {
			for _, d := range iop.Diff(old, params) {
				before[d.Name] = d.Before.String()
			}
		}
	}
	m.Fields = describeFields(params, before)
	return m
}

// describeFields lists the fields of parameters. before holds the baseline's
// values of those that differ from it.
func describeFields(params iop.Params, before map[string]string) []Field {
	var fields []Field
	for name, value := range params.All() {
		info, err := iop.Field(params.Operation(), params.Modversion(), name)
		if err != nil {
			continue
		}
		old, differs := before[name]
		if isElement(name) && !differs && value.Equal(info.Default) {
			continue
		}
		fields = append(fields, Field{Name: name, Value: value.String(), Baseline: old, Unit: info.Unit})
	}
	return fields
}

// isElement reports whether a field is an element of an array.
func isElement(name string) bool { return strings.ContainsRune(name, '[') }
