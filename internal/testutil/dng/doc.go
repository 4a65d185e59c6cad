// Package dng writes synthetic raw files: what an invented camera would have
// recorded of a picture that is given as light.
//
// The picture is scene-referred: linear Rec.2020 with a D65 white, where 1 is
// a perfectly white surface and [MiddleGrey] a mid-grey one. [Write] carries it
// through the camera's colour matrix, its exposure, photon and read noise, the
// Bayer filter and a 14-bit converter, and stores it as an uncompressed DNG
// that darktable opens like any other raw. The same input gives the same bytes.
//
// The camera is nobody's. Its matrix is made up (and plausible), so that no
// value of a real camera is needed anywhere.
package dng
