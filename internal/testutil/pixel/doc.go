// Package pixel measures pictures: what colour a place has, how far two
// pictures are apart, how bright and how contrasty one is.
//
// An [Image] holds linear sRGB. [Load] reads what darktable writes by default
// (sRGB); [LoadLinear] reads what it writes with a linear Rec.709 profile
// (--icc-type LIN_REC709), where doubled light is a doubled number.
package pixel
