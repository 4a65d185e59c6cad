package xmp

import "github.com/chemigram/chemigram/xmp/internal/rdf"

// What Parse and ParseStyle accept at most. Beyond it they fail with
// [TooLarge]. Real sidecars stay far below: a picture with hundreds of drawn
// strokes is about 1 MB.
const (
	// MaxSize is the length of the input in bytes: 32 MB.
	MaxSize = rdf.MaxSize
	// MaxDepth is how deep elements may be nested: 64.
	MaxDepth = rdf.MaxDepth
	// MaxElements is the number of elements in one document: 131,072.
	MaxElements = rdf.MaxElements
	// MaxAttributes is the number of attributes of one element: 1,024.
	MaxAttributes = rdf.MaxAttributes
	// MaxAllAttributes is the number of attributes in one document: 1,048,576.
	MaxAllAttributes = rdf.MaxAllAttributes
	// MaxEntries is the number of history entries, active or undone, and of
	// module instances in a pipeline order. Edits compare them with each other.
	MaxEntries = 1 << 12
	// MaxBlob is the decoded length of one parameter blob.
	MaxBlob = 1 << 20
	// MaxAllBlobs is the decoded length of all compressed blobs together, each
	// counted as often as it occurs.
	MaxAllBlobs = 32 << 20
)
