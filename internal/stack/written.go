package stack

import (
	"slices"

	"github.com/chemigram/chemigram/xmp"
)

// Written lists the modules of which a look has an instance that the look before it had
// otherwise or not at all, by name.
func Written(before, after *xmp.Sidecar) []string {
	if before == nil || after == nil {
		return nil
	}
	old := before.History()
	var modules []string
	for _, entry := range after.History() {
		if !slices.ContainsFunc(old, func(o xmp.Entry) bool { return sameEntry(o, entry) }) {
			modules = append(modules, entry.Operation)
		}
	}
	slices.Sort(modules)
	return slices.Compact(modules)
}

// sameEntry reports whether two entries are the same instance and develop alike.
func sameEntry(a, b xmp.Entry) bool {
	return a.Operation == b.Operation && a.MultiPriority == b.MultiPriority && a.MultiName == b.MultiName &&
		a.BlendVersion == b.BlendVersion && developAlike(a, b)
}
