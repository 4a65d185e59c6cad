// Package testutil makes what tests need and users never see: deterministic
// synthetic raw files, scenes with known colours, pixel measurements, the
// installed darktables, and a scriptable fake darktable for faults.
//
// It imports no other package of this module, so that every package's own
// tests can use it.
package testutil
