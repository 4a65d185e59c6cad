package xmp

import (
	"strconv"

	"github.com/chemigram/chemigram/xmp/internal/rdf"
	"github.com/chemigram/chemigram/xmp/iop"
)

// Reorder puts the pipeline into another order. Managed instances, which [Sidecar.With]
// tells of, go to the places that belong to their names all the same.
type Reorder struct {
	// Version is the iop_order_version that the order is a variation of.
	Version int
	// Order has the same instances as [Sidecar.PipelineOrder]; else Reorder fails
	// with BadValue.
	Order iop.Order
}

// PipelineOrder is the order in which a darktable develops the sidecar's module
// instances, and the iop_order_version that it is a variation of. Errors are those
// of [Sidecar.With].
func (s *Sidecar) PipelineOrder(target iop.Release) (order iop.Order, version int, err error) {
	ed, err := newEditor(s, target, nil)
	if err != nil {
		return iop.Order{}, 0, err
	}
	return ed.order, ed.orderVersion, nil
}

func (r Reorder) apply(ed *editor) error {
	if r.Order.Len() != ed.order.Len() {
		return errorf(BadValue, "an order of %d instances; the pipeline has %d", r.Order.Len(), ed.order.Len())
	}
	for m := range instances(ed.order) {
		if r.Order.Index(m.Operation, m.Instance) < 0 {
			return &Error{Kind: BadValue, Operation: m.Operation, Message: "the order lacks instance " + strconv.Itoa(m.Instance)}
		}
	}
	ed.order, ed.orderVersion = r.Order, r.Version
	return nil
}

// orderProperties says the pipeline's order among the properties.
func (ed *editor) orderProperties(props rdf.Properties) rdf.Properties {
	if version := strconv.Itoa(ed.orderVersion); !hasText(props, nameOrderVersion, version) {
		props = props.With(rdf.Property{Name: nameOrderVersion, Text: version})
	}
	if ed.needsOrder() {
		return props.With(rdf.Property{Name: nameOrderList, Text: ed.order.String()})
	}
	return props.Without(nameOrderList)
}

func hasText(props rdf.Properties, name rdf.Name, text string) bool {
	is, ok := props.Text(name)
	return ok && is == text
}
