package xmp

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/chemigram/chemigram/xmp/internal/rdf"
	"github.com/chemigram/chemigram/xmp/iop"
)

// readOrder reads the list that the sidecar carries, or takes the target's
// built-in one.
func (ed *editor) readOrder() error {
	text, _ := ed.from.props.Text(nameOrderVersion)
	version, err := strconv.Atoi(text)
	if err != nil || version < 0 {
		return errorf(BadValue, "darktable:iop_order_version is %s, which is not a number", rdf.Quote(text))
	}
	ed.orderVersion = version
	list, ok := ed.from.props.Text(nameOrderList)
	if !ok {
		if ed.order, ok = ed.target.BuiltinOrder(version); !ok {
			return errorf(Unsupported, "pipeline order %d is not known to darktable %s, and the sidecar does not spell it out", version, ed.target.Version())
		}
		return nil
	}
	if n := strings.Count(list, ","); n >= 2*MaxEntries {
		return errorf(TooLarge, "darktable:iop_order_list has %d items; at most %d instances are read", n+1, MaxEntries)
	}
	if ed.order, err = iop.ParseOrder(list); err != nil {
		return &Error{Kind: BadValue, Message: "darktable:iop_order_list", Err: err}
	}
	ed.completeOrder()
	return nil
}

// completeOrder returns the modules that a list of an older darktable lacks their
// places: behind the module that comes before them in the built-in order. A
// custom order is taken for one that began as darktable 5's, or as 3's.
func (ed *editor) completeOrder() {
	builtin, ok := ed.target.BuiltinOrder(ed.orderVersion)
	for _, version := range []int{4, 2} {
		if !ok {
			builtin, ok = ed.target.BuiltinOrder(version)
		}
	}
	last := make(map[string]int, ed.order.Len()) // a module's last instance in the list
	for i, m := range ed.order.All() {
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
	putMissing := func(after int) {
		for ; next < len(all) && all[next].after == after; next++ {
			put(all[next].operation, 0)
		}
	}
	putMissing(-1)
	for i, m := range ed.order.All() {
		put(m.Operation, m.Instance)
		putMissing(i)
	}
	order, err := iop.ParseOrder(list.String())
	if err != nil {
		panic(err) // the names come out of orders
	}
	ed.order = order
}

// needsOrder reports whether the pipeline order must be spelled out: there is more
// than one instance of a module, which darktable would drop silently otherwise,
// or the order is not the built-in one.
func (ed *editor) needsOrder() bool {
	if ed.order.HasInstances() {
		return true
	}
	builtin, ok := ed.target.BuiltinOrder(ed.orderVersion)
	return !ok || !slices.Equal(slices.Collect(instances(ed.order)), slices.Collect(instances(builtin)))
}

// instances yields the instances of an order, without their index.
func instances(o iop.Order) iter.Seq[iop.Instance] {
	return func(yield func(iop.Instance) bool) {
		for _, m := range o.All() {
			if !yield(m) {
				return
			}
		}
	}
}

// sortByPipeline puts the active entries into pipeline order; modules without a
// place come last, by name.
func (ed *editor) sortByPipeline() {
	type ranked struct {
		rank  int
		entry *entry
	}
	all := make([]ranked, len(ed.active))
	for i, e := range ed.active {
		all[i] = ranked{ed.order.Index(e.operation, e.priority), e}
		if all[i].rank < 0 {
			all[i].rank = math.MaxInt
		}
	}
	slices.SortFunc(all, func(a, b ranked) int {
		return cmp.Or(
			cmp.Compare(a.rank, b.rank),
			cmp.Compare(a.entry.operation, b.entry.operation),
			cmp.Compare(a.entry.priority, b.entry.priority),
		)
	})
	for i := range all {
		ed.active[i] = all[i].entry
	}
}
