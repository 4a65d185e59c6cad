package chemigram

import (
	"context"
	"errors"

	"github.com/chemigram/chemigram/internal/compose"
	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/stack"
	"github.com/chemigram/chemigram/versioning"
	"github.com/chemigram/chemigram/xmp"
)

// MergeParams are the parameters of Merge.
type MergeParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// RefOrHash is the version to merge into the present branch.
	RefOrHash RefOrHash `json:"ref_or_hash"`
	// Prefer decides every conflict that resolve does not: ours or theirs.
	// Default: they are listed, and nothing is published.
	Prefer Side `json:"prefer,omitempty"`
	// Resolve decides conflicts one by one.
	Resolve []Resolution `json:"resolve,omitempty"`
	// Label describes the merged state in your words.
	Label string `json:"label,omitempty"`
	// TimeoutSeconds limits darktable's time.
	TimeoutSeconds TimeoutSeconds `json:"timeout_seconds,omitempty" default:"120"`
}

// Side is one of two sides of a conflict: ours is the present branch, theirs is
// what is merged into it.
type Side string

// The sides.
const (
	Ours   Side = "ours"
	Theirs Side = "theirs"
)

// Resolution decides one conflict.
type Resolution struct {
	// Module of the conflict.
	Module string `json:"module"`
	// Instance of the conflict.
	Instance string `json:"instance,omitempty"`
	// Field of the conflict.
	Field string `json:"field,omitempty"`
	// Take is the side whose value is taken: ours or theirs.
	Take Side `json:"take,omitempty"`
	// Value is taken instead of either side's, for a field of one value.
	Value string `json:"field_value,omitempty" formerly:"value"`
}

// MergeConflict is one thing that both sides changed in different ways.
type MergeConflict struct {
	// Module as darktable's history names it, such as exposure; "pipeline"; or "look",
	// the starting look.
	Module string `json:"module"`
	// Instance is the instance's name, empty for the base instance; a look's mask.
	Instance string `json:"instance,omitempty"`
	// Field is the parameter (an array is one, a curve with its count); "enabled";
	// "mask", with blending and drawn forms; the pipeline's "order"; or empty for
	// the whole instance.
	Field string `json:"field"`
	// Base is the value that both sides come from.
	Base string `json:"base"`
	// Ours is the present branch's value.
	Ours string `json:"ours"`
	// Theirs is the value of what is merged.
	Theirs string `json:"theirs"`
}

// MergeResult is what Merge and CherryPick report.
type MergeResult struct {
	// StateAfter is the edit now.
	StateAfter State `json:"state_after"`
	// SnapshotHash is that of state_after.
	SnapshotHash string `json:"snapshot_hash"`
	// Event is the snapshot that HEAD is at now.
	Event string `json:"event"`
	// Changed is true when a snapshot was published.
	Changed bool `json:"changed"`
	// Conflicts that are not decided; nothing was published when there are any.
	Conflicts []MergeConflict `json:"conflicts"`
	Looks
}

// Merge brings what another version changed into the present branch: three ways,
// from what both come from, by module instance and field.
// What only one side changed is taken; what both changed is a conflict, listed
// with both values, unless prefer or resolve decides it. The new snapshot has
// both as parents.
func (e *Engine) Merge(ctx context.Context, p MergeParams) (_ MergeResult, err error) {
	defer e.seal(&err, "merge", p.ImageID)
	img, err := e.imageToRead(&p, p.ImageID)
	if err != nil {
		return MergeResult{}, err
	}
	ctx, cancel := e.renderContext(ctx, p.TimeoutSeconds)
	defer cancel()
	change := versioning.Change{Op: "merge", Label: p.Label, Entry: string(p.RefOrHash)}
	return e.combine(ctx, p.ImageID, change, choices(p.Prefer, p.Resolve), func(now compose.Start, change *versioning.Change) (stack.Versions, error) {
		theirs, err := img.At(ctx, string(p.RefOrHash))
		if err != nil {
			return stack.Versions{}, err
		}
		id := theirs.Record.ID.String()
		find := func(merged []string, other string) (bases []stack.Ancestor, err error) {
			versions, err := img.MergeBases(ctx, merged, other)
			for _, v := range versions {
				bases = append(bases, stack.Ancestor{ID: v.Record.ID.String(), Version: v.Sidecar})
			}
			return bases, err
		}
		bases, err := find([]string{"HEAD"}, id)
		if err != nil {
			return stack.Versions{}, err
		}
		if bases[0].ID == id { // it is in the branch already
			change.Label = ""
		} else {
			change.Merged = []versioning.Hash{theirs.Record.ID}
		}
		v := stack.Versions{Theirs: theirs.Sidecar, WithoutLook: now.WithoutLook}
		return stack.MergeBases(now.Release, v, bases, find)
	})
}

// CherryPickParams are the parameters of CherryPick.
type CherryPickParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// Event is the snapshot whose change is taken, as log names it; a ref or the hash
	// of a look names the newest.
	Event RefOrHash `json:"event" formerly:"hash"`
	// Prefer decides every conflict that resolve does not: ours or theirs. Default:
	// they are listed, and nothing is published.
	Prefer Side `json:"prefer,omitempty"`
	// Resolve decides conflicts one by one.
	Resolve []Resolution `json:"resolve,omitempty"`
	// TimeoutSeconds limits darktable's time.
	TimeoutSeconds TimeoutSeconds `json:"timeout_seconds,omitempty" default:"120"`
}

// CherryPick makes the change that one snapshot made to its (first) parent on
// the present branch, too. Conflicts are as in merge. A module that the branch
// does not have gets that change alone, on darktable's defaults.
func (e *Engine) CherryPick(ctx context.Context, p CherryPickParams) (_ MergeResult, err error) {
	defer e.seal(&err, "cherry_pick", p.ImageID)
	img, err := e.imageToRead(&p, p.ImageID)
	if err != nil {
		return MergeResult{}, err
	}
	ctx, cancel := e.renderContext(ctx, p.TimeoutSeconds)
	defer cancel()
	picked, err := img.At(ctx, string(p.Event))
	if err != nil {
		return MergeResult{}, err
	}
	if len(picked.Record.Parents) == 0 {
		return MergeResult{}, fault.Invalid("/event", "%s is the baseline: it has no parent, so it made no change", p.Event)
	}
	parent, err := img.History.Record(ctx, picked.Record.Parents[0])
	if errors.Is(err, versioning.Missing) || errors.Is(err, versioning.Corrupt) || errors.Is(err, versioning.UnknownRef) {
		return MergeResult{}, fault.New(fault.Versioning,
			"the snapshot before %s is lost, so that what %s changed is not known: merge takes over all that its version differs in, or apply the move again",
			p.Event, p.Event)
	}
	if err != nil {
		return MergeResult{}, err
	}
	before, err := img.Load(ctx, parent)
	if err != nil {
		return MergeResult{}, err
	}
	change := versioning.Change{Op: "cherry_pick", Entry: picked.Record.Entry, Values: picked.Record.Values}
	return e.combine(ctx, p.ImageID, change, choices(p.Prefer, p.Resolve), func(compose.Start, *versioning.Change) (stack.Versions, error) {
		return stack.Versions{Base: before.Sidecar, Theirs: picked.Sidecar}, nil
	})
}

// combine merges into the present version, and publishes the result when every
// conflict is decided. find gives what is merged, and the base.
func (e *Engine) combine(
	ctx context.Context, id ImageID, change versioning.Change, choices stack.Choices,
	find func(compose.Start, *versioning.Change) (stack.Versions, error),
) (MergeResult, error) {
	merge := stack.Merge
	if change.Op == "cherry_pick" {
		merge = stack.CherryPick
	}
	open := []MergeConflict{}
	res, err := e.edit(ctx, id, change, func(now compose.Start, change *versioning.Change) (*xmp.Sidecar, error) {
		v, err := find(now, change)
		if err != nil {
			return nil, err
		}
		v.Ours, v.WithoutLook = now.Current, now.WithoutLook
		merged, conflicts, err := merge(now.Release, v, choices)
		if err != nil || len(conflicts) == 0 {
			return merged, err
		}
		for _, c := range conflicts {
			open = append(open, MergeConflict(c))
		}
		// The present version without label and parents: nothing to publish.
		change.Label, change.Merged = "", nil
		return now.Current, nil
	})
	return MergeResult{
		StateAfter: res.StateAfter, SnapshotHash: res.SnapshotHash, Event: res.Event, Changed: res.Changed,
		Conflicts: open, Looks: res.Looks,
	}, err
}

// choices gives what decides conflicts.
func choices(prefer Side, resolve []Resolution) stack.Choices {
	c := stack.Choices{Prefer: stack.Side(prefer)}
	for _, r := range resolve {
		c.Resolve = append(c.Resolve, stack.Resolution{
			Module: r.Module, Instance: r.Instance, Field: r.Field, Take: stack.Side(r.Take), Value: r.Value,
		})
	}
	return c
}
