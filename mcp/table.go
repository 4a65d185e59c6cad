package mcp

import (
	"context"
	"reflect"
	"runtime"
	"strings"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/mcp/internal/snake"
)

// The questions of tools that write what the person has to agree to.
const (
	tasteQuestion = "Write the proposed change to what is remembered of your taste?"
	notesQuestion = "Write the proposed addition to this picture's notes?"
)

// EngineTools returns the engine's verbs as tools: one line for each. Their names and
// descriptions are those of the methods.
func EngineTools(e *chemigram.Engine) []Tool {
	return []Tool{
		verb(e, (*chemigram.Engine).Ingest, Spec{Title: "Register a raw file", Effect: Write, Idempotent: true}),
		verb(e, (*chemigram.Engine).ListVocabulary, Spec{Title: "List the moves", Effect: Read}),
		verb(e, (*chemigram.Engine).GetState, Spec{Title: "Get the edit's state", Effect: Read}),
		verb(e, (*chemigram.Engine).ApplyPrimitive, Spec{Title: "Apply a move", Effect: Write, Idempotent: true}),
		verb(e, (*chemigram.Engine).RemoveModule, Spec{Title: "Take back a module's edits", Effect: Write}),
		verb(e, (*chemigram.Engine).BindLayers, Spec{Title: "Bind templates to layers", Effect: Write, Idempotent: true}),
		verb(e, (*chemigram.Engine).Reset, Spec{Title: "Return to the baseline", Effect: Write, Idempotent: true}),
		verb(e, (*chemigram.Engine).RenderPreview, Spec{Title: "Look at the picture", Effect: Read}),
		verb(e, (*chemigram.Engine).Compare, Spec{Title: "Compare two versions", Effect: Read}),
		verb(e, (*chemigram.Engine).ExportFinal, Spec{Title: "Export the finished picture", Effect: Write}),
		verb(e, (*chemigram.Engine).Snapshot, Spec{Title: "Name the present state", Effect: Write}),
		verb(e, (*chemigram.Engine).Checkout, Spec{Title: "Go to a version", Effect: Write, Idempotent: true}),
		verb(e, (*chemigram.Engine).Branch, Spec{Title: "Make a branch", Effect: Write}),
		verb(e, (*chemigram.Engine).Log, Spec{Title: "List the history", Effect: Read}),
		verb(e, (*chemigram.Engine).Diff, Spec{Title: "Tell two versions apart", Effect: Read}),
		verb(e, (*chemigram.Engine).Tag, Spec{Title: "Tag a version", Effect: Write}),
		verb(e, (*chemigram.Engine).ReadContext, Spec{Title: "Read what is known", Effect: Read}),
		verb(e, (*chemigram.Engine).ProposeTasteUpdate, Spec{Title: "Propose a taste", Effect: Write}),
		verb(e, (*chemigram.Engine).ProposeNotesUpdate, Spec{Title: "Propose notes", Effect: Write}),
		verb(e, (*chemigram.Engine).LogVocabularyGap, Spec{Title: "Log a missing move", Effect: Write}),
		verb(e, (*chemigram.Engine).ConfirmTasteUpdate, Spec{Title: "Write a proposed taste", Effect: Write, Idempotent: true, Ask: tasteQuestion, Show: showProposal(e)}),
		verb(e, (*chemigram.Engine).ConfirmNotesUpdate, Spec{Title: "Write proposed notes", Effect: Write, Idempotent: true, Ask: notesQuestion, Show: showProposal(e)}),
		verb(e, (*chemigram.Engine).HealthCheck, Spec{Title: "Check that all is well", Effect: Read}),

		verb(e, (*chemigram.Engine).ListImages, Spec{Title: "List the images", Group: Inspect, Effect: Read}),
		verb(e, (*chemigram.Engine).ListProposals, Spec{Title: "List what waits for an answer", Group: Admin, Effect: Read}),
		verb(e, (*chemigram.Engine).DeclineProposal, Spec{Title: "Decline a proposal", Group: Inspect, Effect: Write, Idempotent: true}),
		verb(e, (*chemigram.Engine).ListGaps, Spec{Title: "Rank the missing moves", Group: Admin, Effect: Read}),
		verb(e, (*chemigram.Engine).DescribeState, Spec{Title: "Describe the edit in full", Group: Inspect, Effect: Read}),
		verb(e, (*chemigram.Engine).SuggestStart, Spec{Title: "Suggest where to start", Group: Inspect, Effect: Read}),
		verb(e, (*chemigram.Engine).ImageStats, Spec{Title: "Measure the picture", Group: Inspect, Effect: Read}),

		verb(e, (*chemigram.Engine).ListMasks, Spec{Title: "List the named masks", Group: Masks, Effect: Read}),
		verb(e, (*chemigram.Engine).PreviewMask, Spec{Title: "See what a mask selects", Group: Masks, Effect: Read}),
		verb(e, (*chemigram.Engine).ApplyPerRegion, Spec{Title: "Apply moves by region", Group: Masks, Effect: Write, Idempotent: true}),
		verb(e, (*chemigram.Engine).ApplySpot, Spec{Title: "Heal or clone a spot", Group: Masks, Effect: Write}),

		verb(e, (*chemigram.Engine).WBFromPoint, Spec{Title: "Make a point neutral", Group: Inspect, Effect: Write, Idempotent: true}),
		verb(e, (*chemigram.Engine).MatchReference, Spec{Title: "Make it look like a reference", Group: Batch, Effect: Write}),
		verb(e, (*chemigram.Engine).Undo, Spec{Title: "Undo", Group: Inspect, Effect: Write}),
		verb(e, (*chemigram.Engine).Redo, Spec{Title: "Redo", Group: Inspect, Effect: Write}),

		verb(e, (*chemigram.Engine).RenderVariants, Spec{Title: "Try variants side by side", Group: Batch, Effect: Read}),

		verb(e, (*chemigram.Engine).ExportBatch, Spec{Title: "Export many images", Group: Batch, Effect: Write, Idempotent: true}),
		verb(e, (*chemigram.Engine).PropagateState, Spec{Title: "Carry a look to other images", Group: Batch, Effect: Write, Idempotent: true}),
		verb(e, (*chemigram.Engine).MatchExposure, Spec{Title: "Make a series equally bright", Group: Batch, Effect: Write}),
		verb(e, (*chemigram.Engine).MatchSeries, Spec{Title: "Make a series one set", Group: Batch, Effect: Write}),
		verb(e, (*chemigram.Engine).ExportSidecar, Spec{Title: "Write a sidecar for darktable", Group: Admin, Effect: Write}),
		verb(e, (*chemigram.Engine).ImportSidecar, Spec{Title: "Take over an edit from darktable", Group: Admin, Effect: Write}),
		verb(e, (*chemigram.Engine).SetRating, Spec{Title: "Rate a picture", Group: Admin, Effect: Write, Idempotent: true}),

		verb(e, (*chemigram.Engine).Verify, Spec{Title: "Verify what is kept", Group: Admin, Effect: Read, OpenWorld: true}),
		verb(e, (*chemigram.Engine).Repair, Spec{Title: "Repair what is damaged", Group: Admin, Effect: Write, Idempotent: true}),
		verb(e, (*chemigram.Engine).Prove, Spec{Title: "Prove the moves on this darktable", Group: Admin, Effect: Write, Idempotent: true}),
		verb(e, (*chemigram.Engine).Merge, Spec{Title: "Merge two versions", Group: Admin, Effect: Write}),
		verb(e, (*chemigram.Engine).CherryPick, Spec{Title: "Take over one change", Group: Admin, Effect: Write}),
		verb(e, (*chemigram.Engine).DeleteRef, Spec{Title: "Delete a branch or a tag", Group: Admin, Effect: Destructive}),
		verb(e, (*chemigram.Engine).DeleteImage, Spec{Title: "Delete an image", Group: Admin, Effect: Destructive}),
		verb(e, (*chemigram.Engine).ListTrash, Spec{Title: "List the deleted images", Group: Admin, Effect: Read}),
		verb(e, (*chemigram.Engine).RestoreImage, Spec{Title: "Bring a deleted image back", Group: Admin, Effect: Write}),
		verb(e, (*chemigram.Engine).Prune, Spec{Title: "Prune what nothing uses", Group: Admin, Effect: Destructive, OpenWorld: true}),
		verb(e, (*chemigram.Engine).ExportBundle, Spec{Title: "Pack an image into a bundle", Group: Admin, Effect: Write}),
		verb(e, (*chemigram.Engine).ImportBundle, Spec{Title: "Unpack a bundle", Group: Admin, Effect: Write, Idempotent: true}),
		verb(e, (*chemigram.Engine).ListTranscripts, Spec{Title: "List the recorded sessions", Group: Admin, Effect: Read}),
		verb(e, (*chemigram.Engine).ReadTranscript, Spec{Title: "Read a recorded session", Group: Admin, Effect: Read}),
		verb(e, (*chemigram.Engine).Replay, Spec{Title: "Replay a recorded session", Group: Admin, Effect: Write}),
		verb(e, (*chemigram.Engine).DescribeModule, Spec{Title: "Describe a module's fields", Group: Expert, Effect: Read}),
		verb(e, (*chemigram.Engine).SetParameters, Spec{Title: "Set a module's fields", Group: Expert, Effect: Write, Idempotent: true}),

		verb(e, (*chemigram.Engine).AddRemote, Spec{Title: "Remember a place to share", Group: Share, Effect: Write, Idempotent: true, OpenWorld: true}),
		verb(e, (*chemigram.Engine).ListRemotes, Spec{Title: "List the places to share", Group: Share, Effect: Read}),
		verb(e, (*chemigram.Engine).RemoveRemote, Spec{Title: "Forget a place to share", Group: Share, Effect: Write}),
		verb(e, (*chemigram.Engine).Push, Spec{Title: "Send edits to a remote", Group: Share, Effect: Write, Idempotent: true, OpenWorld: true}),
		verb(e, (*chemigram.Engine).Fetch, Spec{Title: "Get edits from a remote", Group: Share, Effect: Write, Idempotent: true, OpenWorld: true}),
		verb(e, (*chemigram.Engine).Pull, Spec{Title: "Get edits and bring them in", Group: Share, Effect: Write, OpenWorld: true}),
		verb(e, (*chemigram.Engine).CloneImage, Spec{Title: "Get an image from a remote", Group: Share, Effect: Write, Idempotent: true, OpenWorld: true}),
		verb(e, (*chemigram.Engine).ListRemoteImages, Spec{Title: "List a remote's images", Group: Share, Effect: Read, OpenWorld: true}),
	}
}

// verb binds a verb of the engine, given as a method expression.
func verb[P, R any](
	e *chemigram.Engine, method func(*chemigram.Engine, context.Context, P) (R, error), spec Spec,
) Tool {
	function := runtime.FuncForPC(reflect.ValueOf(method).Pointer()).Name()
	name := function[strings.LastIndexByte(function, '.')+1:]
	spec.Name, spec.Description = snake.Case(name), docs.Verbs[name]
	tool := Bind(spec, func(ctx context.Context, p P) (R, error) { return method(e, ctx, p) })
	tool.audited = true
	return tool
}
