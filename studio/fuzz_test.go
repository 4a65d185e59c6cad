package studio

import (
	"net/url"
	"testing"

	"github.com/chemigram/chemigram"
)

// FuzzQuery holds what a page may say of a picture to what the engine takes.
func FuzzQuery(f *testing.F) {
	f.Add("120", `{"x":0.1,"y":0.1,"width":0.2,"height":0.2}`)
	f.Add("16", `[{"primitive_name":"exposure","value":1,"mask":{"file":"x"}}]`)
	f.Add("-1", `{"shapes":[{"kind":"circle","radius":0.2}],"box":[0,0,1,1]}`)
	f.Fuzz(func(t *testing.T, size, text string) {
		q := url.Values{"size": {size}, "json": {text}}
		var n chemigram.Size
		if err := readSize(q, &n); err == nil && size != "" && (n < 16 || n > maxSide) {
			t.Errorf("the size %q is taken as %d", size, n)
		}
		var mask chemigram.Mask
		if err := readQuery(q, "json", &mask); err == nil && mask.File != "" {
			t.Errorf("%q names a file", text)
		}
		var moves []chemigram.VariantMove
		if err := readQuery(q, "json", &moves); err == nil {
			for _, move := range moves {
				if move.Mask != nil && move.Mask.File != "" {
					t.Errorf("%q names a file", text)
				}
			}
		}
	})
}
