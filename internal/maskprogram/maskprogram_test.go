package maskprogram

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"testing"
)

// Whatever a masker's program answers is a mask of the picture's size, or an error.
func FuzzMaskAnswer(f *testing.F) {
	size := image.Pt(3, 2)
	for _, side := range []int{2, 3000} {
		var mask bytes.Buffer
		if err := png.Encode(&mask, image.NewGray(image.Rect(0, 0, 3, side))); err != nil {
			f.Fatal(err)
		}
		f.Add(append(fmt.Appendf(nil, "{\"bytes\":%d,\"confidence\":0.5}\n", mask.Len()), mask.Bytes()...))
	}
	f.Add([]byte(`{"nothing_found":true}`))
	f.Fuzz(func(t *testing.T, answer []byte) {
		mask, _, err := Answer(answer, size)
		if err == nil && mask.Bounds().Size() != size {
			t.Errorf("the mask has %v", mask.Bounds())
		}
	})
}
