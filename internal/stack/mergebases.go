package stack

import (
	"slices"

	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
)

// An Ancestor is a version that both sides of a merge come from.
type Ancestor struct {
	ID      string // of its snapshot
	Version *xmp.Sidecar
}

// MergeBases completes v with the base of a merge. Where branches were merged into each
// other, its sides come from several versions: these are merged, too, each with what
// they come from by themselves, which find gives for a merge of some of them and another
// one. Where two of them are in conflict, nothing is what both sides come from.
func MergeBases(release iop.Release, v Versions, bases []Ancestor, find func(merged []string, other string) ([]Ancestor, error)) (Versions, error) {
	v.Base, v.Undecided = bases[0].Version, nil
	merged := []string{bases[0].ID}
	for _, other := range bases[1:] {
		common, err := find(merged, other.ID)
		if err != nil {
			return v, err
		}
		under, err := MergeBases(release, Versions{Ours: v.Base, Theirs: other.Version, WithoutLook: v.WithoutLook}, common, find)
		if err != nil {
			return v, err
		}
		m := &merger{Versions: under, forBase: true}
		if v.Base, _, err = m.merge(release); err != nil {
			return v, err
		}
		v.Undecided = slices.Concat(v.Undecided, m.left)
		merged = append(merged, other.ID)
	}
	return v, nil
}
