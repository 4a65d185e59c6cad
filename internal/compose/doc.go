// Package compose composes the next look from what an edit starts from.
//
// A look is a sidecar: what darktable is to develop. [Start] holds what it is
// composed of, among it two functions, to measure how the developed picture lies
// in the raw and to open a mask's file. The methods of Start give new sidecars and
// change nothing; what becomes of a look is the caller's business. Errors are
// those of internal/fault and of the packages vocab, xmp, xmp/iop and xmp/mask.
package compose
