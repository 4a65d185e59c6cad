// Package measure turns pictures into the numbers that a vocabulary's claims
// are about: what a person would call brighter, warmer, crisper.
//
// Pictures are taken to be sRGB. Lightness and colour are CIELAB under D50,
// colour distance is CIEDE2000.
package measure
