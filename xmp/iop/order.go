package iop

import (
	"iter"
	"slices"
	"strconv"
	"strings"
)

// Instance is one module instance in the pipeline. Instance 0 is the base; the
// number is the history's multi_priority.
type Instance struct {
	Operation string
	Instance  int
}

// Order is a pipeline order: module instances from the sensor to the output.
// It is immutable. The zero Order is empty.
type Order struct{ items []Instance }

// ParseOrder reads a sidecar's iop_order_list, "op,instance,op,instance,…".
func ParseOrder(list string) (Order, error) {
	if list == "" {
		return Order{}, nil
	}
	words := strings.Split(list, ",")
	if len(words)%2 != 0 {
		return Order{}, badOrder("", "want pairs of module and instance")
	}
	items := make([]Instance, 0, len(words)/2)
	for pair := range slices.Chunk(words, 2) {
		n, err := strconv.Atoi(pair[1])
		if pair[0] == "" || err != nil || n < 0 || pair[1] != strconv.Itoa(n) {
			e := badOrder("", strconv.Quote(pair[0]+","+pair[1])+" is not a module and an instance number")
			e.Value = pair[1]
			return Order{}, e
		}
		items = append(items, Instance{pair[0], n})
	}
	return Order{items}, nil
}

// String is the order as a sidecar's iop_order_list.
func (o Order) String() string {
	var b strings.Builder
	for i, m := range o.items {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(m.Operation + "," + strconv.Itoa(m.Instance))
	}
	return b.String()
}

// All yields the instances with their places.
func (o Order) All() iter.Seq2[int, Instance] { return slices.All(o.items) }

// Len is the number of instances.
func (o Order) Len() int { return len(o.items) }

// Index is an instance's place, or -1.
func (o Order) Index(operation string, instance int) int {
	return slices.Index(o.items, Instance{operation, instance})
}

// Insert returns the order with a new instance right after the module's last
// instance. It is an error when the instance is there already, or when the
// module has no instance yet: then its place is not known.
func (o Order) Insert(operation string, instance int) (Order, error) {
	if o.Index(operation, instance) >= 0 {
		return o, badOrder(operation, "instance "+strconv.Itoa(instance)+" is there already")
	}
	for i, m := range slices.Backward(o.items) {
		if m.Operation == operation {
			items := slices.Concat(o.items[:i+1], []Instance{{operation, instance}}, o.items[i+1:])
			return Order{items}, nil
		}
	}
	return o, badOrder(operation, "the module has no place in this order")
}

// Remove returns the order without an instance; an absent one changes nothing.
// The base instance stays: every module has its place, used or not.
func (o Order) Remove(operation string, instance int) Order {
	i := o.Index(operation, instance)
	if i < 0 || instance == 0 {
		return o
	}
	return Order{slices.Delete(slices.Clone(o.items), i, i+1)}
}

// HasInstances reports whether any module has more than its base instance: then
// a sidecar has to carry the order.
func (o Order) HasInstances() bool {
	return slices.ContainsFunc(o.items, func(m Instance) bool { return m.Instance > 0 })
}

// with returns the order with one more instance at its end; o is not used again.
func (o Order) with(m Instance) Order { return Order{append(o.items, m)} }

// Order is a built-in pipeline order by its number (1 legacy, 2 v3.0 raw, 3
// v3.0 JPEG, 4 v5.0 raw, 5 v5.0 JPEG): module names from the sensor to the
// output.
func (r Release) Order(version int) ([]string, bool) {
	o, ok := r.BuiltinOrder(version)
	if !ok {
		return nil, false
	}
	names := make([]string, o.Len())
	for i, m := range o.All() {
		names[i] = m.Operation
	}
	return names, true
}

// BuiltinOrder is a built-in pipeline order by its number, with the base
// instance of every module.
func (r Release) BuiltinOrder(version int) (Order, bool) {
	o, ok := r.facts().orders[version]
	return o, ok
}
