// Package prove proves entries on developed pictures.
//
// [Verify] applies each entry of a vocabulary to test scenes, has them developed
// with and without it, and compares what a picture shows with what the entry
// claims. It also checks what every entry promises: that nothing is left of it at
// neutral, that applying it twice is applying it once, and that it does not
// depend on the order of other entries.
package prove
