package advise

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/photos"
)

// Photographs of the shared data that show whether they are level, by a horizon or by
// upright lines, and photographs that show neither; chosen by looking at them.
const (
	withLines = `10081 143090 22090 253036 260058 384022 68077 48025 286092 206062 216053 24063 201080 334025 227092 277095
		69007 78098 102061 138078 145014 227040 368078 59078 62096 197017 5096 372019 281017 310007 361010 157055 249087 80085 388067`
	withoutLines = `100098 101084 103029 103078 106047 108005 108069 108082 123074 130026 134008 134067 14092 155060 159022 160067
		16077 163014 173036 176035 176051 185092 187099 19021 196015 196062 210088 207056 225017 241004 247003 253092 268074 28096
		304074 309004 314016 35010 35058 365025 365073 41006 43074 49024 55067 69020 70090 8023 87015 94079 189013 122048 302008
		147077 267036`
)

// rotated is a picture turned clockwise by an angle, as large as it is whole, in the
// same proportions.
func rotated(m image.Image, degrees float64) image.Image {
	box := m.Bounds()
	w, h := float64(box.Dx()), float64(box.Dy())
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	k := 0.985 * min(w/(w*cos+h*math.Abs(sin)), h/(w*math.Abs(sin)+h*cos))
	width, height := int(w*k), int(h*k)
	out := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			dx, dy := float64(x)+0.5-float64(width)/2, float64(y)+0.5-float64(height)/2
			fromX, fromY := dx*cos+dy*sin+w/2-0.5, -dx*sin+dy*cos+h/2-0.5
			left, top := int(math.Floor(fromX)), int(math.Floor(fromY))
			var light [3]float64
			for j := top; j <= top+1; j++ {
				for i := left; i <= left+1; i++ {
					r, g, b, _ := m.At(box.Min.X+i, box.Min.Y+j).RGBA()
					part := (1 - math.Abs(float64(i)-fromX)) * (1 - math.Abs(float64(j)-fromY)) / 257
					light[0], light[1], light[2] = light[0]+part*float64(r), light[1]+part*float64(g), light[2]+part*float64(b)
				}
			}
			out.SetRGBA(x, y, color.RGBA{uint8(light[0]), uint8(light[1]), uint8(light[2]), 255})
		}
	}
	return out
}

// sample draws as many photographs as CHEMIGRAM_START says, or few, by
// CHEMIGRAM_START_SEED.
func sample(t *testing.T, ids string, few int) ([]string, *rand.Rand) {
	t.Helper()
	if testing.Short() {
		t.Skip("photographs are measured at full length")
	}
	number := func(name string, otherwise int) int {
		if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
			return n
		}
		return otherwise
	}
	r := rand.New(rand.NewPCG(uint64(number("CHEMIGRAM_START_SEED", 1)), 0))
	all := strings.Fields(ids)
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:min(number("CHEMIGRAM_START", few), len(all))], r
}

func photograph(t *testing.T, id string) image.Image {
	t.Helper()
	return photos.Load(t, testutil.SharedData(t, "photos", id+".jpg"))
}

// leaning is what LevelOf says of a photograph and of copies that are turned.
type leaning struct {
	angles []float64 // by which it was turned
	levels []Level
	own    float64 // the median lean of the photograph itself by all of them
}

const copies = 4

func lean(m image.Image, r *rand.Rand) leaning {
	l := leaning{angles: []float64{0}, levels: []Level{LevelOf(m)}}
	for range copies {
		angle := math.Round(100*(10*r.Float64()-5)) / 100
		l.angles, l.levels = append(l.angles, angle), append(l.levels, LevelOf(rotated(m, angle)))
	}
	var own []float64
	for i, level := range l.levels {
		own = append(own, level.Angle+l.angles[i])
	}
	slices.Sort(own)
	l.own = own[len(own)/2]
	return l
}

// off is by how much an answer differs from the rotation that was written into a copy.
func (l leaning) off(i int) float64 { return l.levels[i].Angle + l.angles[i] - l.own }

// Rotations of -5 to 5 degrees that are written into photographs with a horizon or
// upright lines are found within 0.4 degrees in 85 of 100. How a photograph leans by
// itself is not known: it is the median of all answers.
func TestRotationsOfPhotographsAreFound(t *testing.T) {
	ids, r := sample(t, withLines, 2)
	near, n := 0, 0
	for _, id := range ids {
		l := lean(photograph(t, id), r)
		for i := 1; i <= copies; i++ {
			n++
			if l.levels[i].Known() && math.Abs(l.off(i)) <= 0.4 {
				near++
			}
			t.Logf("%s, %+.2f° by itself, turned by %+.2f°: %+.2f° beside it, sure %.2f", id, -l.own, l.angles[i], l.off(i), l.levels[i].Confidence)
		}
	}
	t.Logf("%d of %d rotations are found within 0.4°", near, n)
	if os.Getenv("CHEMIGRAM_START") == "" {
		n -= copies // a sample may have one photograph more that is hard
	}
	if float64(near) < 0.85*float64(n) {
		t.Errorf("%d of %d rotations are found within 0.4°, want 85 %%", near, n)
	}
}

// Of photographs that show neither a horizon nor upright lines, at most 5 of 100 are
// said to lean by an angle that is wrong.
func TestPhotographsWithoutLinesAreLeftAlone(t *testing.T) {
	ids, r := sample(t, withoutLines, 2)
	said, wrong, n := 0, 0, 0
	for _, id := range ids {
		l := lean(photograph(t, id), r)
		for i := 1; i <= copies; i++ {
			n++
			if !l.levels[i].Known() {
				continue
			}
			said++
			if math.Abs(l.off(i)) > 0.4 {
				wrong++
			}
			t.Logf("%s turned by %+.2f°: %+.2f° beside it, sure %.2f", id, l.angles[i], l.off(i), l.levels[i].Confidence)
		}
	}
	t.Logf("of %d without lines %d are said to lean, %d of them wrong", n, said, wrong)
	if float64(wrong) > 0.05*float64(n) {
		t.Errorf("%d of %d are said to lean by a wrong angle, want 5 %% at most", wrong, n)
	}
}
