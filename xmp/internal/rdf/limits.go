package rdf

// What Parse accepts at most. Beyond it, it fails with [TooLarge].
const (
	MaxSize          = 32 << 20 // of the input, in bytes
	MaxDepth         = 64       // of nested elements
	MaxElements      = 1 << 17  // in one document
	MaxAttributes    = 1 << 10  // of one element
	MaxAllAttributes = 1 << 20  // in one document
)
