package stack

import (
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
)

// Light compares how two pictures of one light were taken.
type Light struct {
	// EV is by how many stops the source was exposed more.
	EV float64
	// SameCamera is whether both are from one camera model.
	SameCamera bool
}

// EvenLight makes up in the current version for how its picture was taken, against
// the picture of source: the exposure changes by the difference, and with the same
// camera the white balance becomes source's own.
func (s Stack) EvenLight(source *xmp.Sidecar, light Light) (*xmp.Sidecar, error) {
	edits, err := s.exposureEdits(light.EV)
	if err != nil {
		return nil, err
	}
	if light.SameCamera {
		balance, err := s.balanceEdits(source)
		if err != nil {
			return nil, err
		}
		edits = append(edits, balance...)
	}
	return s.Current.With(s.Release, edits...)
}

// Expose gives the current version with its exposure changed by some stops.
func (s Stack) Expose(ev float64) (*xmp.Sidecar, error) {
	edits, err := s.exposureEdits(ev)
	if err != nil {
		return nil, err
	}
	return s.Current.With(s.Release, edits...)
}

func (s Stack) exposureEdits(ev float64) ([]xmp.Edit, error) {
	if ev == 0 {
		return nil, nil
	}
	entry, err := s.Entry("exposure", "")
	if err != nil {
		return nil, err
	}
	params, err := iop.Decode(entry.Operation, entry.Modversion, entry.Params)
	if err != nil {
		return nil, err
	}
	value, err := params.Get("exposure")
	if err != nil {
		return nil, err
	}
	stops, _ := value.Float()
	if !entry.Enabled {
		stops = 0
	}
	if params, err = params.With("exposure", iop.Number(stops+ev)); err != nil {
		return nil, err
	}
	entry.Params, entry.Enabled = params.Encode(), true
	return []xmp.Edit{instanceID{operation: "exposure"}.put(entry, nil)}, nil
}

// balanceFields are what a white balance consists of: the multipliers, and the
// light that the colour calibration corrects.
var balanceFields = []struct {
	operation string
	fields    []string
}{
	{"temperature", []string{"red", "green", "blue"}},
	{"channelmixerrgb", []string{"illuminant", "x", "y", "temperature"}},
}

// balanceEdits give the current version the white balance of source.
func (s Stack) balanceEdits(source *xmp.Sidecar) ([]xmp.Edit, error) {
	var edits []xmp.Edit
	for _, module := range balanceFields {
		from, ok := source.Find(module.operation, "")
		to, found := s.Current.Find(module.operation, "")
		if !ok || !found || from.Modversion != to.Modversion {
			continue
		}
		fromParams, err := iop.Decode(from.Operation, from.Modversion, from.Params)
		if err != nil {
			return nil, err
		}
		params, err := iop.Decode(to.Operation, to.Modversion, to.Params)
		if err != nil {
			return nil, err
		}
		for _, field := range module.fields {
			value, err := fromParams.Get(field)
			if err != nil {
				return nil, err
			}
			if params, err = params.With(field, value); err != nil {
				return nil, err
			}
		}
		to.Params = params.Encode()
		edits = append(edits, instanceID{operation: to.Operation}.put(to, s.Current.FormsOf(to.Operation, "")))
	}
	return edits, nil
}
