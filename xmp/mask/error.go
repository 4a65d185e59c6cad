package mask

import "fmt"

// Kind says what is wrong.
type Kind int

// The kinds of errors.
const (
	// UnknownVersion: the layout of this blendop_version is not known; its bytes
	// have to be carried as they are.
	UnknownVersion Kind = iota + 1
	// SizeMismatch: the blob is not as long as the version's layout.
	SizeMismatch
	// BadValue: a field's value that darktable would ignore or misread.
	BadValue
)

// Error is the only type of error this package returns.
type Error struct {
	Kind    Kind
	Version int    // blendop_version
	Field   string // of BadValue
	Detail  string
}

// Error gives a sentence that says what is wrong and what would be right.
func (e *Error) Error() string {
	if e.Field != "" {
		return fmt.Sprintf("blend parameters version %d: %s: %s", e.Version, e.Field, e.Detail)
	}
	return fmt.Sprintf("blend parameters version %d: %s", e.Version, e.Detail)
}
