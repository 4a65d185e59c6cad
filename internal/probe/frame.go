package probe

import (
	"context"
	"crypto/sha256"
	"fmt"
	"image"
	"io"
	"math"
	"slices"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
	"github.com/chemigram/chemigram/xmp/mask"
)

// maxFrames bounds what is kept; a frame is about 1 MB.
const maxFrames = 16

// Frame measures how the developed picture of a look lies in the raw, once for a
// geometry: darktable develops the look's geometry alone, of an even grey, and
// gradients across and down the raw take away red, green and blue. What is left of
// them at a pixel says where it came from.
func (p *Probe) Frame(ctx context.Context, raw Raw, release iop.Release, look *xmp.Sidecar) (mask.Frame, error) {
	even, err := evenGrey(release, look)
	if err != nil {
		return mask.Frame{}, err
	}
	source, err := p.source(raw)
	if err != nil {
		return mask.Frame{}, err
	}
	key := geometryKey(even, source)
	if f, ok := p.frames.get(key); ok {
		return f, nil
	}
	coded, err := withGradients(release, even)
	if err != nil {
		return mask.Frame{}, err
	}
	pictures, err := p.develop(ctx, raw, release, smallSize, even, coded)
	if err != nil {
		return mask.Frame{}, err
	}
	f, err := readFrame(pictures[0], pictures[1])
	if err == nil {
		p.frames.put(key, f)
	}
	return f, err
}

// maxSizes bounds what is kept.
const maxSizes = 256

// Size measures how many pixels a look's picture has before any scaling, once for a
// geometry: darktable develops a strip across and one down of it. The look has no
// crop of its own: this one takes its place.
func (p *Probe) Size(ctx context.Context, raw Raw, release iop.Release, look *xmp.Sidecar) (mask.Size, error) {
	plain, err := look.With(release, disable(look.History())...)
	if err != nil {
		return mask.Size{}, err
	}
	source, err := p.source(raw)
	if err != nil {
		return mask.Size{}, err
	}
	key := geometryKey(plain, source)
	if size, ok := p.sizes.get(key); ok {
		return size, nil
	}
	strips := make([]*xmp.Sidecar, 2)
	for i, side := range []string{"ch", "cw"} {
		if strips[i], err = strip(release, plain, side); err != nil {
			return mask.Size{}, err
		}
	}
	pictures, err := p.develop(ctx, raw, release, 0, strips...)
	if err != nil {
		return mask.Size{}, err
	}
	size := mask.Size{Width: float64(pictures[0].Bounds().Dx()), Height: float64(pictures[1].Bounds().Dy())}
	p.sizes.put(key, size)
	return size, nil
}

// strip crops a look to a narrow strip in its middle, from which its height is read
// when the side is cw, and its width when it is ch.
func strip(release iop.Release, look *xmp.Sidecar, side string) (*xmp.Sidecar, error) {
	modversion, _ := release.Modversion("crop")
	params, err := release.Defaults("crop")
	if err != nil {
		return nil, err
	}
	fields := map[string]float64{"cx": 0, "cy": 0, "cw": 1, "ch": 1, "ratio_n": 0, "ratio_d": 0}
	fields[map[string]string{"cw": "cx", "ch": "cy"}[side]], fields[side] = 0.5, 0.505
	for name, v := range fields {
		if params, err = params.With(name, iop.Number(v)); err != nil {
			return nil, err
		}
	}
	return look.With(release, xmp.Put{Entry: xmp.Entry{Operation: "crop", Enabled: true, Modversion: modversion, Params: params.Encode()}})
}

// withGradients takes one colour each away from an even grey: red across the raw,
// blue down, and green between the two.
func withGradients(release iop.Release, even *xmp.Sidecar) (*xmp.Sidecar, error) {
	places := mask.NewProbe(mask.Size{Width: 1, Height: 1})
	coded := even
	for _, step := range []struct {
		colour   string
		gradient mask.Gradient
	}{{"red", places.Across}, {"green", places.Beside()}, {"blue", places.Down}} {
		put, err := instance(release, "channelmixerrgb", step.colour, map[string]iop.Value{
			"illuminant": iop.Text("DT_ILLUMINANT_PIPE"), "adaptation": iop.Text("DT_ADAPTATION_RGB"), "gamut": iop.Number(0),
			step.colour + "[0]": iop.Number(0), step.colour + "[1]": iop.Number(0), step.colour + "[2]": iop.Number(0),
		})
		if err != nil {
			return nil, err
		}
		if put, err = limited(put, release, mask.Mask{Shapes: []mask.Member{{Shape: step.gradient}}}); err != nil {
			return nil, err
		}
		if coded, err = coded.With(release, put); err != nil {
			return nil, err
		}
	}
	return coded, nil
}

// geometryKey is the same for looks that place the pixels of one source alike: of a
// raw, and of the darktable that develops it.
func geometryKey(look *xmp.Sidecar, source string) [32]byte {
	h := sha256.New()
	_, _ = io.WriteString(h, source)
	for _, entry := range look.History() {
		if entry.Enabled && isKept(entry.Operation) {
			_, _ = fmt.Fprintf(h, "\n%s %d %d %x", entry.Operation, entry.MultiPriority, entry.Modversion, entry.Params)
		}
	}
	return [32]byte(h.Sum(nil))
}

// evenGrey is a look's geometry, of a picture that is the same grey everywhere.
func evenGrey(release iop.Release, look *xmp.Sidecar) (*xmp.Sidecar, error) {
	edits := disable(look.History())
	for _, step := range []struct {
		name      string
		ev, black float64
	}{{"even 1", -18, 0}, {"even 2", 1, -0.5}} { // light × 2⁻¹⁸, then + 0.5
		put, err := exposure(release, step.name, step.ev, step.black)
		if err != nil {
			return nil, err
		}
		edits = append(edits, put)
	}
	return look.With(release, edits...)
}

// readFrame reads the frame out of the even grey and the same with its colours
// taken away.
func readFrame(even, coded image.Image) (mask.Frame, error) {
	unreadable := fault.New(fault.Masking, "the developed picture's place in the raw could not be measured; darktable's geometry leaves nothing of it")
	size := even.Bounds().Size()
	if coded.Bounds().Size() != size {
		return mask.Frame{}, unreadable
	}
	var values [3][]float64
	grey := channels(even)
	for c, left := range channels(coded) {
		sorted := slices.Sorted(slices.Values(grey[c]))
		whole := sorted[len(sorted)/2]
		for i := range left {
			if math.Abs(grey[c][i]-whole) > 0.05*whole { // a border around the picture
				left[i] = math.NaN()
			} else {
				left[i] = 1 - left[i]/whole
			}
		}
		values[c] = left
	}
	input, ok := mask.InputOf(values[0], values[1])
	if !ok || !mask.Fill(values[0], size.X) || !mask.Fill(values[2], size.X) {
		return mask.Frame{}, unreadable
	}
	developed := mask.Size{Width: float64(size.X), Height: float64(size.Y)}
	return mask.NewProbe(input).Frame(developed, values[0], values[2]), nil
}
