package probe

import (
	"context"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/chemigram/chemigram/internal/owned"
	"github.com/chemigram/chemigram/internal/stack"
	"github.com/chemigram/chemigram/render"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
	"github.com/chemigram/chemigram/xmp/mask"
)

// Probe measures with one darktable. It is safe for concurrent use.
type Probe struct {
	options Options
	frames  *recent[[32]byte, mask.Frame] // by their geometry
	sizes   *recent[[32]byte, mask.Size]  // of pictures, by their geometry
	// pictures are those that regions were found in.
	pictures *recent[string, Picture]
	// lit are lights that selections were measured with and drawn in.
	lit *recent[string, light]
}

// Options say what a Probe works with.
type Options struct {
	// Darktable gives the installed darktable, or the error that says how to get
	// one.
	Darktable func() (*render.Darktable, error)
	// TimeLeft is how long darktable may take in a context.
	TimeLeft func(context.Context) time.Duration
}

// folderPrefix begins the names of the folders that pictures are developed into.
const folderPrefix = "chemigram-probe-"

// New gives a Probe. What killed processes have left goes.
func New(options Options) *Probe {
	owned.Sweep(os.TempDir(), folderPrefix)
	return &Probe{
		options: options, frames: newRecent[[32]byte, mask.Frame](maxFrames), sizes: newRecent[[32]byte, mask.Size](maxSizes),
		pictures: newRecent[string, Picture](maxPictures), lit: newRecent[string, light](maxLights),
	}
}

// Raw is the file that is developed.
type Raw struct {
	Path string
	// Digest names its content.
	Digest string
	// Check reports by an error that the file has gone or is another one.
	Check func() error
}

// source names the pixels that a raw has for the installed darktable.
func (p *Probe) source(raw Raw) (string, error) {
	darktable, err := p.options.Darktable()
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s %q %s", raw.Digest, filepath.Base(raw.Path), darktable.Identity()), nil
}

const (
	// PreviewSize is the longest edge of the pictures in which points and sources
	// are looked at.
	PreviewSize = 1024
	// smallSize is the longest edge at which frames and masks are measured. Masks
	// are smooth, and places between pixels are interpolated.
	smallSize = 320
)

// develop develops looks for a darktable into linear light, in one batch.
func (p *Probe) develop(ctx context.Context, raw Raw, release iop.Release, size int, looks ...*xmp.Sidecar) ([]image.Image, error) {
	return p.developAs(ctx, "linear-rec2020", raw, release, size, looks...)
}

// developAs develops looks in a colour space of render's.
func (p *Probe) developAs(ctx context.Context, space string, raw Raw, release iop.Release, size int, looks ...*xmp.Sidecar) ([]image.Image, error) {
	darktable, err := p.options.Darktable()
	if err != nil {
		return nil, err
	}
	if err := raw.Check(); err != nil {
		return nil, err
	}
	folder, err := owned.MakeFolder(os.TempDir(), folderPrefix)
	if err != nil {
		return nil, err
	}
	defer folder.Remove()
	jobs := make([]render.Job, len(looks))
	for i, look := range looks {
		if look, err = stack.Readable(look, release); err != nil {
			return nil, err
		}
		jobs[i] = render.Job{ // without a digest: what an edit is measured by is developed here
			Raw: raw.Path, Verify: raw.Check, Sidecar: look.Bytes(), Output: folder.Path(strconv.Itoa(i) + ".png"), Size: size,
			BitDepth: 16, ColorSpace: space, Uncompressed: true, Timeout: p.options.TimeLeft(ctx),
		}
	}
	pictures := make([]image.Image, len(looks))
	for i, outcome := range darktable.RenderAll(ctx, jobs, nil) {
		if outcome.Err != nil {
			return nil, outcome.Err
		}
		if pictures[i], err = render.Load(outcome.Picture.Path); err != nil {
			return nil, err
		}
	}
	return pictures, nil
}

// channels gives the red, green and blue of a picture, 0 to 1.
func channels(m image.Image) (values [3][]float64) {
	b := m.Bounds()
	for c := range values {
		values[c] = make([]float64, 0, b.Dx()*b.Dy())
	}
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			r, g, b, _ := m.At(x, y).RGBA()
			for c, v := range [3]uint32{r, g, b} {
				values[c] = append(values[c], float64(v)/0xffff)
			}
		}
	}
	return values
}
