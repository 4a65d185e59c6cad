package chemigram

import (
	"fmt"
	"math"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
)

// maxNeutralSteps is how many instances may share the way from a light to grey.
// Three are enough for candles that the camera took for daylight.
const maxNeutralSteps = 3

// neutralStep names an instance that makes a point neutral. The names come before
// those of all moves, so that what a move makes grey or coloured stays so.
func neutralStep(i int) string { return fmt.Sprintf("chemigram light %d neutral", i+1) }

// neutral makes the edits that turn a light into grey of its luminance: colour
// calibrations in a row, as many as it takes for each one's factors to stay
// within the module's range of -2 to 2.
func (s session) neutral(light [3]float64) ([]xmp.Edit, error) {
	steps := 1
	for !adaptation(light, steps).within(2) {
		if steps++; steps > maxNeutralSteps {
			return nil, fault.New(fault.InvalidInput, "red %.3g, green %.3g, blue %.3g is too colourful to be a grey thing under any light: choose another point", light[0], light[1], light[2])
		}
	}
	var edits []xmp.Edit
	for i := range maxNeutralSteps {
		old, there := s.head.Sidecar.Find("channelmixerrgb", neutralStep(i))
		switch {
		case i < steps:
			put, err := s.neutralPut(neutralStep(i), adaptation(light, steps))
			if err != nil {
				return nil, err
			}
			if there {
				put.Entry.Blend, put.Entry.BlendVersion = old.Blend, old.BlendVersion
			}
			edits = append(edits, put)
		case there:
			edits = append(edits, xmp.Remove{Operation: old.Operation, MultiName: old.MultiName})
		}
	}
	return edits, nil
}

// within tells whether no factor is beyond a limit.
func (m matrix) within(most float64) bool {
	for _, row := range m {
		for _, v := range row {
			if !(math.Abs(v) <= most) { // not a number is not within
				return false
			}
		}
	}
	return true
}

// neutralPut makes one colour calibration.
func (s session) neutralPut(name string, factors matrix) (xmp.Put, error) {
	params, err := s.release.Defaults("channelmixerrgb")
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
			// Four decimals: so that noise of the measurement is no change.
			set(fmt.Sprintf("%s[%d]", []string{"red", "green", "blue"}[i], j), iop.Number(math.Round(v*1e4)/1e4))
		}
	}
	return xmp.Put{Entry: xmp.Entry{
		Operation: "channelmixerrgb", MultiName: name, Enabled: true,
		Modversion: params.Modversion(), Params: params.Encode(), Origins: []xmp.Origin{{Entry: "wb_from_point"}},
	}}, err
}
