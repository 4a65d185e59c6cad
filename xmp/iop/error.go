package iop

import (
	"fmt"
	"strings"
)

// Kind says what is wrong.
type Kind int

// The kinds of errors.
const (
	// UnknownModule: no known release has the module, or the module does not
	// say what its parameters are. Suggestions has the nearest names.
	UnknownModule Kind = iota + 1
	// UnknownModversion: the module is known, this version of its layout is not.
	UnknownModversion
	// SizeMismatch: the blob is not as long as the layout. Size and Want tell.
	SizeMismatch
	// UnknownField: the layout has no such leaf. Suggestions has the nearest names.
	UnknownField
	// OutOfRange: the number is outside Min and Max.
	OutOfRange
	// BadValue: the value does not fit the field's type: text for a number, an
	// unknown enum constant, a fraction for an integer, NaN. Suggestions has an
	// enum's nearest names.
	BadValue
	// UnknownRelease: a darktable version that is older than every known
	// release, or is not a version.
	UnknownRelease
	// BadOrder: a pipeline order that darktable's rules forbid, or that is not one.
	BadOrder
)

var kindNames = [...]string{"none", "unknown module", "unknown modversion", "size mismatch", "unknown field", "out of range", "bad value", "unknown release", "bad order"}

// String is the kind in words, such as "out of range".
func (k Kind) String() string {
	if k < 0 || int(k) >= len(kindNames) {
		return fmt.Sprintf("Kind(%d)", int(k))
	}
	return kindNames[k]
}

// Error is the only type of error this package returns. Fields that do not
// matter to the kind are zero.
type Error struct {
	Kind        Kind
	Operation   string
	Modversion  int
	Field       string   // leaf or array name
	Value       string   // the refused value as text
	Min, Max    float64  // of OutOfRange
	Size, Want  int      // of SizeMismatch, in bytes
	Suggestions []string // nearest names, best first
	Detail      string   // what would be right, when the kind does not say it
}

// Error gives a sentence that says what is wrong and what would be right.
func (e *Error) Error() string {
	var b strings.Builder
	if e.Operation != "" && e.Kind != UnknownModule {
		b.WriteString(e.Operation)
		if e.Modversion > 0 {
			fmt.Fprintf(&b, " version %d", e.Modversion)
		}
		b.WriteString(": ")
	}
	switch e.Kind {
	case UnknownModule:
		fmt.Fprintf(&b, "no module %q with parameters", e.Operation)
	case UnknownModversion:
		b.WriteString("this version of the module's parameters is not known")
	case SizeMismatch:
		fmt.Fprintf(&b, "%d bytes of parameters where the layout has %d", e.Size, e.Want)
	case UnknownField:
		fmt.Fprintf(&b, "no field %q", e.Field)
	case OutOfRange:
		fmt.Fprintf(&b, "%s = %s is outside %s to %s", e.Field, e.Value, shortest(e.Min), shortest(e.Max))
	case BadValue:
		fmt.Fprintf(&b, "%s cannot be %s", e.Field, e.Value)
	case UnknownRelease:
		fmt.Fprintf(&b, "darktable %q", e.Value)
	case BadOrder:
		b.WriteString("pipeline order")
	default:
		b.WriteString(e.Kind.String())
	}
	if e.Detail != "" {
		b.WriteString(": " + e.Detail)
	}
	if len(e.Suggestions) > 0 {
		b.WriteString("; did you mean " + strings.Join(e.Suggestions, ", ") + "?")
	}
	return b.String()
}
