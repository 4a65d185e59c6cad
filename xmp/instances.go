package xmp

import (
	"cmp"
	"slices"
	"strings"

	"github.com/chemigram/chemigram/xmp/iop"
)

// place makes sure that the pipeline order has a place for a new entry.
func (d *draft) place(e *entry) error {
	order := d.order
	if order.Index(e.operation, 0) < 0 {
		var ok bool
		if order, ok = d.adopt(e.operation); !ok {
			return &Error{Kind: NoPlace, Operation: e.operation, Instance: e.multiName, Message: "the pipeline order of darktable " + d.target.Version() + " has no place for the module"}
		}
	}
	if e.priority == 0 {
		// A list from an older darktable may stay without the base instance:
		// the target puts it where it belongs.
		return nil
	}
	order, err := order.Insert(e.operation, e.priority)
	if err != nil {
		return &Error{Kind: NoPlace, Operation: e.operation, Instance: e.multiName, Message: "no place in the pipeline order", Err: err}
	}
	d.order = order
	return nil
}

// adopt gives the sidecar's order with a module that it does not have, behind
// the nearest module before it in the target's built-in order.
func (d *draft) adopt(operation string) (iop.Order, bool) {
	for _, version := range []int{d.version, 4, 2} {
		builtin, ok := d.target.BuiltinOrder(version)
		if !ok || builtin.Index(operation, 0) < 0 {
			continue
		}
		own := slices.Collect(instances(d.order))
		at := 0
		for m := range instances(builtin) {
			if m.Operation == operation {
				break
			}
			for j, o := range slices.Backward(own) {
				if o.Operation == m.Operation {
					at = j + 1
					break
				}
			}
		}
		return orderOf(slices.Insert(own, at, iop.Instance{Operation: operation})), true
	}
	return d.order, false
}

func instances(o iop.Order) func(yield func(iop.Instance) bool) {
	return func(yield func(iop.Instance) bool) {
		for _, m := range o.All() {
			if !yield(m) {
				return
			}
		}
	}
}

func orderOf(items []iop.Instance) iop.Order {
	var list strings.Builder
	for i, m := range items {
		if i > 0 {
			list.WriteByte(',')
		}
		list.WriteString(m.Operation + "," + string(itoa(nil, m.Instance)))
	}
	order, err := iop.ParseOrder(list.String())
	if err != nil {
		panic(err) // the names come out of orders
	}
	return order
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
