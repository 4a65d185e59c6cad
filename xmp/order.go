package xmp

import (
	"slices"
	"strconv"
	"strings"

	"github.com/chemigram/chemigram/xmp/iop"
)

var (
	orderVersion = name{nsDarktable, "iop_order_version"}
	orderList    = name{nsDarktable, "iop_order_list"}
)

// readOrder reads the list that the sidecar carries, or takes the target's
// built-in one.
func (d *draft) readOrder() error {
	text, _ := d.from.property(orderVersion)
	version, err := strconv.Atoi(text)
	if err != nil || version < 0 {
		return failf(BadValue, "darktable:iop_order_version is %s, which is not a number", quoted(text))
	}
	d.version = version
	list, ok := d.from.property(orderList)
	if !ok {
		if d.order, ok = d.target.BuiltinOrder(version); !ok {
			return failf(Unsupported, "pipeline order %d is not known to darktable %s, and the sidecar does not spell it out", version, d.target.Version())
		}
		return nil
	}
	if n := strings.Count(list, ","); n >= 2*MaxEntries {
		return failf(TooLarge, "darktable:iop_order_list has %d items; at most %d instances are read", n+1, MaxEntries)
	}
	if d.order, err = iop.ParseOrder(list); err != nil {
		return &Error{Kind: BadValue, Message: "darktable:iop_order_list", Err: err}
	}
	d.completeOrder()
	return nil
}

// completeOrder gives the modules that a list of an older darktable lacks their
// places: behind the module that comes before them in the built-in order. A
// custom order is taken for one that began as darktable 5's, or as 3's.
func (d *draft) completeOrder() {
	builtin, ok := d.target.BuiltinOrder(d.version)
	for _, version := range []int{4, 2} {
		if !ok {
			builtin, ok = d.target.BuiltinOrder(version)
		}
	}
	last := make(map[string]int, d.order.Len()) // a module's last instance in the list
	for i, m := range d.order.All() {
		last[m.Operation] = i
	}
	type missing struct {
		after     int // an index in the list
		operation string
	}
	var all []missing
	after := -1
	for m := range instances(builtin) {
		if i, ok := last[m.Operation]; ok {
			after = i
		} else {
			all = append(all, missing{after, m.Operation})
		}
	}
	if len(all) == 0 {
		return
	}
	slices.SortStableFunc(all, func(a, b missing) int { return a.after - b.after })
	var list strings.Builder
	put := func(operation string, number int) {
		if list.Len() > 0 {
			list.WriteByte(',')
		}
		list.WriteString(operation + "," + strconv.Itoa(number))
	}
	next := 0
	take := func(after int) {
		for ; next < len(all) && all[next].after == after; next++ {
			put(all[next].operation, 0)
		}
	}
	take(-1)
	for i, m := range d.order.All() {
		put(m.Operation, m.Instance)
		take(i)
	}
	order, err := iop.ParseOrder(list.String())
	if err != nil {
		panic(err) // the names come out of orders
	}
	d.order = order
}

// needsOrder tells whether the pipeline order must be spelled out: there is more
// than one instance of a module, which darktable would drop silently otherwise,
// or the order is not the built-in one.
func (d *draft) needsOrder() bool {
	if d.order.HasInstances() {
		return true
	}
	builtin, ok := d.target.BuiltinOrder(d.version)
	return !ok || !slices.Equal(slices.Collect(instances(d.order)), slices.Collect(instances(builtin)))
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
