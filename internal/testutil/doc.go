// Package testutil makes what tests need and users never see: the installed
// darktables, a scriptable fake one for faults, and the shared data.
//
// Its subpackages make and measure pictures, and need no testing.TB: dng writes
// raw files of an invented camera, scene paints what it photographs, and pixel
// measures what was developed.
//
// It imports no other package of this module but those, so that every package's
// own tests can use it.
package testutil
