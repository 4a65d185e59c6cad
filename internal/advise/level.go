package advise

import (
	"image"
	"math"
)

// A Level is by how much a picture leans, as far as its straight edges show it.
type Level struct {
	// Angle to turn the picture by, in degrees; clockwise is positive.
	Angle float64
	// Confidence from 0 to 1 that the picture is level then.
	Confidence float64
	// Horizontals and Verticals are how many straight edges would lie level and stand
	// upright.
	Horizontals, Verticals int
	// Horizon is how much of the width is one border, 0 to 1.
	Horizon float64
}

// sureLevel is the least confidence of a picture that shows whether it is level. It was
// chosen on photographs with a horizon or upright lines, and on some that have neither.
const sureLevel = 0.5

// Known reports whether the picture shows it.
func (l Level) Known() bool { return l.Confidence >= sureLevel }

// The tilts that are looked for, in degrees.
const (
	mostTilt = 10
	tiltStep = 0.1
	tilts    = 201
)

// tiltAt is the tilt of an index.
func tiltAt(i int) float64 { return -mostTilt + float64(i)*tiltStep }

// vote is an edge that says by how much a picture leans, if it is level or upright.
type vote struct {
	tilt, sigma float64 // in degrees
	x, y        float64 // of its middle from the picture's, in halves of the longest edge
	length      float64 // as a share of the longest edge
	weight      float64
	upright     bool
}

// votesOf takes the edges that are nearly level or upright. Those along the borders of
// the picture are a scan's or a frame's.
func votesOf(found []segment, width, height int) []vote {
	const farthest, margin = 2.0 * mostTilt, 0.012
	long := float64(max(width, height))
	var out []vote
	for _, s := range found {
		v := vote{tilt: s.angle, x: 2 * s.x / long, y: 2 * s.y / long, length: s.length / long}
		if math.Abs(s.angle) > 45 {
			v.tilt, v.upright = turn(s.angle, 90, 180), true
		}
		toBorder := float64(height)/2 - math.Abs(s.y)
		if v.upright {
			toBorder = float64(width)/2 - math.Abs(s.x)
		}
		if math.Abs(v.tilt) > farthest || toBorder < margin*long {
			continue
		}
		v.weight = math.Pow(v.length, 1.5) * min(1, s.contrast/8) // long edges say more than many short ones
		v.sigma = 0.2 + 180/math.Pi*0.5*max(s.off, 0.5)/s.length
		out = append(out, v)
	}
	return out
}

// off is how far a vote is from a tilt, in its sigmas. Upright lines lean together or
// apart by so many degrees at the borders of the longest edge.
func (v vote) off(tilt, fan float64) float64 {
	if v.upright {
		tilt += fan * v.x
	}
	return (v.tilt - tilt) / v.sigma
}

// agreement is how much of the votes' weight says that the picture leans by a tilt.
func agreement(votes []vote, upright bool, tilt, fan float64) float64 {
	sum := 0.0
	for _, v := range votes {
		if off := v.off(tilt, fan); v.upright == upright && off > -3 && off < 3 {
			sum += v.weight * math.Exp(-off*off/2)
		}
	}
	return sum
}

// longestLine is the greatest length of the level edges that lie on one line of a tilt.
func longestLine(votes []vote, tilt float64) float64 {
	const bins = 300 // for the longest edge
	var lines [2*bins + 2]float64
	sin, cos := math.Sincos(tilt * math.Pi / 180)
	for _, v := range votes {
		if off := v.off(tilt, 0); !v.upright && off > -3 && off < 3 {
			bin := int((v.y*cos-v.x*sin)*bins/2) + bins
			lines[min(max(bin, 0), 2*bins)] += v.length * math.Exp(-off*off/2)
		}
	}
	longest := 0.0
	for i := range len(lines) - 1 {
		longest = max(longest, lines[i]+lines[i+1])
	}
	return longest
}

// likely is how a tilt's score counts: hardly any photograph leans by more than a few
// degrees, and lines that recede seem to.
func likely(tilt float64) float64 {
	const usual, most, beyond = 12, 6, 2
	far := max(math.Abs(tilt)-most, 0)
	return math.Exp(-tilt*tilt/(2*usual*usual) - far*far/(2*beyond*beyond))
}

// LevelOf finds out by the straight edges of a picture, and by the border of sky and land,
// by how much it leans: up to 10 degrees.
func LevelOf(m image.Image) Level {
	found, width, height := segmentsOf(m)
	votes, horizons := votesOf(found, width, height), horizonsOf(m)
	wide := float64(max(width, height)) / float64(width)
	var scores, fans [tilts]float64
	best := 0
	for i := range scores {
		tilt := tiltAt(i)
		line := min(longestLine(votes, tilt)*wide, 1)
		score := agreement(votes, false, tilt, 0) + 0.5*line*line + max(horizons[i]-0.3, 0)
		up := 0.0
		for fan := -10.0; fan <= 10; fan++ {
			const usual = 6
			if s := agreement(votes, true, tilt, fan) * math.Exp(-fan*fan/(2*usual*usual)); s > up {
				up, fans[i] = s, fan
			}
		}
		if scores[i] = (score + up) * likely(tilt); scores[i] > scores[best] {
			best = i
		}
	}
	// What says something else as well is not sure.
	other := 0.0
	for i, score := range scores {
		if math.Abs(tiltAt(i)-tiltAt(best)) > 1.2 {
			other = max(other, score)
		}
	}
	const half = 0.47 // the score at which the confidence is a half
	l := refine(votes, tiltAt(best), fans[best])
	l.Horizon, l.Confidence = min(horizons[best], 1), 1-math.Exp2(-max(scores[best]-0.5*other, 0)/half)
	return l
}

// refine gives the mean tilt of the votes that agree with one.
func refine(votes []vote, tilt, fan float64) (l Level) {
	for range 3 {
		sum, mean := 0.0, 0.0
		l = Level{}
		for _, v := range votes {
			off := v.off(tilt, fan)
			if math.Abs(off) > 2.5 {
				continue
			}
			w := v.weight / (v.sigma * v.sigma) * math.Exp(-off*off/2)
			sum, mean = sum+w, mean+w*off*v.sigma
			if v.upright {
				l.Verticals++
			} else {
				l.Horizontals++
			}
		}
		if sum > 0 {
			tilt += mean / sum
		}
	}
	l.Angle = -tilt
	return l
}
