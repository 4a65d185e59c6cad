package chemigram

import (
	"fmt"
	"maps"

	"github.com/chemigram/chemigram/internal/suggest"
)

// Code is the kind of a failure. The set is closed; programs and agents may
// switch over it. A Code is an error itself, so that
// errors.Is(err, chemigram.ErrNotFound) asks for the kind.
type Code string

// The nine codes.
const (
	// ErrInvalidInput: arguments that break the schema, or are well formed but
	// wrong, such as a value out of range. Details: violations.
	ErrInvalidInput Code = "invalid_input"
	// ErrNotFound: an image, primitive, mask, module, ref or proposal that does
	// not exist. Details: kind, name, suggestions.
	ErrNotFound Code = "not_found"
	// ErrDarktable: darktable is missing, failed, wrote nothing, or timed out.
	// Details: stderr, exit_code, command.
	ErrDarktable Code = "darktable_error"
	// ErrSynthesizer: a sidecar cannot be composed.
	ErrSynthesizer Code = "synthesizer_error"
	// ErrVersioning: a rule of the history is broken, or an object is missing
	// or corrupt.
	ErrVersioning Code = "versioning_error"
	// ErrMasking: a mask cannot be built or bound.
	ErrMasking Code = "masking_error"
	// ErrPermission: the file system refuses, a path lies outside the allowed
	// roots, the engine is read-only, or a guarded verb is not confirmed.
	ErrPermission Code = "permission_error"
	// ErrState: the workspace is not in a state for it.
	ErrState Code = "state_error"
	// ErrNotImplemented: the installed darktable lacks the module or feature.
	// Details: capability, requires.
	ErrNotImplemented Code = "not_implemented"
)

// Error makes a Code an error, for errors.Is.
func (c Code) Error() string { return string(c) }

// Codes lists the nine codes.
func Codes() []Code {
	return []Code{
		ErrInvalidInput, ErrNotFound, ErrDarktable, ErrSynthesizer, ErrVersioning,
		ErrMasking, ErrPermission, ErrState, ErrNotImplemented,
	}
}

// Details carry a failure's facts by name, for programs.
type Details map[string]any

// Error is every error that a verb returns.
type Error struct {
	// Op is the verb, such as "apply_primitive".
	Op string
	// Code is the kind of the failure.
	Code Code
	// ImageID is the image concerned, if there is one.
	ImageID ImageID
	// Message says what is wrong, with the value, and what would be right.
	Message string
	// Details are the facts that belong to the code.
	Details Details
	// Recoverable tells whether another call, or the same with other
	// arguments, can succeed without a person mending something.
	Recoverable bool
	// Err is the cause, if there is one.
	Err error
}

// Error says which verb failed, on what, and why.
func (e *Error) Error() string {
	where := e.Op
	if e.ImageID != "" {
		where = fmt.Sprintf("%s %s", e.Op, e.ImageID)
	}
	return fmt.Sprintf("%s: %s: %s", where, e.Code, e.Message)
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is tells whether target is the error's Code.
func (e *Error) Is(target error) bool {
	code, ok := target.(Code)
	return ok && code == e.Code
}

// with gives the error with one more detail.
func (e *Error) with(key string, value any) *Error {
	next := *e
	next.Details = maps.Clone(e.Details)
	if next.Details == nil {
		next.Details = Details{}
	}
	next.Details[key] = value
	return &next
}

// fail makes an error of a code; seal adds the verb and the image.
func fail(code Code, format string, args ...any) *Error {
	return &Error{
		Code:        code,
		Message:     fmt.Sprintf(format, args...),
		Recoverable: code != ErrSynthesizer && code != ErrNotImplemented,
	}
}

// notFound makes a not_found error with its three details.
func notFound(kind, name string, suggestions []string) *Error {
	message := fmt.Sprintf("there is no %s %.128q", kind, name)
	if len(suggestions) > 0 {
		message += fmt.Sprintf("; the nearest names are %q", suggestions)
	}
	if suggestions == nil {
		suggestions = []string{}
	}
	return &Error{
		Code: ErrNotFound, Message: message, Recoverable: true,
		Details: Details{"kind": kind, "name": name, "suggestions": suggestions},
	}
}

// missing is notFound with the nearest of the names that there are.
func missing(kind, name string, have []string) *Error {
	return notFound(kind, name, suggest.Nearest(name, have))
}
