package dng

import (
	"encoding/binary"
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

// sensor turns lines of light into lines of a Bayer mosaic.
type sensor struct {
	colour      [3][3]float32 // scene to camera, 1 being saturation
	pattern     [2][2]byte
	black, span float32 // the black level, and the distance from it to the white level
	full        float32 // where the sensor clips, 1 being WhiteLevel
	shot, read  float32 // variance of the noise per signal, and without signal, saturation being 1
	hot         uint64  // hot pixels among 2^32 photosites
	seed        uint64
}

func newSensor(o Options) sensor {
	gain := math.Exp2(o.EV-Headroom) / MiddleGrey
	m := sceneToCamera(o.Kelvin)
	s := sensor{
		pattern: cfa[o.Pattern],
		black:   float32(o.BlackLevel),
		span:    float32(o.WhiteLevel) - float32(o.BlackLevel),
		full:    float32(o.Saturation),
		seed:    o.Seed,
		hot:     uint64(o.HotPixels * (1 << 32)),
	}
	for i := range 3 {
		for j := range 3 {
			s.colour[i][j] = float32(m[i][j] * gain)
		}
	}
	well := fullWell * 100 / float64(o.ISO)
	s.shot = float32(o.Noise * o.Noise / well)
	s.read = float32(o.Noise * o.Noise * readNoise * readNoise / (well * well))
	return s
}

// bandHeight is how many lines one worker records at a time.
const bandHeight = 32

// expose records the whole picture as little-endian 16-bit words.
func (s *sensor) expose(img Image) []byte {
	out := make([]byte, 2*img.Width*img.Height)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			l := newLens(img)
			for y := bandHeight * (int(next.Add(1)) - 1); y < img.Height; y = bandHeight * (int(next.Add(1)) - 1) {
				l.start(y)
				for row := y; row < min(y+bandHeight, img.Height); row++ {
					s.line(row, l.next(), out[2*img.Width*row:])
				}
			}
		})
	}
	wg.Wait()
	return out
}

func (s *sensor) line(y int, rgb []float32, out []byte) {
	noisy := s.shot > 0 || s.read > 0
	for x := range len(rgb) / 3 {
		row := &s.colour[s.pattern[y&1][x&1]]
		v := row[0]*rgb[3*x] + row[1]*rgb[3*x+1] + row[2]*rgb[3*x+2]
		v = max(v, 0)
		if noisy {
			variance := s.read + s.shot*v
			v += float32(math.Sqrt(float64(variance))) * gaussian(s.seed, x, y)
		}
		if s.hot > 0 && mix(^s.seed^mix(uint64(x)<<32|uint64(uint32(y))))>>32 < s.hot {
			v = 0.5
		}
		v = min(max(s.black+v*s.span+0.5, 0), s.black+s.full*s.span)
		binary.LittleEndian.PutUint16(out[2*x:], uint16(v))
	}
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
