package main

import (
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	_ "image/jpeg" // photographs
	_ "image/png"  // regions
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"github.com/chemigram/chemigram/internal/segment"
)

// A photo is a photograph with the regions that people drew.
type photo struct {
	id      string
	picture image.Image
	regions map[string]image.Image // by category; white is within
}

// readPhotos reads a folder with index.json, photographs ID.jpg and regions
// ID__CATEGORY.png.
func readPhotos(dir string) ([]photo, error) {
	data, err := os.ReadFile(filepath.Join(dir, "index.json"))
	if err != nil {
		return nil, err
	}
	var index []struct{ ID, Category string }
	if err := json.Unmarshal(data, &index); err != nil {
		return nil, err
	}
	var photos []photo
	for _, line := range index {
		at := slices.IndexFunc(photos, func(p photo) bool { return p.id == line.ID })
		if at < 0 {
			picture, err := readImage(filepath.Join(dir, line.ID+".jpg"))
			if err != nil {
				return nil, err
			}
			at = len(photos)
			photos = append(photos, photo{id: line.ID, picture: picture, regions: map[string]image.Image{}})
		}
		if photos[at].regions[line.Category], err = readImage(filepath.Join(dir, fmt.Sprintf("%s__%s.png", line.ID, line.Category))); err != nil {
			return nil, err
		}
	}
	return photos, nil
}

func readImage(name string) (image.Image, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	m, _, err := image.Decode(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return m, nil
}

// A change is how a photograph is altered, as other light, cameras and framings
// would alter it.
type change struct {
	box        image.Rectangle
	flip       bool
	gain       [3]float64 // of linear red, green and blue
	gamma      float64
	saturation float64
}

// randomChange chooses one for a picture of this size.
func randomChange(rng *rand.Rand, box image.Rectangle) change {
	between := func(low, high float64) float64 { return low + (high-low)*rng.Float64() }
	c := change{box: box, flip: rng.IntN(2) == 0, gamma: math.Exp(between(-0.3, 0.3)), saturation: between(0.6, 1.35)}
	ev := between(-0.6, 0.8)
	for i := range c.gain {
		c.gain[i] = math.Exp2(ev + between(-0.15, 0.15))
	}
	share := between(0.7, 1)
	w, h := int(share*float64(box.Dx())), int(share*float64(box.Dy()))
	from := box.Min.Add(image.Pt(rng.IntN(box.Dx()-w+1), rng.IntN(box.Dy()-h+1)))
	c.box = image.Rectangle{from, from.Add(image.Pt(w, h))}
	return c
}

// pixel gives where a pixel of the changed picture comes from.
func (c change) pixel(x, y int) (int, int) {
	if c.flip {
		x = c.box.Dx() - 1 - x
	}
	return c.box.Min.X + x, c.box.Min.Y + y
}

// picture is the altered photograph. Its tones end softly, as film's do.
func (c change) picture(m image.Image) image.Image {
	out := image.NewRGBA64(image.Rect(0, 0, c.box.Dx(), c.box.Dy()))
	for y := range c.box.Dy() {
		for x := range c.box.Dx() {
			r, g, b, _ := m.At(c.pixel(x, y)).RGBA()
			rgb := [3]float64{float64(r) / 0xffff, float64(g) / 0xffff, float64(b) / 0xffff}
			for i, v := range rgb {
				rgb[i] = c.tone(math.Pow(v, 2.2) * c.gain[i])
			}
			grey := 0.2*rgb[0] + 0.7*rgb[1] + 0.1*rgb[2]
			var encoded [3]uint16
			for i, v := range rgb {
				encoded[i] = uint16(0xffff * min(max(grey+(v-grey)*c.saturation, 0), 1))
			}
			out.SetRGBA64(x, y, color.RGBA64{R: encoded[0], G: encoded[1], B: encoded[2], A: 0xffff})
		}
	}
	return out
}

// tone encodes linear light.
func (c change) tone(v float64) float64 {
	if v > 0.6 {
		v = 0.6 + 0.4*(1-math.Exp(-(v-0.6)/0.4))
	}
	return math.Pow(v, c.gamma/2.2)
}

// region is the altered region, at the size of a picture of the room.
func (c change) region(m image.Image, p *segment.Picture) segment.Plane {
	out := make(segment.Plane, p.Width*p.Height)
	for y := range p.Height {
		for x := range p.Width {
			px, py := c.pixel(x*c.box.Dx()/p.Width, y*c.box.Dy()/p.Height)
			if v, _, _, _ := m.At(px, py).RGBA(); v > 0x7fff {
				out[y*p.Width+x] = 1
			}
		}
	}
	return out
}
