package vocab

import (
	"slices"

	"github.com/chemigram/chemigram/xmp/iop"
)

// reference gives the parameters that a module stands at when the baseline
// does not use it: darktable's defaults, with the fields below corrected, so
// that a field which no move names does nothing.
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

type correction struct {
	field string
	value float64
}

// corrections are of two kinds. Fields which darktable fills in for each
// picture, and which its defaults leave at zero: the crop's far edges, and the
// -1 that asks for the camera's own noise profile. And fields whose default
// has an effect already, where "no effect" is what a move starts from. Curves
// are in flatCurves.
var corrections = map[string][]correction{
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
	"bloom":          {{"strength", 0}},
	"soften":         {{"amount", 0}},
	"highpass":       {{"contrast", 0}},
	"nlmeans":        {{"luma", 0}, {"chroma", 0}},
	"rawdenoise":     {{"threshold", 0}},
	"cacorrectrgb":   {{"strength", 0}},
}

// directions are numeric fields that name a direction and not an amount: at
// half strength a teal shadow is half as teal, not another hue. They take
// their authored value at any strength above 0.
var directions = map[string][]string{
	"colorbalancergb": {"shadows_H", "midtones_H", "highlights_H", "global_H"},
	"splittoning":     {"shadow_hue", "highlight_hue"},
	"colorize":        {"hue"},
	"graduatednd":     {"rotation", "hue"},
}
