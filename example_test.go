package chemigram_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/chemigram/chemigram"
)

// The main job: a raw in, one move, a picture out.
func Example() {
	ctx := context.Background()
	engine, err := chemigram.Open(ctx, &chemigram.Options{Workspace: "workspace"})
	if err != nil {
		log.Fatal(err)
	}
	img, err := engine.Ingest(ctx, chemigram.IngestParams{RawPath: "IMG_0001.dng"})
	if err != nil {
		log.Fatal(err)
	}
	ev := 0.7
	if _, err := engine.ApplyPrimitive(ctx, chemigram.ApplyPrimitiveParams{
		ImageID: img.ImageID, PrimitiveName: "exposure", Value: &ev,
	}); err != nil {
		log.Fatal(err)
	}
	look, err := engine.RenderPreview(ctx, chemigram.RenderPreviewParams{ImageID: img.ImageID})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(look.JPEGPath)
	if err := engine.Close(); err != nil {
		log.Fatal(err)
	}
}

// Another idea goes on a branch of its own.
func ExampleEngine_Branch() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx) // an engine with the image "wedding"
	defer done()

	if _, err := engine.Branch(ctx, chemigram.BranchParams{ImageID: "wedding", Name: "monochrome"}); err != nil {
		fmt.Println(err)
		return
	}
	if _, err := engine.Checkout(ctx, chemigram.CheckoutParams{ImageID: "wedding", RefOrHash: "monochrome"}); err != nil {
		fmt.Println(err)
		return
	}
	if _, err := engine.ApplyPrimitive(ctx, chemigram.ApplyPrimitiveParams{
		ImageID: "wedding", PrimitiveName: "black_and_white",
	}); err != nil {
		fmt.Println(err)
		return
	}
	diff, err := engine.Diff(ctx, chemigram.DiffParams{ImageID: "wedding", HashA: "main", HashB: "monochrome"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, change := range diff.Changes {
		fmt.Println(change.Module, change.Kind)
	}
	// Output: channelmixerrgb added
}

// Every error of a verb has one of nine codes.
func ExampleError() {
	var err error = &chemigram.Error{Op: "get_state", Code: chemigram.ErrNotFound, Message: `there is no image "IMG_1"`}
	fmt.Println(errors.Is(err, chemigram.ErrNotFound), errors.Is(err, chemigram.ErrState))
	fmt.Println(err)
	// Output:
	// true false
	// get_state: not_found: there is no image "IMG_1"
}

// Moves are found by words.
func ExampleEngine_ListVocabulary() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx)
	defer done()

	found, err := engine.ListVocabulary(ctx, chemigram.ListVocabularyParams{Query: "warmer", Layer: "L3", Limit: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, move := range found.Entries {
		fmt.Println(move.Name, move.Layer, move.Subject)
	}
	// Output: warmth L3 colour
}
