package vocab

import (
	"embed"
	"errors"
	"math"
	"testing"

	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
	"github.com/chemigram/chemigram/xmp/mask"
)

// What darktable 4.2.1 and 5.4.1 set up for a raw of the synthetic camera.
//
//go:embed testdata
var testdata embed.FS

func baseline(tb testing.TB, version string) (*xmp.Sidecar, iop.Release) {
	tb.Helper()
	data, err := testdata.ReadFile("testdata/baseline-" + version + ".xmp")
	if err != nil {
		tb.Fatal(err)
	}
	s, err := xmp.Parse(data)
	if err != nil {
		tb.Fatal(err)
	}
	release, err := iop.ReleaseFor(version)
	if err != nil {
		tb.Fatal(err)
	}
	if s, err = s.Compact(release); err != nil {
		tb.Fatal(err)
	}
	return s, release
}

// fixture applies moves to one baseline.
type fixture struct {
	t        testing.TB
	words    *Vocabulary
	baseline *xmp.Sidecar
	release  iop.Release
	sensor   mask.Size // of the raw, before any turn
}

func newFixture(t testing.TB, version string) *fixture {
	b := &fixture{t: t, words: shipped(t, "starter"), sensor: mask.Size{Width: 6000, Height: 4000}}
	b.baseline, b.release = baseline(t, version)
	return b
}

// try applies a move to a sidecar.
func (b *fixture) try(on *xmp.Sidecar, name string, a Application) (*xmp.Sidecar, error) {
	b.t.Helper()
	e, err := b.words.Entry(name)
	if err != nil {
		b.t.Fatal(err)
	}
	a.Baseline, a.Current, a.Target, a.Frame = b.baseline, on, b.release, b.frame
	edits, _, err := e.Compile(a)
	if err != nil {
		return nil, err
	}
	next, err := on.With(b.release, edits...)
	if err != nil {
		return nil, err
	}
	return e.Reframe(on, next, a)
}

// frame is the size of the picture that darktable would develop of a look that
// turns by quarters, straightens and crops.
func (b *fixture) frame(look *xmp.Sidecar) (mask.Size, error) {
	size := b.sensor
	for _, e := range look.History() {
		if !e.Enabled || e.Operation != "flip" && e.Operation != "ashift" && e.Operation != "crop" {
			continue
		}
		p, err := iop.Decode(e.Operation, e.Modversion, e.Params)
		if err != nil {
			return size, err
		}
		number := func(field string) float64 {
			v, _ := p.Get(field)
			f, _ := v.Float()
			return f
		}
		w, h := size.Width, size.Height
		switch e.Operation {
		case "flip":
			if n := int(number("orientation")); n > 0 && n&4 != 0 {
				size = mask.Size{Width: h, Height: w}
			}
		case "ashift":
			sin, cos := math.Sincos(math.Abs(number("rotation")) * math.Pi / 180)
			size.Width = math.Floor((w*cos + h*sin) * (number("cr") - number("cl")))
			size.Height = math.Floor((h*cos + w*sin) * (number("cb") - number("ct")))
		case "crop":
			size.Width, size.Height = math.Floor(w*(number("cw")-number("cx"))), math.Floor(h*(number("ch")-number("cy")))
		}
	}
	return size, nil
}

func (b *fixture) apply(on *xmp.Sidecar, name string, a Application) *xmp.Sidecar {
	b.t.Helper()
	s, err := b.try(on, name, a)
	if err != nil {
		b.t.Fatalf("%s: %v", name, err)
	}
	return s
}

func (b *fixture) field(s *xmp.Sidecar, module, instance, field string) float64 {
	b.t.Helper()
	e, ok := s.Find(module, instance)
	if !ok {
		b.t.Fatalf("no %s %q", module, instance)
	}
	p, err := iop.Decode(module, e.Modversion, e.Params)
	if err != nil {
		b.t.Fatal(err)
	}
	v, err := p.Get(field)
	if err != nil {
		b.t.Fatal(err)
	}
	f, _ := v.Float()
	return f
}

func value(f float64) Application { return Application{Value: &f} }

func eachBaseline(t *testing.T, f func(t *testing.T, b *fixture)) {
	for _, version := range []string{"4.2.1", "5.4.1"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			f(t, newFixture(t, version))
		})
	}
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-6*max(1, math.Abs(want))) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

// sampleValues gives values at which an entry does something: those of the first
// claim that has any, otherwise nil, which is its defaults.
func sampleValues(e *Entry) map[string]float64 {
	for _, c := range e.Claims {
		if c.At != nil {
			return c.At
		}
	}
	return nil
}

func neutralValues(e *Entry) map[string]float64 {
	values := map[string]float64{}
	for _, p := range e.Amounts() {
		values[p.Name] = p.Neutral
	}
	return values
}

func loaded(t testing.TB, entry string) *Vocabulary {
	t.Helper()
	v, failures := Load(Source{"mine", pack(entry)})
	if len(failures) > 0 {
		t.Fatal(errors.Join(failures...))
	}
	return v
}
