package vocab

import (
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/chemigram/chemigram/vocab/measure"
)

func TestScratch(t *testing.T) {
	glob := os.Getenv("SCRATCH")
	if glob == "" {
		t.Skip()
	}
	files, _ := filepath.Glob(glob)
	var first *measure.Picture
	for _, f := range files {
		r, _ := os.Open(f)
		img, err := png.Decode(r)
		if err != nil {
			t.Fatal(err)
		}
		p := measure.New(img)
		if first == nil {
			first = p
		}
		fmt.Printf("%-28s", filepath.Base(f))
		for _, m := range measure.Measures()[:12] {
			fmt.Printf(" %s %.2f", m, m.Of(p, nil))
		}
		de, _ := measure.MeanDeltaE(first, p)
		fmt.Printf(" dE %.3f\n", de)
	}
}
