package scene

import (
	"fmt"
	"math"
	"os"

	"github.com/chemigram/chemigram/internal/testutil/dng"
)

// Scene is a subject to photograph, of any size.
type Scene interface {
	// Name is a short lower-case word for file names and messages.
	Name() string
	// Image is the scene at a size in pixels.
	Image(width, height int) dng.Image
}

// Options are the size of a raw, and the camera and its settings.
type Options struct {
	// Megapixels is the size of the raw, 0.05 to 100, always 3:2. Default 1.
	Megapixels float64
	// DNG holds the camera and its settings.
	DNG dng.Options
}

// Size is the width and height in pixels of a 3:2 picture of so many
// megapixels; both are multiples of four.
func Size(megapixels float64) (width, height int) {
	unit := math.Sqrt(megapixels * 1e6 / 6) // the frame is 3 by 2 units
	return int(math.Round(3*unit/4)) * 4, int(math.Round(2*unit/4)) * 4
}

// Write photographs a scene and writes the raw to path, replacing what is
// there.
func Write(path string, s Scene, o Options) (err error) {
	if o.Megapixels == 0 {
		o.Megapixels = 1
	}
	if o.Megapixels < 0.05 || o.Megapixels > 100 {
		return fmt.Errorf("scene: %g megapixels is outside 0.05 to 100", o.Megapixels)
	}
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("scene: %w", err)
	}
	defer func() {
		if closeErr := f.Close(); err == nil {
			err = closeErr
		}
		if err != nil {
			_ = os.Remove(path)
		}
	}()
	if err := dng.Write(f, s.Image(Size(o.Megapixels)), o.DNG); err != nil {
		return fmt.Errorf("scene: photograph %s: %w", s.Name(), err)
	}
	return nil
}
