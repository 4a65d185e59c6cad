package chemigram

import (
	"fmt"
	"maps"

	"github.com/chemigram/chemigram/internal/fault"
)

// Code is the kind of a failure. The set is closed; programs and agents may
// switch over it. A Code is an error itself, so that
// errors.Is(err, chemigram.ErrNotFound) asks for the kind.
type Code string

// The nine codes.
const (
	// ErrInvalidInput: arguments that break the schema, or are well formed but
	// wrong, such as a value out of range. Details: violations.
	ErrInvalidInput = Code(fault.InvalidInput)
	// ErrNotFound: an image, primitive, mask, module, ref or proposal that does
	// not exist. Details: kind, name, and suggestions when a name is like it.
	ErrNotFound = Code(fault.NotFound)
	// ErrDarktable: darktable is missing, failed, wrote nothing, or timed out.
	// Details: stderr, exit_code, command.
	ErrDarktable = Code(fault.Darktable)
	// ErrSynthesizer: a sidecar cannot be composed.
	ErrSynthesizer = Code(fault.Synthesizer)
	// ErrVersioning: a rule of the history is broken, or an object is missing
	// or corrupt.
	ErrVersioning = Code(fault.Versioning)
	// ErrMasking: a mask cannot be built or bound.
	ErrMasking = Code(fault.Masking)
	// ErrPermission: the file system refuses, a path lies outside the allowed
	// roots, the engine is read-only, or a guarded verb is not confirmed.
	ErrPermission = Code(fault.Permission)
	// ErrState: the workspace is not in a state for it.
	ErrState = Code(fault.State)
	// ErrNotImplemented: the installed darktable lacks the module or feature.
	// Details: capability, requires.
	ErrNotImplemented = Code(fault.NotImplemented)
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
	// Recoverable reports whether another call, or the same with other
	// arguments, can succeed without a person mending something.
	Recoverable bool
	// Err is the cause, if there is one.
	Err error
}

// NewError makes an error of a code, for verbs of an embedding program. The message
// says what is wrong, with the value, and what would be right.
func NewError(code Code, format string, args ...any) *Error {
	return AsError(fault.New(fault.Kind(code), format, args...))
}

// InvalidArgument is the invalid_input of one argument, whose JSON pointer is given, such
// as "/region/width"; "" is all of them together.
func InvalidArgument(pointer, format string, args ...any) *Error {
	return AsError(fault.Invalid(pointer, format, args...))
}

// UnknownName is the not_found of a name. kind is what has it, such as "image"; of the
// names that there are, the nearest are suggested.
func UnknownName(kind, name string, have []string) *Error {
	return AsError(fault.Missing(kind, name, have))
}

// With returns the error with a detail more.
func (e *Error) With(name string, value any) *Error {
	out := *e
	if out.Details = maps.Clone(e.Details); out.Details == nil {
		out.Details = Details{}
	}
	out.Details[name] = value
	return &out
}

// Error says which verb failed, on what, and why.
func (e *Error) Error() string {
	where := e.Op
	if e.ImageID != "" {
		where = fmt.Sprintf("%s %.128s", e.Op, e.ImageID)
	}
	return fmt.Sprintf("%s: %s: %s", where, e.Code, e.Message)
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is reports whether target is the error's Code.
func (e *Error) Is(target error) bool {
	code, ok := target.(Code)
	return ok && code == e.Code || fault.Kind(e.Code).Is(target)
}

// Violation is one argument that breaks its rule. The errors of ErrInvalidInput
// have a []Violation as their detail "violations".
type Violation struct {
	// Pointer is the JSON pointer of the argument, such as "/region/width".
	Pointer string `json:"pointer"`
	// Expected says what would be right.
	Expected string `json:"expected"`
	// Got is the value, shortened; left out when Expected says it.
	Got string `json:"got,omitempty"`
}

// A Failure is what went wrong with one of several that a call is about.
type Failure struct {
	// ErrorCode is its code; empty when all went well.
	ErrorCode Code `json:"error_code,omitempty"`
	// Error says what it is.
	Error string `json:"error,omitempty"`
	// Recoverable says that another call can succeed.
	Recoverable bool `json:"recoverable,omitempty"`
}

// failureOf gives an error as a failure.
func failureOf(err error) Failure {
	e := AsError(err)
	return Failure{e.Code, e.Message, e.Recoverable}
}
