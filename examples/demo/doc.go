// Package demo paints raw files, for programs that show, try or prove something and have
// no photographs: a landscape to edit, and the scenes on which the claims of a
// vocabulary pack are measured. No camera made them; darktable opens them as any raw.
package demo
