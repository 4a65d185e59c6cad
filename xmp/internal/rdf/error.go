package rdf

import (
	"fmt"

	"github.com/chemigram/chemigram/internal/fault"
)

// The kinds of errors.
const (
	// NotXML: the input is no well-formed XML in an encoding that is read.
	NotXML fault.Kind = "not_xml"
	// NotRDF: XML, but no RDF where there should be some.
	NotRDF fault.Kind = "not_rdf"
	// TooLarge: a limit such as MaxSize is exceeded.
	TooLarge fault.Kind = "too_large"
	// Forbidden: a document type declaration.
	Forbidden fault.Kind = "forbidden"
	// BadValue: a property has a value that it cannot have.
	BadValue fault.Kind = "bad_value"
	// Unsupported: RDF that XMP does not use, or this package does not read.
	Unsupported fault.Kind = "unsupported"
)

// Error is a fault of the document.
type Error struct {
	Kind fault.Kind
	// Line is where in the input, from 1; 0 when no place is to blame.
	Line int
	// Message says what is wrong and what would be right.
	Message string
}

// Error returns the line and the message.
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Message
	}
	return fault.Text(fmt.Sprintf("line %d", e.Line), e.Message)
}

func errorf(kind fault.Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Message: fmt.Sprintf(format, args...)}
}

// Quote quotes the beginning of a text for a message.
func Quote(s string) string {
	const most = 24
	if len(s) > most {
		return fmt.Sprintf("%.*q…", most, s)
	}
	return fmt.Sprintf("%q", s)
}
