package chemigram_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/chemigram/chemigram"
)

// How many modules the edit has, and which layers are in it.
func ExampleEngine_GetState() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx) // an engine with the image "wedding"
	defer done()

	state, err := engine.GetState(ctx, chemigram.GetStateParams{ImageID: "wedding"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(state.EntryCount, state.LayersPresent.L3)
	// Output: 11 false
}

// A move is set, not added: the same call again changes nothing.
func ExampleEngine_ApplyPrimitive() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx)
	defer done()

	ev := 0.7
	for range 2 {
		res, err := engine.ApplyPrimitive(ctx, chemigram.ApplyPrimitiveParams{
			ImageID: "wedding", PrimitiveName: "exposure", Value: &ev,
		})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(res.Changed)
	}
	// Output:
	// true
	// false
}

// A module goes back to what the baseline has of it.
func ExampleEngine_RemoveModule() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx)
	defer done()

	if _, err := engine.ApplyPrimitive(ctx, chemigram.ApplyPrimitiveParams{
		ImageID: "wedding", PrimitiveName: "exposure",
	}); err != nil {
		fmt.Println(err)
		return
	}
	res, err := engine.RemoveModule(ctx, chemigram.RemoveModuleParams{ImageID: "wedding", ModuleName: "exposure"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Changed, res.StateAfter.LayersPresent.L3)
	// Output: true false
}

// A technical template and a look to start from.
func ExampleEngine_BindLayers() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx)
	defer done()

	res, err := engine.BindLayers(ctx, chemigram.BindLayersParams{
		ImageID: "wedding", L1Template: "prepare_hot_pixels", L2Template: "look_golden_hour",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Applied)
	// Output: [prepare_hot_pixels look_golden_hour]
}

// Reset goes back to the baseline; undo takes even that back.
func ExampleEngine_Reset() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx)
	defer done()

	if _, err := engine.ApplyPrimitive(ctx, chemigram.ApplyPrimitiveParams{
		ImageID: "wedding", PrimitiveName: "warmth",
	}); err != nil {
		fmt.Println(err)
		return
	}
	reset, err := engine.Reset(ctx, chemigram.ResetParams{ImageID: "wedding"})
	if err != nil {
		fmt.Println(err)
		return
	}
	undone, err := engine.Undo(ctx, chemigram.UndoParams{ImageID: "wedding"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(reset.StateAfter.LayersPresent.L3, undone.StateAfter.LayersPresent.L3)
	// Output: false true
}

func ExampleEngine_Undo() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx)
	defer done()

	_, err := engine.Undo(ctx, chemigram.UndoParams{ImageID: "wedding"}) // nothing was done yet
	fmt.Println(errors.Is(err, chemigram.ErrVersioning))
	// Output: true
}

// What was undone can be done again, until something else is done.
func ExampleEngine_Redo() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx)
	defer done()

	warm, err := engine.ApplyPrimitive(ctx, chemigram.ApplyPrimitiveParams{
		ImageID: "wedding", PrimitiveName: "warmth",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := engine.Undo(ctx, chemigram.UndoParams{ImageID: "wedding"}); err != nil {
		fmt.Println(err)
		return
	}
	again, err := engine.Redo(ctx, chemigram.UndoParams{ImageID: "wedding"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(again.Event == warm.Event)
	// Output: true
}

// A speck of dust in the sky is covered by what is beside it.
func ExampleEngine_ApplySpot() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx)
	defer done()

	x, y := chemigram.Fraction(0.62), chemigram.Fraction(0.11)
	fromX, fromY := chemigram.Fraction(0.66), chemigram.Fraction(0.11)
	res, err := engine.ApplySpot(ctx, chemigram.ApplySpotParams{
		ImageID: "wedding", X: &x, Y: &y, Radius: 0.01, SourceX: &fromX, SourceY: &fromY,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, spot := range res.Spots {
		fmt.Printf("%d: %s at %.2f, %.2f\n", spot.ID, spot.Kind, spot.X, spot.Y)
	}
}

// The shirt is white, whatever the light is: it is made neutral.
func ExampleEngine_WBFromPoint() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx)
	defer done()

	res, err := engine.WBFromPoint(ctx, chemigram.WBFromPointParams{ImageID: "wedding", X: 0.48, Y: 0.55})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("the cast of the point was a %.1f, b %.1f\n", res.A, res.B)
}
