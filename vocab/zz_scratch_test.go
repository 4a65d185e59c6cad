package vocab_test

import (
	"fmt"
	"image"
	"image/png"
	"os"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/vocab/measure"
)

func TestScratch(t *testing.T) {
	dir := os.Getenv("SCRATCH")
	if dir == "" {
		t.Skip()
	}
	v, fails := vocab.Load(vocab.Dir(dir))
	for _, f := range fails {
		t.Fatal(f)
	}
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		if only := os.Getenv("ONLY"); only != "" && dt.Name != only {
			return
		}
		s := newStudio(t, dt)
		sc := vocab.Scene("natural")
		if x := os.Getenv("SCENE"); x != "" {
			sc = vocab.Scene(x)
		}
		base, err := s.Baseline(t.Context(), sc)
		if err != nil {
			t.Fatal(err)
		}
		base, _ = base.Compact(s.release)
		var first *measure.Picture
		show := func(name string, img image.Image) {
			f, _ := os.Create(fmt.Sprintf("%s/%s-%s-%s.png", dir, name, sc, dt.Name[:1]))
			png.Encode(f, img)
			f.Close()
			p := measure.New(img)
			if first == nil {
				first = p
			}
			fmt.Printf("%-7s%-26s", dt.Name, name)
			for _, m := range measure.Measures()[:12] {
				fmt.Printf(" %.5s %.2f", m, m.Of(p, nil))
			}
			for _, r := range measure.Regions() {
				fmt.Printf(" %.4s %.2f", r, measure.LumaMean.Of(p, r.Mask(first)))
			}
			de, _ := measure.MeanDeltaE(first, p)
			fmt.Printf(" dE %.3f\n", de)
		}
		img, err := s.Render(t.Context(), sc, base.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		show("0base", img)
		for _, e := range v.List(vocab.Filter{}) {
			edits, _, err := e.Compile(vocab.Application{Baseline: base, Current: base, Target: s.release})
			if err != nil {
				t.Fatal(err)
			}
			next, err := base.With(s.release, edits...)
			if err != nil {
				t.Fatal(err)
			}
			img, err := s.Render(t.Context(), sc, next.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			show(e.Name, img)
		}
	})
}
