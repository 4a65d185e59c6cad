package stack

import (
	"maps"
	"slices"
	"strings"

	"github.com/chemigram/chemigram/xmp"
)

// MovesOf lists the moves of a layer that made instances of a version, in pipeline
// order.
func MovesOf(version *xmp.Sidecar, layer string) []string {
	var names []string
	for _, entry := range version.History() {
		for _, origin := range entry.Origins {
			if origin.Layer == layer && !slices.Contains(names, origin.Entry) {
				names = append(names, origin.Entry)
			}
		}
	}
	return names
}

// Looks lists the starting looks of a version, which are moves of layer L2: that of the
// whole picture first, then those within masks as "look @mask".
func Looks(version *xmp.Sidecar) []string {
	var names []string
	places := looksByPlace(version)
	for _, place := range slices.Sorted(maps.Keys(places)) {
		for _, name := range places[place] {
			if place != "" {
				name += " @" + place
			}
			names = append(names, name)
		}
	}
	return names
}

// looksByPlace gives the looks of a version within each mask; "" is the whole picture.
func looksByPlace(version *xmp.Sidecar) map[string][]string {
	places := map[string][]string{}
	for _, entry := range version.History() {
		_, place, _ := strings.Cut(entry.MultiName, " @")
		for _, origin := range entry.Origins {
			if entry.Enabled && origin.Layer == layerOfLooks && !slices.Contains(places[place], origin.Entry) {
				places[place] = append(places[place], origin.Entry)
			}
		}
	}
	for _, names := range places {
		slices.Sort(names)
	}
	return places
}

const layerOfLooks = "L2"

// mergeLooks lets one look of two that the sides chose for the same place through to the
// merge: it takes the other away from its side.
func (m *merger) mergeLooks() error {
	base, ours, theirs := looksByPlace(m.Base), looksByPlace(m.Ours), looksByPlace(m.Theirs)
	for _, place := range slices.Sorted(maps.Keys(ours)) {
		known := !m.isUndecided(instanceID{operation: "look", name: place}, "")
		if len(theirs[place]) == 0 || slices.Equal(ours[place], theirs[place]) ||
			known && (slices.Equal(ours[place], base[place]) || slices.Equal(theirs[place], base[place])) {
			continue
		}
		side, _, err := m.decide(Conflict{
			Module: "look", Instance: place, Base: strings.Join(base[place], ", "),
			Ours: strings.Join(ours[place], ", "), Theirs: strings.Join(theirs[place], ", "),
		}, false)
		if err != nil {
			return err
		}
		loser := &m.Theirs
		if side == Theirs {
			loser = &m.Ours
		}
		if *loser, err = m.WithoutLook(*loser, place); err != nil {
			return err
		}
	}
	return nil
}

// ReplacedLooks lists the looks that a version has no more after it became another one;
// none for nil.
func ReplacedLooks(before, after *xmp.Sidecar) []string {
	if before == nil {
		return nil
	}
	left := Looks(after)
	return slices.DeleteFunc(Looks(before), func(name string) bool { return slices.Contains(left, name) })
}
