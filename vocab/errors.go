package vocab

import (
	"fmt"
	"strings"

	"github.com/chemigram/chemigram/internal/fault"
)

// Kind says what is wrong, so that a caller can decide what to do:
// errors.Is(err, BadValue) reports whether an error is of that kind.
type Kind = fault.Kind

// The kinds of errors.
const (
	// BadPack is a pack, a file or an entry that breaks the format. The pack
	// is not loaded.
	BadPack Kind = "bad_pack"
	// Unknown is an entry that no loaded pack has, or a pack that is not built in.
	Unknown Kind = "unknown_entry"
	// BadValue is a value that an entry cannot take: an unknown parameter, a
	// number that is not finite, or out of range.
	BadValue Kind = "bad_value"
	// Unavailable is an entry that the installed darktable cannot develop.
	Unavailable Kind = "unavailable"
	// Uncomposable is a sidecar whose module cannot be edited: its parameters
	// have an unknown layout, or a baseline and a move that together leave a
	// field's range.
	Uncomposable Kind = "uncomposable"
	// Unmaskable is a move that cannot be limited to a part of the picture.
	Unmaskable Kind = "unmaskable"
	// NotInUse is a move that builds on another one, in an edit where that one's
	// modules are off or missing.
	NotInUse Kind = "not_in_use"
	// UnknownMask is a named mask that no loaded pack has.
	UnknownMask Kind = "unknown_mask"
)

// Error is what goes wrong with a vocabulary. Fields that do not apply are
// empty.
type Error struct {
	Kind Kind
	Pack string // what the pack's source is called
	File string // path inside the pack
	Line int    // line in File, from 1
	// Entry is the move's name, or its place in the file ("entry 3") before
	// the name is known. For UnknownMask it is the mask's name.
	Entry string
	// Key is the place inside the entry, such as "ops[0].set.exposure", or the
	// parameter's name for BadValue.
	Key string
	// Argument is the JSON pointer of a BadValue among what an application is made of:
	// /value, /values/NAME or /strength.
	Argument string
	// Message says what is wrong and what would be right.
	Message string
	// Suggestions are the nearest known names, best first.
	Suggestions []string
	// Err is the cause, when there is one.
	Err error
}

// Error puts the place before the message.
func (e *Error) Error() string {
	pack, file, nearest := "", e.File, ""
	if e.Pack != "" {
		pack = "pack " + e.Pack
	}
	if e.File != "" && e.Line > 0 {
		file = fmt.Sprintf("%s:%d", e.File, e.Line)
	}
	if len(e.Suggestions) > 0 {
		nearest = " (nearest: " + strings.Join(e.Suggestions, ", ") + ")"
	}
	return fault.Text(pack, file, e.Entry, e.Key, e.Message, e.Err) + nearest
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is reports whether target is the error's kind.
func (e *Error) Is(target error) bool { return e.Kind.Is(target) }
