package advise

import (
	"fmt"
	"image"
	"math"

	"github.com/chemigram/chemigram/internal/colour"
)

// A Cast is the colour that greys have in a picture.
type Cast struct {
	// Light is that of what is probably grey, in linear Rec. 2020; green is 1. The less
	// sure it is, the nearer it is to grey, as the camera took it to be.
	Light [3]float64
	// Share of the picture that has it, 0 to 1.
	Share float64
	// Confidence from 0 to 1 that it is grey.
	Confidence float64
}

// place is a part of a picture by its colour: the logarithms of red and of blue to green,
// across the line from warm to cool, and along it.
type place struct{ warm, green, light float64 }

// placesOf are the parts of a linear picture that have a colour: neither burnt out nor
// black.
func placesOf(m image.Image) (out []place, all int) {
	const size, burnt, black = 160, 0.9, 0.003
	planes := planesOf(m, size)
	for i := range planes[0].at {
		r, g, b := float64(planes[0].at[i])/255, float64(planes[1].at[i])/255, float64(planes[2].at[i])/255
		all++
		if max(r, g, b) > burnt || min(r, g, b) < black {
			continue
		}
		red, blue := math.Log(r/g), math.Log(b/g)
		out = append(out, place{(red - blue) / 2, (red + blue) / 2, math.Log2(g)})
	}
	return out, all
}

// CastOf finds the colour of what is probably grey in a linear picture. Among the colours
// that a grey thing may have in a light that the camera took for another one, it is that
// of which there is most, in the most degrees of brightness.
func CastOf(m image.Image) Cast {
	places, all := placesOf(m)
	if len(places) == 0 {
		return Cast{}
	}
	best, other := 0.0, 0.0
	var at place
	score := func(warm, green float64) float64 {
		const near = 0.05
		var levels [14]float64
		for _, p := range places {
			w, g := (p.warm-warm)/near, (p.green-green)/(near*0.7)
			if d := w*w + g*g; d < 9 {
				levels[min(max(int(-p.light*1.5), 0), len(levels)-1)] += math.Exp(-d / 2)
			}
		}
		sum := 0.0
		for _, v := range levels {
			sum += math.Sqrt(v / float64(all)) // what has many degrees counts more
		}
		return sum * math.Exp(-warm*warm/(2*0.3*0.3)-green*green/(2*0.1*0.1))
	}
	type scored struct {
		place
		score float64
	}
	var found []scored
	for warm := -0.6; warm <= 0.601; warm += 0.04 {
		for green := -0.2; green <= 0.201; green += 0.04 {
			s := score(warm, green)
			found = append(found, scored{place{warm: warm, green: green}, s})
			if s > best {
				best, at = s, place{warm: warm, green: green}
			}
		}
	}
	for _, f := range found {
		if math.Hypot(f.warm-at.warm, f.green-at.green) > 0.17 {
			other = max(other, f.score)
		}
	}
	if best == 0 {
		return Cast{}
	}
	share := 0.0
	for range 4 {
		const near = 0.06
		var sum, warm, green float64
		for _, p := range places {
			w, g := (p.warm-at.warm)/near, (p.green-at.green)/near
			weight := math.Exp(-(w*w + g*g) / 2)
			sum, warm, green = sum+weight, warm+weight*p.warm, green+weight*p.green
		}
		if sum == 0 {
			break
		}
		at, share = place{warm: warm / sum, green: green / sum}, sum/float64(all)
	}
	sure := min(1, share/0.3) * (1 - other/best/2)
	kept := math.Sqrt(sure)
	at.warm, at.green = kept*at.warm, kept*at.green
	return Cast{
		Light: [3]float64{math.Exp(at.green + at.warm), 1, math.Exp(at.green - at.warm)},
		Share: share, Confidence: sure,
	}
}

// What a mired of warmth, and a whole of tint, add to linear Rec. 2020; as the moves say.
var (
	warmthAdds = colour.Matrix{{0.000704, 0.001173, 8.4e-05}, {-0.000222, -0.000569, 0.000404}, {-7e-05, -0.000432, -0.005773}}
	tintAdds   = colour.Matrix{{0.0455, 0.0685, 0.0056}, {-0.0136, -0.0325, -0.0243}, {0.0043, 0.0241, 0.2811}}
)

// balanced is a light under warmth and tint.
func balanced(light [3]float64, warmth, tint float64) [3]float64 {
	t := tintAdds.Apply(light)
	for c := range light {
		light[c] += tint * t[c]
	}
	w := warmthAdds.Apply(light)
	for c := range light {
		light[c] += warmth * w[c]
	}
	return light
}

// Balance finds the warmth, in mired, and the tint that make a light grey.
func Balance(light [3]float64) (warmth, tint float64) {
	off := func(warmth, tint float64) (float64, float64) {
		l := balanced(light, warmth, tint)
		return math.Log(l[0] / l[1]), math.Log(l[2] / l[1])
	}
	for range 12 {
		r, b := off(warmth, tint)
		rw, bw := off(warmth+1, tint)
		rt, bt := off(warmth, tint+0.01)
		rw, bw, rt, bt = rw-r, bw-b, (rt-r)*100, (bt-b)*100
		det := rw*bt - rt*bw
		warmth = min(max(warmth-(r*bt-rt*b)/det, -150), 150)
		tint = min(max(tint-(rw*b-r*bw)/det, -2), 2)
	}
	return warmth, tint
}

// rounded are a warmth and a tint as they are said.
func rounded(warmth, tint float64) (float64, float64) {
	return math.Round(warmth), math.Round(tint*100) / 100
}

const (
	mostWarmth, mostTint = 60, 1.0
	// leastWarmth and leastTint are too little to be seen.
	leastWarmth, leastTint = 4, 0.08
	sureCast               = 0.3
)

func (p Photograph) whiteBalance() Advice {
	cast := CastOf(p.Linear)
	if cast.Confidence < sureCast {
		return unsure(WhiteBalance, fmt.Sprintf("%.0f %% of the picture may be grey: too little to know the light by; wb_from_point on a grey thing does", 100*cast.Share))
	}
	warmth, tint := rounded(Balance(cast.Light))
	a := Advice{About: WhiteBalance, Verdict: Keep, Confidence: cast.Confidence}
	seen := fmt.Sprintf("%.0f %% of the picture is probably grey", 100*cast.Share)
	switch {
	case math.Abs(warmth) > mostWarmth || math.Abs(tint) > mostTint:
		return unsure(WhiteBalance, seen+fmt.Sprintf(", and %.0f mired and a tint of %.2f away from it: more than the moves change; wb_from_point on a grey thing does", warmth, tint))
	case math.Abs(warmth) < leastWarmth && math.Abs(tint) < leastTint:
		a.Reason = seen + ", and it is grey"
	default:
		a.Verdict, a.Reason = Change, seen+", and has a cast"
		if math.Abs(warmth) >= leastWarmth/2 {
			a.Moves = append(a.Moves, Move{Name: "warmth", Values: map[string]float64{"shift": warmth}})
		}
		if math.Abs(tint) >= leastTint/2 {
			a.Moves = append(a.Moves, Move{Name: "tint", Values: map[string]float64{"amount": tint}})
		}
	}
	return a
}
