package segment

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/chemigram/chemigram/internal/testutil/photos"
)

// Photographs that the forests were trained with: the test sees that what was measured
// on others when they were trained still comes out of them. It takes some by
// CHEMIGRAM_TEST_SEED.
func TestSkiesOfPhotographsAreFound(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("looks at photographs")
	}
	seed := cmp.Or(os.Getenv("CHEMIGRAM_TEST_SEED"), time.Now().Format(time.RFC3339Nano))
	t.Logf("CHEMIGRAM_TEST_SEED=%s", seed)
	all := photos.Read(t)
	random := rand.New(rand.NewChaCha8(sha256.Sum256([]byte(seed))))
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	sum, n := 0.0, 0
	for _, p := range all {
		region := p.Regions["sky"]
		if region == nil || n == 12 {
			continue
		}
		n++
		var finder Finder
		found, err := finder.Find(t.Context(), p.Picture, Request{Category: Sky})
		if errors.Is(err, ErrNothing) {
			t.Logf("%s: nothing found", p.ID)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		both, either := 0.0, 0.0
		box := p.Picture.Bounds()
		gray := found.Gray(box.Size())
		for i, v := range gray.Pix {
			r, _, _, _ := region.At(box.Min.X+i%box.Dx(), box.Min.Y+i/box.Dx()).RGBA()
			if r > 0x7fff && v > 127 {
				both++
			}
			if r > 0x7fff || v > 127 {
				either++
			}
		}
		sum += both / either
	}
	if mean := sum / float64(n); mean < 0.75 {
		t.Errorf("what is found shares %.3f with the skies of %d photographs, want 0.75", mean, n)
	}
}
