package xmp

import (
	"cmp"
	"slices"
)

// addToOrder returns a new entry its place in the pipeline order.
func (ed *editor) addToOrder(e *entry) error {
	noPlace := &Error{
		Kind: NoPlace, Operation: e.operation, Instance: e.multiName,
		Message: "the pipeline order of darktable " + ed.target.Version() + " has no place for the module",
	}
	if ed.order.Index(e.operation, 0) < 0 {
		return noPlace
	}
	if e.priority == 0 {
		return nil
	}
	order, err := ed.order.Insert(e.operation, e.priority)
	if err != nil {
		noPlace.Err = err
		return noPlace
	}
	ed.order = order
	return nil
}

// uses reports whether an entry, active or undone, is of an instance.
func (ed *editor) uses(operation string, number int) bool {
	is := func(e *entry) bool { return e.operation == operation && e.priority == number }
	return slices.ContainsFunc(ed.active, is) || slices.ContainsFunc(ed.undone, is)
}

// freeNumber returns a number that no instance of the module has.
func (ed *editor) freeNumber(operation string) int {
	number := ed.maxUnmanaged(operation)
	for _, e := range ed.active {
		if e.operation == operation {
			number = max(number, e.priority)
		}
	}
	return number + 1
}

// maxUnmanaged returns the highest number among the module's instances that are not
// managed: active, undone, or only in the pipeline order.
func (ed *editor) maxUnmanaged(operation string) int {
	number := 0
	managed := map[int]bool{}
	for _, e := range ed.active {
		switch {
		case e.operation != operation:
		case ed.isManaged(e):
			managed[e.priority] = true
		default:
			number = max(number, e.priority)
		}
	}
	for _, e := range ed.undone {
		if e.operation == operation {
			number = max(number, e.priority)
		}
	}
	for m := range instances(ed.order) {
		if m.Operation == operation && !managed[m.Instance] {
			number = max(number, m.Instance)
		}
	}
	return number
}

// numberInstances returns the managed instances their numbers, by name, and their
// places, after the module's other instances.
func (ed *editor) numberInstances() error {
	var managed []int
	for i, e := range ed.active {
		if ed.isManaged(e) {
			managed = append(managed, i)
		}
	}
	slices.SortFunc(managed, func(i, j int) int {
		a, b := ed.active[i], ed.active[j]
		return cmp.Or(cmp.Compare(a.operation, b.operation), cmp.Compare(a.multiName, b.multiName), cmp.Compare(a.priority, b.priority))
	})
	var changes []numberChange
	numbers := make([]int, len(managed))
	for k, i := range managed {
		e := ed.active[i]
		if k > 0 && ed.active[managed[k-1]].operation == e.operation {
			numbers[k] = numbers[k-1] + 1
		} else {
			numbers[k] = ed.maxUnmanaged(e.operation) + 1
		}
		changes = append(changes, numberChange{e.operation, e.priority, numbers[k]})
	}
	for k, i := range managed {
		if e := ed.active[i]; !slices.ContainsFunc(ed.undone, func(u *entry) bool {
			return u.operation == e.operation && u.priority == e.priority
		}) {
			ed.order = ed.order.Remove(changes[k].operation, changes[k].from)
		}
	}
	for k, i := range managed {
		if e := ed.active[i]; e.priority != numbers[k] {
			changed := *e
			changed.priority = numbers[k]
			ed.active[i] = &changed
		}
		if err := ed.addToOrder(ed.active[i]); err != nil {
			return err
		}
	}
	ed.renumberRasterMasks(changes)
	return nil
}
