// Package xmp is a darktable sidecar as a value: parse, edit, canonical bytes.
//
// A sidecar is an XMP packet (XML that holds RDF) in which darktable keeps the
// history stack of one picture: an ordered list of entries, each of which sets
// one instance of one module. [Parse] reads it into a [Sidecar], an immutable
// value; [Sidecar.With] gives a new one; [Sidecar.Bytes] and
// [Sidecar.Canonical] write it.
//
// # What is kept
//
// Unknown properties are kept: of any namespace, on the picture, on history entries
// and on drawn forms, simple or structured. XML itself is not kept: comments,
// processing instructions, the layout, the choice between an attribute and a child
// element. Neither is the prefix of a well-known namespace, which is replaced by
// the usual one.
//
// # Two ways to write
//
// Canonical bytes name the look. They hold no bookkeeping (timestamps, history
// hashes, the name of the raw) and no origins, all parameters in lower-case hex, everything whose
// order has no meaning sorted. Bytes is what goes to a file: everything, with
// parameters encoded as darktable does it. darktable renders both alike.
//
// # Limits
//
// Input comes from anywhere, so its cost is bounded: see [MaxSize] and the
// constants beside it. Document type declarations are refused, and with them
// every entity bomb.
//
// A style (.dtstyle) is another file with history entries; see [ParseStyle].
package xmp
