// Package vocab is the vocabulary: named moves, in packs, that compile into
// edits of a sidecar.
//
// A move is an [Entry]: a name and a description in a photographer's words,
// the parameters a caller may give, and what it does to darktable's modules in
// named fields. A pack is a folder of entries with a manifest. docs/authoring.md
// is the format's reference.
//
//	sources, _ := vocab.Builtin("starter")
//	words, failures := vocab.Load(sources...)
//	entry, err := words.Entry("exposure")
//	edits, values, err := entry.Compile(vocab.Application{…})
//	next, err := current.With(target, edits...)
//
// Compiling is idempotent: the result depends on the image's baseline and on the
// values given, never on how often or in which order moves were applied before. At
// neutral, or at strength 0, nothing of the move is left in the sidecar.
package vocab
