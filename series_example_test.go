package chemigram_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/chemigram/chemigram"
)

// The pictures with four stars or more.
func ExampleEngine_ListImages() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx, "party") // with the images "wedding" and "party"
	defer done()

	stars := chemigram.Rating(4)
	if _, err := engine.SetRating(ctx, chemigram.SetRatingParams{ImageID: "party", Rating: &stars}); err != nil {
		fmt.Println(err)
		return
	}
	found, err := engine.ListImages(ctx, chemigram.ListImagesParams{MinRating: &stars})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, image := range found.Images {
		fmt.Println(image.ImageID, image.Rating)
	}
	// Output: party 4
}

// A rating of -1 rejects; what is not given stays.
func ExampleEngine_SetRating() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx)
	defer done()

	stars := chemigram.Rating(3)
	for _, marks := range []chemigram.SetRatingParams{
		{ImageID: "wedding", Rating: &stars},
		{ImageID: "wedding", ColorLabels: []chemigram.ColorLabel{"green"}},
	} {
		res, err := engine.SetRating(ctx, marks)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(res.Rating, res.ColorLabels)
	}
	// Output:
	// 3 []
	// 3 [green]
}

// One picture's look on the others. A target that fails stops no other.
func ExampleEngine_PropagateState() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx, "party")
	defer done()

	if _, err := engine.ApplyPrimitive(ctx, chemigram.ApplyPrimitiveParams{
		ImageID: "wedding", PrimitiveName: "black_and_white",
	}); err != nil {
		fmt.Println(err)
		return
	}
	res, err := engine.PropagateState(ctx, chemigram.PropagateStateParams{
		ImageID: "wedding", Targets: []chemigram.ImageID{"party", "picnic"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, outcome := range res.Outcomes {
		fmt.Printf("%s %v %q\n", outcome.ImageID, outcome.Changed, outcome.ErrorCode)
	}
	// Output:
	// party true ""
	// picnic false "not_found"
}

// A series gets as bright as its best picture, by measuring.
func ExampleEngine_MatchExposure() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx, "party")
	defer done()

	res, err := engine.MatchExposure(ctx, chemigram.MatchExposureParams{
		ImageID: "wedding", Targets: []chemigram.ImageID{"party"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, outcome := range res.Outcomes {
		fmt.Printf("%s %+.2f EV\n", outcome.ImageID, outcome.EV)
	}
}

// A series becomes one set: what would be changed is looked at first.
func ExampleEngine_MatchSeries() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx, "party")
	defer done()

	res, err := engine.MatchSeries(ctx, chemigram.MatchSeriesParams{
		ImageIDs: []chemigram.ImageID{"wedding", "party"}, DryRun: true, Sheet: true,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, outcome := range res.Outcomes {
		if measured := outcome.Series; measured != nil {
			fmt.Printf("%s %+v %s\n", outcome.ImageID, measured.Moves, measured.LeftAlone)
		}
	}
}

// The edit goes to darktable in its own format, rating and all.
func ExampleEngine_ExportSidecar() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx)
	defer done()

	res, err := engine.ExportSidecar(ctx, chemigram.ExportSidecarParams{ImageID: "wedding"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(filepath.Ext(res.OutputPath), res.BackupPath == "")
	// Output: .xmp true
}

func ExampleEngine_ReadSidecar() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx)
	defer done()

	res, err := engine.ReadSidecar(ctx, chemigram.ReadSidecarParams{ImageID: "wedding"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(strings.Contains(res.XMP, `darktable:operation="exposure"`))
	// Output: true
}

// What was done in darktable is one snapshot of the history.
func ExampleEngine_ImportSidecar() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx, "party")
	defer done()

	if _, err := engine.ApplyPrimitive(ctx, chemigram.ApplyPrimitiveParams{
		ImageID: "wedding", PrimitiveName: "warmth",
	}); err != nil {
		fmt.Println(err)
		return
	}
	theirs, err := engine.ExportSidecar(ctx, chemigram.ExportSidecarParams{ImageID: "wedding"})
	if err != nil {
		fmt.Println(err)
		return
	}
	res, err := engine.ImportSidecar(ctx, chemigram.ImportSidecarParams{
		ImageID: "party", Path: theirs.OutputPath, Label: "from darktable",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Changed, *res.StateAfter.HeadHash == theirs.StateHash)
	// Output: true true
}

// A picture becomes like the JPEG that the camera made of it: what would be applied is
// looked at first.
func ExampleEngine_MatchReference() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx)
	defer done()

	res, err := engine.MatchReference(ctx, chemigram.MatchReferenceParams{
		ImageID: "wedding", Reference: "camera", DryRun: true,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s, %.1f before, %.1f after\n", res.Understood, res.Before, res.After)
	for _, move := range res.Applied {
		fmt.Println(move.Move, move.Values)
	}
}
