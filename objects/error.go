package objects

import (
	"fmt"

	"github.com/chemigram/chemigram/internal/fault"
)

// Kind says what is wrong, as a word that does not change. errors.Is(err, kind)
// reports whether err is of a kind.
type Kind = fault.Kind

// The kinds of Error. The set is closed.
const (
	// Invalid: a name that no object can have.
	Invalid Kind = "invalid"
	// NotFound: there is no object of the name.
	NotFound Kind = "not_found"
	// Exists: there is an object of the name already, which stays.
	Exists Kind = "exists"
	// Damaged: the object is not what its name says, or more than it may be.
	Damaged Kind = "damaged"
	// Unsuitable: the store does not keep what [Store] promises, and is not used.
	Unsuitable Kind = "unsuitable"
	// Denied: the store does not let this program.
	Denied Kind = "denied"
	// Full: the disk or the quota is full.
	Full Kind = "full"
	// Unreachable: the store is away, or failed otherwise; try again later.
	Unreachable Kind = "unreachable"
)

// Error is every error of a [Store] that is not the context's own.
type Error struct {
	Op      string // the method: "Get"
	Kind    Kind   // what is wrong
	Name    string // the object that it is about
	Message string // what is wrong with it, and what would be right
	Err     error  // the cause, if any
}

// Error joins the method, the kind, the name, the message and the cause.
func (e *Error) Error() string {
	subject := e.Kind.String()
	if e.Name != "" {
		subject += fmt.Sprintf(" %.200q", e.Name)
	}
	return fault.Text(e.Op, subject, e.Message, e.Err)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is reports whether target is the error's kind.
func (e *Error) Is(target error) bool { return e.Kind.Is(target) }
