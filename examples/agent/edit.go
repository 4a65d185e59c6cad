package main

import (
	"context"
	"fmt"
)

// stats is the part of the result of image_stats that the rules use.
type stats struct {
	Luma struct {
		Mean        float64 `json:"mean"`
		P5          float64 `json:"p5"`
		P95         float64 `json:"p95"`
		ClippedLow  float64 `json:"clipped_low"`
		ClippedHigh float64 `json:"clipped_high"`
	} `json:"luma"`
	Lab struct {
		Chroma float64 `json:"chroma"`
	} `json:"lab"`
}

// rule proposes a move when the picture needs it, and decides whether it helped.
type rule struct {
	name    string
	propose func(stats) (move string, value float64, needed bool)
	better  func(before, after stats) bool
}

const (
	midLuma     = 0.46 // mean luma of a picture that is neither dark nor bright
	maxClipping = 0.02 // share of clipped pixels
	minContrast = 0.55 // luma from the 5th to the 95th percentile
	minChroma   = 14.0
)

var rules = []rule{
	{
		"brightness",
		func(s stats) (string, float64, bool) {
			deviation := midLuma - s.Luma.Mean
			return "exposure", min(1, max(-1, 4*deviation)), deviation > 0.05 || deviation < -0.05
		},
		func(before, after stats) bool {
			return distance(after.Luma.Mean, midLuma) < distance(before.Luma.Mean, midLuma) && after.Luma.ClippedHigh < maxClipping
		},
	},
	{
		"contrast",
		func(s stats) (string, float64, bool) { return "contrast", 0.15, s.Luma.P95-s.Luma.P5 < minContrast },
		func(before, after stats) bool {
			return after.Luma.P95-after.Luma.P5 > before.Luma.P95-before.Luma.P5 && after.Luma.ClippedLow < maxClipping
		},
	},
	{
		"colour",
		func(s stats) (string, float64, bool) { return "vibrance", 0.25, s.Lab.Chroma < minChroma },
		func(before, after stats) bool { return after.Lab.Chroma > before.Lab.Chroma },
	},
}

func distance(a, b float64) float64 { return max(a-b, b-a) }

// edit ingests the raw and applies the rules on a branch.
func edit(ctx context.Context, t tools, raw string) error {
	var image struct {
		ID string `json:"image_id"`
	}
	if err := t.call(ctx, "ingest", arguments{"raw_path": raw}, &image); err != nil {
		return err
	}
	if err := t.call(ctx, "branch", arguments{"image_id": image.ID, "name": "by-rules"}, nil); err != nil {
		return err
	}
	if err := t.call(ctx, "checkout", arguments{"image_id": image.ID, "ref_or_hash": "by-rules"}, nil); err != nil {
		return err
	}
	before, err := measure(ctx, t, image.ID)
	if err != nil {
		return err
	}
	fmt.Printf("%s: mean luma %.2f, contrast %.2f, chroma %.1f\n", image.ID, before.Luma.Mean, before.Luma.P95-before.Luma.P5, before.Lab.Chroma)
	for _, r := range rules {
		if before, err = r.try(ctx, t, image.ID, before); err != nil {
			return err
		}
	}
	return report(ctx, t, image.ID)
}

func measure(ctx context.Context, t tools, image string) (s stats, err error) {
	err = t.call(ctx, "image_stats", arguments{"image_id": image, "size": 512}, &s)
	return s, err
}

// try applies what a rule proposes and keeps it when it helped.
func (r rule) try(ctx context.Context, t tools, image string, before stats) (stats, error) {
	move, value, needed := r.propose(before)
	if !needed {
		fmt.Printf("%-11s needs nothing\n", r.name)
		return before, nil
	}
	if err := t.call(ctx, "apply_primitive", arguments{"image_id": image, "primitive_name": move, "value": value}, nil); err != nil {
		return before, err
	}
	after, err := measure(ctx, t, image)
	if err != nil {
		return before, err
	}
	decision := "keep"
	if !r.better(before, after) {
		decision = "undo"
		if err := t.call(ctx, "undo", arguments{"image_id": image}, nil); err != nil {
			return before, err
		}
	}
	fmt.Printf("%-11s %s %+.2f: mean luma %.2f → %.2f, chroma %.1f → %.1f: %s\n",
		r.name, move, value, before.Luma.Mean, after.Luma.Mean, before.Lab.Chroma, after.Lab.Chroma, decision)
	if decision == "undo" {
		return before, nil
	}
	return after, nil
}

// report compares the edit with the baseline, and names it.
func report(ctx context.Context, t tools, image string) error {
	var difference struct {
		Mean float64 `json:"mean_delta_e"`
		Path string  `json:"jpeg_path"`
	}
	compare := arguments{"image_id": image, "hash_a": "baseline", "hash_b": "HEAD", "size": 512}
	if err := t.call(ctx, "compare", compare, &difference); err != nil {
		return err
	}
	if err := t.call(ctx, "snapshot", arguments{"image_id": image, "label": "edited by rules"}, nil); err != nil {
		return err
	}
	fmt.Printf("mean ΔE2000 against the baseline: %.1f; side by side in %s\n", difference.Mean, difference.Path)
	return nil
}
