// Package trace turns masks from elsewhere into darktable's paths: a polygon as
// JSON, or a picture (PNG) as a segmentation model gives it.
//
// Decode reads either from an io.Reader, and gives rings: closed outlines in
// 0..1 of the picture, each around an island or a hole of the mask. Limits are
// checked before anything large is allocated.
package trace
