package stack

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
	"github.com/chemigram/chemigram/xmp/mask"
)

// state is all that a version says of one module instance: its entry, and the
// drawn forms of its mask. nil is a version without the instance.
type state struct {
	entry xmp.Entry
	forms []mask.Form
}

// equal reports whether two develop alike.
func (s *state) equal(t *state) bool {
	if s == nil || t == nil {
		return s == t
	}
	return developAlike(s.entry, t.entry) && s.equalForms(t)
}

func (s *state) equalMask(t *state) bool {
	return s.entry.BlendVersion == t.entry.BlendVersion && bytes.Equal(s.entry.Blend, t.entry.Blend) && s.equalForms(t)
}

func (s *state) equalForms(t *state) bool {
	return slices.EqualFunc(s.forms, t.forms, func(a, b mask.Form) bool {
		return a.ID == b.ID && a.Type == b.Type && a.Name == b.Name && a.Version == b.Version && a.Count == b.Count &&
			bytes.Equal(a.Points, b.Points) && bytes.Equal(a.Source, b.Source)
	})
}

// String describes the instance for a conflict about all of it.
func (s *state) String() string {
	if s == nil {
		return "not there"
	}
	words := []string{"enabled"}
	if !s.entry.Enabled {
		words[0] = "disabled"
	}
	params, err := iop.Decode(s.entry.Operation, s.entry.Modversion, s.entry.Params)
	neutral, defaultsErr := iop.Defaults(s.entry.Operation, s.entry.Modversion)
	if err != nil || defaultsErr != nil {
		words = append(words, fmt.Sprintf("%d bytes of parameters, version %d", len(s.entry.Params), s.entry.Modversion))
	} else {
		for _, d := range iop.Diff(neutral, params) {
			words = append(words, d.Name+" "+d.After.String())
		}
	}
	return joinFirst(append(words, s.describeMask()...))
}

// describeMask lists how the instance is blended and masked.
func (s *state) describeMask() []string {
	defaults, err := mask.DefaultBlend(s.entry.BlendVersion)
	if err != nil || s.entry.Blend == nil {
		return []string{"no mask"}
	}
	neutral, err := mask.DecodeBlend(s.entry.BlendVersion, defaults)
	blend, decodeErr := mask.DecodeBlend(s.entry.BlendVersion, s.entry.Blend)
	if err != nil || decodeErr != nil {
		return []string{fmt.Sprintf("%d bytes of blend parameters", len(s.entry.Blend))}
	}
	var words []string
	for _, d := range mask.Diff(neutral, blend) {
		words = append(words, d.Name+" "+d.After)
	}
	for _, form := range s.forms {
		words = append(words, "form "+form.Name)
	}
	if words == nil {
		return []string{"no mask"}
	}
	return words
}

// joinFirst joins words by commas, the first of them where there are many.
func joinFirst(words []string) string {
	const most = 12
	if len(words) > most {
		words = append(slices.Clone(words[:most]), fmt.Sprintf("and %d more", len(words)-most))
	}
	return strings.Join(words, ", ")
}
