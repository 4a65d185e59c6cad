package dng

import (
	"math"
	"runtime"
	"sync"
	"sync/atomic"
)

// The sensor at ISO 100: how many electrons saturate a photosite, and how many
// the read-out adds as noise.
const (
	fullWell  = 60000
	readNoise = 4
)

// cfa is the colour (0 red, 1 green, 2 blue) at line y&1, column x&1.
var cfa = [...][2][2]byte{
	RGGB: {{0, 1}, {1, 2}},
	BGGR: {{2, 1}, {1, 0}},
	GRBG: {{1, 0}, {2, 1}},
	GBRG: {{1, 2}, {0, 1}},
}

// cyan is the fourth colour of a sensor that has four, and grey that of one that sees
// none: in the order of [sensor.colour].
const (
	cyan = 3
	grey = 4
)

// fourColours, xtrans and others are what cfa is for sensors that have no Bayer pattern.
var (
	fourColours = [][]byte{{0, 1}, {cyan, 2}}
	xtrans      = [][]byte{
		{1, 1, 0, 1, 1, 2},
		{1, 1, 2, 1, 1, 0},
		{2, 0, 1, 0, 2, 1},
		{1, 1, 2, 1, 1, 0},
		{1, 1, 0, 1, 1, 2},
		{0, 2, 1, 2, 0, 1},
	}
	allColours = [][]byte{{0, 1, 2}}
	noColour   = [][]byte{{grey}}
)

// colours are those of the samples at the top left corner, line by line.
func (o Options) colours() [][]byte {
	switch o.Layout.Samples {
	case XTrans:
		return xtrans
	case FourColours:
		return fourColours
	case RGB:
		return allColours
	case Monochrome:
		return noColour
	}
	p := &cfa[o.Pattern]
	return [][]byte{p[0][:], p[1][:]}
}

// sensor turns lines of light into lines of samples.
type sensor struct {
	colour     [5][3]float32 // scene to camera, 1 being saturation
	lines      [][]byte      // the colours of a line's samples, repeated from line to line
	samples    int           // of a pixel
	border     int           // pixels beyond the picture on each side
	masked     int           // of these, those that no light reaches
	dark       int           // the line from which no light reaches them at the bottom
	black      [2][2]float32 // the black levels
	white      float32
	full       float32 // where the sensor clips, 1 being WhiteLevel
	shot, read float32 // variance of the noise per signal, and without signal, saturation being 1
	hot        uint64  // hot pixels among 2^32 photosites
	seed       uint64
}

func newSensor(o Options, width, height int) sensor {
	gain := math.Exp2(o.EV-Headroom) / MiddleGrey
	m := sceneToCamera(o.matrix, o.Kelvin)
	l := o.Layout
	s := sensor{
		lines:   make([][]byte, len(o.colours())),
		samples: l.samples(), border: l.border(), masked: l.Masked,
		dark:  height + l.border() + l.Margin,
		white: float32(o.WhiteLevel),
		full:  float32(o.Saturation),
		seed:  o.Seed,
		hot:   uint64(o.HotPixels * (1 << 32)),
	}
	for i, pattern := range o.colours() {
		for x := range (width + 2*s.border) * s.samples {
			s.lines[i] = append(s.lines[i], pattern[x%len(pattern)])
		}
	}
	for i := range 4 {
		s.black[i/2][i%2] = float32(o.BlackLevel + o.BlackLevels[i])
	}
	rows := [5]vec3{m[0], m[1], m[2], m[1].mean(m[2]), rec2020ToXYZ[1]}
	for i, row := range rows {
		for j := range 3 {
			s.colour[i][j] = float32(row[j] * gain)
		}
	}
	well := fullWell * 100 / float64(o.ISO)
	s.shot = float32(o.Noise * o.Noise / well)
	s.read = float32(o.Noise * o.Noise * readNoise * readNoise / (well * well))
	return s
}

// bandHeight is how many lines one worker records at a time.
const bandHeight = 32

// expose records the whole picture, with what lies around it.
func (s *sensor) expose(img Image) []uint16 {
	stride, height := (img.Width+2*s.border)*s.samples, img.Height+2*s.border
	out := make([]uint16, stride*height)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			l := newLens(img)
			for y := bandHeight * (int(next.Add(1)) - 1); y < height; y = bandHeight * (int(next.Add(1)) - 1) {
				l.start(y - s.border)
				for row := y; row < min(y+bandHeight, height); row++ {
					s.line(row, l.next(), out[stride*row:stride*(row+1)])
				}
			}
		})
	}
	wg.Wait()
	return out
}

// line records line y, counted from the top of the sensor.
func (s *sensor) line(y int, rgb []float32, out []uint16) {
	noisy := s.shot > 0 || s.read > 0
	colours, black := s.lines[y%len(s.lines)], &s.black[y&1]
	if s.border > 0 {
		rgb = s.widened(y, rgb)
	}
	x, k := 0, s.samples // the pixel, and how many of its samples are left
	for i, c := range colours[:len(out)] {
		light, row := rgb[3*x:3*x+3], &s.colour[c]
		black := black[x&1]
		if k--; k == 0 {
			x, k = x+1, s.samples
		}
		v := row[0]*light[0] + row[1]*light[1] + row[2]*light[2]
		v = max(v, 0)
		if noisy {
			variance := s.read + s.shot*v
			v += float32(math.Sqrt(float64(variance))) * gaussian(s.seed, i, y)
		}
		if s.hot > 0 && mix(^s.seed^mix(uint64(i)<<32|uint64(uint32(y))))>>32 < s.hot {
			v = 0.5
		}
		span := s.white - black
		out[i] = uint16(min(max(black+v*span+0.5, 0), black+s.full*span))
	}
}

// widened is a line with what lies beside the picture: its edges go on, and beyond them
// no light reaches the sensor.
func (s *sensor) widened(y int, rgb []float32) []float32 {
	last := len(rgb)/3 - 1
	out := make([]float32, len(rgb)+6*s.border)
	if y < s.masked || y >= s.dark {
		return out
	}
	for x := s.masked; x < len(out)/3-s.masked; x++ {
		at := 3 * min(max(x-s.border, 0), last)
		copy(out[3*x:3*x+3], rgb[at:at+3])
	}
	return out
}

// gaussian is a random number for a photosite, of a (nearly) normal distribution with
// mean 0 and variance 1: the sum of four uniform ones, so that none exceeds 3.5.
func gaussian(seed uint64, x, y int) float32 {
	h := mix(seed ^ mix(uint64(x)<<32|uint64(uint32(y))))
	sum := int(h&0xffff) + int(h>>16&0xffff) + int(h>>32&0xffff) + int(h>>48)
	return float32(sum-2*0xffff) * (1.7320508 / 65536)
}

// mix is the finalizer of SplitMix64.
func mix(z uint64) uint64 {
	z += 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
