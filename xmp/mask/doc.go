// Package mask says where a module works and how its result is mixed into the
// picture: as values, and as darktable's bytes.
//
// Every history entry carries blend parameters, a [Blend]: how strongly and in
// which mode the module's result is mixed with its input, and where. A module
// that is neither blended nor masked has those of [DefaultBlend].
//
// A [Mask] is made of shapes that are drawn, ranges of light or colour, and how
// these are combined; a [Spec] is a mask as JSON, for the developed picture.
// [Mask.Compile] makes a Blend and the [Form]s of its shapes, whose numbers the
// sidecar replaces by its own. [Form.Shape] reads the forms of any sidecar.
//
// darktable keeps shapes in the coordinates of the raw, and maps them through the
// geometry of the history when it develops. [Frame] maps a shape from the
// developed picture to the raw; [Probe] measures the frame.
//
// What darktable does with each number was measured on 4.2.1 and 5.4.1, pixel by
// pixel; see docs/masks.md.
package mask
