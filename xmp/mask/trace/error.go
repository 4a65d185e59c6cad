package trace

import "fmt"

// Error is the only type of error this package returns.
type Error struct {
	Detail string // what is wrong, and what would be right
	Err    error  // the cause, when there is one
}

func (e *Error) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("mask file: %s: %v", e.Detail, e.Err)
	}
	return "mask file: " + e.Detail
}

func (e *Error) Unwrap() error { return e.Err }

func failf(format string, args ...any) error { return &Error{Detail: fmt.Sprintf(format, args...)} }
