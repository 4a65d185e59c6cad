package render_test

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/image/tiff"

	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/scene"
	"github.com/chemigram/chemigram/render"
)

// spaces are colour spaces that photographs are in, by their standards.
var spaces = map[string]render.Profile{
	"sRGB":         render.SRGB,
	"Adobe RGB":    {Primaries: [3][2]float64{{0.64, 0.33}, {0.21, 0.71}, {0.15, 0.06}}, White: [2]float64{0.3127, 0.3290}, Curve: render.Curve{G: 2.19921875, A: 1}},
	"Display P3":   {Primaries: [3][2]float64{{0.680, 0.320}, {0.265, 0.690}, {0.150, 0.060}}, White: [2]float64{0.3127, 0.3290}, Curve: render.SRGB.Curve},
	"ProPhoto RGB": {Primaries: [3][2]float64{{0.734699, 0.265301}, {0.159597, 0.840403}, {0.036598, 0.000105}}, White: [2]float64{0.345704, 0.358540}, Curve: render.Curve{G: 1.8, A: 1, C: 1.0 / 16, D: 0.03125}},
}

// withProfile puts a profile into a PNG.
func withProfile(data, icc []byte) []byte {
	var packed bytes.Buffer
	packed.WriteString("icc\x00\x00")
	z := zlib.NewWriter(&packed)
	_, _ = z.Write(icc)
	_ = z.Close()
	return withChunk(data, "iCCP", packed.Bytes())
}

func withChunk(data []byte, name string, content []byte) []byte {
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(content)))
	body := append([]byte(name), content...)
	chunk = binary.BigEndian.AppendUint32(append(chunk, body...), crc32.ChecksumIEEE(body))
	const afterHead = 33
	return append(append(bytes.Clone(data[:afterHead]), chunk...), data[afterHead:]...)
}

// orientation is EXIF that says how a picture is turned.
func orientation(n byte) []byte {
	return []byte("II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00" + string(n) + "\x00\x00\x00\x00\x00\x00\x00")
}

// withTags adds an orientation and a profile to a TIFF of little endian.
func withTags(data []byte, turned uint16, icc []byte) []byte {
	le := binary.LittleEndian
	data = append(bytes.Clone(data), make([]byte, len(data)%2)...)
	first := int(le.Uint32(data[4:]))
	entries := slices.Collect(slices.Chunk(data[first+2:first+2+12*int(le.Uint16(data[first:]))], 12))
	entry := func(tag, kind uint16, count, value uint32) []byte {
		b := le.AppendUint16(le.AppendUint16(nil, tag), kind)
		return le.AppendUint32(le.AppendUint32(b, count), value)
	}
	entries = append(entries, entry(0x112, 3, 1, uint32(turned)), entry(0x8773, 7, uint32(len(icc)), uint32(len(data))))
	slices.SortFunc(entries, func(a, b []byte) int { return cmp.Compare(le.Uint16(a), le.Uint16(b)) })
	added := append(bytes.Clone(icc), make([]byte, len(icc)%2)...)
	at := uint32(len(data) + len(added))
	added = le.AppendUint16(added, uint16(len(entries)))
	added = append(append(added, slices.Concat(entries...)...), 0, 0, 0, 0)
	le.PutUint32(data[4:], at)
	return append(data, added...)
}

func loadPhoto(t *testing.T, data []byte, size int) (image.Image, error) {
	t.Helper()
	return render.LoadPhoto(t.Context(), "photo", bytes.NewReader(data), int64(len(data)), size)
}

// A colour is the same whatever space the file has it in. 200, 120, 80 of sRGB are light
// of 0.578, 0.188 and 0.080, whose values in the other spaces are by their standards.
func TestAPhotoIsReadInItsColourSpace(t *testing.T) {
	t.Parallel()
	for name, encoded := range map[string][3]float64{
		"sRGB": {200, 120, 80}, "Adobe RGB": {180.3, 119.2, 83.0}, "Display P3": {188.9, 123.8, 87.5}, "ProPhoto RGB": {148.75, 110.8, 71.5},
	} {
		m := image.NewNRGBA64(image.Rect(0, 0, 40, 30))
		for i := range 40 * 30 {
			c := [3]uint16{}
			for ch, v := range encoded {
				c[ch] = uint16(math.Round(v / 255 * 65535))
			}
			m.SetNRGBA64(i%40, i/40, color.NRGBA64{c[0], c[1], c[2], 65535})
		}
		var file bytes.Buffer
		if err := png.Encode(&file, m); err != nil {
			t.Fatal(err)
		}
		profile := spaces[name]
		got, err := loadPhoto(t, withProfile(file.Bytes(), profile.ICC()), 20)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got.Bounds() != image.Rect(0, 0, 20, 15) {
			t.Errorf("%s: %v", name, got.Bounds())
		}
		r, g, b, _ := got.At(3, 4).RGBA()
		for i, v := range []uint32{r, g, b} {
			if want := []float64{200, 120, 80}[i]; math.Abs(float64(v)/257-want) > 0.7 {
				t.Errorf("%s: channel %d is %.2f, want %g", name, i, float64(v)/257, want)
			}
		}
	}
}

// A picture is shown as its orientation says, in all formats.
func TestAPhotoIsTurnedAsItSays(t *testing.T) {
	t.Parallel()
	m := image.NewRGBA(image.Rect(0, 0, 64, 32))
	for y := range 32 {
		for x := range 64 {
			c := color.RGBA{0, 0, 0, 255}
			if x < 32 && y < 16 { // the stored upper left
				c = color.RGBA{255, 255, 255, 255}
			}
			m.SetRGBA(x, y, c)
		}
	}
	var asPNG, asJPEG, asTIFF bytes.Buffer
	for _, err := range []error{png.Encode(&asPNG, m), jpeg.Encode(&asJPEG, m, nil), tiff.Encode(&asTIFF, m, nil)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	// Where the white corner is then, by EXIF 2.32, 4.6.4: 0th row and 0th column.
	corners := map[byte]image.Point{1: {0, 0}, 2: {1, 0}, 3: {1, 1}, 4: {0, 1}, 5: {0, 0}, 6: {1, 0}, 7: {1, 1}, 8: {0, 1}}
	for turned, corner := range corners {
		exif := append([]byte("Exif\x00\x00"), orientation(turned)...)
		segment := binary.BigEndian.AppendUint16([]byte{0xff, 0xd8, 0xff, 0xe1}, uint16(len(exif)+2))
		files := map[string][]byte{
			"png":  withChunk(asPNG.Bytes(), "eXIf", orientation(turned)),
			"jpeg": append(append(segment, exif...), asJPEG.Bytes()[2:]...),
		}
		for format, data := range files {
			got, err := loadPhoto(t, data, 64)
			if err != nil {
				t.Fatal(format, err)
			}
			size := got.Bounds().Size()
			if want := (image.Point{64, 32}); turned < 5 && size != want || turned >= 5 && size != (image.Point{32, 64}) {
				t.Errorf("%s turned %d is %v", format, turned, size)
			}
			at := func(p image.Point) uint32 {
				r, _, _, _ := got.At(p.X*(size.X-1), p.Y*(size.Y-1)).RGBA()
				return r
			}
			for _, p := range []image.Point{{0, 0}, {1, 0}, {0, 1}, {1, 1}} {
				if white := at(p) > 40000; white != (p == corner) {
					t.Errorf("%s turned %d: corner %v is white: %t", format, turned, p, white)
				}
			}
		}
	}
	profile := spaces["sRGB"]
	if got, err := loadPhoto(t, withTags(asTIFF.Bytes(), 6, profile.ICC()), 16); err != nil || got.Bounds() != image.Rect(0, 0, 8, 16) {
		t.Errorf("TIFF: %v", err)
	}
	if _, err := loadPhoto(t, withTags(asTIFF.Bytes(), 1, []byte("no profile")), 16); err == nil {
		t.Error("the profile of a TIFF is not read")
	}
}

// What is no photograph, or too large a one, is refused before its pixels are read.
func TestWhatIsNoPhotoIsRefused(t *testing.T) {
	t.Parallel()
	var small bytes.Buffer
	if err := png.Encode(&small, image.NewGray(image.Rect(0, 0, 20, 20))); err != nil {
		t.Fatal(err)
	}
	huge := bytes.Clone(small.Bytes())
	binary.BigEndian.PutUint32(huge[16:], 20000)
	binary.BigEndian.PutUint32(huge[20:], 20000)
	binary.BigEndian.PutUint32(huge[29:], crc32.ChecksumIEEE(huge[12:29]))
	tables := render.SRGB.ICC()
	tables = bytes.ReplaceAll(tables, []byte("rXYZ"), []byte("A2B0"))
	for name, data := range map[string][]byte{
		"text": []byte("a text that is no picture"), "empty": nil, "cut": small.Bytes()[:len(small.Bytes())-20], "huge": huge,
		"tables": withProfile(small.Bytes(), tables), "broken profile": withProfile(small.Bytes(), []byte("abc")),
	} {
		_, err := loadPhoto(t, data, 16)
		var refused *render.Error
		if !errors.As(err, &refused) || refused.Kind != render.BadInput {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The largest JPEG in a raw is found, by its directories or by its head, and turned as
// the raw is; a raw without one is told.
func TestTheCamerasJPEGIsFoundInARaw(t *testing.T) {
	t.Parallel()
	m := image.NewRGBA(image.Rect(0, 0, 96, 64))
	var asJPEG bytes.Buffer
	if err := jpeg.Encode(&asJPEG, m, nil); err != nil {
		t.Fatal(err)
	}
	write := func(name string, data []byte) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	raw := filepath.Join(t.TempDir(), "a.dng")
	if err := scene.Write(raw, scene.Chart{}, scene.Options{Megapixels: 0.05, DNG: dng.Options{Orientation: 6}}); err != nil {
		t.Fatal(err)
	}
	if _, err := render.LoadCameraPhoto(t.Context(), raw, 48); err == nil {
		t.Error("a raw without a JPEG has one")
	}
	if err := dng.AddPreview(raw, asJPEG.Bytes()); err != nil {
		t.Fatal(err)
	}
	fuji := append([]byte("FUJIFILMCCD-RAW "), make([]byte, 104)...)
	binary.BigEndian.PutUint32(fuji[84:], uint32(len(fuji)))
	binary.BigEndian.PutUint32(fuji[88:], uint32(asJPEG.Len()))
	boxes := append([]byte("\x00\x00\x00\x18ftypcrx "), make([]byte, 200)...)
	for path, want := range map[string]image.Point{
		raw: {32, 48}, write("a.raf", append(fuji, asJPEG.Bytes()...)): {48, 32}, write("a.cr3", append(boxes, asJPEG.Bytes()...)): {48, 32},
	} {
		got, err := render.LoadCameraPhoto(t.Context(), path, 48)
		if err != nil || got.Bounds().Size() != want {
			t.Errorf("%s: %v, want %v", filepath.Base(path), err, want)
		}
	}
}

// FuzzLoadPhoto reads anything as a photograph, and as a raw with a JPEG in it.
func FuzzLoadPhoto(f *testing.F) {
	var asJPEG, asPNG, asTIFF bytes.Buffer
	m := image.NewRGBA(image.Rect(0, 0, 24, 20))
	_ = render.EncodeJPEG(&asJPEG, m, 80)
	_ = png.Encode(&asPNG, m)
	_ = tiff.Encode(&asTIFF, m, nil)
	profile := spaces["ProPhoto RGB"]
	for _, seed := range [][]byte{asJPEG.Bytes(), withProfile(asPNG.Bytes(), profile.ICC()), asTIFF.Bytes(), withChunk(asPNG.Bytes(), "eXIf", orientation(6))} {
		f.Add(seed)
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		if c, _, err := image.DecodeConfig(bytes.NewReader(data)); err == nil && c.Width*c.Height > 1<<20 {
			t.Skip("as many pixels take long")
		}
		if m, err := loadPhoto(t, data, 16); err == nil && max(m.Bounds().Dx(), m.Bounds().Dy()) > 16 {
			t.Errorf("%v", m.Bounds())
		}
		path := filepath.Join(dir, "raw")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		_, _ = render.LoadCameraPhoto(t.Context(), path, 16)
	})
}
