package chemigram_test

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/chemigram/chemigram"
)

// What to know before an edit begins. Files that do not exist are empty.
func ExampleEngine_ReadContext() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx) // an engine with the image "wedding"
	defer done()

	known, err := engine.ReadContext(ctx, chemigram.ReadContextParams{ImageID: "wedding"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, taste := range known.Tastes {
		fmt.Printf("taste %s: %q\n", taste.Name, taste.Content)
	}
	fmt.Printf("brief: %q, notes: %q\n", known.Brief, known.Notes)
	fmt.Println("last done:", known.RecentLog[0].Op)
	fmt.Println("to answer:", len(known.PendingProposals))
	// Output:
	// taste _default: ""
	// brief: "", notes: ""
	// last done: ingest
	// to answer: 0
}

// A taste is shown as a diff, and written when the photographer has agreed.
func ExampleEngine_ProposeTasteUpdate() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx)
	defer done()

	proposal, err := engine.ProposeTasteUpdate(ctx, chemigram.ProposeTasteUpdateParams{
		Content: "- contrast: low\n- grain: none", Category: "appearance", File: "portrait",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(proposal.Diff)
	// Output:
	// --- /dev/null
	// +++ b/portrait.md
	// @@ -0,0 +1,4 @@
	// +## Appearance
	// +
	// +- contrast: low
	// +- grain: none
}

// Confirming twice writes once.
func ExampleEngine_ConfirmTasteUpdate() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx)
	defer done()

	proposal, err := engine.ProposeTasteUpdate(ctx, chemigram.ProposeTasteUpdateParams{
		Content: "- contrast: low", Category: "appearance",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 2 {
		res, err := engine.ConfirmTasteUpdate(ctx, chemigram.ConfirmParams{ProposalID: proposal.ProposalID})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(filepath.Base(res.WrittenTo), res.Changed)
	}
	// Output:
	// _default.md true
	// _default.md false
}

// Notes say what was learned about one picture.
func ExampleEngine_ProposeNotesUpdate() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx)
	defer done()

	proposal, err := engine.ProposeNotesUpdate(ctx, chemigram.ProposeNotesUpdateParams{
		ImageID: "wedding", Content: "The veil clips first: watch it when brightening.",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(proposal.Diff)
	// Output:
	// --- /dev/null
	// +++ b/notes.md
	// @@ -0,0 +1 @@
	// +The veil clips first: watch it when brightening.
}

func ExampleEngine_ConfirmNotesUpdate() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx)
	defer done()

	proposal, err := engine.ProposeNotesUpdate(ctx, chemigram.ProposeNotesUpdateParams{
		ImageID: "wedding", Content: "The veil clips first.",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := engine.ConfirmNotesUpdate(ctx, chemigram.ConfirmParams{ProposalID: proposal.ProposalID}); err != nil {
		fmt.Println(err)
		return
	}
	known, err := engine.ReadContext(ctx, chemigram.ReadContextParams{ImageID: "wedding"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(known.Notes)
	// Output:
	// The veil clips first.
}

// A proposal that is declined can no longer be confirmed.
func ExampleEngine_DeclineProposal() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx)
	defer done()

	proposal, err := engine.ProposeTasteUpdate(ctx, chemigram.ProposeTasteUpdateParams{
		Content: "- grain: heavy", Category: "appearance",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := engine.DeclineProposal(ctx, chemigram.DeclineProposalParams{ProposalID: proposal.ProposalID}); err != nil {
		fmt.Println(err)
		return
	}
	_, err = engine.ConfirmTasteUpdate(ctx, chemigram.ConfirmParams{ProposalID: proposal.ProposalID})
	fmt.Println(err != nil)
	// Output: true
}

func ExampleEngine_ListProposals() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx)
	defer done()

	if _, err := engine.ProposeNotesUpdate(ctx, chemigram.ProposeNotesUpdateParams{
		ImageID: "wedding", Content: "The veil clips first.",
	}); err != nil {
		fmt.Println(err)
		return
	}
	res, err := engine.ListProposals(ctx, chemigram.ListProposalsParams{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, proposal := range res.Proposals {
		fmt.Println(proposal.Kind, proposal.ImageID, filepath.Base(proposal.TargetFile))
	}
	// Output: notes wedding notes.md
}

// The same words are the same gap, in whatever order they come.
func ExampleEngine_LogVocabularyGap() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx)
	defer done()

	for _, missing := range []string{"mask for skin tones", "a skin tone mask"} {
		res, err := engine.LogVocabularyGap(ctx, chemigram.LogVocabularyGapParams{
			ImageID: "wedding", Description: "Warmed the whole picture for the faces.",
			Workaround: "warmth", MissingCapability: missing,
		})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(res.GapID, res.Count)
	}
	// Output:
	// 3fa443ec2da8 1
	// 3fa443ec2da8 2
}

// What to author next: the gap that was met most often comes first.
func ExampleEngine_ListGaps() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx)
	defer done()

	for _, missing := range []string{"dehaze", "skin tone mask", "mask for skin tones"} {
		if _, err := engine.LogVocabularyGap(ctx, chemigram.LogVocabularyGapParams{
			ImageID: "wedding", Description: "It cannot be said.", Workaround: "contrast", MissingCapability: missing,
		}); err != nil {
			fmt.Println(err)
			return
		}
	}
	res, err := engine.ListGaps(ctx, chemigram.ListGapsParams{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, gap := range res.Gaps {
		fmt.Println(gap.Count, gap.Words)
	}
	// Output:
	// 2 [mask skin tone]
	// 1 [dehaze]
}
