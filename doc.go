// Package chemigram edits photographs by named moves, keeps every version of
// every edit, and shows and measures the result.
//
// An [Engine] works in a workspace, a folder of its own. [Engine.Ingest]
// registers a raw file, which stays where it is and is never written to, and
// asks darktable for its default development, the baseline. A move such as
// "exposure" or "warmth" comes from the vocabulary and is applied with
// [Engine.ApplyPrimitive]; it changes darktable's history stack in a sidecar
// that Chemigram keeps, and publishes the new state as a snapshot in the
// image's history, which has branches and tags like git's. darktable develops
// the pixels: [Engine.RenderPreview] to look, [Engine.Compare] to see and
// measure a difference, [Engine.ExportFinal] for the picture itself.
//
// Every verb is a method with one parameter struct and one result struct, and
// every error is an [*Error] with one of nine codes, so that
//
//	errors.Is(err, chemigram.ErrNotFound)
//
// reports what kind of failure it is. An Engine is safe for concurrent use by
// many goroutines, and a workspace by many processes.
//
// # Words
//
// A state is what an edit looks like: its hash is the same whenever and however
// the same look was reached. A snapshot is one event in the history: which
// state, after which, when, by whom. A branch moves with every new snapshot, a
// tag never moves. The baseline is the tag of an image's first snapshot. A move
// is SET, not added: applying the same move again changes nothing.
package chemigram
