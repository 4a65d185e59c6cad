package probe

import (
	"context"
	"crypto/sha256"
	"fmt"
	"image"

	"github.com/chemigram/chemigram/internal/stack"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
)

// regionSize is the longest edge of the pictures in which regions are found: about
// 0.25 megapixels.
const regionSize = 620

// A Picture is a developed picture to find regions in.
type Picture struct {
	image.Image
	// Key is the same for the same picture.
	Key string
}

// maxPictures bounds what is kept; a picture is about 2 MB.
const maxPictures = 8

// Picture develops the picture in which regions are found: the baseline, in the
// present geometry. What other moves do to light and colour is not in it, so that a
// region does not depend on the moves before, nor on itself.
func (p *Probe) Picture(ctx context.Context, raw Raw, s stack.Stack) (Picture, error) {
	look, err := baselineInPlace(s)
	if err != nil {
		return Picture{}, err
	}
	source, err := p.source(raw)
	if err != nil {
		return Picture{}, err
	}
	key := pictureKey(look, source)
	if kept, ok := p.pictures.get(key); ok {
		return kept, nil
	}
	pictures, err := p.developAs(ctx, "srgb", raw, s.Release, regionSize, look)
	if err != nil {
		return Picture{}, err
	}
	out := Picture{Image: pictures[0], Key: key}
	p.pictures.put(key, out)
	return out, nil
}

// pictureKey is the same for looks that develop one source alike.
func pictureKey(look *xmp.Sidecar, source string) string {
	return fmt.Sprintf("%x %s", sha256.Sum256(look.Canonical()), source)
}

// baselineInPlace is the baseline with the present geometry.
func baselineInPlace(s stack.Stack) (*xmp.Sidecar, error) {
	var edits []xmp.Edit
	for _, entry := range s.Baseline.History() {
		if _, stays := s.Current.Find(entry.Operation, entry.MultiName); iop.ChangesGeometry(entry.Operation) && !stays && entry.Enabled {
			entry.Enabled = false
			edits = append(edits, stack.Put(entry))
		}
	}
	for _, entry := range s.Current.History() {
		if iop.ChangesGeometry(entry.Operation) && entry.Fault == nil {
			edits = append(edits, stack.Put(entry))
		}
	}
	return s.Baseline.With(s.Release, edits...)
}
