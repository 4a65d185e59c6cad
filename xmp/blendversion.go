package xmp

import (
	"slices"

	"github.com/chemigram/chemigram/xmp/mask"
)

// WithBlendVersion gives the sidecar as a darktable reads it that knows no blend
// parameters after the newest version given: newer ones of active entries are
// written in that version. darktable itself would take neutral ones in their
// place, and apply a masked edit everywhere.
//
// It fails with an error of kind Unsupported, and a *[mask.Error] within, when an
// enabled entry's blend parameters say what that version cannot say.
func (s *Sidecar) WithBlendVersion(newest int) (*Sidecar, error) {
	var entries []*entry
	for i, e := range s.entries[:s.end] {
		if !e.hasBlend || e.blendVersion <= newest {
			continue
		}
		data, err := e.blend.bytes()
		if err != nil {
			continue // darktable leaves the entry out
		}
		version, data, err := mask.ConvertBlend(e.blendVersion, data, newest)
		switch {
		case err != nil && e.enabled:
			return nil, &Error{Kind: Unsupported, Operation: e.operation, Instance: e.multiName, Message: "its mask cannot be kept", Err: err}
		case err != nil:
			continue
		}
		changed := *e
		changed.blendVersion, changed.blend = version, hexBlob(data)
		if entries == nil {
			entries = slices.Clone(s.entries)
		}
		entries[i] = &changed
	}
	if entries == nil {
		return s, nil
	}
	next := *s
	next.entries = entries
	return &next, nil
}
