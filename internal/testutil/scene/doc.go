// Package scene computes the pictures that tests and examples photograph: a colour
// chart with known values, a grey ramp, a natural landscape, lamps that
// clip, and a target behind a lens with faults.
//
// A [Scene] is a picture in linear Rec.2020 (see package dng), in coordinates that are
// independent of the resolution: the same scene can be written at
// 0.3 megapixels for a test and at 24 for a benchmark. [Write] photographs it
// with the synthetic camera of package dng:
//
//	err := scene.Write("lake.dng", scene.Landscape{}, scene.Options{
//		Megapixels: 6,
//		DNG:        dng.Options{ISO: 400, Noise: 1},
//	})
//
// The scenes name places to measure, such as [Chart.Patches] and [Landscape.Regions].
// All randomness comes from one integer hash, so that the same
// scene gives the same picture everywhere, up to the last bits of floating
// point where processors differ.
package scene
