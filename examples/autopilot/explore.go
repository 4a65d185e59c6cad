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
	midTone = 0.46 // the mean luma that is aimed at
	rounds  = 2    // corrections on each branch
)

// rule returns a move, and how much to add to its value, for a measured picture.
type rule func(chemigram.ImageStatsResult) (move string, value float64)

func exposure(s chemigram.ImageStatsResult) (string, float64) {
	return "exposure", clamp(5*(midTone-s.Luma.Mean), 2)
}

func highlights(s chemigram.ImageStatsResult) (string, float64) {
	return "highlights", -clamp(20*s.Luma.ClippedHigh, 0.5)
}

func neutral(s chemigram.ImageStatsResult) (string, float64) {
	return "warmth", clamp(-3*cast(s).B, 40)
}

// cast is the cast of what is nearly grey, or none when nothing is.
func cast(s chemigram.ImageStatsResult) chemigram.NeutralCast {
	if s.NeutralCast == nil {
		return chemigram.NeutralCast{}
	}
	return *s.NeutralCast
}

func clamp(v, limit float64) float64 { return max(-limit, min(limit, v)) }

// branch is one of the edits to compare.
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
	grey := cast(s)
	return 2*math.Abs(s.Luma.Mean-midTone) + 5*s.Luma.ClippedHigh + math.Hypot(grey.A, grey.B)/50
}

// exploration edits an image on several branches and compares them.
type exploration struct {
	engine   *chemigram.Engine
	image    chemigram.ImageID
	known    chemigram.ReadContextResult
	branches []*branch
	best     *branch
}

// run makes and edits all branches, and tags the best.
func (e *exploration) run(ctx context.Context) (err error) {
	if e.known, err = e.engine.ReadContext(ctx, chemigram.ReadContextParams{ImageID: e.image}); err != nil {
		return err
	}
	e.branches = []*branch{
		{name: "mid-tone", rules: []rule{exposure}},
		{name: "highlights", rules: []rule{exposure, highlights}},
		{name: "neutral", rules: []rule{exposure, highlights, neutral}},
	}
	for _, b := range e.branches {
		if err := e.edit(ctx, b); err != nil {
			return fmt.Errorf("branch %s: %w", b.name, err)
		}
		if e.best == nil || score(b.stats) < score(e.best.stats) {
			e.best = b
		}
	}
	_, err = e.engine.Tag(ctx, chemigram.TagParams{ImageID: e.image, Name: "best", Hash: chemigram.RefOrHash(e.best.name)})
	return err
}

// edit makes a branch at the baseline, and corrects and measures it in rounds.
func (e *exploration) edit(ctx context.Context, b *branch) error {
	if _, err := e.engine.Branch(ctx, chemigram.BranchParams{ImageID: e.image, Name: b.name, From: "baseline"}); err != nil {
		return err
	}
	if _, err := e.engine.Checkout(ctx, chemigram.CheckoutParams{ImageID: e.image, RefOrHash: chemigram.RefOrHash(b.name)}); err != nil {
		return err
	}
	var err error
	if b.before, err = e.measure(ctx); err != nil {
		return err
	}
	b.stats = b.before
	values := map[string]float64{} // moves are set, not added up: their sums are here
	for range rounds {
		for _, rule := range b.rules {
			move, correction := rule(b.stats)
			values[move] += correction
			value := values[move]
			if _, err := e.engine.ApplyPrimitive(ctx, chemigram.ApplyPrimitiveParams{ImageID: e.image, PrimitiveName: move, Value: &value}); err != nil {
				return err
			}
		}
		if b.stats, err = e.measure(ctx); err != nil {
			return err
		}
	}
	compared, err := e.engine.Compare(ctx, chemigram.CompareParams{ImageID: e.image, HashA: "baseline", HashB: chemigram.RefOrHash(b.name), Size: 512})
	b.jpeg, b.deltaE = compared.JPEGPath, compared.MeanDeltaE
	return err
}

func (e *exploration) measure(ctx context.Context) (chemigram.ImageStatsResult, error) {
	return e.engine.ImageStats(ctx, chemigram.ImageStatsParams{ImageID: e.image, Size: 512})
}

// report writes the measurements to path, with copies of the pictures beside it, and
// proposes a note.
func (e *exploration) report(ctx context.Context, path string) (string, error) {
	note := fmt.Sprintf("Autopilot: %s came closest to a mean luma of %.2f (%.2f, before %.2f).",
		e.best.name, midTone, e.best.stats.Luma.Mean, e.best.before.Luma.Mean)
	proposed, err := e.engine.ProposeNotesUpdate(ctx, chemigram.ProposeNotesUpdateParams{ImageID: e.image, Content: note})
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\nBrief: %q. Tastes read: %d. The best branch is tagged `best`: **%s**.\n\n", e.image, e.known.Brief, len(e.known.Tastes), e.best.name)
	b.WriteString("| branch | mean luma | clipped high | cast a, b | mean ΔE2000 to the baseline | score |\n|---|---|---|---|---|---|\n")
	for _, x := range e.branches {
		fmt.Fprintf(&b, "| %s | %.3f (was %.3f) | %.4f | %.1f, %.1f | %.1f | %.3f |\n", x.name, x.stats.Luma.Mean, x.before.Luma.Mean,
			x.stats.Luma.ClippedHigh, cast(x.stats).A, cast(x.stats).B, x.deltaE, score(x.stats))
	}
	for _, x := range e.branches {
		picture, err := copyPicture(path, x)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "\n## %s\n\n![the baseline beside %s](%s)\n", x.name, x.name, picture)
	}
	fmt.Fprintf(&b, "\nProposed note, waiting for an answer (%s):\n\n> %s\n", proposed.ProposalID, note)
	return path, os.WriteFile(path, []byte(b.String()), 0o666)
}

// copyPicture copies a branch's picture into the folder of the report, which can then
// be moved and does not depend on the workspace's cache.
func copyPicture(report string, b *branch) (name string, err error) {
	picture, err := os.ReadFile(b.jpeg)
	if err != nil {
		return "", err
	}
	name = b.name + ".jpg"
	return name, os.WriteFile(filepath.Join(filepath.Dir(report), name), picture, 0o666)
}
