package chemigram

import (
	"context"
	"errors"
	"os"
	"strings"
)

// ListImagesParams are the parameters of ListImages.
type ListImagesParams struct {
	// Query chooses images whose id, camera or lens contains these words;
	// case does not count.
	Query string `json:"query,omitempty"`
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
// opened is listed with its problem.
func (e *Engine) ListImages(ctx context.Context, p ListImagesParams) (_ ListImagesResult, err error) {
	defer seal(&err, "list_images", "")
	if err := validate(&p); err != nil {
		return ListImagesResult{}, err
	}
	ids, err := e.workspace.imageIDs()
	if err != nil {
		return ListImagesResult{}, err
	}
	res := ListImagesResult{Images: []ImageSummary{}}
	for _, id := range ids {
		onPage := res.Total >= int(p.Offset) && len(res.Images) < int(p.Limit)
		if p.Query == "" && !onPage {
			res.Total++
			continue
		}
		img, err := e.image(ImageID(id))
		if errors.Is(err, ErrNotFound) {
			continue // deleted meanwhile
		}
		if err != nil {
			img = &image{imageFile: imageFile{ImageID: ImageID(id)}}
		}
		if !matchesQuery(p.Query, string(img.ImageID), img.EXIF.Make, img.EXIF.Model, img.EXIF.LensModel) {
			continue
		}
		res.Total++
		if !onPage {
			continue
		}
		summary := ImageSummary{ImageID: img.ImageID}
		if err == nil {
			summary, err = img.summary(ctx)
		}
		if err != nil {
			summary.Problem = translate(err).Message
		}
		res.Images = append(res.Images, summary)
	}
	return res, nil
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
	head, err := i.history.Head(ctx)
	if err != nil {
		return s, err
	}
	s.HeadHash, s.Branch = head.Record.State.String(), strings.TrimPrefix(head.Ref, branchPrefix)
	now, err := i.load(ctx, head.Record)
	if err != nil {
		return s, err
	}
	s.EntryCount = len(now.sidecar.History())
	return s, nil
}
