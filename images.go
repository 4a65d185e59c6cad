package chemigram

import (
	"context"
	"errors"
	"os"
	"strings"

	"github.com/chemigram/chemigram/internal/fault"
)

// ListImagesParams are the parameters of ListImages.
type ListImagesParams struct {
	// Query chooses images whose id, camera or lens contains these words;
	// case does not count.
	Query string `json:"query,omitempty"`
	// MinRating chooses images with at least so many stars.
	MinRating *Rating `json:"min_rating,omitempty"`
	// ColorLabel chooses images with this label.
	ColorLabel ColorLabel `json:"color_label,omitempty"`
	// Camera chooses images by words of make and model.
	Camera string `json:"camera,omitempty"`
	// Lens chooses images by words of the lens model.
	Lens string `json:"lens,omitempty"`
	// TakenSince chooses images taken then or later, by the camera's clock.
	TakenSince Time `json:"taken_since,omitempty"`
	// TakenUntil chooses images taken then or earlier; a date is the whole day.
	TakenUntil Time `json:"taken_until,omitempty"`
	// Limit is how many images to give.
	Limit Limit `json:"limit,omitempty" default:"50"`
	// Offset is how many images to skip.
	Offset Offset `json:"offset,omitempty"`
}

// ListImagesResult is a page of the workspace's images, by id.
type ListImagesResult struct {
	// Images of this page.
	Images []ImageSummary `json:"images"`
	// Total number of images that the query chooses.
	Total int `json:"total"`
}

// ImageSummary is one image in a list.
type ImageSummary struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// RawPath is where the raw was last seen.
	RawPath string `json:"raw_path"`
	// RawFound tells whether it is still there.
	RawFound bool `json:"raw_found"`
	// Camera is make and model, when the file tells.
	Camera string `json:"camera"`
	// Lens is the lens model, when the file tells.
	Lens string `json:"lens"`
	// TakenAt is when, by the camera's clock, when the file tells.
	TakenAt string `json:"taken_at"`
	// Rating in stars, -1 for rejected.
	Rating Rating `json:"rating"`
	// ColorLabels in darktable's order.
	ColorLabels []ColorLabel `json:"color_labels"`
	// HeadHash is the hash of the present look.
	HeadHash string `json:"head_hash"`
	// Branch is the branch that HEAD names; empty when HEAD is detached.
	Branch string `json:"branch"`
	// EntryCount is the number of entries in the present history stack.
	EntryCount int `json:"entry_count"`
	// Problem says why the image cannot be opened; empty when it can.
	Problem string `json:"problem"`
}

// ListImages lists the images of the workspace, by id. An image that cannot be
// opened is listed with its problem. What chooses images has to hold together;
// it looks at every image.
func (e *Engine) ListImages(ctx context.Context, p ListImagesParams) (_ ListImagesResult, err error) {
	defer seal(&err, "list_images", "")
	if err := validate(&p); err != nil {
		return ListImagesResult{}, err
	}
	ids, total, err := e.pageOfImages(ctx, p)
	if err != nil {
		return ListImagesResult{}, err
	}
	res := ListImagesResult{Images: []ImageSummary{}, Total: total}
	for _, id := range ids {
		if err := ctx.Err(); err != nil {
			return ListImagesResult{}, err
		}
		if summary, there := e.summary(ctx, ImageID(id)); there {
			res.Images = append(res.Images, summary)
		}
	}
	return res, nil
}

// summary tells of one image; there is false when it was deleted meanwhile.
func (e *Engine) summary(ctx context.Context, id ImageID) (s ImageSummary, there bool) {
	s.ImageID, s.ColorLabels = id, []ColorLabel{}
	img, err := e.image(id)
	if errors.Is(err, fault.NotFound) {
		return s, false
	}
	if err == nil {
		s, err = img.summary(ctx)
	}
	if err != nil {
		s.Problem = asError(err).Message
	}
	return s, true
}

func (i *image) summary(ctx context.Context) (ImageSummary, error) {
	_, statErr := os.Stat(i.Raw.Path)
	s := ImageSummary{
		ImageID:  i.ImageID,
		RawPath:  i.Raw.Path,
		RawFound: statErr == nil,
		Camera:   strings.TrimSpace(i.EXIF.Make + " " + strings.TrimPrefix(i.EXIF.Model, i.EXIF.Make+" ")),
		Lens:     i.EXIF.LensModel,
		TakenAt:  i.EXIF.TakenAt,
	}
	marks, _, err := i.Marks()
	s.Rating, s.ColorLabels = marks.Rating, marks.ColorLabels
	if err != nil {
		return s, err
	}
	head, err := i.History.Head(ctx)
	if err != nil {
		return s, err
	}
	s.HeadHash, s.Branch = head.Record.State.String(), strings.TrimPrefix(head.Ref, branchPrefix)
	now, err := i.Load(ctx, head.Record)
	if err != nil {
		return s, err
	}
	s.EntryCount = len(now.Sidecar.History())
	return s, nil
}
