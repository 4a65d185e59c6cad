package versioning

import (
	"context"
	"strings"
	"time"

	"github.com/chemigram/chemigram/versioning/internal/journal"
)

// Ref is a branch or a tag.
type Ref struct {
	Name   string // full: refs/heads/NAME or refs/tags/NAME
	Record Hash   // zero when damage took it
	// Unsure is set by Refs when a damaged transaction may have moved it since, or
	// moved HEAD to or from it.
	Unsure bool
}

// Refs lists branches and tags by full name. Where a damaged transaction may have made
// or removed others, it fails with Corrupt, and lists those that are known.
func (h *History) Refs(ctx context.Context) (refs []Ref, err error) {
	err = h.read(ctx, "Refs", func(v *view) error {
		refs, err = v.list()
		return err
	})
	return refs, err
}

func (v *view) list() ([]Ref, error) {
	refs := make([]Ref, 0, len(v.refs.Refs))
	for _, name := range v.refs.names() {
		id, err := v.idOf(v.refs.Refs[name].To)
		if err != nil {
			return nil, err
		}
		unsure := strings.HasPrefix(name, headsPrefix) && (v.checkSure(name) != nil || v.checkSure(headRef) != nil)
		refs = append(refs, Ref{name, id, unsure})
	}
	return refs, v.checkComplete()
}

// Branch makes a branch at a ref_or_hash ("" is HEAD) and returns its full
// name. It does not move HEAD. A branch of that name fails with RefExists,
// wherever it is.
func (h *History) Branch(ctx context.Context, name, from string) (Ref, error) {
	return h.newRef(ctx, "Branch", headsPrefix, name, from)
}

// Tag makes a tag at a ref_or_hash ("" is HEAD). A tag never moves: a tag of
// that name fails with RefExists. The name "baseline" is reserved.
func (h *History) Tag(ctx context.Context, name, at string) (Ref, error) {
	return h.newRef(ctx, "Tag", tagsPrefix, name, at)
}

func (h *History) newRef(ctx context.Context, op, prefix, name, at string) (ref Ref, err error) {
	if err := CheckRefName(name); err != nil {
		return Ref{}, withOp(op, err)
	}
	ref.Name = prefix + name
	err = h.update(ctx, op, func(v *view, now time.Time) (*journal.Transaction, error) {
		if p, ok := v.refs.Refs[ref.Name]; ok {
			r, err := v.recordRow(p.To)
			if err != nil {
				return nil, err
			}
			return nil, fail(op, RefExists, name, "it is at record %s; choose another name", Hash(r.ID))
		}
		if err := reserved(ref.Name, name); err != nil {
			return nil, err
		}
		seq, err := v.resolve(at)
		if err != nil {
			return nil, err
		}
		r, err := v.recordRow(seq)
		if err != nil {
			return nil, err
		}
		ref.Record = r.ID
		return &journal.Transaction{Moves: &journal.Moves{Time: now, Verb: op, Moves: []journal.Move{{Ref: ref.Name, To: seq}}}}, nil
	})
	if err != nil {
		return Ref{}, err
	}
	return ref, nil
}

// Audit says who does what cannot be undone, and why. Both are required, and
// kept in the journal.
type Audit struct{ Actor, Reason string }

func (a Audit) check() error {
	if strings.TrimSpace(a.Actor) == "" || strings.TrimSpace(a.Reason) == "" {
		return fail("", Invalid, "Audit", "an actor and a reason are needed")
	}
	return nil
}

// DeleteRef deletes a branch or a tag, by its full or its bare name, and returns
// what it was. Its records stay until Prune finds that nothing else leads to
// them; until then a Branch at the record brings it back. The branch that HEAD
// names and the baseline cannot be deleted.
func (h *History) DeleteRef(ctx context.Context, name string, a Audit) (ref Ref, err error) {
	const op = "DeleteRef"
	if err := a.check(); err != nil {
		return Ref{}, withOp(op, err)
	}
	err = h.update(ctx, op, func(v *view, now time.Time) (*journal.Transaction, error) {
		full, p, ok := v.refs.lookup(name)
		if !ok {
			return nil, v.unknown(name)
		}
		if full == v.refs.Head.Symbolic {
			return nil, fail(op, Conflict, name, "HEAD is on this branch; checkout another one first")
		}
		if full == baselineRef {
			return nil, fail(op, Conflict, name, "the baseline is what every edit starts from")
		}
		r, err := v.recordRow(p.To)
		if err != nil {
			return nil, err
		}
		ref = Ref{Name: full, Record: r.ID}
		return &journal.Transaction{Moves: &journal.Moves{
			Time: now, Verb: op, Actor: a.Actor, Reason: a.Reason, Moves: []journal.Move{{Ref: full}},
		}}, nil
	})
	if err != nil {
		return Ref{}, err
	}
	return ref, nil
}
