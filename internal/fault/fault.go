// Package fault says what went wrong: a [Kind] to decide by, a message to read
// and details by name. Every room that serves the engine returns an [Error]; the
// packages with errors of their own (xmp, vocab, render, versioning) share its
// Kind and its way of putting a message together.
package fault

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/chemigram/chemigram/internal/suggest"
)

// Kind is what sort of thing went wrong: a word that does not change, such as
// "not_found". A Kind is an error itself, so that errors.Is(err, kind) reports
// whether err is of that kind.
type Kind string

// String gives the kind in words, such as "not found".
func (k Kind) String() string { return strings.ReplaceAll(string(k), "_", " ") }

// Error makes a Kind an error, for errors.Is.
func (k Kind) Error() string { return k.String() }

// Is reports whether target is the kind k. It serves the Is method of error types.
func (k Kind) Is(target error) bool {
	kind, ok := target.(Kind)
	return ok && kind == k
}

// The kinds that the engine answers with: its nine codes.
const (
	InvalidInput   Kind = "invalid_input"
	NotFound       Kind = "not_found"
	Darktable      Kind = "darktable_error"
	Synthesizer    Kind = "synthesizer_error"
	Versioning     Kind = "versioning_error"
	Masking        Kind = "masking_error"
	Permission     Kind = "permission_error"
	State          Kind = "state_error"
	NotImplemented Kind = "not_implemented"
)

// Error is a fault of one of the nine kinds, before the engine adds which verb
// failed on which image.
type Error struct {
	Kind Kind
	// Message says what is wrong, with the value, and what would be right.
	Message string
	// Details are facts for programs, by name.
	Details map[string]any
	// Permanent faults stay until a person mends something.
	Permanent bool
	// Err is the cause, when there is one.
	Err error
}

// Error gives the message and the cause.
func (e *Error) Error() string { return Text(e.Message, e.Err) }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is reports whether target is the error's kind.
func (e *Error) Is(target error) bool { return e.Kind.Is(target) }

// With adds a detail and returns e.
func (e *Error) With(name string, value any) *Error {
	if e.Details == nil {
		e.Details = map[string]any{}
	}
	e.Details[name] = value
	return e
}

// New makes a fault. What cannot be composed and what the installed darktable
// lacks are permanent.
func New(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Message: fmt.Sprintf(format, args...), Permanent: kind == Synthesizer || kind == NotImplemented}
}

// Unknown is the not_found fault for a name, with the names that may have been
// meant, best first, when there are any.
func Unknown(what, name string, suggestions []string) *Error {
	message := fmt.Sprintf("there is no %s %.128q", what, name)
	if len(suggestions) > 0 {
		message += fmt.Sprintf("; the nearest names are %q", suggestions)
	}
	err := New(NotFound, "%s", message).With("kind", what).With("name", name)
	if len(suggestions) > 0 {
		return err.With("suggestions", suggestions)
	}
	return err
}

// Missing is [Unknown] with the nearest of the names that there are.
func Missing(what, name string, have []string) *Error {
	return Unknown(what, name, suggest.Nearest(name, have))
}

// Violation is one argument that breaks its rule.
type Violation struct {
	// Pointer is the JSON pointer of the argument, such as "/region/width".
	Pointer string
	// Expected says what would be right.
	Expected string
	// Got is the value, shortened; empty when Expected says it.
	Got string
	// Says is the whole in words, for the message. Default: it is made of the others.
	Says string
}

// says is the violation in words.
func (v Violation) says() string {
	if v.Says != "" {
		return v.Says
	}
	return fmt.Sprintf("%s is %s, expected %s", cmp.Or(strings.TrimPrefix(v.Pointer, "/"), "the whole"), v.Got, v.Expected)
}

var escape = strings.NewReplacer("~", "~0", "/", "~1")

// Pointer is the JSON pointer of a property of the object that at points to.
func Pointer(at, property string) string { return at + "/" + escape.Replace(property) }

// Invalid is the invalid_input fault of one argument, which the pointer names; "" is all
// of them together. The message says what is wrong and what would be right.
func Invalid(pointer, format string, args ...any) *Error {
	message := fmt.Sprintf(format, args...)
	return New(InvalidInput, "%s", message).With("violations", []Violation{{Pointer: pointer, Expected: message, Says: message}})
}

// A fault's message says the first of many violations, and its details list more.
const (
	mostSaid   = 10
	mostListed = 100
)

// Violated is the invalid_input fault of violations, or nil when there are none. Its
// details have them as "violations", and when there are more than a hundred how many
// as "violations_total".
func Violated(found []Violation) error {
	if len(found) == 0 {
		return nil
	}
	var says []string
	ordered := slices.Clone(found)
	slices.SortStableFunc(ordered, func(a, b Violation) int { // what has words of its own comes first
		return cmp.Compare(min(1, len(b.Says)), min(1, len(a.Says)))
	})
	for _, v := range ordered[:min(len(ordered), mostSaid)] {
		says = append(says, v.says())
	}
	if more := len(found) - len(says); more > 0 {
		says = append(says, fmt.Sprintf("and %d more", more))
	}
	err := New(InvalidInput, "%s", strings.Join(says, "; ")).With("violations", found[:min(len(found), mostListed)])
	if len(found) > mostListed {
		return err.With("violations_total", len(found))
	}
	return err
}

// Blank reports whether nothing of a text can be seen: it has blanks, and characters
// without width, alone.
func Blank(text string) bool {
	const fillers = "\u115f\u1160\u2800\u3164\uffa0" // letters and marks that show nothing
	return strings.IndexFunc(text, func(r rune) bool {
		return unicode.IsGraphic(r) && !unicode.IsSpace(r) && !unicode.Is(unicode.Mn, r) && !strings.ContainsRune(fillers, r)
	}) < 0
}

// Text joins the parts of an error's text with ": ": what it is about, what is
// wrong, and the cause, which is last. Empty parts and nil are left out.
func Text(parts ...any) string {
	var says []string
	for _, part := range parts {
		if part == nil {
			continue
		}
		if said := fmt.Sprint(part); said != "" {
			says = append(says, said)
		}
	}
	return strings.Join(says, ": ")
}

// Shorten keeps a value readable in a message: of a long text the first 80 bytes.
func Shorten(text string) string {
	const most = 80
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// At is the error of an argument: an invalid_input fault that names none gets the
// pointer of this one. Any other error is itself.
func At(pointer string, err error) error {
	f, ok := errors.AsType[*Error](err)
	if !ok || f.Kind != InvalidInput || f.Details["violations"] != nil {
		return err
	}
	at := *f
	at.Details = maps.Clone(f.Details)
	return at.With("violations", []Violation{{Pointer: pointer, Expected: f.Message, Says: f.Message}})
}
