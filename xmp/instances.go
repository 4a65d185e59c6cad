package xmp

import (
	"cmp"
	"slices"
)

// place gives a new entry its place in the pipeline order.
func (d *draft) place(e *entry) error {
	fail := &Error{
		Kind: NoPlace, Operation: e.operation, Instance: e.multiName,
		Message: "the pipeline order of darktable " + d.target.Version() + " has no place for the module",
	}
	if d.order.Index(e.operation, 0) < 0 {
		return fail
	}
	if e.priority == 0 {
		return nil
	}
	order, err := d.order.Insert(e.operation, e.priority)
	if err != nil {
		fail.Err = err
		return fail
	}
	d.order = order
	return nil
}

// uses tells whether an entry, active or undone, is of an instance.
func (d *draft) uses(operation string, number int) bool {
	is := func(e *entry) bool { return e.operation == operation && e.priority == number }
	return slices.ContainsFunc(d.active, is) || slices.ContainsFunc(d.undone, is)
}

// free is a number that no instance of the module has.
func (d *draft) free(operation string) int {
	number := d.foreign(operation)
	for _, e := range d.active {
		if e.operation == operation {
			number = max(number, e.priority)
		}
	}
	return number + 1
}

// foreign is the highest number among the module's instances that are not
// managed: active, undone, or only in the pipeline order.
func (d *draft) foreign(operation string) int {
	number := 0
	ours := map[int]bool{}
	for _, e := range d.active {
		switch {
		case e.operation != operation:
		case e.managed():
			ours[e.priority] = true
		default:
			number = max(number, e.priority)
		}
	}
	for _, e := range d.undone {
		if e.operation == operation {
			number = max(number, e.priority)
		}
	}
	for m := range instances(d.order) {
		if m.Operation == operation && !ours[m.Instance] {
			number = max(number, m.Instance)
		}
	}
	return number
}

// number gives the managed instances their numbers, by name, and their places,
// after the module's other instances.
func (d *draft) number() error {
	var managed []int
	for i, e := range d.active {
		if e.managed() {
			managed = append(managed, i)
		}
	}
	slices.SortFunc(managed, func(i, j int) int {
		a, b := d.active[i], d.active[j]
		return cmp.Or(cmp.Compare(a.operation, b.operation), cmp.Compare(a.multiName, b.multiName), cmp.Compare(a.priority, b.priority))
	})
	var moves []move
	numbers := make([]int, len(managed))
	for k, i := range managed {
		e := d.active[i]
		if k > 0 && d.active[managed[k-1]].operation == e.operation {
			numbers[k] = numbers[k-1] + 1
		} else {
			numbers[k] = d.foreign(e.operation) + 1
		}
		moves = append(moves, move{e.operation, e.priority, numbers[k]})
	}
	for k, i := range managed {
		if e := d.active[i]; !slices.ContainsFunc(d.undone, func(u *entry) bool {
			return u.operation == e.operation && u.priority == e.priority
		}) {
			d.order = d.order.Remove(moves[k].operation, moves[k].from)
		}
	}
	for k, i := range managed {
		if e := d.active[i]; e.priority != numbers[k] {
			changed := *e
			changed.priority = numbers[k]
			d.active[i] = &changed
		}
		if err := d.place(d.active[i]); err != nil {
			return err
		}
	}
	d.follow(moves)
	return nil
}
