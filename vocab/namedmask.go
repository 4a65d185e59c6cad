package vocab

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/chemigram/chemigram/internal/suggest"
	"github.com/chemigram/chemigram/xmp/mask"
)

// NamedMask is a selection with a name, from a pack. Masks are shared: do not
// change one.
type NamedMask struct {
	// Name is how callers ask for it.
	Name string `json:"name"`
	// Description says what it selects, and what it may select besides.
	Description string   `json:"description"`
	Tags        []string `json:"tags"`
	// Mask is the selection. It names no other mask.
	Mask mask.Spec `json:"mask"`
	// Claims say which parts of the test scenes it selects.
	Claims []MaskClaim `json:"claims"`
	Pack   PackInfo    `json:"-"`
}

// MaskClaim is how much of a place in a test scene a mask selects, 0 to 1.
type MaskClaim struct {
	Scene Scene `json:"scene"`
	// Place names a part of the scene: a region of the natural one such as
	// "sky", a patch of the chart such as "light skin", a zone of the frame
	// such as "top".
	Place   string   `json:"place"`
	AtLeast *float64 `json:"at_least,omitempty"`
	AtMost  *float64 `json:"at_most,omitempty"`
}

// String is the claim as a line, such as "selects at least 0.8 of sky".
func (c MaskClaim) String() string {
	s := "selects "
	if c.AtLeast != nil {
		s += fmt.Sprintf("at least %g", *c.AtLeast)
	}
	if c.AtMost != nil {
		s += fmt.Sprintf("at most %g", *c.AtMost)
	}
	s += " of " + c.Place
	if c.Scene != Natural {
		s += " on the " + string(c.Scene)
	}
	return s
}

// Masks lists the named masks, by name.
func (v *Vocabulary) Masks() []*NamedMask {
	names := slices.Sorted(maps.Keys(v.masks))
	out := make([]*NamedMask, len(names))
	for i, name := range names {
		out[i] = v.masks[name]
	}
	return out
}

// HasMask reports whether there is a mask of a name.
func (v *Vocabulary) HasMask(name string) bool { return v.masks[name] != nil }

// Expand replaces a mask's name by what the named mask selects. It fails with
// an *[Error] of kind UnknownMask, or an *[mask.Error] when the rest of the mask
// cannot be combined with the named one.
func (v *Vocabulary) Expand(s mask.Spec) (mask.Spec, error) {
	return expand(s, v.masks)
}

func expand(s mask.Spec, masks map[string]*NamedMask) (mask.Spec, error) {
	if s.Name == "" {
		return s, nil
	}
	named, ok := masks[s.Name]
	if !ok {
		return s, &Error{
			Kind: UnknownMask, Entry: s.Name, Suggestions: nearMasks(s.Name, masks),
			Message: fmt.Sprintf("no loaded pack has a mask %q", s.Name),
		}
	}
	return s.Within(named.Mask)
}

// nearMasks finds masks with a similar name, or with a word of it in the name or
// the tags.
func nearMasks(name string, masks map[string]*NamedMask) []string {
	all := slices.Sorted(maps.Keys(masks))
	found := []string{mask.Background} // those whose region is found have names, too
	for _, meaning := range mask.Meanings() {
		found = append(found, string(meaning))
	}
	near := suggest.Nearest(name, slices.Concat(found, all))
	for _, candidate := range all {
		m := masks[candidate]
		for word := range strings.SplitSeq(name, "_") {
			has := strings.Contains(candidate, word) || slices.Contains(m.Tags, word)
			if word != "" && has && len(near) < 3 && !slices.Contains(near, candidate) {
				near = append(near, candidate)
			}
		}
	}
	return near
}

// bindMasks looks up the masks that a pack's entries name, in the pack itself
// and in those before it.
func (v *Vocabulary) bindMasks(src Source, entries []*Entry, masks []*NamedMask) []error {
	d := &decoder{pack: src.Name}
	all := maps.Clone(v.masks)
	for _, m := range masks {
		if earlier := all[m.Name]; earlier != nil {
			d.file, d.entry = masksName, m.Name
			d.fail(nil, "name", "the pack %q has a mask of this name", earlier.Pack.Name)
		}
		all[m.Name] = m
	}
	d.file = ""
	for _, e := range entries {
		if e.Mask == nil {
			continue
		}
		d.entry = e.Name
		selection, err := expand(*e.Mask, all)
		if err != nil {
			d.fail(nil, "mask", "%s", err)
			continue
		}
		if e.selection = selection; e.Mask.Name != "" {
			d.checkMask(nil, "mask", selection)
		}
	}
	return d.errs
}
