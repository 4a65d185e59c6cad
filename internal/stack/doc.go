// Package stack compares, merges and carries history stacks in named fields.
//
// A history stack is what darktable keeps of an edit: one entry for each module
// instance, with parameters that are bytes. This package reads and changes them
// by the names of darktable's own fields, where the layout is known; where it is
// not, an instance is compared and moved as a whole. It knows sidecars, and
// neither files nor histories nor the vocabulary. Its errors are those of
// internal/fault and of the packages xmp, xmp/iop and xmp/mask.
package stack
