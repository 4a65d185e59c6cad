package prove

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/vocab/measure"
)

// nearestScenes are where moves are compared.
var nearestScenes = []vocab.Scene{vocab.Natural, vocab.Chart}

// Nearest gives, for each entry that the target has, the n others whose effects at
// their defaults are nearest to its own, the nearest first. How far two are apart is the
// mean CIEDE2000 between their pictures of the natural scene and the chart, as a share of
// the larger effect. What has no effect there is near to its like only.
func Nearest(ctx context.Context, p VerifyParams, n int) (map[string][]string, error) {
	v := newVerifier(p)
	var names []string
	var shots []Shot
	for _, scene := range nearestScenes {
		s, err := v.baseline(ctx, scene)
		if err != nil {
			return nil, err
		}
		shots = append(shots, Shot{scene, s.Bytes()})
	}
	for _, e := range p.Entries {
		if ok, _ := e.Available(p.Target); !ok {
			continue
		}
		names = append(names, e.Name)
		for _, scene := range nearestScenes {
			s, err := v.apply(ctx, scene, e, nil, sampleValues(e), 1)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", e.Name, err)
			}
			shots = append(shots, Shot{scene, s.Bytes()})
		}
	}
	var pictures []*measure.Picture
	for batch := range slices.Chunk(shots, batchShots) {
		images, err := p.Renderer.Render(ctx, batch)
		if err != nil {
			return nil, err
		}
		for _, m := range images {
			pictures = append(pictures, thumbnail(measure.New(m)))
		}
	}
	effects := slices.Collect(slices.Chunk(pictures, len(nearestScenes)))
	nearest := map[string][]string{}
	for i, near := range nearestOf(effects[0], effects[1:], n) {
		for _, j := range near {
			nearest[names[i]] = append(nearest[names[i]], names[j])
		}
	}
	return nearest, nil
}

// nearestOf gives for each effect, which is a picture of each scene, the indices of the n
// others that are nearest.
func nearestOf(untouched []*measure.Picture, effects [][]*measure.Picture, n int) [][]int {
	const (
		nothing = 0.02 // ΔE, the mean
		far     = 100
	)
	size := make([]float64, len(effects))
	for i, e := range effects {
		size[i] = distance(untouched, e)
	}
	all := make([][]int, len(effects))
	for i := range effects {
		apart := map[int]float64{}
		for j := range effects {
			switch {
			case i == j:
			case (size[i] < nothing) != (size[j] < nothing):
				apart[j] = far
			default:
				apart[j] = distance(effects[i], effects[j]) / max(size[i], size[j], nothing)
			}
		}
		others := make([]int, 0, len(apart))
		for j := range effects {
			if j != i {
				others = append(others, j)
			}
		}
		slices.SortStableFunc(others, func(a, b int) int { return cmp.Compare(apart[a], apart[b]) })
		all[i] = others[:min(n, len(others))]
	}
	return all
}

// thumbnail keeps every sixth pixel of a picture in each direction.
func thumbnail(p *measure.Picture) *measure.Picture {
	const step = 6
	small := &measure.Picture{Width: (p.Width + step - 1) / step, Height: (p.Height + step - 1) / step}
	for y := 0; y < p.Height; y += step {
		for x := 0; x < p.Width; x += step {
			i := y*p.Width + x
			small.L, small.A, small.B = append(small.L, p.L[i]), append(small.A, p.A[i]), append(small.B, p.B[i])
		}
	}
	return small
}

// distance is the mean CIEDE2000 of pictures of the same scenes; those of another size
// are far from each other.
func distance(p, q []*measure.Picture) float64 {
	const otherSize = 50
	sum := 0.0
	for i := range p {
		d, err := measure.MeanDeltaE(p[i], q[i], nil)
		if err != nil {
			d = otherSize
		}
		sum += d
	}
	return sum / float64(len(p))
}
