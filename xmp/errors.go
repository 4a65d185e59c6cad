package xmp

import (
	"fmt"
	"strings"
)

// Kind says what sort of thing went wrong.
type Kind int

const (
	// NotXML: the input is no well-formed XML in an encoding that is read.
	NotXML Kind = iota + 1
	// NotSidecar: XML, but not a darktable sidecar, or not a style.
	NotSidecar
	// TooLarge: a limit such as MaxSize is exceeded.
	TooLarge
	// Forbidden: a document type declaration.
	Forbidden
	// BadValue: a known property has a value that it cannot have.
	BadValue
	// BadBlob: a parameter blob is neither hex nor what gz promises.
	BadBlob
	// Unsupported: readable and kept, but what was asked of it is not possible,
	// such as an edit of a sidecar in a format of darktable 2.
	Unsupported
	// UnknownInstance: the history has no such module instance.
	UnknownInstance
	// NoPlace: the target's pipeline order has no place for the module.
	NoPlace
)

var kindNames = [...]string{
	NotXML: "not XML", NotSidecar: "not a sidecar", TooLarge: "too large",
	Forbidden: "forbidden", BadValue: "bad value", BadBlob: "bad blob",
	Unsupported: "unsupported", UnknownInstance: "unknown instance", NoPlace: "no place",
}

func (k Kind) String() string {
	if k <= 0 || int(k) >= len(kindNames) {
		return fmt.Sprintf("kind %d", int(k))
	}
	return kindNames[k]
}

// Error is how every failure of this package is reported.
type Error struct {
	Kind Kind
	// Line is where in the input, from 1; 0 when no place is to blame.
	Line int
	// Operation and Instance name the module instance concerned, if any.
	Operation, Instance string
	// Message says what is wrong and what would be right.
	Message string
	Err     error
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("xmp: ")
	if e.Line > 0 {
		fmt.Fprintf(&b, "line %d: ", e.Line)
	}
	if e.Operation != "" {
		b.WriteString(e.Operation)
		if e.Instance != "" {
			fmt.Fprintf(&b, " %q", e.Instance)
		}
		b.WriteString(": ")
	}
	b.WriteString(e.Message)
	if e.Err != nil {
		b.WriteString(": " + e.Err.Error())
	}
	return b.String()
}

func (e *Error) Unwrap() error { return e.Err }

func failf(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Message: fmt.Sprintf(format, args...)}
}
