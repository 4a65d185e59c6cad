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
	// UnknownForm: a drawn form of a type that is not known.
	UnknownForm
	// BadShape: a shape that selects nothing or cannot be drawn: outside the
	// picture, without area, numbers that are none.
	BadShape
	// Empty: a mask that limits nothing: neither a shape nor a range.
	Empty
	// UnknownChannel: the blend colour space has no such parametric channel.
	UnknownChannel
	// UnknownMode: there is no blend mode of this name.
	UnknownMode
	// NoBlending: the module cannot be blended or masked.
	NoBlending
)

// Error is the only type of error this package returns.
type Error struct {
	Kind    Kind
	Version int    // blendop_version, when it is the blend parameters' fault
	Field   string // what is to blame
	Detail  string // what is wrong, and what would be right
}

func (e *Error) Error() string {
	text := "mask: "
	if e.Version != 0 {
		text = fmt.Sprintf("blend parameters version %d: ", e.Version)
	}
	if e.Field != "" {
		text += e.Field + ": "
	}
	return text + e.Detail
}
