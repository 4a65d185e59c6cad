package files

import (
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/image/tiff"

	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/scene"
)

// A File is one of the world.
type File struct {
	// Kind and What say what is odd about it: "DNG with XMP", "DerivedFrom as a structure".
	Kind, What string
	// Name is its name in a folder.
	Name string
	// Width and Height are those of the picture in it, before it is turned.
	Width, Height int
	// Turned is true when it is shown turned by a quarter.
	Turned bool
	// Chart is true when its development shows the chart, upright.
	Chart bool

	write func(io.Writer) error
}

// Write writes the file into a folder and gives its path.
func (f File) Write(dir string) (path string, err error) {
	path = filepath.Join(dir, f.Name)
	w, err := os.Create(path)
	if err != nil {
		return "", err
	}
	if err := f.write(w); err != nil {
		_ = w.Close()
		return "", err
	}
	return path, w.Close()
}

// Width and height of those files of which the size is not what is odd.
const width, height = 96, 64

// All are all the files, in the order of a list that is read. Their names are such
// that all lie in one folder.
func All() []File {
	var all []File
	raw := func(kind, what, name string, w, h int, o dng.Options) {
		all = append(all, File{
			Kind: kind, What: what, Name: name, Width: w, Height: h, Turned: o.Orientation >= 5, Chart: o.Orientation < 2,
			write: func(out io.Writer) error { return dng.Write(out, scene.Chart{}.Image(w, h), o) },
		})
	}
	raw("DNG", "as it is", "plain.dng", width, height, dng.Options{})
	for _, p := range Packets() {
		raw("DNG with XMP", p.Name, fileName("xmp "+p.Name)+".dng", width, height, dng.Options{XMP: p.Data})
	}
	for orientation := 2; orientation <= 8; orientation++ {
		raw("DNG, orientation", string(rune('0'+orientation)), "turned"+string(rune('0'+orientation))+".dng", width, height, dng.Options{Orientation: orientation})
	}
	for pattern, name := range []string{dng.BGGR: "BGGR", dng.GRBG: "GRBG", dng.GBRG: "GBRG"} {
		if name != "" {
			raw("DNG, pattern", name, name+".dng", width, height, dng.Options{Pattern: dng.Pattern(pattern)})
		}
	}
	for _, size := range [][2]int{{64, 64}, {66, 98}, {640, 66}, {1502, 1002}} {
		raw("DNG, size", sizeName(size), "size"+sizeName(size)+".dng", size[0], size[1], dng.Options{})
	}
	raw("DNG, levels", "0 to 16383", "levels1.dng", width, height, dng.Options{BlackLevel: 1, WhiteLevel: 16383})
	raw("DNG, levels", "2047 to 4095", "levels2.dng", width, height, dng.Options{BlackLevel: 2047, WhiteLevel: 4095})
	raw("DNG, light", "tungsten", "tungsten.dng", width, height, dng.Options{Kelvin: 2850})
	raw("DNG, corners", "an opcode that brightens them", "corners.dng", width, height, dng.Options{CornerLight: 0.5})
	exif := map[string]dng.Options{
		"make and model of blanks": {Make: " ", Model: " ", LensModel: " "},
		"a model of 500 letters":   {Model: strings.Repeat("Model ", 83)},
		"not ASCII":                {Make: "Kämera", Model: "写真機", LensModel: "Öbjektiv"},
		"of year 1":                {Taken: time.Date(1, 1, 1, 0, 0, 1, 0, time.UTC)},
		"of year 9999":             {Taken: time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)},
		"a pinhole":                {FNumber: 256, FocalLength: 3000, ISO: 65535},
	}
	for _, what := range slices.Sorted(maps.Keys(exif)) {
		raw("DNG, EXIF", what, fileName("exif "+what)+".dng", width, height, exif[what])
	}
	names := map[string]string{
		"blanks": " a b  c.dng", "quotes": `a'b"c.dng`, "percent and dollar": "100%d$(HOME)$HOME.dng", "a leading dash": "-rf.dng",
		"a newline": "a\nb.dng", "composed": "\u00e9.dng", "decomposed": "e\u0301.dng", "upper case": "IMG.DNG", "no letters": "写真 📷.dng",
		"254 bytes": strings.Repeat("x", 250) + ".dng", "semicolons and brackets": "a;b[c]{d}*?.dng", "a backslash": `a\b.dng`,
	}
	for i, what := range slices.Sorted(maps.Keys(names)) {
		raw("DNG, name", what, names[what], width, height, dng.Options{ISO: 101 + i}) // no two files are the same
	}
	return append(all, pictures()...)
}

// pictures are files that are no raws.
func pictures() []File {
	encode := func(kind, what, name string, m image.Image, f func(io.Writer, image.Image) error) File {
		return File{Kind: kind, What: what, Name: name, Width: width, Height: height, write: func(w io.Writer) error { return f(w, m) }}
	}
	rgb, deep, grey := image.NewNRGBA(image.Rect(0, 0, width, height)), image.NewNRGBA64(image.Rect(0, 0, width, height)), image.NewGray(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			c := color.NRGBA64{uint16(x * 600), uint16(y * 900), 0x8000, 0xffff}
			rgb.Set(x, y, c)
			deep.SetNRGBA64(x, y, c)
			grey.Set(x, y, c)
		}
	}
	asJPEG := func(w io.Writer, m image.Image) error { return jpeg.Encode(w, m, nil) }
	asTIFF := func(w io.Writer, m image.Image) error { return tiff.Encode(w, m, nil) }
	deflated := func(w io.Writer, m image.Image) error {
		return tiff.Encode(w, m, &tiff.Options{Compression: tiff.Deflate, Predictor: true})
	}
	return []File{
		encode("JPEG", "without EXIF", "plain.jpg", rgb, asJPEG),
		encode("JPEG", "grey", "grey.jpeg", grey, asJPEG),
		encode("PNG", "8 bits", "plain.png", rgb, png.Encode),
		encode("PNG", "16 bits", "deep.png", deep, png.Encode),
		encode("PNG", "grey", "grey.png", grey, png.Encode),
		encode("TIFF", "8 bits", "plain.tif", rgb, asTIFF),
		encode("TIFF", "16 bits, deflated", "deep.tiff", deep, deflated),
		encode("TIFF", "grey", "grey.tif", grey, asTIFF),
	}
}

func sizeName(size [2]int) string { return fmt.Sprintf("%dx%d", size[0], size[1]) }

// fileName makes a plain name of words.
func fileName(words string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, words)
}
