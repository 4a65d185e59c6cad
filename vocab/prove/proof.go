package prove

import (
	"fmt"
	"slices"
	"strings"

	"github.com/chemigram/chemigram/vocab"
)

// Proof is what was found about one entry, or one named mask, on one darktable.
type Proof struct {
	Entry     string // empty for a mask
	Mask      string // empty for an entry
	Darktable string
	// Skipped is why the entry does not work on this darktable, by what it
	// requires. It has no findings then.
	Skipped  string
	Findings []Finding
}

// Finding is the outcome of one check.
type Finding struct {
	// Check is what was looked at: "claim", "sweep", "onset", "ramp", "clip",
	// "mask", "harm", "photographs", "neutral", "set" or "others", or "selects" for a
	// named mask.
	Check string
	// Claim is the claim as a line of text, for claim and sweep, and the harm's name
	// for harm.
	Claim string
	// Before and After are the measure in the baseline and with the move; for
	// mask, how far the move goes outside and inside; for a named mask's claim,
	// After is how much is selected; for harm, the limit and the most that was found; for
	// a claim on photographs, how many have its subject and on what share of them it keeps
	// its direction.
	Before, After float64
	// Failed are the photographs on which it does not hold.
	Failed []vocab.Scene
	// Intended says of harm that it is beyond the limit and the entry intends it.
	Intended bool
	// Sweep are the measures over the range, for sweep.
	Sweep []float64
	OK    bool
	// Message says what is wrong, when not OK.
	Message string
}

// OK reports whether everything that was looked at holds.
func (p Proof) OK() bool {
	return !slices.ContainsFunc(p.Findings, func(f Finding) bool { return !f.OK })
}

// Failures gives one line for each finding that does not hold.
func (p Proof) Failures() []string {
	var lines []string
	for _, f := range p.Findings {
		if !f.OK {
			lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s %s: %s", f.Check, f.Claim, f.Message)))
		}
	}
	return lines
}
