package chemigram

import (
	"context"

	"github.com/chemigram/chemigram/internal/workspace"
)

// Rating is how good a picture is, as darktable and others show it: 0 to 5
// stars, or -1 for a rejected one.
type Rating int

// ColorLabel is one of darktable's five: red, yellow, green, blue, purple.
type ColorLabel string

// Marks are what a person thinks of a picture. They are no part of the look, and
// not in its history.
type Marks struct {
	// Rating in stars, 0 to 5; -1 is rejected.
	Rating Rating `json:"rating"`
	// ColorLabels in darktable's order.
	ColorLabels []ColorLabel `json:"color_labels"`
}

// SetRatingParams are the parameters of SetRating.
type SetRatingParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// Rating in stars; -1 rejects. Default: as it is.
	Rating *Rating `json:"rating,omitempty"`
	// ColorLabels replace those that are there; an empty list removes them.
	// Default: as they are.
	ColorLabels []ColorLabel `json:"color_labels,omitempty"`
}

// SetRating rates a picture with stars and colour labels. They are found by
// list_images and go along with export_sidecar; the edit is not touched.
func (e *Engine) SetRating(ctx context.Context, p SetRatingParams) (_ Marks, err error) {
	defer e.seal(&err, "set_rating", p.ImageID)
	img, err := e.imageToWrite(&p, p.ImageID)
	if err != nil {
		return Marks{}, err
	}
	m, err := img.SetMarks(ctx, func(m *workspace.Marks) {
		if p.Rating != nil {
			m.Rating = int(*p.Rating)
		}
		if p.ColorLabels != nil {
			m.ColorLabels = texts(p.ColorLabels)
		}
	})
	return Marks{Rating: Rating(m.Rating), ColorLabels: colorLabels(m)}, err
}

// colorLabels are the labels of marks.
func colorLabels(m workspace.Marks) []ColorLabel {
	labels := make([]ColorLabel, len(m.ColorLabels))
	for i, label := range m.ColorLabels {
		labels[i] = ColorLabel(label)
	}
	return labels
}
