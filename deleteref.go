package chemigram

import (
	"context"
	"errors"

	"github.com/chemigram/chemigram/versioning"
)

// DeleteRefParams are the parameters of DeleteRef.
type DeleteRefParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// Name of the branch or tag; a branch comes before a tag of the same name
	// unless the full name says otherwise.
	Name string `json:"name"`
}

// DeleteRef deletes a branch or a tag, and gives what it was. Its snapshots stay
// until prune finds that nothing else leads to them: until then a branch from
// the hash brings it back. The branch that HEAD is on and the baseline are
// refused. In Go the context carries the reason ([WithReason]).
func (e *Engine) DeleteRef(ctx context.Context, p DeleteRefParams) (_ RefResult, err error) {
	defer seal(&err, "delete_ref", p.ImageID)
	if err := errors.Join(validate(&p), e.writable()); err != nil {
		return RefResult{}, err
	}
	actor, reason, err := e.audited(ctx)
	if err != nil {
		return RefResult{}, err
	}
	defer e.record(ctx, "delete_ref", p, &err)
	img, err := e.image(p.ImageID)
	if err != nil {
		return RefResult{}, err
	}
	ref, err := img.History.DeleteRef(ctx, p.Name, versioning.Audit{Actor: actor, Reason: reason})
	return RefResult{Ref: ref.Name, Hash: ref.Record.String()}, err
}
