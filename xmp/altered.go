package xmp

import (
	"slices"

	"github.com/chemigram/chemigram/xmp/internal/rdf"
)

var (
	nameBasicHash   = rdf.Name{Space: Namespace, Local: "history_basic_hash"}
	nameAutoHash    = rdf.Name{Space: Namespace, Local: "history_auto_hash"}
	nameCurrentHash = rdf.Name{Space: Namespace, Local: "history_current_hash"}
)

// fixedHash stands for any hash of the history.
const fixedHash = "00000000000000000000000000000000"

// withoutHashes returns the sidecar without darktable's hashes of the history, by
// which it sees that an edit changed it. They change no pixel, except in a history
// of a raw without the module highlights, as darktable before 4.2 may have written
// it: there darktable 4.2 clips highlights when the hashes say that the picture was
// altered, and reconstructs them when they say that it was not. (Which of both it
// does when there are no hashes depends on the other modules' versions.) Then hashes
// that say the same stay in their place.
func (s *Sidecar) withoutHashes() *Sidecar {
	if !slices.ContainsFunc(s.props, func(p rdf.Property) bool { return isHistoryHash(p.Name) }) {
		return s
	}
	next := *s
	next.props = slices.DeleteFunc(slices.Clone(s.props), func(p rdf.Property) bool { return isHistoryHash(p.Name) })
	if !s.leavesHighlightsOpen() {
		return &next
	}
	next.props = next.props.With(rdf.Property{Name: nameCurrentHash, Text: fixedHash})
	if !s.isAltered() {
		next.props = next.props.With(rdf.Property{Name: nameBasicHash, Text: fixedHash})
	}
	return &next
}

// isAltered reports whether darktable's hashes say that somebody changed what
// darktable had set up.
func (s *Sidecar) isAltered() bool {
	current, _ := s.props.Text(nameCurrentHash)
	basic, _ := s.props.Text(nameBasicHash)
	auto, _ := s.props.Text(nameAutoHash)
	return current != "" && current != basic && current != auto
}

// leavesHighlightsOpen reports whether the active history is of a raw and does not
// say what becomes of highlights.
func (s *Sidecar) leavesHighlightsOpen() bool {
	active := s.entries[:s.end]
	return findNumber(active, "rawprepare", 0) >= 0 && findNumber(active, "highlights", 0) < 0
}
