package stack

import (
	"slices"
	"strings"

	"github.com/chemigram/chemigram/xmp"
)

// Keep gives the baseline with the instances that moves of the given layers made of the
// current version. Those which other edits changed as well are left as the baseline has
// them: shared lists their moves of the layers, to be applied again. Within a mask an
// instance is of one move alone, and stays as it is.
func (s Stack) Keep(layers ...string) (look *xmp.Sidecar, shared []string, err error) {
	names := s.naming()
	current := names.instances(s.Current)
	var edits []xmp.Edit
	for _, entry := range current.all {
		kept, others := originsOf(entry, layers)
		switch {
		case len(kept) == 0:
		case others && !strings.Contains(entry.MultiName, " @"):
			shared = append(shared, kept...)
		default:
			id := names.of(entry)
			edits = append(edits, id.put(entry, current.state(id).forms))
		}
	}
	slices.Sort(shared) // one look is kept in one way, in whatever order its moves came
	look, err = s.Baseline.With(s.Release, edits...)
	return look, slices.Compact(shared), err
}

// originsOf lists the moves of layers that had a part in an entry, and says whether
// something else had, too.
func originsOf(entry xmp.Entry, layers []string) (moves []string, others bool) {
	for _, origin := range entry.Origins {
		if slices.Contains(layers, origin.Layer) {
			moves = append(moves, origin.Entry)
		} else {
			others = true
		}
	}
	return moves, others
}
