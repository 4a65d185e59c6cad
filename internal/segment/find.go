package segment

import (
	"cmp"
	"context"
	_ "embed" // model.bin
	"errors"
	"fmt"
	"image"
	"reflect"
	"slices"
	"sync"
)

//go:embed model.bin
var modelBytes []byte

// builtIn is the model that model.bin holds.
var builtIn = sync.OnceValues(func() (*Model, error) { return readModel(modelBytes) })

// ErrNothing says that a picture has no such region.
var ErrNothing = errors.New("nothing found")

// A Request says which region is wanted: by its category, by hints, or both.
type Request struct {
	Category Category
	Hints
}

// A Found is a region of a picture.
type Found struct {
	// Width and Height are those of the mask: the picture's, reduced to at most
	// 160,000 pixels.
	Width, Height int
	// Mask is how much each pixel belongs to the region, 0 to 1; half is its edge.
	Mask Plane
	// Confidence is how much of mask and region is probably common to both, as
	// intersection over union, 0 to 1.
	Confidence float64
}

// A Finder finds regions. It remembers the last pictures, so that further points
// are quick. It is safe for concurrent use.
type Finder struct {
	mu   sync.Mutex
	last []remembered
}

// maxRemembered bounds the pictures that a Finder remembers, of about 35 MB each.
const maxRemembered = 2

// remembered is a picture with what is known of it, once that was asked.
type remembered struct {
	picture image.Image
	ask     func() (known, error)
}

// known is what is known of a picture: how likely each superpixel belongs to each category.
type known struct {
	scene  *Scene
	likely [][]float64
}

// leastSide is the least side of a picture in which regions are found.
const leastSide = 32

// Find finds a region in a picture, encoded as sRGB. Its error is [ErrNothing] when
// the picture has no such region.
func (f *Finder) Find(ctx context.Context, picture image.Image, r Request) (Found, error) {
	if size := picture.Bounds().Size(); min(size.X, size.Y) < leastSide {
		return Found{}, fmt.Errorf("a picture of %d by %d pixels is too small to find regions in; it needs %d on each side", size.X, size.Y, leastSide)
	}
	model, err := builtIn()
	if err != nil {
		return Found{}, err
	}
	known, err := f.remember(picture, model)()
	if err := cmp.Or(ctx.Err(), err); err != nil {
		return Found{}, err
	}
	scene, likely := known.scene, known.likely
	at := slices.Index(Categories(), r.Category)
	if at < 0 && (r.Category != "" || r.None()) {
		return Found{}, fmt.Errorf("there is no category %q", r.Category)
	}
	if !r.None() {
		return scene.pointed(model, likely, r)
	}
	return scene.Named(model, r.Category, likely[at])
}

// remember gives what asks the forests of a picture, at most once.
func (f *Finder) remember(picture image.Image, model *Model) func() (known, error) {
	ask := sync.OnceValues(func() (known, error) {
		s, err := NewScene(picture)
		if err != nil {
			return known{}, err
		}
		return known{s, model.Likelihoods(s)}, nil
	})
	if !reflect.TypeOf(picture).Comparable() {
		return ask
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, last := range f.last {
		if last.picture == picture {
			return last.ask
		}
	}
	if f.last = append(f.last, remembered{picture, ask}); len(f.last) > maxRemembered {
		f.last = f.last[1:]
	}
	return ask
}
