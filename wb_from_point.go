package chemigram

import (
	"context"
	goimage "image"
	"math"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/render"
	"github.com/chemigram/chemigram/versioning"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
)

// WBFromPointParams are the parameters of WBFromPoint.
type WBFromPointParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// X of the point, a fraction of the developed picture's width.
	X Fraction `json:"x"`
	// Y of it, a fraction of the height from the top.
	Y Fraction `json:"y"`
	// Radius of the place that is averaged, as a fraction of the shorter side.
	Radius Fraction `json:"radius,omitempty" default:"0.01"`
	// TimeoutSeconds limits darktable's time.
	TimeoutSeconds TimeoutSeconds `json:"timeout_seconds,omitempty" default:"120"`
}

// WBFromPointResult is what WBFromPoint reports.
type WBFromPointResult struct {
	// StateAfter is the state that the image is in now.
	StateAfter State `json:"state_after"`
	// SnapshotHash names the snapshot that HEAD is at now.
	SnapshotHash string `json:"snapshot_hash"`
	// Changed is false when the balance was so already.
	Changed bool `json:"changed"`
	// Multipliers of linear red, green and blue (Rec. 2020) that make the point
	// neutral; green's is 1.
	Multipliers [3]float64 `json:"multipliers"`
	// A of the point in the preview now, in CIELAB; near 0 unless other moves
	// colour it.
	A float64 `json:"a"`
	// B of it.
	B float64 `json:"b"`
}

// WBFromPoint makes a point neutral that should be: grey card, concrete, paper
// in the shade; neither burnt out nor black. The light's colour, from candles to
// deep shade, is measured on linear data of the baseline, without tone curve and
// moves, and adapted to white. Warmth, tint and looks go on top. Another point
// replaces the first.
func (e *Engine) WBFromPoint(ctx context.Context, p WBFromPointParams) (_ WBFromPointResult, err error) {
	defer seal(&err, "wb_from_point", p.ImageID)
	if err := validate(&p); err != nil {
		return WBFromPointResult{}, err
	}
	ctx, cancel := e.rendering(ctx, p.TimeoutSeconds)
	defer cancel()
	img, err := e.image(p.ImageID)
	if err != nil {
		return WBFromPointResult{}, err
	}
	var res WBFromPointResult
	var look *xmp.Sidecar
	change := versioning.Change{Op: "wb_from_point", Values: map[string]float64{
		"x": float64(p.X), "y": float64(p.Y), "radius": float64(p.Radius),
	}}
	edited, err := e.edit(ctx, p.ImageID, change, func(now session, _ *versioning.Change) (*xmp.Sidecar, error) {
		bare, err := now.linearBaseline()
		if err != nil {
			return nil, err
		}
		pictures, err := e.linear(ctx, img, sourceSize, bare)
		if err != nil {
			return nil, err
		}
		light, err := p.light(pictures[0])
		if err != nil {
			return nil, err
		}
		res.Multipliers = [3]float64{light[1] / light[0], 1, light[1] / light[2]}
		edits, err := now.neutral(light)
		if err != nil {
			return nil, err
		}
		look, err = now.head.Sidecar.With(now.release, edits...)
		return look, err
	})
	if err != nil {
		return WBFromPointResult{}, err
	}
	res.StateAfter, res.SnapshotHash, res.Changed = edited.StateAfter, edited.SnapshotHash, edited.Changed
	picture, _, err := e.preview(ctx, img, look, sourceSize, nil)
	if err != nil {
		return WBFromPointResult{}, err
	}
	res.A, res.B, err = p.colour(picture)
	return res, err
}

// linearBaseline is the head's geometry with the baseline's colour, and no tone
// curve. The head's black level stays: it shifts the colour of what is dark.
func (s session) linearBaseline() (*xmp.Sidecar, error) {
	edits := switchOff(s.head.Sidecar.History())
	if original, ok := s.baseline.Sidecar.Find("channelmixerrgb", ""); ok {
		original.MultiName = ""
		edits = append(edits, xmp.Put{Entry: original})
	}
	if exposure, ok := s.head.Sidecar.Find("exposure", ""); ok && exposure.Enabled {
		params, err := iop.Decode(exposure.Operation, exposure.Modversion, exposure.Params)
		if err == nil {
			params, err = params.With("exposure", iop.Number(0))
		}
		if err != nil {
			return nil, err
		}
		exposure.MultiName, exposure.Params = "", params.Encode()
		edits = append(edits, xmp.Put{Entry: exposure})
	}
	return s.head.Sidecar.With(s.release, edits...)
}

// light is the mean colour about the point, in linear Rec. 2020.
func (p WBFromPointParams) light(m goimage.Image) (light [3]float64, err error) {
	box := m.Bounds()
	x, y := float64(p.X)*float64(box.Dx()), float64(p.Y)*float64(box.Dy())
	radius := max(float64(p.Radius)*float64(min(box.Dx(), box.Dy())), 0.75)
	n := 0.0
	for j := int(y - radius); float64(j) <= y+radius; j++ {
		for i := int(x - radius); float64(i) <= x+radius; i++ {
			at := goimage.Pt(i, j).Add(box.Min)
			if math.Hypot(float64(i)+0.5-x, float64(j)+0.5-y) > radius || !at.In(box) {
				continue
			}
			r, g, b, _ := m.At(at.X, at.Y).RGBA()
			if max(r, g, b) == 0xffff {
				return light, fault.New(fault.InvalidInput, "at %.4g, %.4g the picture is overexposed, or nearly, and its colour lost: choose a darker grey", float64(p.X), float64(p.Y))
			}
			n++
			for c, v := range [3]uint32{r, g, b} {
				light[c] += float64(v) / 0xffff
			}
		}
	}
	const dark = 0.002 // 9 stops below white: 130 steps of 16 bits
	for c := range light {
		if light[c] /= max(n, 1); light[c] < dark {
			return light, fault.New(fault.InvalidInput, "at %.4g, %.4g the picture is too dark to tell the light's colour", float64(p.X), float64(p.Y))
		}
	}
	return light, nil
}

// colour is the point's a* and b* in a preview.
func (p WBFromPointParams) colour(picture render.Picture) (a, b float64, err error) {
	m, err := render.Load(picture.Path)
	if err != nil {
		return 0, 0, err
	}
	short := float64(min(picture.Width, picture.Height))
	w, h := float64(p.Radius)*short/float64(picture.Width), float64(p.Radius)*short/float64(picture.Height)
	x, y := max(float64(p.X)-w, 0), max(float64(p.Y)-h, 0)
	stats, err := render.Measure(m, render.Region{X: x, Y: y, Width: min(2*w, 1-x), Height: min(2*h, 1-y)})
	if err != nil {
		return 0, 0, err
	}
	return stats.Lab.A, stats.Lab.B, nil
}
