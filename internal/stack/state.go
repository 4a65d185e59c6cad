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
	return joinFirst(append(words, s.describeMask(0)...))
}

// describeMask lists how the instance is blended and masked, and its spots, in the words
// of diff; digits as in [mask.Lens].
func (s *state) describeMask(digits int) []string {
	if _, err := mask.DecodeBlend(s.entry.BlendVersion, s.entry.Blend); err != nil {
		return s.describeBlend()
	}
	var words []string
	for _, w := range s.words(mask.Lens{Digits: digits}) {
		words = append(words, w.Name+" "+w.Value)
	}
	if words == nil {
		return s.describeBlend()
	}
	return words
}

// describeMasks describes masks that differ so that it can be seen in what: in more digits
// where the usual ones do not show it, and at last by darktable's names. nil has none.
func describeMasks(masks ...*state) []string {
	for _, describe := range []func(*state) []string{
		func(s *state) []string { return s.describeMask(0) },
		func(s *state) []string { return s.describeMask(9) },
		(*state).describeBlend,
	} {
		var texts []string
		for _, s := range masks {
			text := ""
			if s != nil {
				text = joinFirst(describe(s))
			}
			texts = append(texts, text)
		}
		if texts[0] != texts[1] {
			return texts
		}
	}
	return make([]string, len(masks))
}

// describeBlend lists how the instance is blended and masked by darktable's names.
func (s *state) describeBlend() []string {
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
