package imagefile

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

func check(f Format, data []byte) (w, h int, err error) {
	return Check(f, bytes.NewReader(data), int64(len(data)))
}

// samples are small files of all formats.
func samples(t testing.TB) map[Format][]byte {
	t.Helper()
	m := image.NewNRGBA(image.Rect(0, 0, 20, 12))
	var j, p, tf bytes.Buffer
	for _, err := range []error{jpeg.Encode(&j, m, nil), png.Encode(&p, m), tiff.Encode(&tf, m, nil)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	all := map[Format][]byte{JPEG: j.Bytes(), PNG: p.Bytes(), TIFF: tf.Bytes()}
	for _, f := range []Format{AVIF, JXL, EXR, WebP} {
		data, err := os.ReadFile(filepath.Join("testdata", "small."+string(f)))
		if err != nil {
			t.Fatal(err)
		}
		all[f] = data
	}
	return all
}

func TestFormatsAreRecognisedAndMeasured(t *testing.T) {
	t.Parallel()
	all := samples(t)
	for f := range all {
		for other, data := range all {
			w, h, err := check(f, data)
			switch {
			case f != other && err == nil:
				t.Errorf("%s is taken for %s", other, f)
			case f == other && (err != nil || w != 20 || h != 12 && h != 13):
				t.Errorf("%s: %d × %d, %v; want 20 × 12 or 13", f, w, h, err)
			}
		}
	}
}

func TestTruncatedFilesAreRefused(t *testing.T) {
	t.Parallel()
	for f, data := range samples(t) {
		cuts := []int{0, 1, 8, len(data) / 2, len(data) - 1}
		if f == JXL || f == EXR {
			cuts = []int{0, 1, 8} // their head has no length
		}
		for _, n := range cuts {
			if _, _, err := check(f, data[:n]); err == nil {
				t.Errorf("%s: the first %d of %d bytes are taken for the whole", f, n, len(data))
			}
		}
	}
}

func FuzzCheck(f *testing.F) {
	for _, data := range samples(f) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for format := range checks {
			_, _, _ = check(format, data)
		}
	})
}
