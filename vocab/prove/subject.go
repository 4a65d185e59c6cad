package prove

import (
	"encoding/json"

	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/xmp/iop"
)

// A subject is what is proven: a move, or a named mask.
type subject struct {
	entry *vocab.Entry
	mask  *vocab.NamedMask
}

// subjects are the entries, and after them the masks.
func (v *verifier) subjects() []subject {
	var all []subject
	for _, e := range v.Entries {
		all = append(all, subject{entry: e})
	}
	for _, m := range v.Masks {
		all = append(all, subject{mask: m})
	}
	return all
}

func (s subject) name() string {
	if s.mask != nil {
		return "the mask " + s.mask.Name
	}
	return s.entry.Name
}

// newProof begins the subject's proof on a darktable.
func (s subject) newProof(target iop.Release) Proof {
	p := Proof{Darktable: target.Version()}
	if s.mask != nil {
		p.Mask = s.mask.Name
		return p
	}
	p.Entry = s.entry.Name
	if ok, reason := s.entry.Available(target); !ok {
		p.Skipped = reason
	}
	return p
}

// claims is what the subject says of itself, for a [Memo]'s key.
func (s subject) claims() ([]byte, error) {
	if s.mask != nil {
		return json.Marshal(s.mask.Claims)
	}
	return json.Marshal(struct {
		Layer   vocab.Layer
		Claims  []vocab.Claim
		Intends []vocab.Harm
	}{s.entry.Layer, s.entry.Claims, s.entry.Intends})
}
