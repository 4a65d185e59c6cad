package chemigram

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/lists"
	"github.com/chemigram/chemigram/internal/workspace"
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
	// RawFound is true when the raw is still there.
	RawFound bool `json:"raw_found"`
	// Camera is make and model, when the file says so.
	Camera string `json:"camera,omitempty"`
	// Lens is the lens model, when the file says so.
	Lens string `json:"lens,omitempty"`
	// TakenAt is when it was taken, by the camera's clock, when the file says so.
	TakenAt string `json:"taken_at,omitempty"`
	// Rating in stars, -1 for rejected.
	Rating Rating `json:"rating,omitempty"`
	// ColorLabels in darktable's order.
	ColorLabels []ColorLabel `json:"color_labels,omitempty"`
	// HeadHash is the hash of the present look.
	HeadHash string `json:"head_hash"`
	// Branch is the branch that HEAD names; empty when HEAD is detached.
	Branch string `json:"branch,omitempty"`
	// EntryCount is the number of entries in the present history stack.
	EntryCount int `json:"entry_count"`
	// Problem says why the image cannot be opened; empty when it can.
	Problem string `json:"problem,omitempty"`
}

// ListImages lists the images of the workspace, by id. An image that cannot be
// opened is listed with its problem. All that chooses has to hold.
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

// summary describes one image; there is false when it was deleted meanwhile.
func (e *Engine) summary(ctx context.Context, id ImageID) (s ImageSummary, there bool) {
	img, err := e.image(id)
	s.ColorLabels = []ColorLabel{}
	if err == nil {
		s, err = summaryOf(ctx, img)
	}
	if errors.Is(e.orMissing(id, err), fault.NotFound) {
		if !e.workspace.IsNone(string(id)) {
			return s, false
		}
		err = fault.New(fault.State, "the folder of %s has no image.json: verify says what to do", id)
	}
	s.ImageID = id
	if err != nil {
		s.Problem = AsError(err).Message
	}
	return s, true
}

func summaryOf(ctx context.Context, img *workspace.Image) (ImageSummary, error) {
	_, statErr := os.Stat(img.Raw.Path)
	marks, _, err := img.Marks()
	s := ImageSummary{
		RawPath:     img.Raw.Path,
		RawFound:    statErr == nil,
		Camera:      img.EXIF.Camera(),
		Lens:        img.EXIF.LensModel,
		TakenAt:     img.EXIF.TakenAt,
		Rating:      Rating(marks.Rating),
		ColorLabels: colorLabels(marks),
	}
	if err != nil {
		return s, err
	}
	head, err := img.History.Head(ctx)
	if err != nil {
		return s, err
	}
	s.HeadHash, s.Branch = head.Record.State.String(), strings.TrimPrefix(head.Ref, branchPrefix)
	now, err := img.Load(ctx, head.Record)
	if err != nil {
		return s, err
	}
	s.EntryCount = len(now.Sidecar.History())
	return s, nil
}

// matchesAll reports whether p asks for nothing that an image must have.
func (p ListImagesParams) matchesAll() bool {
	p.Limit, p.Offset = 0, 0
	return p == ListImagesParams{}
}

// pageOfImages gives the ids of a page of the images that p chooses, and counts
// all of them.
func (e *Engine) pageOfImages(ctx context.Context, p ListImagesParams) (ids []string, total int, err error) {
	if p.matchesAll() {
		return e.workspace.Page(int(p.Offset), int(p.Limit))
	}
	ids, err = e.workspace.IDs()
	if err == nil {
		ids, err = e.matchingImages(ctx, ids, p)
	}
	return lists.Page(ids, p.Offset, p.Limit), len(ids), err
}

// matchingImages gives the images for which all that p asks for holds.
func (e *Engine) matchingImages(ctx context.Context, ids []string, p ListImagesParams) ([]string, error) {
	if p.matchesAll() {
		return ids, nil
	}
	var found []string
	for _, id := range ids {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		file, err := e.workspace.ImageFile(id)
		if errors.Is(err, fs.ErrNotExist) {
			continue // deleted meanwhile
		}
		// One that cannot be read is no reason to hide it, either.
		if err != nil && matchesQuery(p.Query, id) || err == nil && p.matchesFile(id, file) && e.matchesMarks(id, p) {
			found = append(found, id)
		}
	}
	return found, nil
}

// matchesFile asks what an image was registered with.
func (p ListImagesParams) matchesFile(id string, file workspace.File) bool {
	exif := file.EXIF
	return matchesQuery(p.Query, id, exif.Make, exif.Model, exif.LensModel) &&
		matchesQuery(p.Camera, exif.Make, exif.Model) &&
		matchesQuery(p.Lens, exif.LensModel) &&
		takenWithin(exif.TakenAt, string(p.TakenSince), string(p.TakenUntil))
}

// matchesMarks asks what a person thinks of an image. Marks that cannot be read
// are no reason to hide it: list_images says what is wrong.
func (e *Engine) matchesMarks(id string, p ListImagesParams) bool {
	if p.MinRating == nil && p.ColorLabel == "" {
		return true
	}
	m, _, err := e.workspace.Marks(id)
	if err != nil {
		return true
	}
	return (p.MinRating == nil || m.Rating >= int(*p.MinRating)) &&
		(p.ColorLabel == "" || slices.Contains(m.ColorLabels, string(p.ColorLabel)))
}

// takenWithin compares times of a camera's clock, which knows no zone: as far
// as a bound says, and without its zone. A picture without a time is in no
// period.
func takenWithin(taken, since, until string) bool {
	if since == "" && until == "" {
		return true
	}
	if taken == "" {
		return false
	}
	since, until = localTime(since), localTime(until)
	taken = localTime(taken)
	return (since == "" || taken >= since) && (until == "" || taken[:min(len(taken), len(until))] <= until)
}

// localTime is a time as text without its zone: 2026-10-01T18:30:00.
func localTime(t string) string {
	t = strings.Replace(t, " ", "T", 1)
	if day, clock, ok := strings.Cut(t, "T"); ok {
		if i := strings.IndexAny(clock, "Z+-"); i >= 0 {
			clock = clock[:i]
		}
		return day + "T" + clock
	}
	return t
}
