package versioning

import "context"

// Head is where the history is.
type Head struct {
	Ref      string // full name, "refs/heads/main"; empty when detached
	Detached bool
	Record   Record
}

// Head returns the present position.
func (h *History) Head(ctx context.Context) (head Head, err error) {
	const op = "Head"
	err = h.read(ctx, op, func(v *view) error {
		if err = v.checkHead(); err == nil {
			head, err = v.headOf(v.refs)
		}
		return err
	})
	return head, err
}

func (v *view) headOf(refs *refTable) (Head, error) {
	seq, branch := refs.head()
	rec, err := v.record(seq)
	if err != nil {
		return Head{}, err
	}
	return Head{Ref: branch, Detached: branch == "", Record: rec}, nil
}
