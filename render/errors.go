package render

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"github.com/chemigram/chemigram/internal/fault"
)

// Error says what went wrong between Chemigram and darktable. errors.Is(err, kind)
// reports whether it is of a kind.
type Error struct {
	// Op is what was being done: "find", "baseline", "render", "publish",
	// "inspect", "load", "region", "measure", "sheet" or "cache".
	Op   string
	Kind Kind
	// Message says what is wrong and what would be right.
	Message string
	// Path is the file concerned, when there is one.
	Path string
	// Field is the field of a [Job] that is wrong, in snake case: "bit_depth"; "" otherwise.
	Field string
	// Version of a darktable that is too old; "" otherwise.
	Version string
	// Command is the command line that was run, when there was one.
	Command []string
	// ExitCode is darktable's exit status, or -1 when it was not run or was
	// ended by a signal.
	ExitCode int
	// Stderr is the end of what darktable printed, at most 2,000 characters.
	Stderr string
	// Reason is why darktable cannot develop the file, when its messages tell.
	Reason Reason
	// Camera is make and model of the camera of an UnknownCamera, and KnownTo a
	// release of darktable that knows it; "" when they are not known.
	Camera, KnownTo string
	// Err is the cause, when there is one.
	Err error
}

// Error gives the operation, the message, the path and the cause on one line.
func (e *Error) Error() string {
	path := e.Path
	if strings.Contains(e.Message, path) {
		path = ""
	}
	return fault.Text(e.Op, e.Message, path, e.Err)
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is reports whether target is the error's kind.
func (e *Error) Is(target error) bool { return e.Kind.Is(target) }

// Kind is the reason of an [Error].
type Kind = fault.Kind

// The kinds of errors.
const (
	// Missing: no darktable-cli was found.
	Missing Kind = "missing"
	// Unsupported: the darktable found is too old, or it lacks what was asked
	// for, such as a file format.
	Unsupported Kind = "unsupported"
	// BadInput: what was given cannot be used: the raw is missing, is a
	// folder or may not be read, the job has a field out of range. Err tells
	// the cases of the file system apart (fs.ErrNotExist, fs.ErrPermission).
	BadInput Kind = "bad_input"
	// Failed: darktable gave up, or ended with a status other than 0.
	Failed Kind = "failed"
	// NoOutput: darktable ended with status 0 and wrote nothing.
	NoOutput Kind = "no_output"
	// BadOutput: what darktable wrote is cut off, of another format, or larger
	// than asked for.
	BadOutput Kind = "bad_output"
	// TimedOut: darktable did not finish in time and was ended.
	TimedOut Kind = "timed_out"
	// Canceled: the caller gave up and darktable was ended.
	Canceled Kind = "canceled"
	// Exists: the output's path is taken, and nothing is ever overwritten.
	Exists Kind = "exists"
	// System: the file system or the operating system refused.
	System Kind = "system"
)

// newError is an error without a run of darktable.
func newError(op string, kind Kind, path, message string, err error) *Error {
	return &Error{Op: op, Kind: kind, Message: message, Path: path, ExitCode: -1, Err: err}
}

// inputError is the error of a file that the caller named.
func inputError(op, path string, err error) error {
	e := newError(op, BadInput, path, "cannot read the picture", err)
	switch {
	case errors.Is(err, context.Canceled):
		e.Kind, e.Message = Canceled, "the caller gave up before the picture was read"
	case errors.Is(err, context.DeadlineExceeded):
		e.Kind, e.Message = TimedOut, "the picture was not read in time"
	case errors.Is(err, fs.ErrNotExist):
		e.Message = "there is no such file"
	case errors.Is(err, fs.ErrPermission):
		e.Message = "the file may not be read"
	}
	return e
}

// systemError is the error of a file in the scratch folder.
func systemError(op, path string, err error) error {
	return newError(op, System, path, "cannot use the scratch folder", err)
}
