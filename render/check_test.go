package render

import (
	"bytes"
	"image"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/image/tiff"
)

// checked looks at data as a file of the named format.
func checked(name string, data []byte) (w, h int, err error) {
	return formatOf("x." + name).check(file{bytes.NewReader(data), int64(len(data))})
}

func samples(t testing.TB) map[string][]byte {
	t.Helper()
	m := image.NewNRGBA(image.Rect(0, 0, 20, 12))
	var j, p, tf bytes.Buffer
	for _, err := range []error{jpeg.Encode(&j, m, nil), png.Encode(&p, m), tiff.Encode(&tf, m, nil)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	all := map[string][]byte{"jpg": j.Bytes(), "png": p.Bytes(), "tif": tf.Bytes()}
	for _, ext := range []string{"avif", "jxl", "exr", "webp"} {
		data, err := os.ReadFile(filepath.Join("testdata", "small."+ext))
		if err != nil {
			t.Fatal(err)
		}
		all[ext] = data
	}
	return all
}

func TestFormatsAreRecognisedAndMeasured(t *testing.T) {
	t.Parallel()
	all := samples(t)
	for ext := range all {
		for other, data := range all {
			w, h, err := checked(ext, data)
			switch {
			case ext != other && err == nil:
				t.Errorf("%s is taken for %s", other, ext)
			case ext == other && (err != nil || w != 20 || h != 12 && h != 13):
				t.Errorf("%s: %d × %d, %v; want 20 × 12 or 13", ext, w, h, err)
			}
		}
	}
}

func TestTornFilesAreRefused(t *testing.T) {
	t.Parallel()
	for ext, data := range samples(t) {
		cuts := []int{0, 1, 8, len(data) / 2, len(data) - 1}
		if ext == "jxl" || ext == "exr" {
			cuts = []int{0, 1, 8} // their length is not told in their head
		}
		for _, n := range cuts {
			if _, _, err := checked(ext, data[:n]); err == nil {
				t.Errorf("%s: the first %d of %d bytes are taken for the whole", ext, n, len(data))
			}
		}
	}
}

func FuzzCheck(f *testing.F) {
	for _, data := range samples(f) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for i := range formats {
			_, _, _ = checked(formats[i].extensions[0][1:], data)
		}
	})
}
