package vocab

import (
	"slices"

	"github.com/chemigram/chemigram/xmp/iop"
)

// reference gives the parameters that moves start from where the baseline does not
// use a module: darktable's defaults with corrections, so that a field which no
// move names has no effect.
func reference(module string, modversion int) (iop.Params, error) {
	p, err := iop.Defaults(module, modversion)
	if err != nil {
		return p, err
	}
	for _, c := range slices.Concat(corrections[module], flatCurves(module)) {
		q, err := p.With(c.field, iop.Number(c.value))
		if err != nil {
			continue // this modversion has no such field
		}
		p = q
	}
	return p, nil
}

// correction is the value of a field that differs from darktable's default.
type correction struct {
	field string
	value float64
}

// corrections are of two kinds. Fields which darktable fills in for each
// picture, and which its defaults leave at another value: the crop's far edges,
// the -1 that asks for the camera's own noise profile, and what the tone mappers
// filmicrgb and agx begin with in the workflow of their name, read from 5.4.1's
// baselines. And fields whose default has an effect, which become the value without
// one. Curves are in flatCurves.
var corrections = map[string][]correction{
	"agx": {
		{"curve_contrast_around_pivot", 2.8},
		{"curve_toe_power", 1.55},
		{"curve_shoulder_power", 1.55},
		{"red_inset", 0.2946245},
		{"red_rotation", 0.03540329},
		{"green_inset", 0.25861925},
		{"green_rotation", -0.02108586},
		{"blue_inset", 0.14641371},
		{"blue_rotation", -0.06305724},
		{"master_unrotation_ratio", 0},
		{"red_outset", 0.2907764},
		{"red_unrotation", 0.03540329},
		{"green_outset", 0.2631554},
		{"green_unrotation", -0.02108586},
		{"blue_outset", 0.04581072},
		{"blue_unrotation", -0.06305724},
	},
	"filmicrgb":      {{"black_point_source", -7.65}, {"white_point_source", 4.56}, {"output_power", 3.6148162}},
	"crop":           {{"cw", 1}, {"ch", 1}},
	"clipping":       {{"cw", 1}, {"ch", 1}},
	"denoiseprofile": {{"a[0]", -1}, {"strength", 0.001}},
	"bilat":          {{"detail", 0}, {"sigma_r", 1}, {"sigma_s", 1}},
	"sharpen":        {{"amount", 0}},
	"vignette":       {{"brightness", 0}, {"saturation", 0}},
	"hazeremoval":    {{"strength", 0}},
	"grain":          {{"strength", 0}},
	"velvia":         {{"strength", 0}},
	"shadhi":         {{"shadows", 0}, {"highlights", 0}},
	"graduatednd":    {{"density", 0}},
	"bloom":          {{"strength", 0}, {"threshold", 100}},
	"soften":         {{"amount", 0}},
	"lowpass":        {{"radius", 0.1}},
	"highpass":       {{"contrast", 0}},
	"nlmeans":        {{"luma", 0}, {"chroma", 0}},
	"rawdenoise":     {{"threshold", 0}},
}
