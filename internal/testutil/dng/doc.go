// Package dng writes synthetic raw files: what an invented camera would have recorded
// of a picture in linear light.
//
// The picture is scene-referred: linear Rec.2020 with a D65 white, where 1 is
// a perfectly white surface and [MiddleGrey] a mid-grey one. [Write] applies the
// camera's colour matrix, its exposure, photon and read noise, the
// Bayer filter and a 14-bit converter, and stores it as an uncompressed DNG
// that darktable opens like any other raw. The same input gives the same bytes.
//
// The camera's matrix is invented (and plausible), so that no value of a real camera
// is needed.
package dng
