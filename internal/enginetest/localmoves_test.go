package enginetest

import (
	"bytes"
	"errors"
	"image"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/photos"
	"github.com/chemigram/chemigram/render"
	"github.com/chemigram/chemigram/vocab/measure"
)

// localEnv says on how many photographs of each region local moves are tried; "all" are
// all. Without it one is tried, and the share of those on which a move is right is not held
// to anything.
const localEnv = "CHEMIGRAM_LOCAL_MOVES"

// A localMove is a move that works on a region of the picture that people can draw.
type localMove struct {
	name, region string
	measure      measure.Measure
	sign         float64 // of the change within the region
}

// localMoves are the moves of the packs that look for a region that people drew.
var localMoves = []localMove{
	{"sky_darker", "sky", measure.LumaMean, -1},
	{"sky_cooler", "sky", measure.Warmth, -1},
	{"foliage_greener", "plants", measure.Chroma, +1},
	{"skin_warmer", "skin", measure.Warmth, +1},
	{"skin_softer", "skin", measure.Sharpness, -1},
	{"water_deeper", "water", measure.LumaMean, -1},
}

// Local moves do what they say where people drew the region, on photographs of which
// several cameras make raws, and leave the rest of the picture as it is. What they do not
// find is told and changes nothing.
func TestLocalMovesWorkWherePeopleDrewTheRegion(t *testing.T) {
	testutil.SkipLeftOut(t)
	all := photos.Read(t)
	count := 1
	if text := os.Getenv(localEnv); text == "all" {
		count = len(all)
	} else if n, err := strconv.Atoi(text); err == nil {
		count = n
	}
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		tried := map[string]*localCount{}
		for _, region := range []string{"sky", "plants", "skin", "water"} {
			there := slices.DeleteFunc(slices.Clone(all), func(p photos.Photo) bool { return p.Regions[region] == nil })
			testutil.Random(t).Shuffle(len(there), func(i, j int) { there[i], there[j] = there[j], there[i] })
			for camera, photo := range there[:min(count, len(there))] {
				t.Run(region+" "+photo.ID, func(t *testing.T) {
					e := openOn(t, dt)
					ingestPrint(t, e, photo, camera)
					plain := measured(t, e)
					drawn := regionOf(photo.Regions[region], plain.Width, plain.Height)
					for _, move := range localMoves {
						if move.region != region {
							continue
						}
						if tried[move.name] == nil {
							tried[move.name] = &localCount{}
						}
						tried[move.name].try(t, e, move, photo.ID, plain, drawn)
					}
				})
			}
		}
		for _, move := range localMoves {
			c := tried[move.name]
			if c == nil {
				continue
			}
			t.Logf("%s: right on %d of %d photographs with %s, nothing found on %d of %d; the rest of the picture changes by %.2f of the region, at most",
				move.name, c.right, c.found, move.region, c.tried-c.found, c.tried, c.beside)
			if count > 1 && c.right*10 < c.found*9 {
				t.Errorf("%s does what it says on %d of %d photographs, want nine of ten", move.name, c.right, c.found)
			}
		}
	})
}

// localCount counts what a move did.
type localCount struct {
	tried, found, right int
	beside              float64 // the largest change of the rest, as a share of the region's
}

// try tries a move on a photograph, and takes it back.
func (c *localCount) try(t *testing.T, e *chemigram.Engine, move localMove, photo string, plain *measure.Picture, drawn []bool) {
	t.Helper()
	c.tried++
	res, err := e.ApplyPrimitive(t.Context(), chemigram.ApplyPrimitiveParams{ImageID: "p", PrimitiveName: move.name, TimeoutSeconds: seconds})
	if failed, ok := errors.AsType[*chemigram.Error](err); ok && failed.Details["nothing_found"] == true {
		t.Logf("%s on %s: nothing found", move.name, photo)
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	c.found++
	moved := measured(t, e)
	change := func(mask []bool) float64 { return move.measure.Of(moved, mask) - move.measure.Of(plain, mask) }
	rest := slices.Clone(drawn)
	for i := range rest {
		rest[i] = !rest[i]
	}
	within, beside := change(drawn), change(rest)
	confidence := math.NaN()
	if res.MaskConfidence != nil {
		confidence = float64(*res.MaskConfidence)
	}
	if within*move.sign >= 0.1 {
		c.right++
		c.beside = max(c.beside, math.Abs(beside/within))
	} else if confidence >= 0.8 {
		t.Errorf("%s on %s was sure of its region, and moved what people drew by %+.2f", move.name, photo, within)
	}
	t.Logf("%s on %s: %+.2f within, %+.2f beside; confidence %.2f", move.name, photo, within, beside, confidence)
	if _, err := e.Undo(t.Context(), chemigram.UndoParams{ImageID: "p"}); err != nil {
		t.Fatal(err)
	}
}

// ingestPrint ingests a photograph as one of several cameras makes a raw of it.
func ingestPrint(t *testing.T, e *chemigram.Engine, photo photos.Photo, camera int) {
	t.Helper()
	size := photo.Picture.Bounds().Size()
	cameras := dng.BalancedCameras()
	of := cameras[camera%len(cameras)]
	var raw bytes.Buffer
	err := of.Write(&raw, photos.Print{Picture: photo.Picture}.Image(size.X/2*2, size.Y/2*2), dng.Options{ISO: []int{100, 400, 1600}[camera%3], Noise: 1, Seed: uint64(camera)})
	path := filepath.Join(t.TempDir(), "photo."+of.Extension)
	if err == nil {
		err = os.WriteFile(path, raw.Bytes(), 0o600)
	}
	if err == nil {
		_, err = e.Ingest(t.Context(), chemigram.IngestParams{RawPath: path, ImageID: "p", TimeoutSeconds: seconds})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// measured is the present look, developed as the export is.
func measured(t *testing.T, e *chemigram.Engine) *measure.Picture {
	t.Helper()
	res, err := e.RenderPreview(t.Context(), chemigram.RenderPreviewParams{ImageID: "p", Size: 480, Quality: chemigram.QualityExact, TimeoutSeconds: seconds})
	if err != nil {
		t.Fatal(err)
	}
	m, err := render.Load(res.JPEGPath)
	if err != nil {
		t.Fatal(err)
	}
	return measure.New(m)
}

// regionOf is a region that people drew, white within, at a size.
func regionOf(drawn image.Image, width, height int) []bool {
	box := drawn.Bounds()
	within := make([]bool, width*height)
	for i := range within {
		r, _, _, _ := drawn.At(box.Min.X+i%width*box.Dx()/width, box.Min.Y+i/width*box.Dy()/height).RGBA()
		within[i] = r >= 0x8000
	}
	return within
}
