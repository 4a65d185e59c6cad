package versioning

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/chemigram/chemigram/internal/fserr"
)

// Kind says what is wrong, as a word that does not change.
type Kind string

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
	// Corrupt: bytes are not what was written. Verify says what and what to do.
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
	Detail  string   // what is wrong in particular, and what would be right
	Matches []string // Ambiguous: what the name fits
	Holder  *Holder  // Locked: who holds the lock
	Err     error    // the cause, if any
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("versioning: ")
	if e.Op != "" {
		fmt.Fprintf(&b, "%s: ", e.Op)
	}
	b.WriteString(strings.ReplaceAll(string(e.Kind), "_", " "))
	if e.Name != "" {
		fmt.Fprintf(&b, " %q", clip(e.Name))
	}
	if e.Detail != "" {
		fmt.Fprintf(&b, ": %s", e.Detail)
	}
	if len(e.Matches) > 0 {
		fmt.Fprintf(&b, ": %s", strings.Join(e.Matches, ", "))
	}
	if e.Holder != nil {
		fmt.Fprintf(&b, ": %s", e.Holder)
	}
	if e.Err != nil {
		fmt.Fprintf(&b, ": %v", e.Err)
	}
	return b.String()
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is makes errors.Is(err, &Error{Kind: k}) true for every error of kind k.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Kind == e.Kind && t.Op == "" && t.Name == "" && t.Err == nil
}

// KindOf gives the kind of the first Error in err's chain, or "".
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return ""
}

// fail makes an Error of one line.
func fail(op string, kind Kind, name, format string, args ...any) *Error {
	return &Error{Op: op, Kind: kind, Name: name, Detail: fmt.Sprintf(format, args...)}
}

// fileError makes an Error of what the file system said about a file.
func fileError(name string, err error) error {
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
	return &Error{Kind: kind, Name: name, Err: err}
}

// named gives err with the method's name where it has none yet.
func named(op string, err error) error {
	if e, ok := errors.AsType[*Error](err); ok && e.Op == "" {
		c := *e
		c.Op = op
		return &c
	}
	return err
}

// clip keeps a name that came from outside from filling a message.
func clip(s string) string {
	const most = 80
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
