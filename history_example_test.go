package chemigram_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/chemigram/chemigram"
)

// A label says why a version is kept.
func ExampleEngine_Snapshot() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx) // an engine with the image "wedding"
	defer done()

	if _, err := engine.Snapshot(ctx, chemigram.SnapshotParams{ImageID: "wedding", Label: "before the crop"}); err != nil {
		fmt.Println(err)
		return
	}
	log, err := engine.Log(ctx, chemigram.LogParams{ImageID: "wedding", Limit: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(log.Entries[0].Op, log.Entries[0].Label)
	// Output: snapshot before the crop
}

// A version can be visited; on a branch, edits go on.
func ExampleEngine_Checkout() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx)
	defer done()

	for _, version := range []chemigram.RefOrHash{"baseline", "main"} {
		res, err := engine.Checkout(ctx, chemigram.CheckoutParams{ImageID: "wedding", RefOrHash: version})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(version, res.Detached)
	}
	// Output:
	// baseline true
	// main false
}

// The history, newest first: who did what, with which values.
func ExampleEngine_Log() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx)
	defer done()

	ev := 0.7
	if _, err := engine.ApplyPrimitive(ctx, chemigram.ApplyPrimitiveParams{
		ImageID: "wedding", PrimitiveName: "exposure", Value: &ev,
	}); err != nil {
		fmt.Println(err)
		return
	}
	log, err := engine.Log(ctx, chemigram.LogParams{ImageID: "wedding"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, entry := range log.Entries {
		fmt.Println(entry.Op, entry.Entry, entry.Values, "by", entry.Actor)
	}
	// Output:
	// apply_primitive exposure map[ev:0.7] by an agent
	// ingest  map[] by test
}

// What tells two versions apart, by darktable's own fields.
func ExampleEngine_Diff() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx)
	defer done()

	ev := 0.3
	if _, err := engine.ApplyPrimitive(ctx, chemigram.ApplyPrimitiveParams{
		ImageID: "wedding", PrimitiveName: "exposure", Value: &ev,
	}); err != nil {
		fmt.Println(err)
		return
	}
	diff, err := engine.Diff(ctx, chemigram.DiffParams{ImageID: "wedding", HashA: "baseline", HashB: "HEAD"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, change := range diff.Changes {
		for _, field := range change.Fields {
			fmt.Println(change.Module, field.Name, field.Before, "→", field.After, field.Unit)
		}
	}
	// Output: exposure exposure 0.7 → 1 EV
}

// A tag stays on its version, however the edit goes on.
func ExampleEngine_Tag() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx)
	defer done()

	tag, err := engine.Tag(ctx, chemigram.TagParams{ImageID: "wedding", Name: "delivered"})
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := engine.ApplyPrimitive(ctx, chemigram.ApplyPrimitiveParams{
		ImageID: "wedding", PrimitiveName: "warmth",
	}); err != nil {
		fmt.Println(err)
		return
	}
	diff, err := engine.Diff(ctx, chemigram.DiffParams{ImageID: "wedding", HashA: "delivered", HashB: "baseline"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(tag.Ref, len(diff.Changes))
	// Output: refs/tags/delivered 0
}

// What is kept is read and checked, down to the bytes.
func ExampleEngine_Verify() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx)
	defer done()

	res, err := engine.Verify(ctx, chemigram.VerifyParams{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, finding := range res.Findings {
		fmt.Println(finding.ImageID, finding.Fault) // this image never had a raw
	}
	// Output: wedding raw_missing
}

// A bit of the newest snapshot has flipped: the edit goes back to the one before.
func ExampleEngine_Repair() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx)
	defer done()

	if _, err := engine.ApplyPrimitive(ctx, chemigram.ApplyPrimitiveParams{
		ImageID: "wedding", PrimitiveName: "warmth",
	}); err != nil {
		fmt.Println(err)
		return
	}
	if err := flipABit(engine); err != nil {
		fmt.Println(err)
		return
	}
	res, err := engine.Repair(ctx, chemigram.VerifyParams{ImageID: "wedding"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, finding := range res.Findings {
		if finding.Repaired {
			fmt.Println(finding.Fault)
		}
	}
	// Output: damaged_transaction
}

// flipABit damages the newest record of the image "wedding".
func flipABit(engine *chemigram.Engine) error {
	journal := filepath.Join(engine.WorkspaceDir(), "images", "wedding", "history", "journal")
	data, err := os.ReadFile(journal)
	if err != nil {
		return err
	}
	data[len(data)-40] ^= 1
	return os.WriteFile(journal, data, 0o600)
}
