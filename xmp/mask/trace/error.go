package trace

import (
	"fmt"

	"github.com/chemigram/chemigram/internal/fault"
)

// Kind says what is wrong with a mask's file.
type Kind = fault.Kind

// The kinds of errors.
const (
	// Unreadable: the file cannot be read, or is neither a whole PNG nor polygons
	// within the picture.
	Unreadable Kind = "unreadable"
	// TooLarge: the file, its picture or its outlines exceed a limit.
	TooLarge Kind = "too_large"
	// Empty: the mask selects nothing.
	Empty Kind = "empty"
)

// Error is the only type of error that this package returns.
type Error struct {
	Kind Kind
	// Message says what is wrong and what would be right.
	Message string
	// Err is the cause, when there is one.
	Err error
}

// Error returns the message and the cause.
func (e *Error) Error() string { return fault.Text("mask file", e.Message, e.Err) }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is reports whether target is the error's kind.
func (e *Error) Is(target error) bool { return e.Kind.Is(target) }

func errorf(kind Kind, format string, args ...any) error {
	return &Error{Kind: kind, Message: fmt.Sprintf(format, args...)}
}
