package versioning

import "context"

// Head is where the history is.
type Head struct {
	Ref      string // full name, "refs/heads/main"; empty when detached
	Detached bool
	Record   Record
}

// Head returns the present position.
func (h *History) Head(ctx context.Context) (Head, error) {
	const op = "Head"
	v, err := h.reader(ctx)
	if err != nil {
		return Head{}, withOp(op, err)
	}
	defer v.Close()
	head, err := v.headOf(v.refs)
	return head, withOp(op, err)
}

func (v *view) headOf(refs *refTable) (Head, error) {
	seq, branch := refs.head()
	rec, err := v.record(seq)
	if err != nil {
		return Head{}, err
	}
	return Head{Ref: branch, Detached: branch == "", Record: rec}, nil
}
