package chemigram

import (
	"context"
	"crypto/sha256"
	"fmt"
	goimage "image"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/render"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
	"github.com/chemigram/chemigram/xmp/mask"
)

// frameCache keeps the frames that were measured, by their geometry.
type frameCache struct {
	mu     sync.Mutex
	frames map[[32]byte]mask.Frame
}

// mostFrames bounds the cache; a frame is about 1 MB.
const mostFrames = 16

func (c *frameCache) get(key [32]byte) (mask.Frame, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f, ok := c.frames[key]
	return f, ok
}

func (c *frameCache) put(key [32]byte, f mask.Frame) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.frames == nil || len(c.frames) >= mostFrames {
		c.frames = map[[32]byte]mask.Frame{}
	}
	c.frames[key] = f
}

// bare are the modules that a raw cannot be developed without, and those that
// move pixels about: what is left of a look when its frame is measured.
var bare = []string{
	"rawprepare", "temperature", "highlights", "demosaic", "colorin", "colorout", "gamma",
	"flip", "rotatepixels", "scalepixels", "lens", "ashift", "clipping", "crop", "liquify", "borders", "enlargecanvas",
}

// probeSize is the longest edge at which frames and masks are measured. Masks
// are smooth, and places between pixels are interpolated.
const probeSize = 320

// frameSeconds limits the time of edits that measure a frame.
const frameSeconds = 120

// frameOf measures the frame of a look: darktable develops the look's geometry
// alone, of an even grey, and gradients across and down the raw take away red,
// green and blue. What is left of them at a pixel tells where it came from.
func (e *Engine) frameOf(ctx context.Context, img *workspace.Image, release iop.Release, look *xmp.Sidecar) (mask.Frame, error) {
	even, err := evenGrey(release, look)
	if err != nil {
		return mask.Frame{}, err
	}
	key := geometryKey(even, img.Raw.SHA256)
	if f, ok := e.frames.get(key); ok {
		return f, nil
	}
	probe := mask.NewProbe(mask.Size{Width: 1, Height: 1})
	coded := even
	for _, channel := range []struct {
		takes string
		where mask.Gradient
	}{{"red", probe.Across}, {"green", probe.Beside()}, {"blue", probe.Down}} {
		put, err := probePut(release, "channelmixerrgb", channel.takes, map[string]iop.Value{
			"illuminant": iop.Text("DT_ILLUMINANT_PIPE"), "adaptation": iop.Text("DT_ADAPTATION_RGB"), "gamut": iop.Number(0),
			channel.takes + "[0]": iop.Number(0), channel.takes + "[1]": iop.Number(0), channel.takes + "[2]": iop.Number(0),
		})
		if err != nil {
			return mask.Frame{}, err
		}
		if err := limitPut(&put, release, mask.Mask{Shapes: []mask.Member{{Shape: channel.where}}}); err != nil {
			return mask.Frame{}, err
		}
		if coded, err = coded.With(release, put); err != nil {
			return mask.Frame{}, err
		}
	}
	pictures, err := e.linear(ctx, img, probeSize, even, coded)
	if err != nil {
		return mask.Frame{}, err
	}
	f, err := readFrame(pictures[0], pictures[1])
	if err == nil {
		e.frames.put(key, f)
	}
	return f, err
}

// geometryKey is the same for looks of one raw that place its pixels alike.
func geometryKey(look *xmp.Sidecar, raw string) [32]byte {
	h := sha256.New()
	_, _ = io.WriteString(h, raw)
	for _, entry := range look.History() {
		if entry.Enabled && slices.Contains(bare, entry.Operation) {
			_, _ = fmt.Fprintf(h, "\n%s %d %d %x", entry.Operation, entry.MultiPriority, entry.Modversion, entry.Params)
		}
	}
	return [32]byte(h.Sum(nil))
}

// evenGrey is a look's geometry, of a picture that is the same grey everywhere.
func evenGrey(release iop.Release, look *xmp.Sidecar) (*xmp.Sidecar, error) {
	edits := switchOff(look.History())
	for _, step := range []struct {
		name            string
		exposure, black float64
	}{{"even 1", -18, 0}, {"even 2", 1, -0.5}} { // light × 2⁻¹⁸, then + 0.5
		put, err := exposurePut(release, step.name, step.exposure, step.black)
		if err != nil {
			return nil, err
		}
		edits = append(edits, put)
	}
	return look.With(release, edits...)
}

// switchOff disables what is not bare.
func switchOff(entries []xmp.Entry) []xmp.Edit {
	var edits []xmp.Edit
	for _, entry := range entries {
		if entry.Enabled && entry.Fault == nil && !slices.Contains(bare, entry.Operation) {
			entry.Enabled, entry.MultiName = false, instanceName(entry)
			edits = append(edits, xmp.Put{Entry: entry})
		}
	}
	return edits
}

// exposurePut makes an exposure: (light - black) times what gives white 2^ev.
func exposurePut(release iop.Release, name string, ev, black float64) (xmp.Put, error) {
	return probePut(release, "exposure", name, map[string]iop.Value{
		"exposure": iop.Number(ev), "black": iop.Number(black), "compensate_exposure_bias": iop.Bool(false),
	})
}

// probePut makes an instance that is only developed, and never kept.
func probePut(release iop.Release, module, name string, fields map[string]iop.Value) (xmp.Put, error) {
	params, err := release.Defaults(module)
	if err != nil {
		return xmp.Put{}, err
	}
	for field, value := range fields {
		if params, err = params.With(field, value); err != nil {
			return xmp.Put{}, err
		}
	}
	return xmp.Put{Entry: xmp.Entry{
		Operation: module, MultiName: "chemigram probe " + name, Enabled: true,
		Modversion: params.Modversion(), Params: params.Encode(), Origins: []xmp.Origin{{Entry: "probe"}},
	}}, nil
}

// limitPut gives an edit a mask.
func limitPut(put *xmp.Put, release iop.Release, m mask.Mask) error {
	made, err := m.Compile(release.BlendVersion(), mask.ColorSpaceRGBScene)
	if err != nil {
		return err
	}
	put.Entry.BlendVersion, put.Forms = made.Blend.Version, made.Forms
	put.Entry.Blend, err = made.Blend.Encode()
	return err
}

// linear develops looks into linear light, together.
func (e *Engine) linear(ctx context.Context, img *workspace.Image, size Size, looks ...*xmp.Sidecar) ([]goimage.Image, error) {
	darktable, err := e.renderer()
	if err != nil {
		return nil, err
	}
	if err := img.CheckRaw(); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "chemigram-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	jobs := make([]render.Job, len(looks))
	for i, look := range looks {
		jobs[i] = render.Job{
			Raw: img.Raw.Path, Sidecar: look.Bytes(), Output: filepath.Join(dir, strconv.Itoa(i)+".png"), Size: int(size),
			BitDepth: 16, ColorSpace: "linear-rec2020", Uncompressed: true, Timeout: timeLeft(ctx),
		}
	}
	pictures := make([]goimage.Image, len(looks))
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

// channelsOf gives the red, green and blue of a picture, 0 to 1.
func channelsOf(m goimage.Image) (channels [3][]float64) {
	b := m.Bounds()
	for c := range channels {
		channels[c] = make([]float64, 0, b.Dx()*b.Dy())
	}
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			r, g, b, _ := m.At(x, y).RGBA()
			for c, v := range [3]uint32{r, g, b} {
				channels[c] = append(channels[c], float64(v)/0xffff)
			}
		}
	}
	return channels
}

// readFrame reads the frame out of the even grey and the same with its colours
// taken away.
func readFrame(even, coded goimage.Image) (mask.Frame, error) {
	unreadable := fault.New(fault.Masking, "the developed picture's place in the raw could not be measured; darktable's geometry leaves nothing of it")
	size := even.Bounds().Size()
	if coded.Bounds().Size() != size {
		return mask.Frame{}, unreadable
	}
	var values [3][]float64
	grey := channelsOf(even)
	for c, left := range channelsOf(coded) {
		sorted := slices.Sorted(slices.Values(grey[c]))
		whole := sorted[len(sorted)/2]
		for i := range left {
			if math.Abs(grey[c][i]-whole) > 0.05*whole { // a frame around the picture
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
