package chemigram

import (
	"context"
	"errors"

	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/versioning"
)

const (
	branchPrefix = "refs/heads/"
	tagPrefix    = "refs/tags/"
)

// SnapshotParams are the parameters of Snapshot.
type SnapshotParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// Label describes the state in your words.
	Label string `json:"label,omitempty"`
}

// SnapshotResult names a snapshot.
type SnapshotResult struct {
	// Hash of the look.
	Hash string `json:"hash"`
	// Event is the snapshot itself. Answers of tools leave it out: log has it.
	Event string `json:"-"`
}

// Snapshot names the present state: with a label it publishes a new snapshot of
// it, without one it gives HEAD's, since every edit has published one already.
func (e *Engine) Snapshot(ctx context.Context, p SnapshotParams) (_ SnapshotResult, err error) {
	defer e.seal(&err, "snapshot", p.ImageID)
	img, err := e.imageToWrite(&p, p.ImageID)
	if err != nil {
		return SnapshotResult{}, err
	}
	ctx, unlock, err := img.History.Lock(ctx, "snapshot")
	if err != nil {
		return SnapshotResult{}, err
	}
	defer unlock()
	now, err := img.At(ctx, "")
	if err != nil {
		return SnapshotResult{}, err
	}
	after, _, err := img.Commit(ctx, now.Sidecar, versioning.Change{
		Op: "snapshot", Label: p.Label, Darktable: now.Record.Darktable,
	})
	if err != nil {
		return SnapshotResult{}, err
	}
	return SnapshotResult{Hash: after.Record.State.String(), Event: after.Record.ID.String()}, nil
}

// CheckoutParams are the parameters of Checkout.
type CheckoutParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// RefOrHash is the version to go to.
	RefOrHash RefOrHash `json:"ref_or_hash"`
}

// CheckoutResult is where HEAD is now.
type CheckoutResult struct {
	// StateAfter is the edit now.
	StateAfter State `json:"state_after"`
	// Ref is the branch that HEAD names, in full; empty when it is detached.
	Ref string `json:"ref"`
	// Detached is true when HEAD names a snapshot and no branch: to look, not
	// to edit. Make a branch there to go on.
	Detached bool `json:"detached"`
	Looks
}

// Checkout moves HEAD to another version of the edit. A branch attaches HEAD,
// so that edits continue it; a tag or a hash detaches it.
func (e *Engine) Checkout(ctx context.Context, p CheckoutParams) (_ CheckoutResult, err error) {
	defer e.seal(&err, "checkout", p.ImageID)
	img, err := e.imageToWrite(&p, p.ImageID)
	if err != nil {
		return CheckoutResult{}, err
	}
	head, err := img.History.Checkout(ctx, string(p.RefOrHash))
	if err != nil {
		return CheckoutResult{}, err
	}
	now, err := img.Load(ctx, head.Record)
	if err != nil {
		return CheckoutResult{}, err
	}
	return CheckoutResult{
		StateAfter: stateOf(now), Ref: head.Ref, Detached: head.Detached, Looks: looksOf(now.Sidecar, now.Sidecar),
	}, nil
}

// BranchParams are the parameters of Branch.
type BranchParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// Name of the new branch, by git's rules for names.
	Name string `json:"name"`
	// From is the version that it starts at. Default: HEAD.
	From RefOrHash `json:"ref_or_hash,omitempty" formerly:"from"`
}

// RefResult names a branch or a tag.
type RefResult struct {
	// Ref is the full name, such as refs/heads/warm.
	Ref string `json:"ref"`
	// Hash of the look that it names.
	Hash string `json:"hash"`
	// Event is the snapshot that it names. Answers of tools leave it out: log has it.
	Event string `json:"-"`
}

// Branch makes a branch. It does not switch to it: checkout does.
func (e *Engine) Branch(ctx context.Context, p BranchParams) (_ RefResult, err error) {
	defer e.seal(&err, "branch", p.ImageID)
	img, err := e.imageToWrite(&p, p.ImageID)
	if err != nil {
		return RefResult{}, err
	}
	ref, err := img.History.Branch(ctx, p.Name, string(p.From))
	if err != nil {
		return RefResult{}, err
	}
	return refResult(ctx, img, ref), nil
}

// refResult describes a ref. Its look is left out when its snapshot cannot be read.
func refResult(ctx context.Context, img *workspace.Image, ref versioning.Ref) RefResult {
	res := RefResult{Ref: ref.Name, Event: ref.Record.String()}
	if record, err := img.History.Record(ctx, ref.Record); err == nil {
		res.Hash = record.State.String()
	}
	return res
}

// TagParams are the parameters of Tag.
type TagParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// Name of the new tag, by git's rules for names.
	Name string `json:"name"`
	// Hash is the version to tag. Default: HEAD.
	Hash RefOrHash `json:"hash,omitempty"`
}

// Tag gives a version a name that never moves.
func (e *Engine) Tag(ctx context.Context, p TagParams) (_ RefResult, err error) {
	defer e.seal(&err, "tag", p.ImageID)
	img, err := e.imageToWrite(&p, p.ImageID)
	if err != nil {
		return RefResult{}, err
	}
	ref, err := img.History.Tag(ctx, p.Name, string(p.Hash))
	if err != nil {
		return RefResult{}, err
	}
	return refResult(ctx, img, ref), nil
}

// DeleteRefParams are the parameters of DeleteRef.
type DeleteRefParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// Name of the branch or tag; a branch comes before a tag of the same name
	// unless the full name says otherwise.
	Name string `json:"name"`
	// Reason says why, for the audit log. It has to be given, and not blank.
	Reason string `json:"reason,omitempty"`
}

// DeleteRef deletes a branch or a tag, and gives what it was. Its snapshots stay
// until prune finds that nothing else leads to them: until then a branch from
// the hash brings it back. The branch that HEAD is on and the baseline are
// refused.
func (e *Engine) DeleteRef(ctx context.Context, p DeleteRefParams) (_ RefResult, err error) {
	defer e.seal(&err, "delete_ref", p.ImageID)
	who, err := e.takeReason(ctx, &p.Reason)
	if err := errors.Join(e.validateWrite(&p), err); err != nil {
		return RefResult{}, err
	}
	done, err := e.intend(ctx, "delete_ref", who.Reason, p)
	if err != nil {
		return RefResult{}, err
	}
	defer func() { done(&err) }()
	img, err := e.image(p.ImageID)
	if err != nil {
		return RefResult{}, err
	}
	ref, err := img.History.DeleteRef(ctx, p.Name, who)
	if err != nil {
		return RefResult{}, err
	}
	return refResult(ctx, img, ref), nil
}
