package scene

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
)

// corners is a picture with a colour of its own in each quarter.
type corners struct{}

func (corners) Name() string { return "corners" }

func (corners) Image(width, height int) dng.Image {
	quarter := [2][2]rgb{{{0.5, 0.1, 0.1}, {0.1, 0.5, 0.1}}, {{0.1, 0.1, 0.5}, {0.4, 0.4, 0.4}}}
	return dng.Image{Width: width, Height: height, Row: func(y int, out []float32) {
		for x := range width {
			quarter[2*y/height][2*x/width].put(out[3*x:])
		}
	}}
}

// tolerated matches the lines that darktable writes to stderr without an error. A line
// may start with a time stamp.
var tolerated = []*regexp.Regexp{
	regexp.MustCompile("^\\[export_job\\] exported to `.*'$"),
	// Only in containers.
	regexp.MustCompile(`^WARNING: either your user id or the effective user id are 0\.`),
	// The wait for a free pipeline on a busy machine.
	regexp.MustCompile(`^wait time [0-9.]+s$`),
}

var timeStamp = regexp.MustCompile(`^\s*\d+\.\d+ `)

// develop develops a folder of raws to JPEGs of full size. The test fails when darktable
// writes anything else to stderr.
func develop(t *testing.T, dt testutil.Darktable, raws string) (jpegs string) {
	t.Helper()
	testutil.AcquireDarktable(t)
	jpegs = t.TempDir()
	cmd := exec.CommandContext(t.Context(), dt.CLI, raws, filepath.Join(jpegs, "$(FILE_NAME).jpg"), "--hq", "true",
		"--apply-custom-presets", "false", "--core", "--configdir", t.TempDir(), "--library", ":memory:",
		"--conf", "write_sidecar_files=never", "--conf", "plugins/imageio/format/jpeg/quality=98")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for line := range strings.Lines(string(out)) {
		line = timeStamp.ReplaceAllString(strings.TrimSpace(line), "")
		ok := line == ""
		for _, re := range tolerated {
			ok = ok || re.MatchString(line)
		}
		if !ok {
			t.Errorf("darktable %s printed: %s", dt.Name, line)
		}
	}
	return jpegs
}

// charts are the cameras and the light that the chart is developed for.
var charts = map[string]dng.Options{
	"plain":    {},
	"BGGR":     {Pattern: dng.BGGR},
	"GRBG":     {Pattern: dng.GRBG},
	"GBRG":     {Pattern: dng.GBRG},
	"warm":     {Kelvin: 5000},
	"cold":     {Kelvin: 9000},
	"ISO 1600": {ISO: 1600, Noise: 1, BlackLevel: 1024, WhiteLevel: 16383},
}

// writeRaws writes everything that the test develops into one folder, because
// one run of darktable for all is several times faster than one for each.
func writeRaws(t *testing.T) (raws string) {
	t.Helper()
	raws = t.TempDir()
	put := func(name string, s Scene, o Options) {
		t.Helper()
		if err := Write(filepath.Join(raws, name+".dng"), s, o); err != nil {
			t.Fatal(err)
		}
	}
	for name, o := range charts {
		put("chart "+name, Chart{}, Options{Megapixels: 0.15, DNG: o})
	}
	for orientation := 1; orientation <= 8; orientation++ {
		put(fmt.Sprint("corners ", orientation), corners{}, Options{Megapixels: 0.05, DNG: dng.Options{Orientation: orientation}})
	}
	put("landscape", Landscape{}, Options{Megapixels: 0.3, DNG: dng.Options{Noise: 1}})
	return raws
}

func TestDarktableDevelopsTheRaws(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		jpegs := develop(t, dt, writeRaws(t))
		load := func(t *testing.T, name string) *pixel.Image {
			t.Helper()
			m, err := pixel.Load(filepath.Join(jpegs, name+".jpg"))
			if err != nil {
				t.Fatal(err)
			}
			return m
		}
		for name := range charts {
			t.Run("chart "+name, func(t *testing.T) { checkChart(t, load(t, "chart "+name)) })
		}
		for orientation := 1; orientation <= 8; orientation++ {
			t.Run(fmt.Sprint("orientation ", orientation), func(t *testing.T) {
				checkCorners(t, orientation, load(t, fmt.Sprint("corners ", orientation)))
			})
		}
		t.Run("landscape", func(t *testing.T) {
			checkLandscape(t, load(t, "landscape"))
			checkOpenedAsRaw(t, filepath.Join(jpegs, "landscape.jpg"))
		})
	})
}

// checkChart checks that the greys are neutral and that all other patches have their
// hue. Lightness and chroma depend on the tone mapper.
func checkChart(t *testing.T, m *pixel.Image) {
	t.Helper()
	for _, p := range (Chart{}).Patches() {
		got := m.Mean(p.Rect).Lab()
		if p.Neutral {
			if math.Abs(got.A) >= 3 || math.Abs(got.B) >= 3 {
				t.Errorf("%s is not neutral: %.1f", p.Name, got)
			}
			continue
		}
		turn := math.Mod(got.Hue()-p.Lab.Hue()+540, 360) - 180
		if math.Abs(turn) > 20 {
			t.Errorf("%s is %.1f, its hue %.0f° off", p.Name, got, turn)
		}
	}
}

// shownAt is, for each EXIF orientation, which corner of the recorded picture (0 top
// left, 1 top right, 2 bottom left, 3 bottom right) is shown at the four corners.
var shownAt = [9][4]int{
	1: {0, 1, 2, 3},
	2: {1, 0, 3, 2},
	3: {3, 2, 1, 0},
	4: {2, 3, 0, 1},
	5: {0, 2, 1, 3},
	6: {2, 0, 3, 1},
	7: {3, 1, 2, 0},
	8: {1, 3, 0, 2},
}

func checkCorners(t *testing.T, orientation int, m *pixel.Image) {
	t.Helper()
	if portrait := m.Height > m.Width; portrait != (orientation > 4) {
		t.Errorf("it is %d×%d", m.Width, m.Height)
	}
	for i, want := range shownAt[orientation] {
		c := m.Mean(pixel.Rect{X: 0.1 + 0.5*float64(i%2), Y: 0.1 + 0.5*float64(i/2), Width: 0.3, Height: 0.3})
		got := 3
		switch {
		case c.R > 1.5*max(c.G, c.B):
			got = 0
		case c.G > 1.5*max(c.R, c.B):
			got = 1
		case c.B > 1.5*max(c.R, c.G):
			got = 2
		}
		if got != want {
			t.Errorf("corner %d shows the recorded corner %d (%.2f), want %d", i, got, c, want)
		}
	}
}

func checkLandscape(t *testing.T, m *pixel.Image) {
	t.Helper()
	r := Landscape{}.Regions()
	for _, tt := range []struct {
		name     string
		rect     pixel.Rect
		from, to float64 // luma
	}{
		{"cloud highlight", r.CloudHighlight, 0.9, 1},
		{"deep shadow", r.DeepShadow, 0, 0.08},
		{"grey stone", r.GreyStone, 0.25, 0.75},
		{"skin", r.Skin, 0.3, 0.85},
	} {
		if luma := m.MeanLuma(tt.rect); luma < tt.from || luma > tt.to {
			t.Errorf("%s has luma %.3f, want %.2f to %.2f", tt.name, luma, tt.from, tt.to)
		}
	}
	if stone := m.Mean(r.GreyStone).Lab(); stone.Chroma() > 3 {
		t.Errorf("grey stone is %.1f", stone)
	}
}

// checkOpenedAsRaw checks that the XMP packet has the modules of a raw.
func checkOpenedAsRaw(t *testing.T, path string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, module := range []string{"rawprepare", "temperature", "demosaic", "highlights"} {
		if !bytes.Contains(b, []byte(`operation="`+module+`"`)) {
			t.Errorf("the history lacks %s", module)
		}
	}
}
