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

// Another idea goes on a branch of its own, and the two are compared.
func ExampleEngine_Branch() {
	ctx := context.Background()
	engine, err := chemigram.Open(ctx, &chemigram.Options{Workspace: "workspace"})
	if err != nil {
		log.Fatal(err)
	}
	const image = "IMG_0001"
	for _, step := range []func() error{
		func() error {
			_, err := engine.Branch(ctx, chemigram.BranchParams{ImageID: image, Name: "monochrome"})
			return err
		},
		func() error {
			_, err := engine.Checkout(ctx, chemigram.CheckoutParams{ImageID: image, RefOrHash: "monochrome"})
			return err
		},
		func() error {
			_, err := engine.ApplyPrimitive(ctx, chemigram.ApplyPrimitiveParams{ImageID: image, PrimitiveName: "black_and_white"})
			return err
		},
	} {
		if err := step(); err != nil {
			log.Fatal(err)
		}
	}
	res, err := engine.Compare(ctx, chemigram.CompareParams{ImageID: image, HashA: "main", HashB: "monochrome"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("mean ΔE2000 %.1f: %s\n", res.MeanDeltaE, res.JPEGPath)
	if err := engine.Close(); err != nil {
		log.Fatal(err)
	}
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
	engine, err := chemigram.Open(ctx, &chemigram.Options{Workspace: "workspace"})
	if err != nil {
		log.Fatal(err)
	}
	found, err := engine.ListVocabulary(ctx, chemigram.ListVocabularyParams{Query: "warmer"})
	if err != nil {
		log.Fatal(err)
	}
	for _, move := range found.Entries {
		fmt.Println(move.Name, move.Description)
	}
	if err := engine.Close(); err != nil {
		log.Fatal(err)
	}
}
