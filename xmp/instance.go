package xmp

import "strconv"

// instance names a module instance; its number may change, unless it is all that
// tells the instance from others.
type instance struct{ operation, name string }

// withNumber is the instance of a name that several have.
func (i instance) withNumber(number int) instance {
	i.name += "\x00" + strconv.Itoa(number)
	return i
}

// sharedNames are the names, of instances other than the base, that do not tell a
// module's instances apart.
type sharedNames map[instance]bool

// findSharedNames finds the names that several active entries have, or that edits
// give to several instances.
func findSharedNames(active []*entry, edits []Edit) sharedNames {
	shared := sharedNames{}
	numbers := map[instance]int{}
	add := func(operation, name string, number int) {
		id := instance{operation, name}
		if first, ok := numbers[id]; ok && first != number && first != 0 && number != 0 {
			shared[id] = true
		}
		numbers[id] = number
	}
	for _, e := range active {
		if e.priority != 0 {
			add(e.operation, e.multiName, e.priority)
		}
	}
	numbers = map[instance]int{} // a source may number the same instance otherwise
	for _, edit := range edits {
		if put, ok := edit.(Put); ok {
			add(put.Entry.Operation, put.Entry.MultiName, put.Entry.MultiPriority)
			if put.Numbered {
				shared[instance{put.Entry.Operation, put.Entry.MultiName}] = true
			}
		}
	}
	return shared
}

// has reports whether a name does not tell instances apart: no name never does.
func (s sharedNames) has(operation, name string) bool {
	return name == "" || s[instance{operation, name}]
}

// instance names the instance of an entry.
func (s sharedNames) instance(e *entry) instance {
	id := instance{e.operation, e.multiName}
	if e.priority != 0 && s.has(e.operation, e.multiName) {
		id = id.withNumber(e.priority)
	}
	return id
}

// find returns the index of an instance's active entry, or -1: see [Put].
func (ed *editor) find(operation, name string, number int) int {
	if number != 0 && ed.shared.has(operation, name) {
		return ed.findShared(instance{operation, name}, number)
	}
	i := find(ed.active, operation, name)
	if base := findNumber(ed.active, operation, 0); i < 0 && number == 0 && base >= 0 && ed.active[base].multiName == name {
		return base
	}
	return i
}

// findShared finds an instance by its number: the one that an earlier edit gave it,
// else its own. An instance that another edit inserted is not it.
func (ed *editor) findShared(id instance, number int) int {
	if given, ok := ed.inserted[id.withNumber(number)]; ok {
		number = given
	} else if ed.isInserted(id.operation, number) {
		return -1
	}
	i := findNumber(ed.active, id.operation, number)
	if i >= 0 && ed.active[i].multiName != id.name {
		return -1
	}
	return i
}

// isInserted reports whether these edits gave an instance this number.
func (ed *editor) isInserted(operation string, number int) bool {
	for id, given := range ed.inserted {
		if id.operation == operation && given == number {
			return true
		}
	}
	return false
}

// sharedNumber gives a new instance of a shared name its number: the one that is
// asked for, when no instance has it, else a free one.
func (ed *editor) sharedNumber(in *Entry) int {
	number := in.MultiPriority
	if ed.uses(in.Operation, number) || ed.order.Index(in.Operation, number) >= 0 {
		number = ed.freeNumber(in.Operation)
	}
	ed.inserted[instance{in.Operation, in.MultiName}.withNumber(in.MultiPriority)] = number
	return number
}
