// Package pixel measures pictures: the colour and the brightness of a part of one,
// and the difference between two.
//
// An [Image] holds linear sRGB. [Load] reads what darktable writes by default
// (sRGB); [LoadLinear] reads what it writes with a linear Rec.709 profile
// (--icc-type LIN_REC709), where doubled light is a doubled number.
package pixel
