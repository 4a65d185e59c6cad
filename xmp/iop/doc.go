// Package iop turns the parameter bytes of darktable's modules into named
// fields and back, for every modversion whose layout is known.
//
// The layouts, ranges, defaults, enum constants and pipeline orders are facts
// that darktable exports about itself (introspection). They were read from
// releases 3.4.1, 4.2.1, 5.0.1 and 5.4.1 and are embedded as text, one file per
// module; a module's file is parsed when the module is first used. Those of 5.6.0
// were put together from what is published of it ([Release.Decoded]). Layouts
// that no such release has are in the hand-written table legacy.txt, whose
// blocks name their source.
//
// # Names
//
// A leaf is named as in darktable's C struct: "exposure", "center.x",
// "curve_nodes[0][3].x". A char array is one leaf of text; a run of bytes whose
// meaning is not introspected is one opaque leaf.
//
// A name that changed between releases while the modversion stayed
// (rawprepare's x became left) is the newest one; the older one is understood
// too.
//
// # Bytes
//
// Params hold the bytes themselves. Decoding and encoding loses nothing:
// padding, what follows the end of a text, NaN payloads and numbers outside
// today's ranges all stay. Only With checks.
//
// # Meaning
//
// Introspection has ranges, but not what a field does. A hand-written table,
// meaning.txt, has units, the value at which a field changes nothing, and the
// fields that gate others; FieldInfo carries it. Neutral values are proven on
// real darktable.
//
// [Required], [OnEveryRaw], [ChangesGeometry] and [BelongsToPicture] say which
// modules edits have to treat in a special way.
//
// # Releases
//
// One layout can have other ranges, constants and defaults in another release
// (highlights' iterations may be 64 in 4.2.1, 256 in 5.0.1). The package-level
// functions use the newest; Release.Decode and Release.Defaults use those of
// one release. A darktable that is in no table is what the files of its modules
// say, where they can be read ([ReadInstalled], [Release.With]); what they do not tell
// is that of the newest known release before it. Observe corrects that by what its own
// baseline shows.
//
// A new release is read by the program in introspect and made into tables by
// go generate. A module whose layout did not change has no diff.
package iop

//go:generate go run ./internal/iopgen
