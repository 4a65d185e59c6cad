package compose

import (
	"fmt"
	"math"

	"github.com/chemigram/chemigram/internal/colour"
	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
)

// maxNeutralSteps is how many colour calibrations may share an adaptation. Three
// are enough for candles in a raw that was taken for daylight.
const maxNeutralSteps = 3

// neutralName names one of the instances that make a point neutral. These come
// before those of all moves, so that what a move makes grey or coloured stays so.
func neutralName(step int) string { return fmt.Sprintf("chemigram light %d neutral", step+1) }

// Neutral gives the current version with a light adapted to grey of the same
// luminance, in place of any light before: by colour calibrations in a row, as
// many as it takes for the factors of each to stay within the module's range of -2
// to 2. The light is a colour in linear Rec. 2020.
func (s Start) Neutral(light [3]float64) (*xmp.Sidecar, error) {
	steps := 1
	for !inRange(adaptation(light, steps), 2) {
		if steps++; steps > maxNeutralSteps {
			return nil, fault.Invalid("/x", "red %.3g, green %.3g, blue %.3g is too colourful to be a grey thing under any light: choose another point", light[0], light[1], light[2])
		}
	}
	var edits []xmp.Edit
	for step := range maxNeutralSteps {
		old, found := s.Current.Find("channelmixerrgb", neutralName(step))
		switch {
		case step < steps:
			put, err := s.neutralPut(neutralName(step), adaptation(light, steps))
			if err != nil {
				return nil, err
			}
			if found {
				put.Entry.Blend, put.Entry.BlendVersion = old.Blend, old.BlendVersion
			}
			edits = append(edits, put)
		case found:
			edits = append(edits, xmp.Remove{Operation: old.Operation, MultiName: old.MultiName})
		}
	}
	return s.Current.With(s.Release, edits...)
}

// adaptation is the chromatic adaptation, in linear Rec. 2020, that turns a light
// into grey of the same luminance when it is done the given number of times.
func adaptation(light [3]float64, times int) colour.Matrix {
	xyz := colour.Rec2020.Apply(light)
	grey := colour.Rec2020.Apply([3]float64{xyz[1], xyz[1], xyz[1]})
	return colour.Rec2020.Inverse().Times(colour.Adapt(xyz, grey, times)).Times(colour.Rec2020)
}

// inRange reports whether no factor is beyond a limit.
func inRange(m colour.Matrix, limit float64) bool {
	for _, row := range m {
		for _, v := range row {
			if !(math.Abs(v) <= limit) { // NaN is not in range
				return false
			}
		}
	}
	return true
}

// neutralPut makes one colour calibration.
func (s Start) neutralPut(name string, factors colour.Matrix) (xmp.Put, error) {
	params, err := s.Release.Defaults("channelmixerrgb")
	if err != nil {
		return xmp.Put{}, err
	}
	set := func(field string, v iop.Value) {
		if err == nil {
			params, err = params.With(field, v)
		}
	}
	set("illuminant", iop.Text("DT_ILLUMINANT_PIPE"))
	set("adaptation", iop.Text("DT_ADAPTATION_RGB"))
	for i, row := range factors {
		for j, v := range row {
			// Four decimals, so that noise of the measurement is no change.
			set(fmt.Sprintf("%s[%d]", []string{"red", "green", "blue"}[i], j), iop.Number(math.Round(v*1e4)/1e4))
		}
	}
	return xmp.Put{Entry: xmp.Entry{
		Operation: "channelmixerrgb", MultiName: name, Enabled: true,
		Modversion: params.Modversion(), Params: params.Encode(), Origins: []xmp.Origin{{Entry: "wb_from_point"}},
	}}, err
}
