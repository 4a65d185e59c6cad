package advise

import (
	"image"
	"math"
)

// plane is a picture of one channel.
type plane struct {
	width, height int
	at            []float32
}

func newPlane(width, height int) plane {
	return plane{width, height, make([]float32, width*height)}
}

// planesOf are the red, green and blue of a picture, 0 to 255 as they are encoded, made
// smaller until the longest edge is at most size.
func planesOf(m image.Image, size int) [3]plane {
	box := m.Bounds()
	by := 1
	for max(box.Dx(), box.Dy()) > size*by {
		by++
	}
	width, height := box.Dx()/by, box.Dy()/by
	out := [3]plane{newPlane(width, height), newPlane(width, height), newPlane(width, height)}
	for y := range height * by {
		for x := range width * by {
			r, g, b, _ := m.At(box.Min.X+x, box.Min.Y+y).RGBA()
			i := y/by*width + x/by
			for c, v := range [3]uint32{r, g, b} {
				out[c].at[i] += float32(v) / float32(257*by*by)
			}
		}
	}
	return out
}

// blur is the plane under a Gaussian.
func (p plane) blur(sigma float64) plane {
	radius := int(math.Ceil(3 * sigma))
	kernel := make([]float32, 2*radius+1)
	sum := float32(0)
	for i := range kernel {
		d := float64(i - radius)
		kernel[i] = float32(math.Exp(-d * d / (2 * sigma * sigma)))
		sum += kernel[i]
	}
	for i := range kernel {
		kernel[i] /= sum
	}
	across, out := newPlane(p.width, p.height), newPlane(p.width, p.height)
	for y := range p.height {
		line := p.at[y*p.width : (y+1)*p.width]
		for x := range p.width {
			for i, k := range kernel {
				across.at[y*p.width+x] += k * line[min(max(x+i-radius, 0), p.width-1)]
			}
		}
	}
	for y := range p.height {
		for i, k := range kernel {
			line := across.at[min(max(y+i-radius, 0), p.height-1)*p.width:]
			for x := range p.width {
				out.at[y*p.width+x] += k * line[x]
			}
		}
	}
	return out
}
