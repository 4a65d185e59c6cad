package vocab

import (
	"fmt"
	"maps"
	"slices"

	"github.com/chemigram/chemigram/internal/suggest"
)

// Vocabulary is a set of packs: immutable, and safe for concurrent use.
type Vocabulary struct {
	packs   []PackInfo
	entries map[string]*Entry
	index   map[string]*wordIndex // by entry
	masks   map[string]*NamedMask
}

// Load reads packs in order. A pack with any error is left out whole, and each
// of its errors is an *Error of kind BadPack in failures; the other packs are
// loaded. An entry whose name an earlier pack has must say that it overrides that
// pack.
func Load(sources ...Source) (v *Vocabulary, failures []error) {
	v = &Vocabulary{entries: map[string]*Entry{}, index: map[string]*wordIndex{}, masks: map[string]*NamedMask{}}
	for _, src := range sources {
		info, entries, masks, errs := loadPack(src)
		if len(errs) == 0 {
			errs = slices.Concat(v.checkNames(src, info, entries), v.bindMasks(src, entries, masks), v.bindPrerequisites(src, entries))
		}
		if len(errs) > 0 {
			failures = append(failures, errs...)
			continue
		}
		v.packs = append(v.packs, info)
		for _, m := range masks {
			v.masks[m.Name] = m
		}
		for _, e := range entries {
			v.entries[e.Name] = e
			e.vocabulary = v
		}
	}
	for name, e := range v.entries {
		v.index[name] = indexWords(e)
	}
	return v, failures
}

// checkNames checks a pack's names against those of the packs loaded before it.
func (v *Vocabulary) checkNames(src Source, info PackInfo, entries []*Entry) []error {
	d := &decoder{pack: src.Name}
	if slices.ContainsFunc(v.packs, func(p PackInfo) bool { return p.Name == info.Name }) {
		d.file = manifestName
		d.fail(nil, "name", "a pack %q is already loaded", info.Name)
		return d.errs
	}
	for _, e := range entries {
		d.entry = e.Name
		earlier, taken := v.entries[e.Name]
		overridden := slices.ContainsFunc(v.packs, func(p PackInfo) bool { return p.Name == e.Overrides })
		switch {
		case taken && e.Overrides != earlier.Pack.Name:
			d.fail(nil, "overrides", "the pack %[1]q has an entry of this name; to replace it, say \"overrides\": %[1]q", earlier.Pack.Name)
		case !taken && overridden:
			d.fail(nil, "overrides", "the pack %q has no entry of this name", e.Overrides)
		}
	}
	return d.errs
}

// Packs lists what was loaded, in order.
func (v *Vocabulary) Packs() []PackInfo { return slices.Clone(v.packs) }

// Entry finds a move by name. Unknown is an *Error of kind Unknown that
// carries the nearest names.
func (v *Vocabulary) Entry(name string) (*Entry, error) {
	if e, ok := v.entries[name]; ok {
		return e, nil
	}
	near := suggest.Nearest(name, slices.Sorted(maps.Keys(v.entries)))
	for _, e := range v.List(Filter{Query: name}) {
		if len(near) < 3 && !slices.Contains(near, e.Name) {
			near = append(near, e.Name)
		}
	}
	return nil, &Error{Kind: Unknown, Entry: name, Suggestions: near, Message: fmt.Sprintf("no loaded pack has an entry %q", name)}
}
