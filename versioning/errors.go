package versioning

import (
	"errors"
	"fmt"
	"strings"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/versioning/internal/journal"
)

// Kind says what is wrong, as a word that does not change. errors.Is(err, kind)
// reports whether err is of a kind.
type Kind = fault.Kind

// The kinds of Error. The set is closed.
const (
	// Invalid: an argument that is never right, whatever the history holds.
	Invalid Kind = "invalid"
	// BadRefName: a name that cannot be a branch or a tag.
	BadRefName Kind = "bad_ref_name"
	// NotInitialised: there is no history here yet; Init makes one.
	NotInitialised Kind = "not_initialised"
	// Detached: HEAD names no branch, so there is nothing to move.
	Detached Kind = "detached"
	// RefExists: the branch or tag is there already.
	RefExists Kind = "ref_exists"
	// UnknownRef: no branch, tag, record or state has this name.
	UnknownRef Kind = "unknown_ref"
	// Ambiguous: the name fits several; Error.Matches lists them.
	Ambiguous Kind = "ambiguous"
	// Conflict: the history is not as the caller expected it.
	Conflict Kind = "conflict"
	// NothingToUndo: the branch is at its first position.
	NothingToUndo Kind = "nothing_to_undo"
	// NothingToRedo: the branch's last movement was not an undo.
	NothingToRedo Kind = "nothing_to_redo"
	// Missing: a record or state of this hash is not in the history.
	Missing Kind = "missing"
	// Corrupt: bytes are not what was written. Verify reports what is damaged and what to do.
	Corrupt Kind = "corrupt"
	// Locked: another writer held the lock past the wait limit; Error.Holder
	// names it where it is known.
	Locked Kind = "locked"
	// TooNew: a newer program wrote this history in a later format.
	TooNew Kind = "too_new"
	// ReadOnly: the file system does not let this program write.
	ReadOnly Kind = "read_only"
	// NoSpace: the disk or the quota is full. Nothing was published; only Init
	// and Prune may have finished, and can be called again.
	NoSpace Kind = "no_space"
	// IO: the file system failed otherwise.
	IO Kind = "io"
)

// Error is every error of this package that is not the context's own.
type Error struct {
	Op      string   // the method: "Commit"
	Kind    Kind     // what is wrong
	Name    string   // the ref, hash or file that it is about
	Message string   // what is wrong in particular, and what would be right
	Matches []string // Ambiguous: what the name fits; UnknownRef: names like it
	Holder  *Holder  // Locked: who holds the lock
	Err     error    // the cause, if any
}

// Error joins the method, the kind, the name, the message and the cause.
func (e *Error) Error() string {
	subject := e.Kind.String()
	if e.Name != "" {
		subject += fmt.Sprintf(" %q", shorten(e.Name))
	}
	holder := ""
	if e.Holder != nil {
		holder = e.Holder.String()
	}
	return fault.Text(e.Op, subject, e.Message, strings.Join(e.Matches, ", "), holder, e.Err)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is reports whether target is the error's kind, or an Error with that kind and
// nothing else.
func (e *Error) Is(target error) bool {
	if t, ok := target.(*Error); ok {
		return t.Kind == e.Kind && t.Op == "" && t.Name == "" && t.Err == nil
	}
	return e.Kind.Is(target)
}

// KindOf returns the kind of the first Error in err's chain, or "".
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return ""
}

// fail makes an Error without a cause.
func fail(op string, kind Kind, name, format string, args ...any) *Error {
	return &Error{Op: op, Kind: kind, Name: name, Message: fmt.Sprintf(format, args...)}
}

// withOp returns err as this package's Error, with the method's name where it
// has none yet.
func withOp(op string, err error) error {
	if e, ok := errors.AsType[*Error](err); ok {
		if e.Op != "" {
			return err
		}
		c := *e
		c.Op = op
		return &c
	}
	if e, ok := errors.AsType[*journal.Error](err); ok {
		return &Error{Op: op, Kind: e.Kind, Name: e.File, Message: e.Message, Err: e.Err}
	}
	return err
}

// shorten keeps a name that came from outside from filling a message.
func shorten(s string) string {
	const most = 80
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
