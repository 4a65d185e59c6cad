package render

import (
	"fmt"
	"strings"
)

// Error says what went wrong between Chemigram and darktable.
type Error struct {
	// Op is what was being done: "find", "baseline", "render", "publish",
	// "compare", "cache".
	Op   string
	Kind Kind
	// Message says what is wrong and what would be right.
	Message string
	// Path is the file concerned, when there is one.
	Path string
	// Command is the command line that was run, when there was one.
	Command []string
	// ExitCode is darktable's exit status, or -1 when it was not run or was
	// ended by a signal.
	ExitCode int
	// Stderr is the end of what darktable printed, at most 2,000 characters.
	Stderr string
	// Err is the cause, when there is one.
	Err error
}

// Error gives the operation, the message and the cause on one line.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", e.Op, e.Message)
	if e.Path != "" && !strings.Contains(e.Message, e.Path) {
		fmt.Fprintf(&b, ": %s", e.Path)
	}
	if e.Err != nil {
		fmt.Fprintf(&b, ": %v", e.Err)
	}
	return b.String()
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Kind is the reason of an [Error].
type Kind int

// The kinds of errors.
const (
	// Missing: no darktable-cli was found.
	Missing Kind = iota + 1
	// Unsupported: the darktable found is too old, or it lacks what was asked
	// for, such as a file format.
	Unsupported
	// BadInput: what was given cannot be used: the raw is missing, is a
	// folder or may not be read, the job has a field out of range. Err tells
	// the cases of the file system apart (fs.ErrNotExist, fs.ErrPermission).
	BadInput
	// Failed: darktable gave up, or ended with a status other than 0.
	Failed
	// NoOutput: darktable ended with status 0 and wrote nothing.
	NoOutput
	// BadOutput: what darktable wrote is torn, of another format, or larger
	// than asked for.
	BadOutput
	// TimedOut: darktable did not finish in time and was ended.
	TimedOut
	// Canceled: the caller gave up and darktable was ended.
	Canceled
	// Exists: the output's path is taken, and nothing is ever overwritten.
	Exists
	// System: the file system or the operating system refused.
	System
)

var kindNames = [...]string{
	Missing: "missing", Unsupported: "unsupported", BadInput: "bad input", Failed: "failed",
	NoOutput: "no output", BadOutput: "bad output", TimedOut: "timed out", Canceled: "canceled",
	Exists: "exists", System: "system",
}

// String names the kind in lower case, such as "timed out".
func (k Kind) String() string {
	if k < Missing || int(k) >= len(kindNames) {
		return fmt.Sprintf("Kind(%d)", int(k))
	}
	return kindNames[k]
}
