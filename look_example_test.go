package chemigram_test

import (
	"context"
	"fmt"

	"github.com/chemigram/chemigram"
)

// darktable develops a raw once; what it did is the baseline of all edits.
func ExampleEngine_Ingest() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx)
	defer done()

	img, err := engine.Ingest(ctx, chemigram.IngestParams{RawPath: "IMG_0001.dng"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(img.ImageID, img.EXIFSummary.Model, img.SuggestedBindings)
}

// The eyes alone, large and with the export's own pixels.
func ExampleEngine_RenderPreview() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx)
	defer done()

	look, err := engine.RenderPreview(ctx, chemigram.RenderPreviewParams{
		ImageID: "wedding", Quality: chemigram.QualityFine,
		Region: &chemigram.Region{X: 0.4, Y: 0.2, Width: 0.2, Height: 0.1},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(look.Width, look.Height, look.JPEGPath)
}

// Two versions beside each other, and how far apart they are.
func ExampleEngine_Compare() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx)
	defer done()

	res, err := engine.Compare(ctx, chemigram.CompareParams{ImageID: "wedding", HashA: "baseline", HashB: "HEAD"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("mean ΔE2000 %.1f, see %s and %s\n", res.MeanDeltaE, res.JPEGPath, res.DifferencePath)
}

// For a printer: 16 bits in a wide colour space.
func ExampleEngine_ExportFinal() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx)
	defer done()

	res, err := engine.ExportFinal(ctx, chemigram.ExportFinalParams{
		ImageID: "wedding", RefOrHash: "delivered",
		Format: "tiff", BitDepth: 16, ColorSpace: "adobe-rgb",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.OutputPath, res.Bytes)
}

// What a photograph wants first is measured; what it does not show is not guessed.
func ExampleEngine_SuggestStart() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx, "wedding")
	defer done()

	res, err := engine.SuggestStart(ctx, chemigram.SuggestStartParams{ImageID: "wedding"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, advice := range res.Suggestions {
		fmt.Println(advice.About, advice.Verdict, advice.Reason)
		for _, move := range advice.Moves {
			if _, err := engine.ApplyPrimitive(ctx, chemigram.ApplyPrimitiveParams{
				ImageID: "wedding", PrimitiveName: move.Name, Values: move.Values,
			}); err != nil {
				fmt.Println(err)
			}
		}
	}
}

// Proves a few moves on the darktable that is installed; health_check and list_vocabulary
// then say what holds here.
func ExampleEngine_Prove() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx)
	defer done()

	res, err := engine.Prove(ctx, chemigram.ProveParams{Entries: []string{"exposure", "shadows"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, failed := range res.Failures {
		fmt.Println(failed.Name, failed.Says)
	}
	fmt.Println(res.Proven, "hold on darktable", res.Darktable, "and", res.Missing, "are not proven yet:", res.Page)
}

// What an agent decides by: how light the picture is, what is lost, what cast.
func ExampleEngine_ImageStats() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx)
	defer done()

	stats, err := engine.ImageStats(ctx, chemigram.ImageStatsParams{ImageID: "wedding"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("mean luma %.2f, %.1f %% burnt, cast a %.1f, b %.1f\n",
		stats.Luma.Mean, 100*stats.Luma.ClippedHigh, stats.NeutralCast.A, stats.NeutralCast.B)
}

// Four strengths of one move on one sheet; nothing is written.
func ExampleEngine_RenderVariants() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx)
	defer done()

	res, err := engine.RenderVariants(ctx, chemigram.RenderVariantsParams{
		ImageID: "wedding", PrimitiveName: "exposure", Values: []float64{-0.5, 0, 0.5, 1},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, variant := range res.Variants {
		fmt.Println(variant.Name, variant.LumaMean, variant.ClippedHigh)
	}
	fmt.Println(res.JPEGPath)
}
