package chemigram

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/chemigram/chemigram/internal/classify"
	"github.com/chemigram/chemigram/internal/fault"
)

// seal makes whatever a verb returns an *Error of the verb: the packages below
// have errors of their own, and know nothing of codes.
func seal(err *error, op string, id ImageID) {
	if *err == nil {
		return
	}
	sealed := *AsError(*err)
	if sealed.Op == "" {
		sealed.Op, sealed.ImageID = op, id
	}
	*err = &sealed
}

// seal is [seal] for a verb about an image that is there.
func (e *Engine) seal(err *error, op string, id ImageID) {
	*err = e.orMissing(id, *err)
	seal(err, op, id)
}

// orMissing gives the error of a verb about an image. When the image was deleted
// meanwhile, that is what is wrong, whatever could not be read then.
func (e *Engine) orMissing(id ImageID, err error) error {
	if err == nil || id == "" || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if code := AsError(err).Code; code != ErrState && code != ErrVersioning {
		return err
	}
	if missing := e.workspace.Missing(string(id), err); missing != nil {
		return missing
	}
	return err
}

// known is the error with one of the nine codes.
func (e *Error) known() *Error {
	if slices.Contains(Codes(), e.Code) {
		return e
	}
	known := e.With("foreign_code", string(e.Code))
	known.Code, known.Err = ErrState, e
	return known
}

// AsError gives any error one of the nine codes. An [*Error] is itself, unless its code
// is none of them: then it is a state_error that keeps the code as the detail
// foreign_code. What is of no other kind is a state_error, too.
func AsError(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.known()
	}
	f := classify.Fault(err)
	details := Details(f.Details)
	found, ok := details["violations"].([]fault.Violation)
	if f.Kind == fault.InvalidInput && len(found) == 0 {
		found, ok = []fault.Violation{{Expected: f.Message}}, true
	}
	if ok {
		public := make([]Violation, len(found))
		for i, v := range found {
			public[i] = Violation{Pointer: v.Pointer, Expected: v.Expected, Got: v.Got}
		}
		if details = maps.Clone(details); details == nil {
			details = Details{}
		}
		details["violations"] = public
	}
	return &Error{Code: Code(f.Kind), Message: f.Message, Details: details, Recoverable: !f.Permanent, Err: err}
}
