package vocab

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/chemigram/chemigram/internal/suggest"
	"github.com/chemigram/chemigram/xmp/mask"
)

// Masks lists the named masks, by name.
func (v *Vocabulary) Masks() []*NamedMask {
	names := slices.Sorted(maps.Keys(v.masks))
	out := make([]*NamedMask, len(names))
	for i, name := range names {
		out[i] = v.masks[name]
	}
	return out
}

// Expand gives a mask with its name replaced by what that selects. It fails with
// an *[Error] of kind UnknownMask, or an *[mask.Error] when what is asked for
// beside the name does not go with it.
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

// nearMasks finds names like one, or with a word of it.
func nearMasks(name string, masks map[string]*NamedMask) []string {
	all := slices.Sorted(maps.Keys(masks))
	near := suggest.Nearest(name, all)
	for _, candidate := range all {
		m := masks[candidate]
		for word := range strings.SplitSeq(name, "_") {
			said := strings.Contains(candidate, word) || slices.Contains(m.Tags, word)
			if word != "" && said && len(near) < 3 && !slices.Contains(near, candidate) {
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
		where, err := expand(*e.Mask, all)
		if err != nil {
			d.fail(nil, "mask", "%s", err)
			continue
		}
		if e.where = where; e.Mask.Name != "" {
			d.checkMask(nil, "mask", where)
		}
	}
	return d.errs
}
