package vocab

import "strings"

// AppliesTo says which photographs an L1 entry is for, by camera, lens and
// sensitivity. Empty fields fit everything. Letter case and blanks around a name
// do not matter; a final * matches any ending.
type AppliesTo struct {
	Make      string `json:"make,omitempty"`
	Model     string `json:"model,omitempty"`
	LensModel string `json:"lens_model,omitempty"`
	// MinISO and MaxISO bound the sensitivity, both included; 0 is no bound.
	MinISO int `json:"min_iso,omitempty"`
	MaxISO int `json:"max_iso,omitempty"`
	// KnownLens is true of what needs a lens that darktable's library has a correction for.
	KnownLens bool `json:"known_lens,omitempty"`
}

// Taken is how a photograph was taken. What is not known is empty or 0.
type Taken struct {
	Make, Model, LensModel string
	ISO                    int
	// KnownLens reports whether darktable's library has a correction for the lens; nil of
	// one that is not known.
	KnownLens func() bool
}

// Fits reports whether the entry is for a photograph. A nil AppliesTo fits every
// one; an unknown sensitivity is within no bounds.
func (a *AppliesTo) Fits(t Taken) bool {
	return a == nil ||
		fitsName(a.Make, t.Make) && fitsName(a.Model, t.Model) && fitsName(a.LensModel, t.LensModel) && a.fitsISO(t.ISO) &&
			(!a.KnownLens || t.KnownLens != nil && t.KnownLens())
}

func (a *AppliesTo) fitsISO(iso int) bool {
	switch {
	case a.MinISO == 0 && a.MaxISO == 0:
		return true
	case iso == 0:
		return false
	}
	return iso >= a.MinISO && (a.MaxISO == 0 || iso <= a.MaxISO)
}

func fitsName(pattern, name string) bool {
	if pattern == "" {
		return true
	}
	pattern, name = foldName(pattern), foldName(name)
	if prefix, ok := strings.CutSuffix(pattern, "*"); ok {
		return strings.HasPrefix(name, prefix)
	}
	return pattern == name
}

// foldName is the form in which names are compared.
func foldName(s string) string {
	return strings.ToLower(strings.Join(strings.Fields(s), " "))
}
