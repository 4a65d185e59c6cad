package mask

import (
	"fmt"

	"github.com/chemigram/chemigram/internal/fault"
)

// Kind says what is wrong.
type Kind = fault.Kind

// The kinds of errors.
const (
	// UnknownVersion: the layout of this blendop_version is not known; its bytes
	// have to be carried as they are.
	UnknownVersion Kind = "unknown_version"
	// SizeMismatch: the blob is not as long as the version's layout.
	SizeMismatch Kind = "size_mismatch"
	// BadValue: a field's value that darktable would ignore or misread.
	BadValue Kind = "bad_value"
	// UnknownForm: a drawn form of a type that is not known.
	UnknownForm Kind = "unknown_form"
	// BadShape: a shape that selects nothing or cannot be drawn: outside the
	// picture, without area, with NaN or infinite numbers.
	BadShape Kind = "bad_shape"
	// Empty: a mask that limits nothing: neither a shape nor a range.
	Empty Kind = "empty"
	// UnknownChannel: the blend colour space has no such parametric channel.
	UnknownChannel Kind = "unknown_channel"
	// UnknownMode: there is no blend mode of this name.
	UnknownMode Kind = "unknown_mode"
	// NoBlending: the module cannot be blended or masked.
	NoBlending Kind = "no_blending"
)

// Error is the only type of error that this package returns.
type Error struct {
	Kind    Kind
	Version int    // blendop_version, when the blend parameters are at fault
	Field   string // the part of the mask at fault
	// Message says what is wrong and what would be right.
	Message string
}

// Error returns the version, the field and the message.
func (e *Error) Error() string {
	blend := ""
	if e.Version != 0 {
		blend = fmt.Sprintf("blend parameters version %d", e.Version)
	}
	return fault.Text(blend, e.Field, e.Message)
}

// Is reports whether target is the error's kind.
func (e *Error) Is(target error) bool { return e.Kind.Is(target) }

func errorf(kind Kind, field, format string, args ...any) *Error {
	return &Error{Kind: kind, Field: field, Message: fmt.Sprintf(format, args...)}
}
