// Package files writes picture files as they come from cameras, converters, phones,
// scanners and editors: raws of many layouts, other pictures, and metadata of every
// kind, right and wrong.
//
// All of them show the same colour chart, so that what becomes of them can be
// measured.
package files
