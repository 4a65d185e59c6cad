package chemigram_test

import (
	"context"
	"fmt"
	"log"

	"github.com/chemigram/chemigram"
)

// Names for what is often masked.
func ExampleEngine_ListMasks() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx)
	defer done()
	found, err := engine.ListMasks(ctx, chemigram.ListMasksParams{Query: "frame third"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, mask := range found.Masks {
		fmt.Println(mask.Name)
	}
	// Output:
	// bottom_third
	// left_third
	// right_third
	// top_third
}

// A mask is looked at before it is used: the blue of the sky, in the upper part
// of the picture only.
func ExampleEngine_PreviewMask() {
	ctx := context.Background()
	engine, err := chemigram.Open(ctx, &chemigram.Options{Workspace: "workspace"})
	if err != nil {
		log.Fatal(err)
	}
	y := 0.4
	sky := chemigram.Mask{Name: "sky_blue", Shapes: []chemigram.MaskShape{{Kind: "gradient", Y: &y}}}
	seen, err := engine.PreviewMask(ctx, chemigram.PreviewMaskParams{ImageID: "IMG_0001", Mask: sky})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.0f %% of the picture, see %s\n", 100*seen.Fraction, seen.JPEGPath)
	ev := -0.5
	if _, err := engine.ApplyPrimitive(ctx, chemigram.ApplyPrimitiveParams{
		ImageID: "IMG_0001", PrimitiveName: "exposure", Value: &ev, Mask: &sky,
	}); err != nil {
		log.Fatal(err)
	}
}

// Light on the subject, less of it around: one snapshot.
func ExampleEngine_ApplyPerRegion() {
	ctx := context.Background()
	engine, err := chemigram.Open(ctx, &chemigram.Options{Workspace: "workspace"})
	if err != nil {
		log.Fatal(err)
	}
	lighter, darker := 0.4, -0.4
	if _, err := engine.ApplyPerRegion(ctx, chemigram.ApplyPerRegionParams{
		ImageID: "IMG_0001", PrimitiveName: "exposure",
		Regions: []chemigram.RegionMove{
			{Mask: chemigram.Mask{Name: "subject_centre"}, Value: &lighter},
			{Mask: chemigram.Mask{Name: "edges"}, Value: &darker},
		},
	}); err != nil {
		log.Fatal(err)
	}
}
