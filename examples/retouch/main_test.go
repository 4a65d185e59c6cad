package main

import (
	"image/jpeg"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/examples/demo"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/vocab/prove"
)

// Every job is done on its painted scene and says what was measured, none clips, and
// only what brings back clipped detail has more of it than noise may be. Where a seed
// draws, it draws three of the eight.
func TestTheJobsAreDoneWithoutHarm(t *testing.T) {
	testutil.UseDarktable(t)
	out := t.TempDir()
	drawn := testutil.Drawn(t, jobs, 3)
	var said strings.Builder
	s := session{out: out, given: photographs{}, megapixels: 0.3, size: 512}
	outcomes, err := s.run(t.Context(), &said, drawn)
	if err != nil {
		t.Fatal(err)
	}
	t.Log(said.String())
	for _, o := range outcomes {
		if len(o.numbers) == 0 || o.done == "" || !strings.Contains(said.String(), string(o.job)+": "+o.asked) {
			t.Errorf("%s: nothing is said of it", o.job)
		}
		if o.clipped > prove.HarmLimit(vocab.Clipping) || o.job != demo.Sunset && o.noise > prove.HarmLimit(vocab.Noise) {
			t.Errorf("%s: %q is harm", o.job, o.numbers)
		}
	}
	says := map[demo.Job]string{
		demo.Pier: "straighten -", demo.Flower: "left alone", demo.Beach: "healed from", demo.Glare: "healed from", demo.Leaf: "blur 12 px",
	}
	for _, o := range outcomes {
		if !strings.Contains(o.done, says[o.job]) {
			t.Errorf("%s: the outcome %q does not say %q", o.job, o.done, says[o.job])
		}
	}
	f, err := os.Open(filepath.Join(out, "retouch.jpg"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if size, err := jpeg.DecodeConfig(f); err != nil || size.Width < 4*512 {
		t.Errorf("the sheet: %+v %v", size, err)
	}
}

func TestPhotographsAreGivenByJob(t *testing.T) {
	given := photographs{}
	for _, arg := range []string{"pier=pier.jpg", "glare=a@b/lake.nef@0.41,0.63", "meadow=m@home.jpg"} {
		if err := given.Set(arg); err != nil {
			t.Errorf("%s: %v", arg, err)
		}
	}
	if p := given["glare"]; p != (photograph{"a@b/lake.nef", 0.41, 0.63, true}) || given["meadow"].path != "m@home.jpg" || given["pier"].path != "pier.jpg" {
		t.Errorf("%+v", given)
	}
	for _, wrong := range []string{"pier", "pier=", "harbour=a.jpg"} {
		if err := given.Set(wrong); err == nil {
			t.Errorf("%q was taken", wrong)
		}
	}
}
