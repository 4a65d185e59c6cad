// Package testutil provides tests with the installed darktables, a scripted fake one for its
// failures, worker processes to kill, small disks to fill, and the shared data.
//
// Its subpackages, which examples use too, make and measure pictures and need no
// testing.TB: dng writes raw files of an invented camera, scene computes what it
// photographs, and pixel measures what was developed.
//
// It imports no other package of this module but those, so that every package's
// own tests can use it.
package testutil
