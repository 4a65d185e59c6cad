// Package render runs darktable: it finds the installed one, asks it for a raw's
// default history, and has it develop sidecars into pictures.
//
// darktable-cli is run once for each picture, as a process of its own, and in
// [Darktable.RenderAll] once for many:
//
//   - It never sees the user's configuration, library or sidecars. It gets a
//     fresh configuration folder, a library in memory, and a path of the raw
//     beside which no sidecar lies; it is told not to write sidecars. The raw's
//     folder is never written to.
//   - It never uses a GPU: OpenCL is switched off, so that the same sidecar
//     gives the same pixels on every run.
//   - It is bounded. A process that is cancelled or out of time ends with all
//     that it started; at most Options.Processes run at once, the
//     images take turns, and none starts that memory is too short for.
//   - Its output is checked. darktable exits with status 0 when it has written
//     nothing and renames its output when the name is taken, so a picture is
//     published only when it is there, whole, of the right format and not larger
//     than asked for.
//
// [Workers] make previews sooner: darktables that have loaded a raw and wait for
// its next edit, in folders of their own that end with them. A script inside
// darktable reads requests from its standard input, so it ends when this program
// does. [Workers.Preview] has the pixels of the command line. [Workers.Draft] is
// for looking: tone and colour are right to a mean ΔE2000 of 0.5 where texture
// plays no part (0.4 to 0.5 measured after a blur of radius 8), single pixels and
// sharpness are not (2.5 to 3.1). It was measured on Bayer sensors.
//
// A [Cache] keeps pictures by what they were made of, and has each made once
// for all who ask at the same time. [Measure] and [Compare] compute numbers of
// pictures, [Sheet] and [Comparison.Picture] show them to a person.
//
// Everything temporary lives in a scratch folder that is removed when the call
// ends; what a killed program leaves behind is removed by the next [Find].
//
// A failure is an [*Error], whose Kind is what to decide by and whose Stderr is
// what darktable printed.
package render
