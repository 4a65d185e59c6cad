package xmp

import (
	"errors"
	"fmt"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/xmp/internal/rdf"
	"github.com/chemigram/chemigram/xmp/iop"
)

// Kind says what sort of thing went wrong.
type Kind = fault.Kind

// The kinds of errors.
const (
	// NotXML: the input is no well-formed XML in an encoding that is read.
	NotXML = rdf.NotXML
	// NotSidecar: XML, but not a darktable sidecar, or not a style.
	NotSidecar Kind = "not_sidecar"
	// TooLarge: a limit such as MaxSize is exceeded.
	TooLarge = rdf.TooLarge
	// Forbidden: a document type declaration.
	Forbidden = rdf.Forbidden
	// BadValue: a known property has a value that it cannot have.
	BadValue = rdf.BadValue
	// BadBlob: a parameter blob is neither hex nor what gz promises.
	BadBlob Kind = "bad_blob"
	// Unsupported: readable and kept, but the operation is not possible on it,
	// such as an edit of a sidecar in a format of darktable 2.
	Unsupported = rdf.Unsupported
	// UnknownInstance: the history has no such module instance.
	UnknownInstance Kind = "unknown_instance"
	// NamesPath: a module names a file by its path; see [Sidecar.CheckFiles].
	NamesPath = iop.NamesPath
	// NoPlace: the target's pipeline order has no place for the module.
	NoPlace Kind = "no_place"
)

// Error is the only type of error that this package returns.
type Error struct {
	Kind Kind
	// Line is where in the input, from 1; 0 when no place is to blame.
	Line int
	// Operation and Instance name the module instance concerned, if any.
	Operation, Instance string
	// Message says what is wrong and what would be right.
	Message string
	// Err is the cause, when there is one.
	Err error
}

// Error returns the line, the module instance, the message and the cause.
func (e *Error) Error() string {
	line, instance := "", e.Operation
	if e.Line > 0 {
		line = fmt.Sprintf("line %d", e.Line)
	}
	if e.Operation != "" && e.Instance != "" {
		instance = fmt.Sprintf("%s %q", e.Operation, e.Instance)
	}
	return fault.Text(line, instance, e.Message, e.Err)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is reports whether target is the error's kind.
func (e *Error) Is(target error) bool { return e.Kind.Is(target) }

func errorf(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Message: fmt.Sprintf(format, args...)}
}

// ofDocument returns an error of the XML or RDF as one of this package.
func ofDocument(err error) error {
	e, ok := errors.AsType[*rdf.Error](err)
	if !ok {
		return err
	}
	if e.Kind == rdf.NotRDF {
		return &Error{Kind: NotSidecar, Line: e.Line, Message: e.Message}
	}
	return &Error{Kind: e.Kind, Line: e.Line, Message: e.Message}
}
