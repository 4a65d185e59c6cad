package chemigram

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/chemigram/chemigram/internal/lists"
)

// TrashName names a deleted image in the workspace's trash: when it was
// deleted, and the id that it had.
type TrashName string

// DeleteImageParams are the parameters of DeleteImage.
type DeleteImageParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// Reason says why, for the audit log. It has to be given, and not blank.
	Reason string `json:"reason,omitempty"`
}

// DeleteImageResult says where the image is now.
type DeleteImageResult struct {
	// ImageID is the id that the image had.
	ImageID ImageID `json:"image_id"`
	// TrashName names the image in the trash, for restore_image.
	TrashName TrashName `json:"trash_name"`
}

// DeleteImage moves an image with its whole history, notes and brief to the
// workspace's trash, in one step. restore_image brings it back until prune
// empties the trash. The raw and what was exported stay as they are.
func (e *Engine) DeleteImage(ctx context.Context, p DeleteImageParams) (_ DeleteImageResult, err error) {
	defer e.seal(&err, "delete_image", p.ImageID)
	who, err := e.takeReason(ctx, &p.Reason)
	if err := errors.Join(e.validateWrite(&p), err); err != nil {
		return DeleteImageResult{}, err
	}
	done, err := e.intend(ctx, "delete_image", who.Reason, p)
	if err != nil {
		return DeleteImageResult{}, err
	}
	defer func() { done(&err) }()
	gone, err := e.workspace.Discard(ctx, string(p.ImageID), who.Reason)
	if err != nil {
		return DeleteImageResult{}, err
	}
	e.log.Info("deleted", "image_id", p.ImageID, "trash", gone.Name, "actor", who.Actor, "reason", who.Reason)
	return DeleteImageResult{ImageID: p.ImageID, TrashName: TrashName(gone.Name)}, nil
}

// RestoreImageParams are the parameters of RestoreImage.
type RestoreImageParams struct {
	// TrashName names the deleted image, as delete_image and list_trash give it.
	TrashName TrashName `json:"trash_name"`
}

// RestoreImageResult names the image that is back.
type RestoreImageResult struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// RawFound is true when its raw is where it was.
	RawFound bool `json:"raw_found"`
}

// RestoreImage brings an image back from the trash, as it was when it was
// deleted. When another image has taken its id meanwhile it is a state_error.
func (e *Engine) RestoreImage(ctx context.Context, p RestoreImageParams) (_ RestoreImageResult, err error) {
	defer seal(&err, "restore_image", "")
	if err := errors.Join(e.validateWrite(&p), ctx.Err()); err != nil {
		return RestoreImageResult{}, err
	}
	back, err := e.workspace.Restore(ctx, string(p.TrashName))
	if err != nil {
		return RestoreImageResult{}, err
	}
	_, err = os.Stat(back.RawPath)
	return RestoreImageResult{ImageID: ImageID(back.ImageID), RawFound: err == nil}, nil
}

// ListTrashParams are the parameters of ListTrash.
type ListTrashParams struct {
	// Limit is how many images to give.
	Limit Limit `json:"limit,omitempty" default:"50"`
	// Offset is how many images to skip.
	Offset Offset `json:"offset,omitempty"`
}

// ListTrashResult is a page of the deleted images.
type ListTrashResult struct {
	// Images of this page.
	Images []TrashedImage `json:"images"`
	// Total number of deleted images.
	Total int `json:"total"`
	// Problems says what in the trash cannot be read, and why.
	Problems []string `json:"problems"`
}

// TrashedImage is one deleted image.
type TrashedImage struct {
	// TrashName names the deleted image, for restore_image.
	TrashName TrashName `json:"trash_name"`
	// ImageID that the image had.
	ImageID ImageID `json:"image_id"`
	// DeletedAt is when it was deleted, as ISO 8601 in UTC.
	DeletedAt string `json:"deleted_at"`
	// Actor who deleted it.
	Actor string `json:"actor,omitempty"`
	// Reason that was given.
	Reason string `json:"reason,omitempty"`
}

// ListTrash lists the deleted images that can be brought back, newest first.
func (e *Engine) ListTrash(ctx context.Context, p ListTrashParams) (_ ListTrashResult, err error) {
	defer seal(&err, "list_trash", "")
	if err := errors.Join(validate(&p), ctx.Err()); err != nil {
		return ListTrashResult{}, err
	}
	all, problems, err := e.workspace.ReadTrash()
	if err != nil {
		return ListTrashResult{}, err
	}
	res := ListTrashResult{Images: []TrashedImage{}, Total: len(all), Problems: lists.NotNil(problems)}
	for _, gone := range lists.Page(all, p.Offset, p.Limit) {
		res.Images = append(res.Images, TrashedImage{
			TrashName: TrashName(gone.Name), ImageID: ImageID(gone.ImageID), DeletedAt: gone.DeletedAt.Format(time.RFC3339),
			Actor: gone.Actor, Reason: gone.Reason,
		})
	}
	return res, nil
}
