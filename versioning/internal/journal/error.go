package journal

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/fserr"
)

// The kinds of [Error]; package versioning documents them.
const (
	Invalid        fault.Kind = "invalid"
	NotInitialised fault.Kind = "not_initialised"
	Missing        fault.Kind = "missing"
	Corrupt        fault.Kind = "corrupt"
	TooNew         fault.Kind = "too_new"
	ReadOnly       fault.Kind = "read_only"
	NoSpace        fault.Kind = "no_space"
	IO             fault.Kind = "io"
)

// Error is every error of this package.
type Error struct {
	Kind    fault.Kind
	File    string // the name of the file
	Message string
	Err     error // the cause, if any
}

// Error joins the kind, the file, the message and the cause.
func (e *Error) Error() string {
	subject := e.Kind.String()
	if e.File != "" {
		subject += fmt.Sprintf(" %q", e.File)
	}
	return fault.Text(subject, e.Message, e.Err)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is reports whether target is the error's kind.
func (e *Error) Is(target error) bool { return e.Kind.Is(target) }

// FileError wraps an error of the file system about a file in an Error; nil
// stays nil.
func FileError(name string, err error) error {
	if err == nil {
		return nil
	}
	kind := IO
	switch {
	case fserr.NoSpace(err):
		kind = NoSpace
	case errors.Is(err, fs.ErrPermission), fserr.ReadOnly(err):
		kind = ReadOnly
	}
	return &Error{Kind: kind, File: name, Err: err}
}

func corrupt(format string, args ...any) *Error {
	return &Error{Kind: Corrupt, File: Name, Message: fmt.Sprintf(format, args...)}
}
