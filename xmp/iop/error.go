package iop

import (
	"fmt"
	"strings"

	"github.com/chemigram/chemigram/internal/fault"
)

// Kind says what is wrong.
type Kind = fault.Kind

// The kinds of errors.
const (
	// UnknownModule: no known release has the module, or the module does not
	// say what its parameters are. Suggestions has the nearest names.
	UnknownModule Kind = "unknown_module"
	// UnknownModversion: the module is known, this version of its layout is not.
	UnknownModversion Kind = "unknown_modversion"
	// SizeMismatch: the blob is not as long as the layout: Size, not Want.
	SizeMismatch Kind = "size_mismatch"
	// UnknownField: the layout has no such leaf. Suggestions has the nearest names.
	UnknownField Kind = "unknown_field"
	// OutOfRange: the number is outside Min and Max.
	OutOfRange Kind = "out_of_range"
	// BadValue: the value does not fit the field's type: text for a number, an
	// unknown enum constant, a fraction for an integer, NaN. Suggestions has an
	// enum's nearest names.
	BadValue Kind = "bad_value"
	// NamesPath: the value names a file by its path, or a picture of a library.
	NamesPath Kind = "names_path"
	// UnknownRelease: a darktable version that is older than every known
	// release, or is not a version.
	UnknownRelease Kind = "unknown_release"
	// BadOrder: a pipeline order that darktable's rules forbid, or that is not one.
	BadOrder Kind = "bad_order"
)

// Error is the only type of error that this package returns. Fields that do not
// matter to the kind are zero.
type Error struct {
	Kind        Kind
	Operation   string
	Modversion  int
	Field       string   // leaf or array name
	Value       string   // the refused value as text
	Min, Max    float64  // of OutOfRange
	Size, Want  int      // of SizeMismatch, in bytes
	Suggestions []string // nearest names, best first
	// Message says what is wrong, with the value, and what would be right.
	Message string
}

// Error returns the module, the message and the suggestions.
func (e *Error) Error() string {
	module := e.Operation
	switch {
	case e.Kind == UnknownModule: // the message names it
		module = ""
	case e.Operation != "" && e.Modversion > 0:
		module = fmt.Sprintf("%s version %d", e.Operation, e.Modversion)
	}
	text := fault.Text(module, e.Message)
	if len(e.Suggestions) > 0 {
		text += "; did you mean " + strings.Join(e.Suggestions, ", ") + "?"
	}
	return text
}

// Is reports whether target is the error's kind.
func (e *Error) Is(target error) bool { return e.Kind.Is(target) }

// unknownModule is the error for a module that a release of darktable lacks, or
// every known one, when release is "".
func unknownModule(operation, release string, suggestions []string) *Error {
	e := &Error{Kind: UnknownModule, Operation: operation, Suggestions: suggestions}
	e.Message = fmt.Sprintf("no module %q with parameters", operation)
	if release != "" {
		e.Message += ": darktable " + release + " does not have it"
	}
	return e
}

func badRelease(version, message string) *Error {
	return &Error{Kind: UnknownRelease, Value: version, Message: fmt.Sprintf("darktable %q: %s", version, message)}
}

func badOrder(operation, message string) *Error {
	return &Error{Kind: BadOrder, Operation: operation, Message: "pipeline order: " + message}
}

// badValue is the error for a value that does not fit a field, whose name and place
// [Params.locate] adds.
func badValue(value, want string) *Error {
	return &Error{Kind: BadValue, Value: value, Message: "cannot be " + value + ": want " + want}
}

func outOfRange(value Value, low, high float64) *Error {
	return &Error{
		Kind: OutOfRange, Value: value.String(), Min: low, Max: high,
		Message: fmt.Sprintf("= %s is outside %s to %s", value, formatFloat32(low), formatFloat32(high)),
	}
}
