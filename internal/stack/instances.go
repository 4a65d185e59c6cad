package stack

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/mask"
)

// instanceID names a module instance, alike in all versions that are looked at
// together. The base instance has neither a name nor a number. Instances whose name
// is theirs alone have no number; others, and those without a name, are told apart
// by darktable's number, the multi_priority.
type instanceID struct {
	operation, name string
	number          int
}

// String is "exposure" for a base instance and "exposure:name" for another one.
func (id instanceID) String() string {
	if name := id.instance(); name != "" {
		return id.operation + ":" + name
	}
	return id.operation
}

// instance is how callers name the instance within its module: "" for the base
// instance, else its name, with "#" and its number where the name does not say it.
func (id instanceID) instance() string {
	if id.number == 0 {
		return id.name
	}
	return strings.TrimSpace(fmt.Sprintf("%s #%d", id.name, id.number))
}

// put sets the instance to an entry.
func (id instanceID) put(entry xmp.Entry, forms []mask.Form) xmp.Put {
	entry.MultiName, entry.MultiPriority = id.name, id.number // a base instance may be called after a preset
	return xmp.Put{Entry: entry, Forms: forms, Numbered: id.number != 0}
}

func (id instanceID) remove() xmp.Edit {
	if id.number != 0 {
		return xmp.RemoveNumber{Operation: id.operation, MultiPriority: id.number}
	}
	return xmp.Remove{Operation: id.operation, MultiName: id.name}
}

// numbered matches names that look like those of numbered instances.
var numbered = regexp.MustCompile(`(^| )#[0-9]+$`)

// naming gives instances their names.
type naming struct {
	// shared are the names that some version gives to several instances.
	shared map[instanceID]bool
}

// nameInstances gives the instances of versions that are looked at together names
// that say the same instance in all of them.
func nameInstances(versions ...*xmp.Sidecar) naming {
	n := naming{map[instanceID]bool{}}
	for _, version := range versions {
		numbers := map[instanceID]int{}
		for _, entry := range version.History() {
			id := instanceID{operation: entry.Operation, name: entry.MultiName}
			if entry.MultiPriority == 0 {
				continue
			}
			if first, ok := numbers[id]; ok && first != entry.MultiPriority || id.name == "" || numbered.MatchString(id.name) {
				n.shared[id] = true
			}
			numbers[id] = entry.MultiPriority
		}
	}
	return n
}

// of names the instance of an entry.
func (n naming) of(entry xmp.Entry) instanceID {
	id := instanceID{operation: entry.Operation, name: entry.MultiName}
	switch {
	case entry.MultiPriority == 0:
		id.name = ""
	case n.shared[id]:
		id.number = entry.MultiPriority
	}
	return id
}

// instances are the module instances of one version.
type instances struct {
	sidecar *xmp.Sidecar
	naming  naming
	// all are in the order of the stack, the last entry of each instance.
	all  []xmp.Entry
	byID map[instanceID]xmp.Entry
}

// of gives the instances of a version.
func (n naming) instances(version *xmp.Sidecar) instances {
	found := instances{sidecar: version, naming: n, byID: map[instanceID]xmp.Entry{}}
	history := version.History()
	for _, entry := range history {
		found.byID[n.of(entry)] = entry
	}
	listed := map[instanceID]bool{}
	for _, entry := range history {
		if id := n.of(entry); !listed[id] {
			listed[id] = true
			found.all = append(found.all, found.byID[id])
		}
	}
	return found
}

// find gives an instance's entry.
func (i instances) find(id instanceID) (xmp.Entry, bool) {
	entry, ok := i.byID[id]
	return entry, ok
}

// named gives the instance that a caller names.
func (i instances) named(module, instance string) (instanceID, xmp.Entry, bool) {
	for _, entry := range i.all {
		if id := i.naming.of(entry); id.operation == module && id.instance() == instance {
			return id, entry, true
		}
	}
	return instanceID{}, xmp.Entry{}, false
}

// state gives all that the version says of an instance; nil is a version without it.
func (i instances) state(id instanceID) *state {
	entry, ok := i.byID[id]
	if !ok {
		return nil
	}
	return &state{entry, i.sidecar.FormsOfNumber(entry.Operation, entry.MultiPriority)}
}
