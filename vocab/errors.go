package vocab

import (
	"fmt"
	"strings"
)

// Kind says what is wrong, so that a caller can decide what to do.
type Kind uint8

// The kinds of errors.
const (
	// BadPack is a pack, a file or an entry that breaks the format. The pack
	// is not loaded.
	BadPack Kind = iota + 1
	// Unknown is an entry that no loaded pack has.
	Unknown
	// BadValue is a value that an entry cannot take: an unknown parameter, a
	// number that is not finite, or out of range.
	BadValue
	// Unavailable is an entry that the installed darktable cannot develop.
	Unavailable
	// Uncomposable is a sidecar whose module cannot be edited: its parameters
	// have an unknown layout, or a baseline and a move that together leave a
	// field's range.
	Uncomposable
	// Unmaskable is a move that cannot be limited to a part of the picture.
	Unmaskable
	// NotInUse is a move that builds on another one, in an edit where that one's
	// modules are not at work.
	NotInUse
	// UnknownMask is a named mask that no loaded pack has.
	UnknownMask
)

func (k Kind) String() string {
	switch k {
	case BadPack:
		return "bad pack"
	case Unknown:
		return "unknown entry"
	case BadValue:
		return "bad value"
	case Unavailable:
		return "unavailable"
	case Uncomposable:
		return "uncomposable"
	case Unmaskable:
		return "unmaskable"
	case NotInUse:
		return "not in use"
	case UnknownMask:
		return "unknown mask"
	}
	return fmt.Sprintf("kind %d", uint8(k))
}

// Error is what goes wrong with a vocabulary. Fields that do not apply are
// empty.
type Error struct {
	Kind Kind
	Pack string // what the pack's source is called
	File string // path inside the pack
	Line int    // line in File, from 1
	// Entry is the move's name, or its place in the file ("entry 3") before
	// the name is known.
	Entry string
	// Key is the place inside the entry, such as "ops[0].set.exposure", or the
	// parameter's name for BadValue.
	Key string
	// Message says what is wrong and what would be right.
	Message string
	// Min and Max are the allowed range, when Ranged.
	Ranged   bool
	Min, Max float64
	// Suggestions are the nearest known names, best first.
	Suggestions []string
	Err         error
}

// Error puts the place before the message.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("vocab: ")
	if e.Pack != "" {
		fmt.Fprintf(&b, "pack %s: ", e.Pack)
	}
	if e.File != "" {
		b.WriteString(e.File)
		if e.Line > 0 {
			fmt.Fprintf(&b, ":%d", e.Line)
		}
		b.WriteString(": ")
	}
	if e.Entry != "" {
		b.WriteString(e.Entry + ": ")
	}
	if e.Key != "" {
		b.WriteString(e.Key + ": ")
	}
	b.WriteString(e.Message)
	if e.Err != nil {
		if e.Message != "" {
			b.WriteString(": ")
		}
		b.WriteString(e.Err.Error())
	}
	if len(e.Suggestions) > 0 {
		b.WriteString(" (nearest: " + strings.Join(e.Suggestions, ", ") + ")")
	}
	return b.String()
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }
