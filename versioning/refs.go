package versioning

import (
	"context"
	"strings"
	"time"
)

// Ref is a branch or a tag.
type Ref struct {
	Name   string // full: refs/heads/NAME or refs/tags/NAME
	Record Hash
}

// Refs lists branches and tags by full name.
func (h *History) Refs(ctx context.Context) ([]Ref, error) {
	const op = "Refs"
	v, err := h.reader(ctx)
	if err != nil {
		return nil, named(op, err)
	}
	defer v.close()
	refs := make([]Ref, 0, len(v.table.Refs))
	for _, name := range v.table.names() {
		r, err := v.row(v.table.Refs[name].To)
		if err != nil {
			return nil, named(op, err)
		}
		refs = append(refs, Ref{name, r.id})
	}
	return refs, nil
}

// Branch makes a branch at a ref_or_hash ("" is HEAD) and gives its full name.
// It does not move HEAD. A branch of that name fails with RefExists, wherever
// it is.
func (h *History) Branch(ctx context.Context, name, from string) (Ref, error) {
	return h.newRef(ctx, "Branch", headsPrefix, name, from)
}

// Tag makes a tag at a ref_or_hash ("" is HEAD). A tag never moves: a tag of
// that name fails with RefExists.
func (h *History) Tag(ctx context.Context, name, at string) (Ref, error) {
	return h.newRef(ctx, "Tag", tagsPrefix, name, at)
}

func (h *History) newRef(ctx context.Context, op, prefix, name, at string) (ref Ref, err error) {
	if err := CheckRefName(name); err != nil {
		return Ref{}, named(op, err)
	}
	ref.Name = prefix + name
	err = h.update(ctx, op, func(v *view, now time.Time) (*transaction, error) {
		if p, ok := v.table.Refs[ref.Name]; ok {
			r, err := v.row(p.To)
			if err != nil {
				return nil, err
			}
			return nil, fail(op, RefExists, name, "it is at record %s; choose another name", r.id)
		}
		seq, err := v.resolve(at)
		if err != nil {
			return nil, err
		}
		r, err := v.row(seq)
		if err != nil {
			return nil, err
		}
		ref.Record = r.id
		return &transaction{moves: &movesSection{Time: now, Verb: op, Moves: []move{{Ref: ref.Name, To: seq}}}}, nil
	})
	if err != nil {
		return Ref{}, err
	}
	return ref, nil
}

// Audit says who does what cannot be undone by a verb, and why. Both are
// demanded, and kept in the journal.
type Audit struct{ Actor, Reason string }

func (a Audit) check() error {
	if strings.TrimSpace(a.Actor) == "" || strings.TrimSpace(a.Reason) == "" {
		return fail("", Invalid, "Audit", "an actor and a reason are needed")
	}
	return nil
}

// DeleteRef deletes a branch or a tag, by its full or its bare name, and gives
// what it was. Its records stay until Prune finds that nothing else leads to
// them; until then a Branch at the record brings it back. The branch that HEAD
// names and the baseline cannot be deleted.
func (h *History) DeleteRef(ctx context.Context, name string, a Audit) (ref Ref, err error) {
	const op = "DeleteRef"
	if err := a.check(); err != nil {
		return Ref{}, named(op, err)
	}
	err = h.update(ctx, op, func(v *view, now time.Time) (*transaction, error) {
		full, p, ok := v.table.lookup(name)
		if !ok {
			return nil, v.unknown(name)
		}
		if full == v.table.Head.Symbolic {
			return nil, fail(op, Conflict, name, "HEAD is on this branch; Checkout another one first")
		}
		if full == baselineRef {
			return nil, fail(op, Conflict, name, "the baseline is what every edit starts from")
		}
		r, err := v.row(p.To)
		if err != nil {
			return nil, err
		}
		ref = Ref{full, r.id}
		return &transaction{moves: &movesSection{
			Time: now, Verb: op, Actor: a.Actor, Reason: a.Reason, Moves: []move{{Ref: full}},
		}}, nil
	})
	if err != nil {
		return Ref{}, err
	}
	return ref, nil
}
