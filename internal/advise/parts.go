package advise

import (
	"context"
	"fmt"
	"image"
	"math"
	"strings"

	"github.com/chemigram/chemigram/internal/colour"
	"github.com/chemigram/chemigram/internal/probe"
	"github.com/chemigram/chemigram/render"
)

const (
	// middleGrey is where the mid-tone of an ordinary photograph lies: log2 of its light.
	middleGrey = -2.6
	// wellExposed is how far from it a mid-tone may lie, in stops.
	wellExposed = 0.6
	mostEV      = 1.5
	mostClipped = 0.01 // of the pixels, newly
	// lightsInTheDark is how many stops lie between the mid-tone and the lightest
	// hundredth of a picture that shows lights in the dark.
	lightsInTheDark = 5.0
)

// exposure compares the mid-tone with middle grey. Two thirds of the difference are made
// up for, as not everything is grey, and no more than clips one pixel in a hundred.
func (p Photograph) exposure(ctx context.Context) (Advice, error) {
	midtone, err := probe.Midtone("the picture", p.Picture, render.Region{})
	if err != nil {
		return unsure(Exposure, "half of the picture is black or white: there is no mid-tone to measure"), nil
	}
	off := middleGrey - midtone
	if math.Abs(off) <= wellExposed {
		return Advice{About: Exposure, Verdict: Keep, Confidence: 0.8, Reason: fmt.Sprintf("the mid-tone is %+.1f EV from middle grey", -off)}, nil
	}
	stats, err := render.Measure(p.Picture, render.Region{})
	if err != nil {
		return Advice{}, err
	}
	lightest := math.Log2(colour.FromSRGB().Linear(uint16(math.Round(65535 * stats.Luma.P99))))
	switch reaches := stats.Luma.P99 > 0.85 && stats.Luma.P1 < 0.1; {
	case lightest-midtone > lightsInTheDark:
		return unsure(Exposure, fmt.Sprintf("the mid-tone is %+.1f EV from middle grey, but there are lights %.0f stops above it: it may be night", -off, lightest-midtone)), nil
	case reaches:
		return unsure(Exposure, fmt.Sprintf("the mid-tone is %+.1f EV from middle grey, but the tones reach from black to white: it may be meant", -off)), nil
	}
	clipped, err := probe.ClippedShare(p.Picture, render.Region{})
	if err != nil {
		return Advice{}, err
	}
	ev := math.Round(10*min(max(off*2/3, -mostEV), mostEV)) / 10
	for ; math.Abs(ev) > 0.25; ev = math.Round(5*ev) / 10 {
		move := Move{Name: "exposure", Values: map[string]float64{"ev": ev}}
		changed, err := p.Develop(ctx, move)
		if changed == nil || err != nil {
			return unsure(Exposure, "the loaded packs have no move exposure"), err
		}
		after, err := probe.ClippedShare(changed, render.Region{})
		if err != nil {
			return Advice{}, err
		}
		if after <= clipped+mostClipped {
			return Advice{
				About: Exposure, Verdict: Change, Confidence: min(0.9, math.Abs(off)/2.5), Moves: []Move{move},
				Reason: fmt.Sprintf("the mid-tone is %+.1f EV from middle grey; clipped pixels go from %.1f %% to %.1f %%", -off, 100*clipped, 100*after),
			}, nil
		}
	}
	return unsure(Exposure, fmt.Sprintf("the mid-tone is %+.1f EV from middle grey, but more light would clip: open the shadows instead", -off)), nil
}

// leastTilt is what nobody sees, in degrees.
const leastTilt = 0.2

// rareTilt is by how much few photographs lean, and quays, benches and roofs often seem to.
const rareTilt = 2.0

func (p Photograph) straighten() Advice {
	l := LevelOf(p.Picture)
	var seen []string
	if l.Horizon > 0.4 {
		seen = append(seen, "a border from side to side")
	}
	seen = append(seen, fmt.Sprintf("%d level and %d upright edges", l.Horizontals, l.Verticals))
	reason := strings.Join(seen, ", ")
	angle := math.Round(10*l.Angle) / 10
	switch {
	case !l.Known():
		return unsure(Straighten, "no horizon, and too few straight edges that agree")
	case math.Abs(l.Angle) < leastTilt:
		return Advice{About: Straighten, Verdict: Keep, Confidence: l.Confidence, Reason: "it is level: " + reason}
	}
	leans := "it leans: "
	if math.Abs(l.Angle) > rareTilt {
		leans = "it leans, unless these recede: "
	}
	return Advice{
		About: Straighten, Verdict: Change, Confidence: l.Confidence, Reason: leans + reason,
		Moves: []Move{{Name: "straighten", Values: map[string]float64{"angle": angle}}},
	}
}

// crop looks for the frame of a scan. What makes a picture better is the
// photographer's to say.
func (p Photograph) crop() Advice {
	values := map[string]float64{}
	for side, share := range bordersOf(p.Picture) {
		if share > 0 {
			values[side] = math.Ceil(share*1000) / 1000
		}
	}
	if len(values) == 0 {
		return unsure(Crop, "there is no frame to cut off; what else to leave out is a matter of taste")
	}
	return Advice{
		About: Crop, Verdict: Change, Confidence: 0.8, Reason: "there is an even frame around the picture",
		Moves: []Move{{Name: "crop", Values: values}},
	}
}

// bordersOf are the shares of width and height that are one even colour, black or white,
// along the sides.
func bordersOf(m image.Image) map[string]float64 {
	const size, most, even = 600, 0.15, 5
	planes := planesOf(m, size)
	p := planes[1]
	line := func(n int, across bool) (lowest, highest float32) {
		lowest, highest = 255, 0
		length := p.width
		if across {
			length = p.height
		}
		for i := range length {
			at := n*p.width + i
			if across {
				at = i*p.width + n
			}
			for _, c := range planes {
				lowest, highest = min(lowest, c.at[at]), max(highest, c.at[at])
			}
		}
		return lowest, highest
	}
	border := func(length int, across, back bool) float64 {
		n := 0
		for ; n < length; n++ {
			at := n
			if back {
				at = length - 1 - n
			}
			if low, high := line(at, across); high-low > even || high > 14 && low < 248 {
				break
			}
		}
		if share := float64(n) / float64(length); n > 1 && share <= most {
			return float64(n+1) / float64(length) // the line that is half of the frame
		}
		return 0
	}
	return map[string]float64{
		"left": border(p.width, true, false), "right": border(p.width, true, true),
		"top": border(p.height, false, false), "bottom": border(p.height, false, true),
	}
}

// lowISO is the sensitivity up to which noise is not seen in good light.
const lowISO = 800

func (p Photograph) noise() Advice {
	switch iso := p.Taken.ISO; {
	case iso <= 0:
		return unsure(Noise, "the file does not say its ISO")
	case len(p.NoiseTemplates) > 0:
		return Advice{
			About: Noise, Verdict: Change, Confidence: 0.8, Reason: fmt.Sprintf("ISO %d", iso),
			Moves: []Move{{Name: p.NoiseTemplates[0]}},
		}
	case iso < lowISO:
		return Advice{About: Noise, Verdict: Keep, Confidence: 0.8, Reason: fmt.Sprintf("ISO %d", iso)}
	default:
		return unsure(Noise, fmt.Sprintf("the loaded packs have no template for ISO %d", iso))
	}
}

// lensTemplates correct a lens, the best first.
var lensTemplates = []string{"prepare_lens_correction", "prepare_lens_profile"}

// lens tries whether darktable knows the lens: what knows it changes the picture.
func (p Photograph) lens(ctx context.Context) (Advice, error) {
	if p.Corrected {
		return Advice{About: Lens, Verdict: Keep, Confidence: 1, Reason: "darktable corrects the lens already"}, nil
	}
	tried := false
	for _, name := range lensTemplates {
		move := Move{Name: name}
		changed, err := p.Develop(ctx, move)
		if err != nil {
			return Advice{}, err
		}
		if changed == nil {
			continue
		}
		tried = true
		if share := differing(p.Picture, changed); share > 0.01 {
			return Advice{
				About: Lens, Verdict: Change, Confidence: 0.9, Moves: []Move{move},
				Reason: strings.TrimSpace(fmt.Sprintf("darktable has a correction for %s: it changes %.0f %% of the pixels", lensName(p.Taken.LensModel), 100*share)),
			}, nil
		}
	}
	if !tried {
		return unsure(Lens, "the loaded packs have no template for lenses"), nil
	}
	return Advice{About: Lens, Verdict: Keep, Confidence: 0.7, Reason: "neither the file nor darktable has a correction for " + lensName(p.Taken.LensModel)}, nil
}

func lensName(model string) string {
	if model == "" {
		return "this lens"
	}
	return model
}

// differing is the share of pixels that differ by more than a JPEG does.
func differing(a, b image.Image) float64 {
	if a.Bounds().Size() != b.Bounds().Size() {
		return 1
	}
	const step = 6 << 8
	n, width, height := 0, a.Bounds().Dx(), a.Bounds().Dy()
	for y := range height {
		for x := range width {
			_, g, _, _ := a.At(a.Bounds().Min.X+x, a.Bounds().Min.Y+y).RGBA()
			_, h, _, _ := b.At(b.Bounds().Min.X+x, b.Bounds().Min.Y+y).RGBA()
			if max(g, h)-min(g, h) > step {
				n++
			}
		}
	}
	return float64(n) / float64(max(width*height, 1))
}
