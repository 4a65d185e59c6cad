package chemigram_test

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/chemigram/chemigram"
)

// What can lose something says why; the history keeps it.
func ExampleEngine_DeleteRef() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx) // an engine with the image "wedding"
	defer done()

	if _, err := engine.Branch(ctx, chemigram.BranchParams{ImageID: "wedding", Name: "warm"}); err != nil {
		fmt.Println(err)
		return
	}
	ref, err := engine.DeleteRef(ctx, chemigram.DeleteRefParams{ImageID: "wedding", Name: "warm", Reason: "the cool one was chosen"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(ref.Ref)
	// Output: refs/heads/warm
}

// A deleted image can be brought back until prune empties the trash.
func ExampleEngine_DeleteImage() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx)
	defer done()

	gone, err := engine.DeleteImage(ctx, chemigram.DeleteImageParams{ImageID: "wedding", Reason: "out of focus"})
	if err != nil {
		fmt.Println(err)
		return
	}
	back, err := engine.RestoreImage(ctx, chemigram.RestoreImageParams{TrashName: gone.TrashName})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(back.ImageID)
	// Output: wedding
}

func ExampleEngine_ListTrash() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx)
	defer done()

	if _, err := engine.DeleteImage(ctx, chemigram.DeleteImageParams{ImageID: "wedding", Reason: "out of focus"}); err != nil {
		fmt.Println(err)
		return
	}
	trash, err := engine.ListTrash(ctx, chemigram.ListTrashParams{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, image := range trash.Images {
		fmt.Printf("%s, by %s: %s\n", image.ImageID, image.Actor, image.Reason)
	}
	// Output: wedding, by an agent: out of focus
}

func ExampleEngine_RestoreImage() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx)
	defer done()

	_, err := engine.RestoreImage(ctx, chemigram.RestoreImageParams{TrashName: "20261121T101502.000000000Z-wedding"})
	fmt.Println(err)
	// Output: restore_image: not_found: there is no trash "20261121T101502.000000000Z-wedding"
}

// Snapshots that a reset left are taken out when they are old enough.
func ExampleEngine_Prune() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx)
	defer done()

	for _, step := range []func() error{
		func() error {
			_, err := engine.ApplyPrimitive(ctx, chemigram.ApplyPrimitiveParams{ImageID: "wedding", PrimitiveName: "exposure"})
			return err
		},
		func() error {
			_, err := engine.Reset(ctx, chemigram.ResetParams{ImageID: "wedding"})
			return err
		},
	} {
		if err := step(); err != nil {
			fmt.Println(err)
			return
		}
	}
	for _, days := range []chemigram.Days{30, 0} {
		res, err := engine.Prune(ctx, chemigram.PruneParams{ImageID: "wedding", OlderThanDays: &days, Reason: "make room"})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(res.Snapshots)
	}
	// Output:
	// 0
	// 1
}

// A bundle is an image's history in one file; importing it twice is harmless.
func ExampleEngine_ExportBundle() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx)
	defer done()

	bundle, err := engine.ExportBundle(ctx, chemigram.ExportBundleParams{ImageID: "wedding"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(filepath.Ext(bundle.OutputPath), bundle.Snapshots)
	// Output: .chemigram 1
}

func ExampleEngine_ImportBundle() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx)
	defer done()

	bundle, err := engine.ExportBundle(ctx, chemigram.ExportBundleParams{ImageID: "wedding"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 2 {
		res, err := engine.ImportBundle(ctx, chemigram.ImportBundleParams{BundlePath: bundle.OutputPath, ImageID: "copy"})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(res.ImageID, res.Created)
	}
	// Output:
	// copy true
	// copy false
}

// The edits of two branches come together.
func ExampleEngine_Merge() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx)
	defer done()

	apply := func(move string) error {
		_, err := engine.ApplyPrimitive(ctx, chemigram.ApplyPrimitiveParams{ImageID: "wedding", PrimitiveName: move})
		return err
	}
	checkout := func(branch chemigram.RefOrHash) error {
		_, err := engine.Checkout(ctx, chemigram.CheckoutParams{ImageID: "wedding", RefOrHash: branch})
		return err
	}
	for _, step := range []func() error{
		func() error {
			_, err := engine.Branch(ctx, chemigram.BranchParams{ImageID: "wedding", Name: "warm"})
			return err
		},
		func() error { return apply("exposure") },
		func() error { return checkout("warm") },
		func() error { return apply("warmth") },
		func() error { return checkout("main") },
	} {
		if err := step(); err != nil {
			fmt.Println(err)
			return
		}
	}
	res, err := engine.Merge(ctx, chemigram.MergeParams{ImageID: "wedding", RefOrHash: "warm"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Changed, len(res.Conflicts))
	// Output: true 0
}

// One change of a branch that was left is made here, too.
func ExampleEngine_CherryPick() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx)
	defer done()

	picked, err := engine.ApplyPrimitive(ctx, chemigram.ApplyPrimitiveParams{ImageID: "wedding", PrimitiveName: "warmth"})
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := engine.Reset(ctx, chemigram.ResetParams{ImageID: "wedding"}); err != nil {
		fmt.Println(err)
		return
	}
	res, err := engine.CherryPick(ctx, chemigram.CherryPickParams{
		ImageID: "wedding", Event: chemigram.RefOrHash(picked.Event),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Changed, *res.StateAfter.HeadHash == *picked.StateAfter.HeadHash)
	// Output: true true
}
