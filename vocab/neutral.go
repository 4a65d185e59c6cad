package vocab

import (
	"fmt"

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
	for _, c := range corrections[module] {
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

// corrections are of two kinds. Fields which darktable fills in when it sets a
// module up, and which its introspected defaults leave at zero: the crop's far
// edges, the channel mixer's identity, the denoise curves' nodes, and the -1
// that asks for the camera's own noise profile. And fields whose default has
// an effect already, where "no effect" is what a move starts from.
var corrections = map[string][]correction{
	"crop":     {{"cw", 1}, {"ch", 1}},
	"clipping": {{"cw", 1}, {"ch", 1}},
	"channelmixerrgb": {
		{"red[0]", 1},
		{"green[1]", 1},
		{"blue[2]", 1},
	},
	"denoiseprofile": append(denoiseNodes(), correction{"a[0]", -1}, correction{"strength", 0.001}),
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
}

// denoiseNodes spreads the curve's seven nodes evenly; their height 0.5 is the
// introspected default.
func denoiseNodes() []correction {
	var nodes []correction
	for curve := range 6 {
		for node := range 7 {
			nodes = append(nodes, correction{fmt.Sprintf("x[%d][%d]", curve, node), float64(node) / 6})
		}
	}
	return nodes
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
