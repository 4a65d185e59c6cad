package chemigram

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/chemigram/chemigram/internal/atomicfile"
	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/xmp"
)

// Rating is how good a picture is, as darktable and others show it: 0 to 5
// stars, or -1 for a rejected one.
type Rating int

// ColorLabel is one of darktable's five: red, yellow, green, blue, purple.
type ColorLabel string

// colorLabels are in darktable's order: a sidecar has their numbers.
var colorLabels = []ColorLabel{"red", "yellow", "green", "blue", "purple"}

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
	defer seal(&err, "set_rating", p.ImageID)
	if err := errors.Join(validate(&p), e.writable()); err != nil {
		return Marks{}, err
	}
	return e.mark(ctx, p.ImageID, func(m *Marks) {
		if p.Rating != nil {
			m.Rating = *p.Rating
		}
		if p.ColorLabels != nil {
			m.ColorLabels = p.ColorLabels
		}
	})
}

// mark changes an image's marks, under its lock.
func (e *Engine) mark(ctx context.Context, id ImageID, change func(*Marks)) (Marks, error) {
	img, err := e.image(id)
	if err != nil {
		return Marks{}, err
	}
	_, unlock, err := img.History.Lock(ctx, "set_rating")
	if err != nil {
		return Marks{}, err
	}
	defer unlock()
	was, _, err := img.Marks()
	if err != nil {
		return Marks{}, err
	}
	next := was
	change(&next)
	next.ColorLabels = slices.DeleteFunc(slices.Clone(colorLabels), func(l ColorLabel) bool {
		return !slices.Contains(next.ColorLabels, l)
	})
	if next.Rating == was.Rating && slices.Equal(next.ColorLabels, was.ColorLabels) {
		return was, nil
	}
	data, err := marshalChecked(struct {
		Marks
		checksum
	}{next, checksum{noChecksum}})
	if err != nil {
		return Marks{}, err
	}
	return next, atomicfile.Write(marksPath(img.Dir), data, 0o644)
}

func marksPath(dir string) string { return filepath.Join(dir, "marks.json") }

// Marks reads an image's Marks; given is false for a picture that nobody marked.
func (i *image) Marks() (m Marks, given bool, err error) { return readMarks(i.Dir) }

func readMarks(dir string) (m Marks, given bool, err error) {
	m.ColorLabels = []ColorLabel{}
	data, err := os.ReadFile(marksPath(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return m, false, nil
	}
	if err == nil {
		err = unmarshalChecked(data, &m)
	}
	if err != nil {
		return Marks{ColorLabels: []ColorLabel{}}, false, fault.New(fault.State, "%s cannot be read: %v", marksPath(dir), err)
	}
	return m, true, nil
}

// marked writes marks into a sidecar.
func marked(sidecar *xmp.Sidecar, m Marks) (*xmp.Sidecar, error) {
	sidecar, err := sidecar.WithProperty("xmp:Rating", strconv.Itoa(int(m.Rating)))
	if err != nil {
		return nil, err
	}
	numbers := []string{}
	for _, label := range m.ColorLabels {
		numbers = append(numbers, strconv.Itoa(slices.Index(colorLabels, label)))
	}
	return sidecar.WithList("darktable:colorlabels", numbers)
}

// marksOf reads marks out of a sidecar; what is not understood is left out.
func marksOf(sidecar *xmp.Sidecar) Marks {
	m := Marks{ColorLabels: []ColorLabel{}}
	text, _ := sidecar.Property("xmp:Rating")
	if stars, err := strconv.Atoi(text); err == nil && stars >= -1 && stars <= 5 {
		m.Rating = Rating(stars)
	}
	for _, number := range sidecar.List("darktable:colorlabels") {
		if n, err := strconv.Atoi(number); err == nil && n >= 0 && n < len(colorLabels) {
			m.ColorLabels = append(m.ColorLabels, colorLabels[n])
		}
	}
	return m
}
