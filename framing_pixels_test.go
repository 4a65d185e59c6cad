package chemigram

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
)

// shape is a sensor's size, and how the camera was held.
type shape struct{ width, height, orientation int }

// openWall ingests a raw of an even wall.
func openWall(t *testing.T, dt testutil.Darktable, s shape) *Engine {
	t.Helper()
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	raw := filepath.Join(t.TempDir(), "wall.dng")
	f, err := os.Create(raw)
	if err == nil {
		err = dng.Write(f, dng.Image{Width: s.width, Height: s.height, Row: func(_ int, rgb []float32) {
			for i := range rgb {
				rgb[i] = 2 * dng.MiddleGrey
			}
		}}, dng.Options{Orientation: s.orientation})
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	e, err := Open(t.Context(), &Options{Workspace: filepath.Join(t.TempDir(), "workspace"), Darktable: dt.CLI, Workers: -1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	ingest(t, e, raw)
	return e
}

// exported is the present picture in its full size.
func exported(t *testing.T, e *Engine) *pixel.Image {
	t.Helper()
	res, err := e.ExportFinal(t.Context(), ExportFinalParams{ImageID: "a", Format: "png"})
	if err != nil {
		t.Fatal(err)
	}
	p, err := pixel.Load(res.OutputPath)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// framedAs checks a picture's aspect within a pixel, and that nothing of it is empty.
func framedAs(t *testing.T, what string, p *pixel.Image, aspect float64) {
	t.Helper()
	if math.Abs(float64(p.Width)-aspect*float64(p.Height)) > max(1, aspect) {
		t.Errorf("%s: %d by %d, not %.4g:1", what, p.Width, p.Height, aspect)
	}
	noEmptyCorner(t, what, p)
}

// noEmptyCorner checks that a picture of an even wall is even up to its rim.
func noEmptyCorner(t *testing.T, what string, p *pixel.Image) {
	t.Helper()
	middle := p.At(p.Width/2, p.Height/2).Lab().L
	for i := range 2 * (p.Width + p.Height) {
		x, y := i%p.Width, 0
		switch k := i - p.Width; {
		case i < p.Width:
		case k < p.Width:
			y = p.Height - 1
		case k-p.Width < p.Height:
			x, y = 0, k-p.Width
		default:
			x, y = p.Width-1, (k-p.Width)%p.Height
		}
		if l := p.At(x, y).Lab().L; math.Abs(l-middle) > 3 {
			t.Errorf("%s: at %d, %d of %d by %d it is L* %.1f, in the middle %.1f", what, x, y, p.Width, p.Height, l, middle)
			return
		}
	}
}

// One side of a crop that is set takes only that side away.
func TestACropOfOneSideKeepsTheOthers(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		e := openWall(t, dt, shape{width: 640, height: 480})
		before := exported(t, e)
		for _, side := range []FieldSetting{{Name: "cx", Value: "0.25"}, {Name: "ch", Value: "0.5"}} {
			if _, err := e.SetParameters(t.Context(), SetParametersParams{
				ImageID: "a", ModuleName: "crop", Fields: []FieldSetting{side},
			}); err != nil {
				t.Fatal(err)
			}
			after := exported(t, e)
			width, height := before.Width*3/4, before.Height
			if side.Name == "ch" {
				height /= 2
			}
			if abs := func(n int) int { return max(n, -n) }; abs(after.Width-width) > 2 || abs(after.Height-height) > 2 {
				t.Errorf("with %s %s: %d by %d, want about %d by %d", side.Name, side.Value, after.Width, after.Height, width, height)
			}
		}
	})
}

// An exported picture has the aspect that its crop says, for every shape of sensor
// and however the camera was held; the last crop counts, and a later turn or a
// straightening does not change it.
func TestAnExportHasTheAspectOfItsCrop(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		for _, s := range []shape{{640, 480, 6}, {602, 398, 1}} {
			t.Run(fmt.Sprintf("%dx%d-%d", s.width, s.height, s.orientation), func(t *testing.T) {
				e := openWall(t, dt, s)
				apply(t, e, "crop_16_9", -1)
				apply(t, e, "crop_4_5", 0.5)
				framedAs(t, "4:5 in the place of 16:9", exported(t, e), 0.8)
				move(t, e, "rotate_left")
				apply(t, e, "straighten", 7)
				framedAs(t, "turned and straightened", exported(t, e), 0.8)
				apply(t, e, "crop_cinema", 1)
				framedAs(t, "2.39:1", exported(t, e), 2.39)
			})
		}
	})
}

// Straightened, a picture keeps its proportions, and none of the moves that turn or
// bend the frame leaves an empty corner, alone or together. What perspective_up cuts
// off is at the sides.
func TestFramingLeavesNoEmptyCorner(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		for _, s := range []shape{{640, 360, 1}} {
			t.Run(fmt.Sprintf("%dx%d-%d", s.width, s.height, s.orientation), func(t *testing.T) {
				e := openWall(t, dt, s)
				whole := exported(t, e)
				apply(t, e, "straighten", -11)
				straight := exported(t, e)
				noEmptyCorner(t, "straightened", straight)
				if aspect := float64(whole.Width) / float64(whole.Height); math.Abs(float64(straight.Width)-aspect*float64(straight.Height)) > 1+aspect {
					t.Errorf("straightened, %d by %d became %d by %d", whole.Width, whole.Height, straight.Width, straight.Height)
				}
				apply(t, e, "perspective_left", 1)
				apply(t, e, "perspective_down", 1)
				noEmptyCorner(t, "all three", exported(t, e))
				apply(t, e, "straighten", 0)
				apply(t, e, "perspective_left", 0)
				apply(t, e, "perspective_up", 0.7)
				p := exported(t, e)
				noEmptyCorner(t, "perspective_up", p)
				if p.Height < whole.Height*97/100 || p.Width > whole.Width*95/100 {
					t.Errorf("perspective_up made %d by %d of %d by %d", p.Width, p.Height, whole.Width, whole.Height)
				}
			})
		}
	})
}

// move applies a move that takes no value.
func move(t *testing.T, e *Engine, name string) {
	t.Helper()
	if _, err := e.ApplyPrimitive(t.Context(), ApplyPrimitiveParams{ImageID: "a", PrimitiveName: name}); err != nil {
		t.Fatal(err)
	}
}
