package xmp

// What Parse and ParseStyle accept at most. Beyond it they fail with
// [TooLarge]. Real sidecars stay far below: a picture with hundreds of drawn
// strokes is about 1 MB.
const (
	// MaxSize is the length of the input in bytes.
	MaxSize = 32 << 20
	// MaxDepth is how deep elements may be nested.
	MaxDepth = 64
	// MaxElements is the number of elements in one document.
	MaxElements = 1 << 17
	// MaxAttributes is the number of attributes of one element.
	MaxAttributes = 1 << 10
	// MaxAllAttributes is the number of attributes in one document.
	MaxAllAttributes = 1 << 20
	// MaxEntries is the number of history entries, active or undone, and of
	// module instances in a pipeline order. Edits compare them with each other.
	MaxEntries = 1 << 12
	// MaxBlob is the decoded length of one parameter blob.
	MaxBlob = 1 << 20
	// MaxAllBlobs is the decoded length of all compressed blobs together, each
	// counted as often as it occurs.
	MaxAllBlobs = 32 << 20
)
