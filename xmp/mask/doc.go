// Package mask says where a module works and how its result is mixed into the
// picture: as values, and as darktable's bytes.
//
// Every history entry carries blend parameters, a [Blend]: how strongly and in
// which mode the module's result is mixed with its input, and where. A module
// that is neither blended nor masked has those of [DefaultBlend].
//
// A [Mask] is what a person would ask for: shapes that are drawn, ranges of light
// or colour, and how they come together. [Mask.Compile] makes a Blend and the
// [Form]s of its shapes; which numbers the forms have in a sidecar is for the
// sidecar to say. [Form.Shape] reads the forms of any sidecar.
//
// darktable keeps shapes in the frame of the raw, and carries them through the
// geometry of the history when it develops. [Frame] takes a shape that was meant
// for the developed picture there; [Probe] measures the frame.
//
// What darktable does with each number was measured on 4.2.1 and 5.4.1, pixel by
// pixel; docs/masks.md tells more.
package mask
