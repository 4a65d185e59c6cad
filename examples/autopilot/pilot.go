package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/chemigram/chemigram"
)

const (
	midTone = 0.46 // mean luma to reach
	rounds  = 2    // corrections on each branch
)

// rule gives a move and its value for what was measured.
type rule func(chemigram.ImageStatsResult) (move string, value float64)

func exposure(s chemigram.ImageStatsResult) (string, float64) {
	return "exposure", clamp(5*(midTone-s.Luma.Mean), 2)
}

func highlights(s chemigram.ImageStatsResult) (string, float64) {
	return "highlights", -clamp(20*s.Luma.ClippedHigh, 0.5)
}

func neutral(s chemigram.ImageStatsResult) (string, float64) {
	return "warmth", clamp(-3*s.NeutralCast.B, 40)
}

func clamp(v, most float64) float64 { return max(-most, min(most, v)) }

// branch is a direction that was explored.
type branch struct {
	name   string
	rules  []rule
	before chemigram.ImageStatsResult
	stats  chemigram.ImageStatsResult
	jpeg   string
	deltaE float64
}

// score is how far a picture is from the targets; less is better.
func score(s chemigram.ImageStatsResult) float64 {
	cast := math.Hypot(s.NeutralCast.A, s.NeutralCast.B)
	return 2*math.Abs(s.Luma.Mean-midTone) + 5*s.Luma.ClippedHigh + cast/50
}

type pilot struct {
	engine   *chemigram.Engine
	image    chemigram.ImageID
	known    chemigram.ReadContextResult
	branches []*branch
	best     *branch
}

func (p *pilot) explore(ctx context.Context) (err error) {
	if p.known, err = p.engine.ReadContext(ctx, chemigram.ReadContextParams{ImageID: p.image}); err != nil {
		return err
	}
	p.branches = []*branch{
		{name: "mid-tone", rules: []rule{exposure}},
		{name: "highlights", rules: []rule{exposure, highlights}},
		{name: "neutral", rules: []rule{exposure, highlights, neutral}},
	}
	for _, b := range p.branches {
		if err := p.follow(ctx, b); err != nil {
			return fmt.Errorf("branch %s: %w", b.name, err)
		}
		if p.best == nil || score(b.stats) < score(p.best.stats) {
			p.best = b
		}
	}
	_, err = p.engine.Tag(ctx, chemigram.TagParams{ImageID: p.image, Name: "best", Hash: chemigram.RefOrHash(p.best.name)})
	return err
}

// follow makes the branch from the baseline, corrects and measures.
func (p *pilot) follow(ctx context.Context, b *branch) error {
	if _, err := p.engine.Branch(ctx, chemigram.BranchParams{ImageID: p.image, Name: b.name, From: "baseline"}); err != nil {
		return err
	}
	if _, err := p.engine.Checkout(ctx, chemigram.CheckoutParams{ImageID: p.image, RefOrHash: chemigram.RefOrHash(b.name)}); err != nil {
		return err
	}
	var err error
	if b.before, err = p.measure(ctx); err != nil {
		return err
	}
	b.stats = b.before
	values := map[string]float64{} // a move is set, so that corrections are summed here
	for range rounds {
		for _, rule := range b.rules {
			move, more := rule(b.stats)
			values[move] += more
			value := values[move]
			if _, err := p.engine.ApplyPrimitive(ctx, chemigram.ApplyPrimitiveParams{ImageID: p.image, PrimitiveName: move, Value: &value}); err != nil {
				return err
			}
		}
		if b.stats, err = p.measure(ctx); err != nil {
			return err
		}
	}
	compared, err := p.engine.Compare(ctx, chemigram.CompareParams{ImageID: p.image, HashA: "baseline", HashB: chemigram.RefOrHash(b.name), Size: 512})
	b.jpeg, b.deltaE = compared.JPEGPath, compared.MeanDeltaE
	return err
}

func (p *pilot) measure(ctx context.Context) (chemigram.ImageStatsResult, error) {
	return p.engine.ImageStats(ctx, chemigram.ImageStatsParams{ImageID: p.image, Size: 512})
}

// report writes what was found, with copies of the pictures beside it, and
// proposes a note.
func (p *pilot) report(ctx context.Context, path string) (string, error) {
	note := fmt.Sprintf("Autopilot: %s came closest to a mean luma of %.2f (%.2f, before %.2f).",
		p.best.name, midTone, p.best.stats.Luma.Mean, p.best.before.Luma.Mean)
	proposed, err := p.engine.ProposeNotesUpdate(ctx, chemigram.ProposeNotesUpdateParams{ImageID: p.image, Content: note})
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\nBrief: %q. Tastes read: %d. The best branch is tagged `best`: **%s**.\n\n", p.image, p.known.Brief, len(p.known.Tastes), p.best.name)
	b.WriteString("| branch | mean luma | clipped high | cast a, b | mean ΔE2000 to the baseline | score |\n|---|---|---|---|---|---|\n")
	for _, x := range p.branches {
		fmt.Fprintf(&b, "| %s | %.3f (was %.3f) | %.4f | %.1f, %.1f | %.1f | %.3f |\n", x.name, x.stats.Luma.Mean, x.before.Luma.Mean,
			x.stats.Luma.ClippedHigh, x.stats.NeutralCast.A, x.stats.NeutralCast.B, x.deltaE, score(x.stats))
	}
	for _, x := range p.branches {
		picture, err := beside(path, x)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "\n## %s\n\n![the baseline beside %s](%s)\n", x.name, x.name, picture)
	}
	fmt.Fprintf(&b, "\nProposed note, waiting for an answer (%s):\n\n> %s\n", proposed.ProposalID, note)
	return path, os.WriteFile(path, []byte(b.String()), 0o666)
}

// beside copies a branch's picture into the folder of the report, which can be
// moved then, and outlives the workspace's cache.
func beside(report string, b *branch) (name string, err error) {
	picture, err := os.ReadFile(b.jpeg)
	if err != nil {
		return "", err
	}
	name = b.name + ".jpg"
	return name, os.WriteFile(filepath.Join(filepath.Dir(report), name), picture, 0o666)
}
