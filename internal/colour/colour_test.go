package colour_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/chemigram/chemigram/internal/colour"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
)

func TestDeltaE2000IsThatOfAnIndependentImplementation(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		p := colour.Lab{L: random.Float64() * 100, A: random.NormFloat64() * 40, B: random.NormFloat64() * 40}
		spread := math.Exp(random.NormFloat64() * 3)
		q := colour.Lab{
			L: p.L + random.NormFloat64()*spread, A: p.A + random.NormFloat64()*spread, B: p.B + random.NormFloat64()*spread,
		}
		want := pixel.DeltaE2000(pixel.Lab(p), pixel.Lab(q))
		if got := colour.DeltaE2000(p, q); math.Abs(got-want) > 1e-5*(1+want) {
			t.Fatalf("%v, %v: %v, want %v", p, q, got, want)
		}
	}
}

func TestDeltaE2000AgreesWithPublishedPairs(t *testing.T) {
	t.Parallel()
	// From the test data of Sharma, Wu and Dalal (2005), table 1.
	for _, tt := range []struct {
		p, q colour.Lab
		want float64
	}{
		{colour.Lab{L: 50, A: 2.6772, B: -79.7751}, colour.Lab{L: 50, A: 0, B: -82.7485}, 2.0425},
		{colour.Lab{L: 50, A: -1, B: 2}, colour.Lab{L: 50}, 2.3669},
		{colour.Lab{L: 50, A: 2.5}, colour.Lab{L: 61, A: -5, B: 29}, 22.8977},
		{colour.Lab{L: 60.2574, A: -34.0099, B: 36.2677}, colour.Lab{L: 60.4626, A: -34.1751, B: 39.4387}, 1.2644},
		{colour.Lab{L: 2.0776, A: 0.0795, B: -1.1350}, colour.Lab{L: 0.9033, A: -0.0636, B: -0.5514}, 0.9082},
	} {
		for _, got := range []float64{colour.DeltaE2000(tt.p, tt.q), colour.DeltaE2000(tt.q, tt.p)} {
			if math.Abs(got-tt.want) > 5e-5 {
				t.Errorf("%v, %v: %v, want %v", tt.p, tt.q, got, tt.want)
			}
		}
	}
}

func TestLabIsThatOfAnIndependentImplementation(t *testing.T) {
	t.Parallel()
	space := colour.FromSRGB()
	for r := 0; r < 256; r += 5 {
		for g := 0; g < 256; g += 5 {
			for b := 0; b < 256; b += 5 {
				l := func(v int) float64 { return pixel.Linearise(float64(v) / 255) }
				want := pixel.Colour{R: l(r), G: l(g), B: l(b)}.Lab()
				got := space.Lab(uint16(r)*0x101, uint16(g)*0x101, uint16(b)*0x101)
				if d := pixel.DeltaE76(want, pixel.Lab(got)); d > 0.05 {
					t.Fatalf("%d, %d, %d: %v, want %v", r, g, b, got, want)
				}
			}
		}
	}
}

func TestLinearIsTheStandards(t *testing.T) {
	t.Parallel()
	for i := range 256 {
		v := float64(i) / 255
		if got, want := colour.Linear(v), pixel.Linearise(v); math.Abs(got-want) > 1e-9 {
			t.Errorf("%g: %g, want %g", v, got, want)
		}
	}
}

func TestAnInverseUndoes(t *testing.T) {
	t.Parallel()
	m := colour.FromPrimaries([3][2]float64{{0.708, 0.292}, {0.170, 0.797}, {0.131, 0.046}}, [2]float64{0.3127, 0.3290})
	one := m.Times(m.Inverse())
	for i := range one {
		for j := range one[i] {
			want := 0.0
			if i == j {
				want = 1
			}
			if math.Abs(one[i][j]-want) > 1e-12 {
				t.Errorf("row %d column %d is %g", i, j, one[i][j])
			}
		}
	}
}

func TestAdaptingTurnsOneWhiteIntoTheOther(t *testing.T) {
	t.Parallel()
	from := colour.XYZ([2]float64{0.4476, 0.4074}) // tungsten light
	for _, times := range []int{1, 3} {
		step, got := colour.Adapt(from, colour.D50, times), from
		for range times {
			got = step.Apply(got)
		}
		for i := range got {
			if math.Abs(got[i]-colour.D50[i]) > 1e-9 {
				t.Errorf("in %d steps: %v, want %v", times, got, colour.D50)
				break
			}
		}
	}
}

// Light undoes LabOfLight, within sRGB and a little beyond it.
func TestLightUndoesLab(t *testing.T) {
	s := colour.FromSRGB()
	for _, want := range [][3]float64{{0, 0, 0}, {1, 1, 1}, {1, 0, 0}, {0.001, 0.002, 0.0005}, {0.18, 0.3, 0.7}, {0, 1, 1}} {
		got := s.Light(s.LabOfLight(want[0], want[1], want[2]))
		for i := range want {
			if math.Abs(got[i]-want[i]) > 2e-4 {
				t.Errorf("%v became %v", want, got)
			}
		}
	}
}
