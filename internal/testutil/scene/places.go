package scene

import (
	"maps"

	"github.com/chemigram/chemigram/internal/testutil/pixel"
)

// zones are named parts of every scene's frame.
var zones = map[string]pixel.Rect{
	"top": {X: 0.3, Width: 0.4, Height: 0.1}, "bottom": {X: 0.3, Y: 0.9, Width: 0.4, Height: 0.1},
	"left": {Y: 0.3, Width: 0.1, Height: 0.4}, "right": {X: 0.9, Y: 0.3, Width: 0.1, Height: 0.4},
	"centre":   {X: 0.45, Y: 0.45, Width: 0.1, Height: 0.1},
	"top left": {Width: 0.08, Height: 0.08}, "bottom right": {X: 0.92, Y: 0.92, Width: 0.08, Height: 0.08},
}

// Places are the regions and the zones of the frame, by the names that the
// claims of masks use.
func (l Landscape) Places() map[string]pixel.Rect {
	r := l.Regions()
	places := map[string]pixel.Rect{
		"sky": r.Sky, "cloud highlight": r.CloudHighlight, "mountain": r.Mountain, "foliage": r.Foliage, "water": r.Water,
		"skin": r.Skin, "red cloth": r.RedCloth, "yellow paint": r.YellowPaint, "grey stone": r.GreyStone, "grass": r.Grass,
		"deep shadow": r.DeepShadow,
	}
	maps.Copy(places, zones)
	return places
}

// Places are the patches by name.
func (c Chart) Places() map[string]pixel.Rect {
	places := map[string]pixel.Rect{}
	for _, p := range c.Patches() {
		places[p.Name] = p.Rect
	}
	return places
}

// Places are the zones of the frame.
func (Ramp) Places() map[string]pixel.Rect { return maps.Clone(zones) }

// Places are the zones of the frame.
func (Optics) Places() map[string]pixel.Rect { return maps.Clone(zones) }

// Places are the zones of the frame.
func (Lamps) Places() map[string]pixel.Rect { return maps.Clone(zones) }
